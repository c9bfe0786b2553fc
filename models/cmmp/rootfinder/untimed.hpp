// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <sme/kahn.hpp>

#include "search.hpp"

namespace models::rootfinder {

/// Evaluates its points, each a given number of times, to emulate slower functions.
class Evaluate : public sme::KahnProcess {
public:
    Evaluate(std::uint64_t times, sme::ChannelIn<std::uint64_t> points,
             sme::ChannelOut<double> values)
        : times_{times}, points_{points}, values_{values} {}
    sme::KahnTask run() {
        while (const auto cell = co_await points_.receive()) {
            volatile double x = Interval::x_of(*cell); // so that it is evaluated each time
            double value = 0;
            for (std::uint64_t k = 0; k < times_; ++k)
                value = normal_tail(x).value;
            co_await values_.send(value);
        }
    }

private:
    std::uint64_t times_;
    sme::ChannelIn<std::uint64_t> points_;
    sme::ChannelOut<double> values_;
};

/// Distributes points and narrows the interval, root after root.
class Find : public sme::KahnProcess {
public:
    using Points = std::vector<sme::ChannelOut<std::uint64_t>>;
    using Values = std::vector<sme::ChannelIn<double>>;

    Find(std::uint64_t roots, Points points, Values values)
        : count_{roots}, points_{std::move(points)}, values_{std::move(values)} {}
    sme::KahnTask run() {
        while (roots.size() < count_) {
            const double tail = tail_of(roots.size());
            Interval interval{points_.size()};
            while (!interval.found()) {
                for (std::size_t k = 0; k < points_.size(); ++k)
                    co_await points_[k].send(interval.point(k));
                std::uint64_t before = 0;
                for (const auto& values : values_) {
                    const auto value = co_await values.receive();
                    before += *value > tail ? 1U : 0U;
                }
                interval.narrow(before);
            }
            roots.push_back({tail, interval.root(), interval.iterations()});
        }
    }

    std::vector<Root> roots;

private:
    std::uint64_t count_;
    Points points_;
    Values values_;
};

} // namespace models::rootfinder
