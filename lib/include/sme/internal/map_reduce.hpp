// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

#include "sme/kahn.hpp"

namespace sme::internal {

template <class Job> using Pairs = std::vector<std::pair<typename Job::Key, typename Job::Value>>;

/// Sends one list of pairs to each reducer for each input.
template <class Job> class Mapper : public KahnProcess {
public:
    Mapper(ChannelIn<typename Job::Input> x, std::vector<ChannelOut<Pairs<Job>>> y, Job job)
        : x_{x}, y_{std::move(y)}, job_{std::move(job)} {}
    KahnTask run() {
        while (auto input = co_await x_.receive()) {
            std::vector<Pairs<Job>> parts(y_.size());
            job_.map(*input, [&](typename Job::Key key, typename Job::Value value) {
                const std::size_t part = job_.part(key) % parts.size();
                parts[part].emplace_back(std::move(key), std::move(value));
            });
            for (std::size_t k = 0; k < parts.size(); ++k)
                co_await y_[k].send(std::move(parts[k]));
        }
    }

private:
    ChannelIn<typename Job::Input> x_;
    std::vector<ChannelOut<Pairs<Job>>> y_;
    Job job_;
};

/// Sends one list of outputs, by ascending key, for one list from each mapper.
template <class Job> class Reducer : public KahnProcess {
public:
    using Outputs = std::vector<typename Job::Output>;

    Reducer(std::vector<ChannelIn<Pairs<Job>>> x, ChannelOut<Outputs> y, Job job)
        : x_{std::move(x)}, y_{y}, job_{std::move(job)} {}
    KahnTask run() {
        for (;;) {
            Pairs<Job> all;
            for (const auto& input : x_) {
                auto pairs = co_await input.receive();
                if (!pairs)
                    co_return;
                all.insert(all.end(), std::make_move_iterator(pairs->begin()),
                           std::make_move_iterator(pairs->end()));
            }
            co_await y_.send(reduced(all));
        }
    }

private:
    Outputs reduced(Pairs<Job>& all) const {
        std::stable_sort(all.begin(), all.end(),
                         [](const auto& a, const auto& b) { return a.first < b.first; });
        Outputs outputs;
        std::vector<typename Job::Value> values;
        for (std::size_t k = 0; k < all.size(); ++k) {
            values.push_back(std::move(all[k].second));
            if (k + 1 != all.size() && all[k + 1].first == all[k].first)
                continue;
            job_.reduce(all[k].first, std::span<const typename Job::Value>{values},
                        [&](typename Job::Output output) { outputs.push_back(std::move(output)); });
            values.clear();
        }
        return outputs;
    }

    std::vector<ChannelIn<Pairs<Job>>> x_;
    ChannelOut<Outputs> y_;
    Job job_;
};

} // namespace sme::internal
