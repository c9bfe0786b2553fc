// SPDX-License-Identifier: Apache-2.0
#include "engine/slots/delay_line.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <random>
#include <vector>

#include "engine/slots/arenas.hpp"
#include "engine/slots/state.hpp"
#include "sme/internal/archive.hpp"

namespace sme::engine {

DelayLine::DelayLine(const BusFamily& bus, const BusSlots& slots,
                     const std::vector<Range>& elements)
    : bus_{bus}, slot_bytes_{slot_size(bus)},
      kept_bytes_{kept_bytes(bus)}, stages_{bus.delay - 2}, from_{slots.written}, to_{slots.read},
      ring_(stages_ * bus.count * slot_bytes_), elements_{bus.count}, stepped_{elements} {
    fill();
}

void DelayLine::fill() {
    const auto stride = static_cast<std::int64_t>(slot_bytes_);
    for (std::uint64_t stage = 0; stage < stages_; ++stage)
        for (const Range& range : stepped_) {
            const auto first = static_cast<std::int64_t>(range.first) * stride;
            put_initial(bus_, {range.first, range.count, first, stride},
                        ring_.data() + stage * elements_ * slot_bytes_);
        }
}

void DelayLine::step(unsigned, Range range, const Frame& frame) {
    std::byte* const stage =
        stages_ ? ring_.data() + frame.cycle % stages_ * elements_ * slot_bytes_ : nullptr;
    for (std::uint64_t k = range.first; k < range.first + range.count; ++k) {
        const std::byte* const in = frame.read + from_.at(k);
        std::byte* const out = frame.write + to_.at(k);
        if (!stage) {
            std::memcpy(out, in, slot_bytes_);
            continue;
        }
        std::byte* const kept = stage + k * slot_bytes_;
        std::memcpy(out, kept, slot_bytes_);
        std::memcpy(kept, in, slot_bytes_);
    }
}

LaterValues DelayLine::later(std::uint64_t element) const {
    return {ring_.data() + element * slot_bytes_, stages_, elements_ * slot_bytes_,
            static_cast<std::uint64_t>(from_.at(element)), slot_bytes_};
}

CopyPlan DelayLine::copy_plan() {
    return {CopyPlan::Kind::delay, &bus_, from_, to_, ring_.data(), stages_};
}

void DelayLine::state_of(Archive& archive, Range elements) {
    for (std::uint64_t stage = 0; stage < stages_; ++stage)
        for (std::uint64_t k = 0; k < elements.count; ++k) {
            std::byte* const slot =
                ring_.data() + (stage * elements_ + elements.first + k) * slot_bytes_;
            archive.bytes(slot, kept_bytes_);
            if (!archive.saves())
                check_kept(bus_, slot);
        }
}

std::vector<Range> unwritten(const BusFamily& bus, const Writers& writers) {
    std::vector<Range> ranges;
    const std::uint64_t end = bus.first + bus.count;
    auto next = std::upper_bound(
        writers.runs().begin(), writers.runs().end(), bus.first,
        [](std::uint64_t element, const Writers::Run& run) { return element < run.end(); });
    for (std::uint64_t element = bus.first; element < end; ++next) {
        const bool last = next == writers.runs().end() || next->first >= end;
        const std::uint64_t gap_end = last ? end : next->first;
        if (element < gap_end)
            ranges.push_back({element - bus.first, gap_end - element});
        if (last)
            break;
        element = next->end();
    }
    return ranges;
}

UnwrittenSlots::UnwrittenSlots(const BusFamily& bus, const BusSlots& slots)
    : bus_{bus}, slot_bytes_{slot_size(bus)}, slots_{slots.written} {}

void UnwrittenSlots::step(unsigned, Range range, const Frame& frame) {
    for (std::uint64_t k = range.first; k < range.first + range.count; ++k)
        std::memset(frame.write + slots_.at(k), 0, slot_bytes_);
}

CopyPlan UnwrittenSlots::copy_plan() {
    return {CopyPlan::Kind::clear, &bus_, slots_, slots_};
}

void PerInstanceGroup::step(unsigned part, Range range, const Frame& frame) {
    if (!shuffle_ || range.count == 1) {
        for (std::uint64_t k = 0; k < range.count; ++k)
            step_one(part, range.first + k, frame);
        return;
    }
    std::vector<std::uint64_t> positions(range.count);
    std::iota(positions.begin(), positions.end(), range.first);
    // minstd_rand: it is seeded again in every cycle, so seeding must be fast
    const std::uint64_t seed = (*shuffle_ * 31 + frame.cycle) * 1'000'003 + family_ * 8 + part;
    std::shuffle(positions.begin(), positions.end(),
                 std::minstd_rand{static_cast<std::uint32_t>(seed ^ (seed >> 32))});
    for (const std::uint64_t position : positions)
        step_one(part, position, frame);
}

void PerInstanceGroup::step_one(unsigned part, std::uint64_t position, const Frame& frame) {
    const StepId step{family_, part, position};
    if (auditor_)
        auditor_->before_step(step, frame);
    group_->step(part, {position, 1}, frame);
    if (auditor_)
        auditor_->after_step(step, frame);
}

void shuffle_items(Schedule& schedule, std::uint64_t seed) {
    std::mt19937_64 random{seed};
    const auto end = schedule.items.end();
    for (auto begin = schedule.items.begin(); begin != end;) {
        const auto next =
            std::find_if(begin, end, [&](const Item& item) { return item.level != begin->level; });
        std::shuffle(begin, next, random);
        begin = next;
    }
}

} // namespace sme::engine
