// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "network/graph.hpp"
#include "sme/kahn_host.hpp"

namespace sme::actors {

/// A scalar of a message, for digests.
struct Word {
    std::uint32_t offset;
    std::uint8_t bytes;
    bool is_signed;
};

/// Channels whose messages have one type of the language; all other code treats them as bytes. They
/// have at least one place.
class RawKind final : public detail::ChannelKind {
public:
    explicit RawKind(const Type& type);

    std::size_t message_bytes() const override { return stride_; }
    std::size_t bytes() const { return bytes_; } ///< of a message, without alignment
    std::size_t message_alignment() const override { return alignof(std::uint64_t); }
    detail::ChannelCore* make(void* place) const override;
    void destroy(detail::ChannelCore& channel) const override;
    void enlarge(detail::ChannelCore& channel, const detail::SlotRing& ring) const override;

    /// Adds a message to a digest; the result does not depend on its address.
    void digest(const std::byte* message, detail::ChannelHistory& history) const;

private:
    std::size_t bytes_;
    std::size_t stride_; // of slots
    std::vector<Word> words_;
};

/// One end of such a channel. It uses only the members of ChannelOf that do not depend on the
/// message type: `std::byte` represents any type.
class RawEnd {
public:
    RawEnd(detail::ChannelCore& channel, const RawKind& kind)
        : channel_{static_cast<detail::ChannelOf<std::byte>*>(&channel)}, kind_{&kind},
          bytes_{kind.bytes()}, stride_{kind.message_bytes()} {}

    const RawKind& kind() const { return *kind_; }
    bool has_room() const { return channel_->has_room(); }
    /// Requires room.
    void push(const std::byte* message) const;
    bool has_message() const { return channel_->has_message(); }
    /// Call it after `has_message` returned false: no more messages will be sent, but a last one
    /// may have arrived since.
    bool is_closed() const { return channel_->has_ended(); }
    /// Requires a message, which keeps its address until `pop`.
    const std::byte* front() const;
    void pop() const;

    /// An awaitable that resumes when there is room; it may resume early.
    auto until_room() const { return UntilRoom{*channel_}; }
    /// The same, until there is a message or the channel is closed.
    auto until_message() const { return UntilMessage{*channel_, {}}; }

private:
    using Channel = detail::ChannelOf<std::byte>;
    struct UntilRoom {
        Channel& channel;
        bool await_ready() const noexcept { return false; }
        std::coroutine_handle<> await_suspend(std::coroutine_handle<> resume) const {
            channel.writer->resume = resume;
            detail::ReadyQueue& queue = detail::running();
            return channel.sleep_to_send() ? queue.next() : resume;
        }
        void await_resume() const noexcept {}
    };
    struct UntilMessage {
        Channel& channel;
        Received<std::byte> unused; // only a rendezvous moves a message there
        bool await_ready() const noexcept { return false; }
        std::coroutine_handle<> await_suspend(std::coroutine_handle<> resume) {
            channel.reader->resume = resume;
            detail::ReadyQueue& queue = detail::running();
            return channel.sleep_to_receive(unused) ? queue.next() : resume;
        }
        void await_resume() const noexcept {}
    };
    std::byte* slot(const detail::SlotRing& ring, std::uint64_t count) const {
        return ring.slots + (count & ring.mask) * stride_;
    }

    Channel* channel_;
    const RawKind* kind_;
    std::size_t bytes_;
    std::size_t stride_;
};

/// A process argument that becomes its RawEnds, in this order.
struct RawEnds {
    struct End {
        std::uint64_t channel;
        detail::Side side;
        const RawKind* kind;
    };
    std::vector<End> ends;

    std::vector<RawEnd> bind(detail::Ends& made, detail::ProcessDescriptor& process) const;
    template <class F> void for_each_end(const F& what) const {
        for (const End& end : ends)
            what(end.channel, end.side, *end.kind);
    }
};

} // namespace sme::actors
