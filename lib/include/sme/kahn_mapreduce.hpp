// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sme/kahn.hpp"

namespace sme {

/// The requirements on the job of a MapReduce: a class with the types
///
///     Input    what a mapper receives
///     Key      groups the pairs; has < and ==
///     Value    the second part of a pair
///     Output   a result of the reduction
///
/// and the functions
///
///     void map(const Input&, emit) const       calls emit(Key, Value), any number of times
///     std::size_t part(const Key&) const       the same number for equal keys
///     void reduce(const Key&, std::span<const Value>, emit) const
///                                              calls emit(Output), any number of times
template <class J>
concept MapReduceJob = requires(const J& job, const typename J::Input& input,
                                const typename J::Key& key,
                                std::span<const typename J::Value> values,
                                void (*pair)(typename J::Key, typename J::Value),
                                void (*output)(typename J::Output)) {
    job.map(input, pair);
    { job.part(key) } -> std::convertible_to<std::size_t>;
    job.reduce(key, values, output);
};

namespace detail {

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

} // namespace detail

/// Adds a MapReduce: `name.map[k]` for each channel of `from`, and `name.reduce[k]` for each
/// channel of `to`. It works in rounds, any number of them: when each mapper has received an input,
/// each reducer sends the outputs for its keys in the order of the keys. The values of a key are in
/// the order of the mappers. Throws NetworkError when `from` or `to` is empty.
template <MapReduceJob Job>
void add_map_reduce(KahnNetwork& network, const std::string& name,
                    const std::vector<Channel<typename Job::Input>>& from,
                    const std::vector<Channel<std::vector<typename Job::Output>>>& to,
                    const Job& job = {}) {
    if (from.empty() || to.empty())
        throw NetworkError{"'" + name + "' has no " + (from.empty() ? "mappers" : "reducers") +
                           "; give it a channel for each"};
    std::vector<std::vector<Channel<detail::Pairs<Job>>>> to_reducer(to.size());
    for (std::size_t m = 0; m < from.size(); ++m) {
        const auto of_mapper =
            network.channels<detail::Pairs<Job>>(name + ".pairs_of_" + std::to_string(m), to.size())
                .all();
        for (std::size_t r = 0; r < to.size(); ++r)
            to_reducer[r].push_back(of_mapper[r]);
        network.add<detail::Mapper<Job>>(indexed(name + ".map", m), in(from[m]), out(of_mapper),
                                         job);
    }
    for (std::size_t r = 0; r < to.size(); ++r)
        network.add<detail::Reducer<Job>>(indexed(name + ".reduce", r), in(to_reducer[r]),
                                          out(to[r]), job);
}

} // namespace sme
