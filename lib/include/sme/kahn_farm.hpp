// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
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
    Workers<W, Task, Result> made{{}, tasks.all(), results.all()};
    for (std::uint64_t k = 0; k < count; ++k)
        made.processes.push_back(
            network.add<W>(indexed(name, k), in(tasks[k]), out(results[k]), arguments...));
    return made;
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

} // namespace sme
