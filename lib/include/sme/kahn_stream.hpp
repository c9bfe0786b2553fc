// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "sme/kahn.hpp"
#include "sme/network.hpp"
#include "sme/values.hpp"

namespace sme {
namespace detail {

/// How messages of one type go between a channel and a slot of a bus.
class StreamKind {
public:
    virtual ~StreamKind() = default;
    virtual TypeRef type() const = 0;
    /// Needs a message, which stays.
    virtual void show(ChannelCore& channel, std::byte* slot) const = 0;
    virtual void pop(ChannelCore& channel) const = 0;
    /// Needs room.
    virtual void push(ChannelCore& channel, const std::byte* slot) const = 0;
};

template <class T> class StreamKindOf final : public StreamKind {
public:
    TypeRef type() const override { return type_of<T>(); }
    void show(ChannelCore& core, std::byte* slot) const override {
        const auto& channel = static_cast<const ChannelOf<T>&>(core);
        store(slot, *channel.slot(channel.from, Position<>::count(channel.received.own())));
    }
    void pop(ChannelCore& core) const override {
        Received<T> message;
        static_cast<ChannelOf<T>&>(core).pop(message);
    }
    void push(ChannelCore& core, const std::byte* slot) const override {
        static_cast<ChannelOf<T>&>(core).push(load<T>(slot));
    }
};

} // namespace detail

/// A channel of a Kahn network whose other end is outside, at a stream of the clocked network.
struct JoinedStream {
    std::uint64_t channel;
    bool to_stream; ///< the Kahn network sends
    std::string name;
    std::optional<std::pair<std::uint64_t, std::uint64_t>> buses; ///< in the place of the name
    std::shared_ptr<const detail::StreamKind> kind;
};

/// What the Kahn network sends on `channel` is offered at the stream of this name: the bus `stream`
/// of {valid, data} and the bus `stream.ready`, wires, as a `Stream(T)` of the language is.
template <class T> JoinedStream to_stream(Channel<T> channel, std::string stream) {
    return {channel.id(), true, std::move(stream), {}, std::make_shared<detail::StreamKindOf<T>>()};
}
/// The same with two wires of a network in C++: S has the fields `valid`, a bool, and `data`, a T.
template <class T, class S>
JoinedStream to_stream(Channel<T> channel, Bus<S> stream, Bus<bool> ready) {
    return {channel.id(), true, "", std::pair{stream.id(), ready.id()},
            std::make_shared<detail::StreamKindOf<T>>()};
}
/// What is offered at the stream comes to the Kahn network over `channel`.
template <class T> JoinedStream from_stream(std::string stream, Channel<T> channel) {
    return {
        channel.id(), false, std::move(stream), {}, std::make_shared<detail::StreamKindOf<T>>()};
}
template <class T, class S>
JoinedStream from_stream(Bus<S> stream, Bus<bool> ready, Channel<T> channel) {
    return {channel.id(), false, "", std::pair{stream.id(), ready.id()},
            std::make_shared<detail::StreamKindOf<T>>()};
}

} // namespace sme
