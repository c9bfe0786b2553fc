// SPDX-License-Identifier: Apache-2.0
#include "actors/processes.hpp"

#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "network/graph.hpp"

namespace sme::actors {

using internal::ChannelCore;
using Channel = internal::ChannelOf<std::byte>;
using Position = internal::Position<>;

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

void RawKind::enlarge(ChannelCore& channel, const internal::SlotRing& ring) const {
    const internal::SlotRing from = channel.to;
    const std::uint64_t end = Position::count(channel.sent.load());
    if (ring.slots != from.slots)
        for (std::uint64_t k = Position::count(channel.received.load()); k != end; ++k)
            std::memcpy(ring.slots + (k & ring.mask) * stride_,
                        from.slots + (k & from.mask) * stride_, bytes_);
    channel.to = channel.from = ring;
}

void RawKind::digest(const std::byte* message, internal::ChannelHistory& history) const {
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
        internal::running().ready(*channel_->writer);
}

std::vector<RawEnd> RawEnds::bind(internal::Ends& result,
                                  internal::ProcessDescriptor& process) const {
    std::vector<RawEnd> bound;
    for (const End& end : ends) {
        ChannelCore& channel = result.channel(end.channel, end.side);
        (end.side == internal::Side::in ? channel.reader : channel.writer) = &process;
        bound.emplace_back(channel, *end.kind);
    }
    return bound;
}

// Actors without a clock. The actor's own program runs on private slots: received messages are
// copied there from channels, and after a firing, sent messages are copied from there.

namespace {

/// How many firings pass between tests whether the run is to end.
constexpr std::uint64_t firings_between_looks = 256;
constexpr std::uint64_t rows_between_looks = 1024;

std::byte flag(bool value) {
    return std::byte{value};
}

} // namespace

void FamilyControl::fault(std::uint64_t position, const Diagnostic& what) {
    Diagnostic result = what;
    const Location declared = family_.instance_location(position);
    if (!result.where.known())
        result.where = declared;
    else if (declared.known())
        result.note(declared,
                    fmt::format("'{}' is declared here", family_.instance_name(position)));
    result.message =
        fmt::format("process '{}': {}", family_.instance_name(position), result.message);
    shared_.fault(std::move(result));
}

void Tap::take(const std::byte* message, std::size_t bytes) {
    const Slots& slots = recorder.family->ends[0];
    recorder.read[slots.valid] = std::byte{1};
    if (slots.ready != none)
        recorder.read[slots.ready] = std::byte{1};
    std::memcpy(recorder.read + slots.message, message, bytes);
    recorder.step(0, rows++);
    Shared& shared = *recorder.shared;
    if (rows % rows_between_looks == 0 && shared.can_write &&
        !shared.can_write(*recorder.family->group)) {
        shared.failed.store(true, std::memory_order_relaxed);
        shared.stop();
    }
}

Actor::Actor(Instance instance, std::vector<Taps> taps, std::vector<RawEnd> ends)
    : instance_{instance} {
    const std::vector<Slots>& slots = instance.family->ends;
    for (std::size_t k = 0; k < ends.size(); ++k)
        if (k < taps.size())
            inputs_.push_back({ends[k], slots[k], std::move(taps[k])});
        else
            outputs_.push_back({ends[k], slots[k]});
}

KahnTask Actor::run() {
    for (;;) {
        const std::uint16_t became = fire();
        instance_.look();
        if (became == Firing::done) {
            done_ = true;
            co_return;
        }
        if (became == Firing::fired) // the limit is reached
            for (;;)
                co_await Forever{};
        const std::size_t waits_at = became - Firing::waits;
        if (waits_at < inputs_.size())
            co_await inputs_[waits_at].end.until_message();
        else
            co_await outputs_[waits_at - inputs_.size()].end.until_room();
    }
}

std::uint16_t Actor::fire() {
    RunningFamily& family = *instance_.family;
    for (;;) {
        show_inputs();
        show_room();
        instance_.step(firings_);
        std::uint16_t became = 0;
        std::memcpy(&became, instance_.write + family.firing, sizeof became);
        if (became != Firing::fired)
            return became;
        if (firings_ % firings_between_looks == 0 || instance_.shared->stopped())
            instance_.look();
        move_messages();
        std::memcpy(instance_.read, instance_.write, family.states);
        if (++firings_ == instance_.shared->firings_max) {
            instance_.shared->cut.store(true, std::memory_order_relaxed);
            return Firing::fired;
        }
    }
}

/// After a channel has closed, tests it once more, since a last message may have arrived before.
void Actor::show_inputs() {
    for (Input& input : inputs_) {
        if (input.shown)
            continue;
        bool there = input.end.has_message();
        if (!there && input.end.is_closed() && !(there = input.end.has_message())) {
            if (input.slots.closed != none)
                instance_.read[input.slots.closed] = std::byte{1};
            input.shown = true;
        }
        if (!there)
            continue;
        const RawKind& kind = input.end.kind();
        std::memcpy(instance_.read + input.slots.message, input.end.front(), kind.bytes());
        instance_.read[input.slots.valid] = std::byte{1};
        input.shown = true;
    }
}

void Actor::show_room() {
    for (const Output& output : outputs_)
        instance_.read[output.slots.ready] = flag(output.end.has_room());
}

void Actor::move_messages() {
    for (Input& input : inputs_) {
        if (instance_.write[input.slots.ready] == std::byte{0} ||
            instance_.read[input.slots.valid] == std::byte{0}) // the channel has ended
            continue;
        for (Tap& tap : input.taps)
            tap.take(input.end.front(), input.end.kind().bytes());
        input.end.pop();
        instance_.read[input.slots.valid] = std::byte{0};
        input.shown = false;
    }
    for (const Output& output : outputs_)
        if (instance_.write[output.slots.valid] != std::byte{0} &&
            instance_.read[output.slots.ready] != std::byte{0})
            output.end.push(instance_.write + output.slots.message);
}

KahnTask Source::run() {
    const Slots slots = instance_.family->ends[0];
    for (std::uint64_t row = 0;; ++row) {
        if (row % firings_between_looks == 0)
            instance_.look();
        instance_.step(0, row);
        if (instance_.write[slots.valid] == std::byte{0})
            break;
        while (!end_.has_room()) {
            co_await end_.until_room();
            instance_.look();
        }
        end_.push(instance_.write + slots.message);
        instance_.read[slots.ready] = std::byte{1};
        instance_.step(1, row);
    }
}

KahnTask Sink::run() {
    for (;;) {
        while (end_.has_message()) {
            if (shared_->stopped() || shared_->interrupted())
                throw Stopped{};
            for (Tap& tap : taps_)
                tap.take(end_.front(), end_.kind().bytes());
            end_.pop();
        }
        if (end_.is_closed() && !end_.has_message())
            break;
        co_await end_.until_message();
    }
}

} // namespace sme::actors
