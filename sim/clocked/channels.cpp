// SPDX-License-Identifier: Apache-2.0
#include "clocked/channels.hpp"

#include <algorithm>
#include <bit>

namespace sme::clocked {

Channels::Channels(const KahnGraph& graph, bool digests) : graph_{graph} {
    if (digests)
        histories_ = std::make_unique<detail::ChannelHistory[]>(graph.channels.size());
    for (std::uint64_t id = 0; id < graph.channels.size(); ++id) {
        const KahnGraph::Family& family = graph.family_of(id);
        auto made = std::make_unique<Channel>();
        made->depth = std::max(1U, family.depth.messages);
        const std::uint32_t slots = std::bit_ceil(made->depth);
        std::byte* const place =
            allocate(slots * family.kind->message_bytes(), family.kind->message_alignment());
        made->writer = make(*family.kind, id);
        made->reader = make(*family.kind, id);
        // each side moves one message per cycle, whatever the depth
        made->writer->to = made->writer->from = {place, slots - 1, 1};
        made->reader->to = made->reader->from = {place, slots - 1, 1};
        if (graph.channels[id].shares_writer)
            made->sent.share();
        if (graph.channels[id].shares_reader)
            made->received.share();
        if (histories_)
            made->writer->history = &histories_[id];
        channels_.push_back(std::move(made));
    }
}

Channels::~Channels() {
    for (std::uint64_t id = 0; id < channels_.size(); ++id) {
        const detail::ChannelKind& kind = *graph_.family_of(id).kind;
        Channel& channel = *channels_[id];
        // the writer's core owns the messages not yet received; the reader's core owns none
        const std::uint64_t received = channel.reader->received.own();
        channel.writer->received.publish(received, false);
        channel.reader->sent.publish(received, false);
        kind.destroy(*channel.writer);
        kind.destroy(*channel.reader);
    }
}

std::byte* Channels::allocate(std::size_t bytes, std::size_t alignment) {
    const std::size_t line = std::max<std::size_t>(64, alignment);
    memory_.push_back(Memory{
        static_cast<std::byte*>(::operator new (bytes, std::align_val_t{line})), Freed{line}});
    return memory_.back().get();
}

detail::ChannelCore* Channels::make(const detail::ChannelKind& kind, std::uint64_t id) {
    detail::ChannelCore* const made =
        kind.make(allocate(sizeof(detail::ChannelCore), alignof(detail::ChannelCore)));
    made->id = static_cast<std::uint32_t>(id);
    return made;
}

} // namespace sme::clocked
