// SPDX-License-Identifier: Apache-2.0
//
// Copies the slots in the first cycle; compares them with the copy in each later cycle.
#include "coverage/activity_observer.hpp"

#include <algorithm>
#include <cstring>

#include "network/build.hpp"

namespace sme::coverage {

namespace {

/// Counts the words that differ, and stores the new words.
template <class Word>
std::uint64_t changed_words(const std::byte* now, std::byte* before, std::uint64_t count) {
    std::uint64_t changed = 0;
    for (std::uint64_t k = 0; k < count; ++k) {
        Word is, was;
        std::memcpy(&is, now + k * sizeof is, sizeof is);
        std::memcpy(&was, before + k * sizeof was, sizeof was);
        changed += is != was;
    }
    std::memcpy(before, now, count * sizeof(Word));
    return changed;
}

} // namespace

void ActivityObserver::open(const Observed& observed) {
    graph_ = &observed.graph();
    activity_.buses.resize(graph_->buses.size());
    for (std::size_t b = 0; b < graph_->buses.size(); ++b)
        if (!graph_->buses[b].state && !add_stream(b, observed))
            add_rows(b, observed.slots(b));
}

bool ActivityObserver::add_stream(std::size_t number, const Observed& observed) {
    const BusFamily& bus = graph_->buses[number];
    const BusFamily* const answer = graph_->reverse_field(bus, "ready");
    if (!answer || answer->type->kind() != TypeKind::boolean ||
        bus.type->kind() != TypeKind::structure)
        return false;
    const auto& fields = bus.type->fields();
    const auto valid = std::find_if(fields.begin(), fields.end(), [](const Field& field) {
        return field.name == "valid" && field.type->kind() == TypeKind::boolean;
    });
    if (valid == fields.end())
        return false;
    activity_.buses[number].stream = true;
    const Segments& ready = observed.slots(static_cast<std::size_t>(answer - graph_->buses.data()));
    for (const Segment& run : observed.slots(number).runs())
        for_each_run(ready, run.first, run.count, [&](const Segment& part) {
            streams_.push_back({number, run.at(part.first) + valid->offset, run.stride, part.offset,
                                part.stride, part.count, graph_->rate_of(bus.domain)});
        });
    return true;
}

void ActivityObserver::add_rows(std::size_t number, const Segments& slots) {
    const BusFamily& bus = graph_->buses[number];
    const std::size_t bytes = slot_size(bus);
    for (const Segment& run : slots.runs()) {
        const auto stride = run.count == 1 ? static_cast<std::int64_t>(bytes) : run.stride;
        rows_.push_back({number, static_cast<std::size_t>(run.offset), stride, run.count, bytes,
                         bus.type->size(), before_.size(), bus.wire(),
                         bus.unwritten == Unwritten::error});
        before_.resize(before_.size() + run.count * bytes);
    }
}

void ActivityObserver::step(unsigned, Range, const Frame& frame) {
    if (seen_ == 0)
        first_cycle_ = frame.cycle;
    for (const Row& row : rows_) {
        if (row.wire && !frame.wires_settled)
            continue;
        if ((row.wire ? settled_ : seen_) == 0)
            keep(row, frame.read);
        else
            activity_.buses[row.family].active += changes(row, frame.read);
    }
    if (frame.wires_settled)
        for (const Stream& stream : streams_)
            if (stream.rate.rises_after(frame.cycle))
                activity_.buses[stream.family].active += items(stream, frame.read);
    ++seen_;
    settled_ += frame.wires_settled ? 1 : 0;
}

void ActivityObserver::keep(const Row& row, const std::byte* read) {
    const std::byte* now = read + row.offset;
    for (std::uint64_t k = 0; k < row.count; ++k, now += row.stride)
        std::memcpy(&before_[row.before + k * row.slot_bytes], now, row.slot_bytes);
}

std::uint64_t ActivityObserver::changes(const Row& row, const std::byte* read) {
    const std::byte* now = read + row.offset;
    std::byte* before = &before_[row.before];
    if (row.stride == static_cast<std::int64_t>(row.value_bytes) && !row.may_be_unwritten)
        switch (row.value_bytes) {
        case 1: return changed_words<std::uint8_t>(now, before, row.count);
        case 2: return changed_words<std::uint16_t>(now, before, row.count);
        case 4: return changed_words<std::uint32_t>(now, before, row.count);
        case 8: return changed_words<std::uint64_t>(now, before, row.count);
        default: break;
        }
    std::uint64_t changed = 0;
    for (std::uint64_t k = 0; k < row.count; ++k, now += row.stride, before += row.slot_bytes)
        if (is_changed(row, now, before)) {
            ++changed;
            std::memcpy(before, now, row.slot_bytes);
        }
    return changed;
}

/// True if a scalar has changed. An unwritten scalar counts as a separate value.
bool ActivityObserver::is_changed(const Row& row, const std::byte* now,
                                  const std::byte* before) const {
    if (!row.may_be_unwritten)
        return std::memcmp(now, before, row.value_bytes) != 0;
    std::size_t mark = row.value_bytes;
    for (const Leaf& leaf : graph_->buses[row.family].type->scalars()) {
        if (now[mark] != before[mark] ||
            (now[mark] != std::byte{0} &&
             std::memcmp(now + leaf.offset, before + leaf.offset, leaf.type->size()) != 0))
            return true;
        mark += leaf.type->leaf_count();
    }
    return false;
}

std::uint64_t ActivityObserver::items(const Stream& stream, const std::byte* read) {
    std::uint64_t moved = 0;
    const std::byte* valid = read + stream.valid;
    const std::byte* ready = read + stream.ready;
    for (std::uint64_t k = 0; k < stream.count; ++k) {
        moved += (*valid & *ready) != std::byte{0};
        valid += stream.valid_stride;
        ready += stream.ready_stride;
    }
    return moved;
}

void ActivityObserver::close(std::uint64_t cycles) {
    activity_.cycles = cycles - first_cycle_;
    const auto pairs = [](std::uint64_t looks) { return looks == 0 ? 0 : looks - 1; };
    for (std::size_t b = 0; b < graph_->buses.size(); ++b) {
        const BusFamily& bus = graph_->buses[b];
        BusActivity& activity = activity_.buses[b];
        if (!bus.state)
            activity.most = bus.count * (activity.stream ? settled_
                                         : bus.wire()    ? pairs(settled_)
                                                         : pairs(seen_));
    }
}

} // namespace sme::coverage
