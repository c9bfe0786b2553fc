// SPDX-License-Identifier: Apache-2.0
#include "actors/raw_channel.hpp"

#include <cstring>

namespace sme::actors {

using detail::ChannelCore;
using Channel = detail::ChannelOf<std::byte>;
using Position = detail::Position<>;

namespace {

/// Rounds a size up, so that adjacent slots of messages are aligned.
std::size_t aligned(std::size_t bytes) {
    constexpr std::size_t alignment = alignof(std::uint64_t);
    return (bytes + alignment - 1) / alignment * alignment;
}

} // namespace

RawKind::RawKind(const Type& type) : bytes_{type.size()}, stride_{aligned(bytes_)} {
    for (const Leaf& leaf : type.leaves())
        words_.push_back(
            {leaf.offset, static_cast<std::uint8_t>(leaf.type->size()), leaf.type->is_signed()});
}

ChannelCore* RawKind::make(void* place) const {
    return new (place) Channel;
}

void RawKind::destroy(ChannelCore& channel) const {
    std::destroy_at(static_cast<Channel*>(&channel));
}

void RawKind::enlarge(ChannelCore& channel, const detail::SlotRing& ring) const {
    const detail::SlotRing from = channel.to;
    const std::uint64_t end = Position::count(channel.sent.load());
    if (ring.slots != from.slots)
        for (std::uint64_t k = Position::count(channel.received.load()); k != end; ++k)
            std::memcpy(ring.slots + (k & ring.mask) * stride_,
                        from.slots + (k & from.mask) * stride_, bytes_);
    channel.to = channel.from = ring;
}

void RawKind::digest(const std::byte* message, detail::ChannelHistory& history) const {
    for (const Word& word : words_) {
        std::uint64_t value = 0;
        std::memcpy(&value, message + word.offset, word.bytes);
        const unsigned unused_bits = 64 - 8U * word.bytes;
        if (word.is_signed && unused_bits > 0)
            value = static_cast<std::uint64_t>(static_cast<std::int64_t>(value << unused_bits) >>
                                               unused_bits);
        history.add(value);
    }
}

void RawEnd::push(const std::byte* message) const {
    const std::uint64_t count = Position::count(channel_->sent.own());
    std::memcpy(slot(channel_->to, count), message, bytes_);
    channel_->wake_reader(
        channel_->sent.publish((count + 1) * Position::one, channel_->concurrent));
}

const std::byte* RawEnd::front() const {
    return slot(channel_->from, Position::count(channel_->received.own()));
}

void RawEnd::pop() const {
    if (channel_->history != nullptr)
        kind_->digest(front(), *channel_->history);
    const std::uint64_t count = Position::count(channel_->received.own());
    if (channel_->received.publish((count + 1) * Position::one, channel_->concurrent))
        detail::running().ready(*channel_->writer);
}

std::vector<RawEnd> RawEnds::bind(detail::Ends& made, detail::ProcessDescriptor& process) const {
    std::vector<RawEnd> bound;
    for (const End& end : ends) {
        ChannelCore& channel = made.channel(end.channel, end.side);
        (end.side == detail::Side::in ? channel.reader : channel.writer) = &process;
        bound.emplace_back(channel, *end.kind);
    }
    return bound;
}

} // namespace sme::actors
