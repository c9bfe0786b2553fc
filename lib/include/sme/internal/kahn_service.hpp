// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "sme/kahn.hpp"

namespace sme {

template <class Request, class Reply> class Server;
template <class Request, class Reply> class Client;
template <class Request, class Reply> class LinksTo;

} // namespace sme

namespace sme::internal {

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
            internal::for_each_end(each, what);
    }
};

} // namespace sme::internal
