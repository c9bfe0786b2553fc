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

/// Moves messages of one type between a channel and a slot of a bus.
class StreamKind {
public:
    virtual ~StreamKind() = default;
    virtual TypeRef type() const = 0;
    /// Requires a message, which stays in the channel.
    virtual void show(ChannelCore& channel, std::byte* slot) const = 0;
    virtual void pop(ChannelCore& channel) const = 0;
    /// Requires room.
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

/// A channel of a Kahn network that is connected to a stream of the clocked network.
struct JoinedStream {
    std::uint64_t channel;
    bool to_stream; ///< the Kahn network sends
    std::string name;
    std::optional<std::pair<detail::BusKey, detail::BusKey>> buses; ///< replace the name
    std::shared_ptr<const detail::StreamKind> kind;
};

/// Offers the messages that the Kahn network sends on `channel` at the stream of this name: two
/// wires, the bus `stream` of {valid, data} and the bus `stream.ready`, like a `Stream(T)` of the
/// language.
template <class T> JoinedStream to_stream(Channel<T> channel, std::string stream) {
    return {channel.id(), true, std::move(stream), {}, std::make_shared<detail::StreamKindOf<T>>()};
}
/// The same with two wires of a C++ network: S has the fields `valid`, a bool, and `data`, a T.
template <class T, class S>
JoinedStream to_stream(Channel<T> channel, Bus<S> stream, Bus<bool> ready) {
    return {channel.id(), true, "", std::pair{stream.key(), ready.key()},
            std::make_shared<detail::StreamKindOf<T>>()};
}
/// Passes the data offered at the stream to the Kahn network over `channel`.
template <class T> JoinedStream from_stream(std::string stream, Channel<T> channel) {
    return {
        channel.id(), false, std::move(stream), {}, std::make_shared<detail::StreamKindOf<T>>()};
}
template <class T, class S>
JoinedStream from_stream(Bus<S> stream, Bus<bool> ready, Channel<T> channel) {
    return {channel.id(), false, "", std::pair{stream.key(), ready.key()},
            std::make_shared<detail::StreamKindOf<T>>()};
}

} // namespace sme
