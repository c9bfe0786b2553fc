// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sme/kahn.hpp"

// A server that answers each request before it takes the next, and clients that call it. The order
// of calls differs between runs, so a network with clients is not deterministic; its results are
// deterministic if the answers do not depend on that order.

namespace sme {

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
    LinksTo(detail::SharedEnd& requests, detail::SharedEnd& replies)
        : requests_{&requests}, replies_{&replies} {}
    /// A link, which is false if all clients have returned.
    ClientLink<Request, Reply> link() const {
        return {Link<SharedOut<Request>>{requests_}, Link<SharedIn<Reply>>{replies_}};
    }

private:
    detail::SharedEnd* requests_;
    detail::SharedEnd* replies_;
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

namespace detail {

/// Both ends of a service in one, built from the arguments of its channels.
template <class End, class Requests, class Replies> struct ServiceArgument {
    Requests requests;
    Replies replies;

    End bind(Ends& ends, ProcessDescriptor& process) const {
        return {requests.bind(ends, process), replies.bind(ends, process)};
    }
    template <class F> void for_each_end(const F& what) const {
        requests.for_each_end(what);
        replies.for_each_end(what);
    }
};

template <class Request, class Reply>
using ServerArgument = ServiceArgument<Server<Request, Reply>, ChannelArgument<Request, Side::in>,
                                       ChannelArgument<Reply, Side::out>>;

template <class Request, class Reply>
struct ClientArgument : ServiceArgument<Client<Request, Reply>, SharedArgument<Request, Side::out>,
                                        SharedArgument<Reply, Side::in>> {
    static constexpr bool is_shared = true;
    static constexpr const char* leaves_determinism = "calls a service";
};

template <class Request, class Reply> struct LinksToArgument {
    static constexpr const char* leaves_determinism =
        ClientArgument<Request, Reply>::leaves_determinism;
    std::uint64_t requests, replies;

    LinksTo<Request, Reply> bind(Ends& ends, ProcessDescriptor&) const {
        return {ends.shared(requests, Side::out), ends.shared(replies, Side::in)};
    }
};

/// Several such arguments, which become a std::vector of ends.
template <class One> struct ManyArgument {
    static constexpr bool is_shared = true;
    static constexpr const char* leaves_determinism = One::leaves_determinism;
    std::vector<One> all;

    template <class Services, class Make>
    static ManyArgument of(const Services& services, Make make) {
        ManyArgument argument;
        for (const auto& service : services)
            argument.all.push_back(make(service));
        return argument;
    }
    auto bind(Ends& ends, ProcessDescriptor& process) const {
        std::vector<decltype(all[0].bind(ends, process))> bound;
        for (const One& each : all)
            bound.push_back(each.bind(ends, process));
        return bound;
    }
    template <class F> void for_each_end(const F& what) const {
        for (const One& each : all)
            detail::for_each_end(each, what);
    }
};

} // namespace detail

/// An argument of `KahnNetwork::add` that becomes the Server of a service.
template <class Request, class Reply>
detail::ServerArgument<Request, Reply> serve(const Service<Request, Reply>& service) {
    return {{service.requests.id()}, {service.replies.id()}};
}
/// An argument of `KahnNetwork::add` that becomes a Client of a service.
template <class Request, class Reply>
detail::ClientArgument<Request, Reply> client(const Service<Request, Reply>& service) {
    return {{{service.requests.id()}, {service.replies.id()}}};
}
/// The same for several services: a std::vector<Client<Request, Reply>>.
template <class Request, class Reply>
auto client(const std::vector<Service<Request, Reply>>& services) {
    using Many = detail::ManyArgument<detail::ClientArgument<Request, Reply>>;
    return Many::of(services, [](const auto& each) { return client(each); });
}

/// An argument of `KahnNetwork::add` that becomes a LinksTo<Request, Reply>; of several services, a
/// std::vector of them. Some process must be a client of the service.
template <class Request, class Reply>
detail::LinksToArgument<Request, Reply> links_to(const Service<Request, Reply>& service) {
    return {service.requests.id(), service.replies.id()};
}
template <class Request, class Reply>
auto links_to(const std::vector<Service<Request, Reply>>& services) {
    using Many = detail::ManyArgument<detail::LinksToArgument<Request, Reply>>;
    return Many::of(services, [](const auto& each) { return links_to(each); });
}

} // namespace sme
