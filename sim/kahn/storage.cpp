// SPDX-License-Identifier: Apache-2.0
#include "kahn/storage.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace sme::kahn {

namespace {

std::uint32_t slots_of(std::uint32_t depth) {
    return depth == 0 ? 0 : std::bit_ceil(depth);
}

std::size_t round_up(std::size_t bytes, std::size_t to) {
    return (bytes + to - 1) / to * to;
}

internal::SlotRing ring_of(std::byte* slots, std::uint32_t depth) {
    return {slots, depth == 0 ? 0 : slots_of(depth) - 1, depth};
}

} // namespace

Storage::Storage(const KahnGraph& graph, bool concurrent, bool digests)
    : graph_{graph}, concurrent_{concurrent} {
    if (digests)
        histories_ = std::make_unique<internal::ChannelHistory[]>(graph.channels.size());
    for (const KahnGraph::Family& family : graph.families)
        make(family, digests);
}

std::size_t Storage::head_of(const internal::ChannelKind& kind) {
    return round_up(sizeof(internal::ChannelCore), kind.message_alignment());
}

void Storage::make(const KahnGraph::Family& family, bool digests) {
    const std::uint32_t depth = family.depth.messages;
    const std::size_t alignment = std::max<std::size_t>(64, family.kind->message_alignment());
    const std::size_t head = head_of(*family.kind);
    const std::size_t slots = slots_of(depth) * family.kind->message_bytes();
    const std::size_t stride = round_up(head + slots, alignment);
    memory_.push_back(allocate(std::max<std::size_t>(1, family.count) * stride, alignment));
    blocks_.push_back({memory_.back().get(), stride});
    slot_bytes_ += family.count * slots;
    for (std::uint64_t k = 0; k < family.count; ++k) {
        std::byte* place = blocks_.back().memory + k * stride;
        internal::ChannelCore& channel = *family.kind->make(place);
        channel.to = channel.from = ring_of(place + head, depth);
        channel.id = static_cast<std::uint32_t>(family.first + k);
        channel.concurrent = concurrent_;
        channel.history = digests ? &histories_[channel.id] : nullptr;
    }
}

internal::ChannelCore& Storage::make(const Name& name, Depth depth,
                                     const internal::ChannelKind& kind) {
    const std::size_t head = head_of(kind);
    const std::size_t slots = slots_of(depth.messages) * kind.message_bytes();
    Memory memory = allocate(head + slots, std::max<std::size_t>(64, kind.message_alignment()));
    internal::ChannelCore& channel = *kind.make(memory.get());
    channel.to = channel.from = ring_of(memory.get() + head, depth.messages);
    channel.concurrent = concurrent_;
    channel.made = true;
    const std::lock_guard lock{mutex_};
    const auto described = static_cast<std::uint32_t>(graph_.channels.size());
    do
        channel.id = described + next_made_++ % (KahnGraph::none - described);
    while (made_.count(channel.id) != 0);
    made_[channel.id] = {text_of(name), &kind, std::move(memory), nullptr, &channel};
    return channel;
}

/// A process that still waits at the other side waits for ever. The end of a run closes nothing.
void Storage::drop(internal::ChannelCore& channel, internal::Side side) {
    if (over_)
        return;
    if (side == internal::Side::out && internal::this_queue != nullptr)
        channel.close();
    std::map<std::uint32_t, Made>::node_type gone;
    {
        const std::lock_guard lock{mutex_};
        (side == internal::Side::out ? channel.writer : channel.reader) = nullptr;
        const auto found = made_.find(channel.id);
        if (--found->second.sides == 0)
            gone = made_.extract(found);
    }
    if (gone) // its messages may hold ends of others
        gone.mapped().kind->destroy(*gone.mapped().core);
}

std::string Storage::made_name(std::uint64_t channel) const {
    const std::lock_guard lock{mutex_};
    const auto found = made_.find(static_cast<std::uint32_t>(channel));
    return found == made_.end() ? "a channel that is gone" : found->second.name;
}

const internal::ChannelKind& Storage::kind_of(const internal::ChannelCore& channel) const {
    return channel.made ? *made_.at(channel.id).kind : *graph_.family_of(channel.id).kind;
}

/// Messages may hold ends of other channels, whatever the order.
void Storage::clear() {
    if (std::exchange(over_, true))
        return;
    for (const auto& [id, made] : made_)
        made.kind->destroy(*made.core);
    made_.clear();
    for (std::size_t f = 0; f < blocks_.size(); ++f)
        for (std::uint64_t k = 0; k < graph_.families[f].count; ++k)
            graph_.families[f].kind->destroy((*this)[graph_.families[f].first + k]);
}

internal::ChannelCore& Storage::operator[](std::uint64_t channel) const {
    const KahnGraph::Family& family = graph_.family_of(channel);
    const Block& block = blocks_[static_cast<std::size_t>(&family - graph_.families.data())];
    return *std::launder(reinterpret_cast<internal::ChannelCore*>(
        block.memory + (channel - family.first) * block.stride));
}

std::size_t Storage::slot_bytes_enlarged(const internal::ChannelCore& channel) const {
    const std::size_t more = slots_of(channel.depth() + 1) - slots_of(channel.depth());
    return slot_bytes_ + more * kind_of(channel).message_bytes();
}

void Storage::enlarge(internal::ChannelCore& channel) {
    const internal::ChannelKind& kind = kind_of(channel);
    const std::uint32_t depth = channel.depth() + 1;
    if (slots_of(depth) == slots_of(depth - 1)) {
        kind.enlarge(channel, ring_of(channel.to.slots, depth));
        return;
    }
    slot_bytes_ = slot_bytes_enlarged(channel);
    Memory slots = allocate(slots_of(depth) * kind.message_bytes(),
                            std::max<std::size_t>(64, kind.message_alignment()));
    kind.enlarge(channel, ring_of(slots.get(), depth));
    if (channel.made) {
        made_.at(channel.id).enlarged = std::move(slots);
        return;
    }
    const auto known = std::find_if(enlarged_.begin(), enlarged_.end(),
                                    [&](const auto& each) { return each.first == channel.id; });
    if (known == enlarged_.end())
        enlarged_.emplace_back(channel.id, std::move(slots));
    else
        known->second = std::move(slots);
}

} // namespace sme::kahn
