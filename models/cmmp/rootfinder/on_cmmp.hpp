// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <random>
#include <string_view>
#include <vector>

#include "../parts.hpp"
#include "../stage.hpp"
#include "search.hpp"

namespace models::rootfinder {

/// The duration of an evaluation: from the number of terms needed, or random.
enum class Times : std::uint8_t { terms, constant, normal, exponential };
constexpr std::array<std::string_view, 4> times_names{"terms", "constant", "normal", "exponential"};

struct WorkOptions {
    std::uint64_t processes = 5;
    std::uint64_t roots = 50;
    Times times = Times::terms;
    std::uint64_t mean_us = 100'000;
    std::uint64_t seed = 1;
};

/// The rootfinder as work for the machine: each process evaluates a point per stage, and the last
/// one narrows the interval.
class Work {
public:
    explicit Work(const WorkOptions& options)
        : options_{options}, stage_{static_cast<unsigned>(options.processes)}, random_{
                                                                                   options.seed} {
        begin_stage();
    }

    cmmp::Answer next(unsigned process, std::uint64_t result, std::uint64_t cycle) {
        const cmmp::Stage::Step step = stage_.next(process);
        if (step == cmmp::Stage::Step::work)
            return cmmp::Stage::work(amounts_[process], interval_.point(process));
        if (std::bit_cast<double>(result) > tail_of(roots.size()))
            ++before_;
        if (step == cmmp::Stage::Step::wait)
            return cmmp::Stage::wait();
        interval_.narrow(before_);
        if (interval_.found()) {
            roots.push_back({tail_of(roots.size()), interval_.root(), interval_.iterations()});
            interval_ = Interval{options_.processes};
        }
        if (ends.size() < 3)
            ends.push_back(cycle);
        begin_stage();
        return stage_.release(process);
    }
    bool ended() const { return roots.size() == options_.roots; }
    static std::uint64_t perform(std::uint64_t cell) {
        return std::bit_cast<std::uint64_t>(normal_tail(Interval::x_of(cell)).value);
    }

    std::vector<Root> roots;
    std::vector<std::uint64_t> ends; ///< of the first stages, in cycles

private:
    static constexpr double terms_mean = 35; ///< over 50 roots with one process

    void begin_stage() {
        before_ = 0;
        amounts_.clear();
        for (std::uint64_t k = 0; k < options_.processes; ++k)
            amounts_.push_back(
                std::max<std::uint64_t>(1, cmmp::references(time_of(interval_.point(k)))));
    }
    /// In milliseconds on an average PDP-11/40.
    double time_of(std::uint64_t cell) {
        const double mean = static_cast<double>(options_.mean_us) / 1000;
        switch (options_.times) {
        case Times::terms: return mean * normal_tail(Interval::x_of(cell)).terms / terms_mean;
        case Times::normal: // the report's deviation
            return std::max(0.0, std::normal_distribution{mean, 0.278 * mean}(random_));
        case Times::exponential: return std::exponential_distribution{1 / mean}(random_);
        default: return mean;
        }
    }

    WorkOptions options_;
    cmmp::Stage stage_;
    std::mt19937_64 random_;
    Interval interval_{options_.processes};
    std::vector<std::uint64_t> amounts_;
    std::uint64_t before_ = 0; ///< points of this stage before the root
};

} // namespace models::rootfinder
