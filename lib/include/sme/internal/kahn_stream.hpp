// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "sme/kahn.hpp"
#include "sme/values.hpp"

namespace sme::internal {

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

} // namespace sme::internal
