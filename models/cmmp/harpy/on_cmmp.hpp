// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "../parts.hpp"
#include "../tables.hpp"
#include "beam.hpp"

namespace models::harpy {

/// The distribution of the forward step's work; 5.4 and 5.5 of the report.
enum class Version : std::uint8_t { fixed, dynamic, split, overlapped };
constexpr std::array<std::string_view, 4> version_names{"static", "dynamic", "split", "overlapped"};

/// In milliseconds on an average PDP-11/40. The transition costs are from figure 30; the others are
/// chosen to match the shares of table 11 and the 26 % by which version 3 is slower than version 1
/// on one processor.
namespace costs {
constexpr double expand = 0.2; ///< CHECKNEXT, per candidate
constexpr double expand_son = 0.42;
constexpr double transition = 0.8; ///< CHECKSTATE, per pair
constexpr double update = 0.4;     ///< additional, if the path is better than before
constexpr double store = 0.19;     ///< per pair, on the common stack
constexpr double retrieve = 0.19;
constexpr double save = 0.6;  ///< SAVESTATES, per pair
constexpr double look = 0.05; ///< poll for pending work of other processes
} // namespace costs

/// Processes the sentences one by one on the machine.
class Work {
public:
    Work(const Knowledge& knowledge, const std::vector<Utterance>& utterances, Version version,
         std::uint64_t processes, std::uint64_t threshold)
        : knowledge_{&knowledge}, utterances_{&utterances}, version_{version},
          processes_{processes}, threshold_{threshold}, expanding_(processes) {
        begin_utterance();
    }

    cmmp::Answer next(unsigned process, std::uint64_t, std::uint64_t cycle) {
        if (const auto father = std::exchange(expanding_[process], std::nullopt)) {
            for (const std::uint32_t son : beam_->sons(*father))
                pairs_.emplace_back(*father, son);
            --expansions_;
        }
        if (const double ms = unit(process); ms > 0) {
            useful += step_ == Step::save ? 0 : ms;
            return {cmmp::Order::work, 0, 0, cmmp::references(ms), 0};
        }
        if (version_ == Version::overlapped && expansions_ != 0)
            return {cmmp::Order::work, 0, 0, cmmp::references(costs::look), 0};
        if (++done_ < processes_)
            return {cmmp::Order::wait, 0, 0, 0, 0};
        done_ = 0;
        end_step(cycle);
        const std::uint32_t all = (1U << processes_) - 1;
        return {cmmp::Order::release, 0, static_cast<std::uint16_t>(all & ~(1U << process)), 0, 0};
    }
    bool ended() const { return recognised.size() == utterances_->size(); }
    static std::uint64_t perform(std::uint64_t) { return 0; }

    std::vector<Recognised> recognised;
    std::vector<std::uint64_t> ends;  ///< of the first steps, in cycles
    std::uint64_t forward_cycles = 0; ///< in forward steps
    std::uint64_t pruning_cycles = 0; ///< in the others
    double useful = 0;                ///< milliseconds of work in forward steps
    /// The number of segments with 1 to 10 units of work, up to 100, up to 1000, and more.
    using Counts = std::array<std::uint64_t, 4>;
    Counts segments{}, pairs_of_segments{}; ///< candidates, pairs

private:
    enum class Step : std::uint8_t { forward, transitions, save };

    /// Returns the work of a requesting process, in milliseconds; 0 if there is no work.
    double unit(unsigned process) {
        if (step_ == Step::save)
            return saves_ == 0 ? 0 : (--saves_, costs::save);
        if (step_ == Step::forward) {
            const std::size_t queue = version_ == Version::fixed ? process : 0;
            if (!candidates_[queue].empty()) {
                const std::uint32_t father = candidates_[queue].front();
                candidates_[queue].pop_front();
                return expansion(process, father);
            }
        }
        const bool waits = version_ == Version::split && step_ == Step::forward;
        if (pairs_.empty() || waits)
            return 0;
        const auto [father, son] = pairs_.front();
        pairs_.pop_front();
        return costs::retrieve + transition(father, son);
    }
    double expansion(unsigned process, std::uint32_t father) {
        const auto& sons = beam_->sons(father);
        const auto count = static_cast<double>(sons.size());
        double ms = costs::expand + count * costs::expand_son;
        if (version_ == Version::split || version_ == Version::overlapped) {
            expanding_[process] = father;
            ++expansions_;
            return ms + count * costs::store;
        }
        for (const std::uint32_t son : sons)
            ms += transition(father, son);
        return ms;
    }
    double transition(std::uint32_t father, std::uint32_t son) {
        ++saves_;
        return costs::transition + (beam_->try_pair(father, son) ? costs::update : 0);
    }

    static std::size_t class_of(std::uint64_t units) {
        return units <= 10 ? 0 : units <= 100 ? 1 : units <= 1000 ? 2 : 3;
    }
    void end_step(std::uint64_t cycle) {
        if (ends.size() < 12)
            ends.push_back(cycle);
        (step_ != Step::save ? forward_cycles : pruning_cycles) += cycle - begun_;
        begun_ = cycle;
        if (step_ == Step::forward && version_ == Version::split) {
            step_ = Step::transitions;
        } else if (step_ != Step::save) {
            step_ = Step::save;
            ++pairs_of_segments[class_of(saves_)];
        } else {
            beam_->end_segment();
            if (beam_->over()) {
                recognised.push_back(beam_->recognised());
                if (!ended())
                    begin_utterance();
            } else {
                begin_segment();
            }
        }
    }
    void begin_utterance() {
        beam_.emplace(*knowledge_, (*utterances_)[recognised.size()], threshold_);
        begin_segment();
    }
    void begin_segment() {
        step_ = Step::forward;
        beam_->begin_segment();
        const auto& all = beam_->candidates();
        ++segments[class_of(all.size())];
        const std::size_t queues = version_ == Version::fixed ? processes_ : 1;
        candidates_.assign(queues, {});
        for (std::size_t k = 0; k < all.size(); ++k)
            candidates_[k * queues / all.size()].push_back(all[k]);
    }

    const Knowledge* knowledge_;
    const std::vector<Utterance>* utterances_;
    Version version_;
    std::uint64_t processes_;
    std::uint64_t threshold_;
    std::optional<Beam> beam_;
    Step step_ = Step::forward;
    std::vector<std::deque<std::uint32_t>> candidates_; ///< per process, or one for all
    std::deque<std::pair<std::uint32_t, std::uint32_t>> pairs_;
    std::vector<std::optional<std::uint32_t>> expanding_; ///< by each process
    std::uint64_t expansions_ = 0;                        ///< in progress
    std::uint64_t saves_ = 0;
    std::uint64_t done_ = 0;
    std::uint64_t begun_ = 0; ///< start of the step, in cycles
};

} // namespace models::harpy
