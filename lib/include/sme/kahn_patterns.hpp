// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sme/internal/kahn_service.hpp"
#include "sme/internal/map_reduce.hpp"
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
    std::vector<std::vector<Channel<internal::Pairs<Job>>>> to_reducer(to.size());
    for (std::size_t m = 0; m < from.size(); ++m) {
        const auto of_mapper =
            network
                .channels<internal::Pairs<Job>>(name + ".pairs_of_" + std::to_string(m), to.size())
                .all();
        for (std::size_t r = 0; r < to.size(); ++r)
            to_reducer[r].push_back(of_mapper[r]);
        network.add<internal::Mapper<Job>>(indexed(name + ".map", m), in(from[m]), out(of_mapper),
                                           job);
    }
    for (std::size_t r = 0; r < to.size(); ++r)
        network.add<internal::Reducer<Job>>(indexed(name + ".reduce", r), in(to_reducer[r]),
                                            out(to[r]), job);
}

// A server answers each request before it takes the next; clients call it. The order of calls
// differs between runs, so a network with clients is not deterministic; its results are
// deterministic if the answers do not depend on that order.

/// A service of a network: its request and reply channels.
template <class Request, class Reply> struct Service {
    Channel<Request> requests;
    Channel<Reply> replies;
};

/// Adds the channels `name.request` and `name.reply`.
template <class Request, class Reply>
Service<Request, Reply> add_service(KahnNetwork& network, const std::string& name) {
    return {network.channel<Request>(name + ".request"), network.channel<Reply>(name + ".reply")};
}
/// The same for `count` services: the channels `name.request[k]` and `name.reply[k]`.
template <class Request, class Reply>
std::vector<Service<Request, Reply>> add_services(KahnNetwork& network, const std::string& name,
                                                  std::uint64_t count) {
    const Channels<Request> requests = network.channels<Request>(name + ".request", count);
    const Channels<Reply> replies = network.channels<Reply>(name + ".reply", count);
    std::vector<Service<Request, Reply>> services;
    for (std::uint64_t k = 0; k < count; ++k)
        services.push_back({requests[k], replies[k]});
    return services;
}

/// The end of the process that answers. Bound with `sme::serve(service)`.
template <class Request, class Reply> class Server {
public:
    Server(ChannelIn<Request> requests, ChannelOut<Reply> replies)
        : requests_{requests}, replies_{replies} {}
    /// `co_await` it for the next request, or for an empty optional when all clients have returned.
    auto receive() const { return requests_.receive(); }
    /// `co_await` it exactly once for each request.
    auto reply(Reply reply) const { return replies_.send(std::move(reply)); }

private:
    ChannelIn<Request> requests_;
    ChannelOut<Reply> replies_;
};

template <class Request, class Reply> class Client;

/// A client that can be copied and sent to other processes. The server sees the end when all
/// clients have returned and all links are gone. `Request` and `Reply` may be incomplete where it
/// is only kept.
template <class Request, class Reply> class ClientLink {
public:
    ClientLink() = default;
    ClientLink(Link<SharedOut<Request>> requests, Link<SharedIn<Reply>> replies)
        : requests_{std::move(requests)}, replies_{std::move(replies)} {}
    explicit operator bool() const { return requests_ && replies_; }
    /// As `Client::call`, by this process, which has the link.
    KahnCoroutine<std::optional<Reply>> call(const KahnProcess& process, Request request) const {
        auto turn = co_await requests_.of(process).claim();
        const auto replies = replies_.of(process);
        std::optional<Reply> reply;
        if (!replies.has_ended()) { // otherwise the server takes no requests
            co_await turn.send(std::move(request));
            reply = co_await replies.receive();
        }
        co_return reply;
    }

private:
    Link<SharedOut<Request>> requests_;
    Link<SharedIn<Reply>> replies_;
};

/// Makes links to a service without keeping it open: for a process that itself is needed for the
/// others to end. Bound with `sme::links_to(service)`.
template <class Request, class Reply> class LinksTo {
public:
    LinksTo(internal::SharedEnd& requests, internal::SharedEnd& replies)
        : requests_{&requests}, replies_{&replies} {}
    /// A link, which is false if all clients have returned.
    ClientLink<Request, Reply> link() const {
        return {Link<SharedOut<Request>>{requests_}, Link<SharedIn<Reply>>{replies_}};
    }

private:
    internal::SharedEnd* requests_;
    internal::SharedEnd* replies_;
};

/// The end of a process that sends requests. Bound with `sme::client(service)`;
/// `sme::client(services)` binds a std::vector<Client<Request, Reply>>.
template <class Request, class Reply> class Client {
public:
    Client(SharedOut<Request> requests, SharedIn<Reply> replies)
        : requests_{requests}, replies_{replies} {}
    /// `co_await` it for the reply, or for an empty optional if the server has returned. The server
    /// answers clients first come, first served.
    KahnCoroutine<std::optional<Reply>> call(Request request) const {
        auto turn = co_await requests_.claim();
        std::optional<Reply> reply;
        if (!replies_.has_ended()) {
            co_await turn.send(std::move(request));
            reply = co_await replies_.receive();
        }
        co_return reply;
    }
    ClientLink<Request, Reply> link() const { return {requests_.link(), replies_.link()}; }

private:
    SharedOut<Request> requests_;
    SharedIn<Reply> replies_;
};

/// An argument of `KahnNetwork::add` that becomes the Server of a service.
template <class Request, class Reply>
internal::ServerArgument<Request, Reply> serve(const Service<Request, Reply>& service) {
    return {{service.requests.id()}, {service.replies.id()}};
}
/// An argument of `KahnNetwork::add` that becomes a Client of a service.
template <class Request, class Reply>
internal::ClientArgument<Request, Reply> client(const Service<Request, Reply>& service) {
    return {{{service.requests.id()}, {service.replies.id()}}};
}
/// The same for several services: a std::vector<Client<Request, Reply>>.
template <class Request, class Reply>
auto client(const std::vector<Service<Request, Reply>>& services) {
    using Many = internal::ManyArgument<internal::ClientArgument<Request, Reply>>;
    return Many::of(services, [](const auto& each) { return client(each); });
}

/// An argument of `KahnNetwork::add` that becomes a LinksTo<Request, Reply>; of several services, a
/// std::vector of them. Some process must be a client of the service.
template <class Request, class Reply>
internal::LinksToArgument<Request, Reply> links_to(const Service<Request, Reply>& service) {
    return {service.requests.id(), service.replies.id()};
}
template <class Request, class Reply>
auto links_to(const std::vector<Service<Request, Reply>>& services) {
    using Many = internal::ManyArgument<internal::LinksToArgument<Request, Reply>>;
    return Many::of(services, [](const auto& each) { return links_to(each); });
}

} // namespace sme
