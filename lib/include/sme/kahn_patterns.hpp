// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sme/kahn.hpp"

namespace sme {

/// The workers of one process: a channel to and from each worker.
template <class W, class Task, class Result> struct Workers {
    std::vector<KahnHandle<W>> processes;
    std::vector<Channel<Task>> tasks;
    std::vector<Channel<Result>> results;
};

/// Adds `count` workers, `name[0]` to `name[count − 1]`, each a process of class W with the
/// constructor W(ChannelIn<Task>, ChannelOut<Result>, arguments…), and their channels
/// `name.task[k]` and `name.result[k]`. Throws NetworkError when `count` is 0.
///
/// The owning process binds `out(workers.tasks)` and `in(workers.results)`. To keep all workers
/// busy, send to each of them before receiving from the first.
template <std::derived_from<KahnProcess> W, class Task, class Result, class... Arguments>
Workers<W, Task, Result> add_workers(KahnNetwork& network, const std::string& name,
                                     std::uint64_t count, Depth depth, Arguments... arguments) {
    if (count == 0)
        throw NetworkError{"'" + name + "' has no workers; give it 1 or more"};
    const Channels<Task> tasks = network.channels<Task>(name + ".task", count, depth);
    const Channels<Result> results = network.channels<Result>(name + ".result", count, depth);
    Workers<W, Task, Result> result{{}, tasks.all(), results.all()};
    for (std::uint64_t k = 0; k < count; ++k)
        result.processes.push_back(
            network.add<W>(indexed(name, k), in(tasks[k]), out(results[k]), arguments...));
    return result;
}

/// Forwards messages to its outputs in turn. Ends when its input ends.
template <class T> class Scatter : public KahnProcess {
public:
    Scatter(ChannelIn<T> x, std::vector<ChannelOut<T>> y) : x_{x}, y_{std::move(y)} {}
    KahnTask run() {
        for (std::size_t k = 0;; k = k + 1 == y_.size() ? 0 : k + 1) {
            auto message = co_await x_.receive();
            if (!message)
                co_return;
            co_await y_[k].send(std::move(*message));
        }
    }

private:
    ChannelIn<T> x_;
    std::vector<ChannelOut<T>> y_;
};

/// Forwards one message from each of its inputs in turn. After a Scatter and workers that send one
/// message for each one received, it restores the original order. Ends when the input whose turn it
/// is has ended.
template <class T> class Gather : public KahnProcess {
public:
    Gather(std::vector<ChannelIn<T>> x, ChannelOut<T> y) : x_{std::move(x)}, y_{y} {}
    KahnTask run() {
        for (std::size_t k = 0;; k = k + 1 == x_.size() ? 0 : k + 1) {
            auto message = co_await x_[k].receive();
            if (!message)
                co_return;
            co_await y_.send(std::move(*message));
        }
    }

private:
    std::vector<ChannelIn<T>> x_;
    ChannelOut<T> y_;
};

/// Adds a farm between two channels: `name.scatter`, `count` workers as `add_workers` makes them,
/// and `name.gather`. If each worker sends one message for each one received, the output order
/// equals the input order for any number of workers.
template <std::derived_from<KahnProcess> W, class Task, class Result, class... Arguments>
void add_farm(KahnNetwork& network, const std::string& name, Channel<Task> from, Channel<Result> to,
              std::uint64_t count, Depth depth, Arguments... arguments) {
    const Workers<W, Task, Result> workers =
        add_workers<W, Task, Result>(network, name, count, depth, std::move(arguments)...);
    network.add<Scatter<Task>>(name + ".scatter", in(from), out(workers.tasks));
    network.add<Gather<Result>>(name + ".gather", in(workers.results), out(to));
}

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
