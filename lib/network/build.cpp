// SPDX-License-Identifier: Apache-2.0
#include "network/build.hpp"

#include <algorithm>
#include <cstring>

namespace sme {

bool MissingWires::computed(std::uint64_t element, bool settled) const {
    const auto after =
        std::upper_bound(ranges.begin(), ranges.end(), element,
                         [](auto at, const Range& range) { return at < range.first; });
    return settled || (others_computed && (after == ranges.begin() ||
                                           element - (after - 1)->first >= (after - 1)->count));
}

std::size_t slot_size(const BusFamily& bus) {
    const Type& type = *bus.type;
    std::size_t bytes = type.size();
    if (bus.has_marks())
        bytes += type.leaf_count();
    return (bytes + type.alignment() - 1) / type.alignment() * type.alignment();
}

Outputs::Outputs(const Build& build) {
    for (const Part& part : build.family.parts) {
        std::vector<PortRuns>& ports = parts_.emplace_back();
        for (const PortUse& use : part.writes)
            ports.push_back(runs_of(build, use.port));
    }
}

Outputs::PortRuns Outputs::runs_of(const Build& build, std::uint32_t port) {
    PortRuns runs;
    const PortSlots& slots = build.ports[port];
    for (std::uint64_t position = 0; position < slots.buses.size();) {
        const BusFamily& bus = build.bus_at(port, position);
        const std::size_t bytes = slot_size(bus);
        // As long as elements stay in this family and their slots are consecutive.
        const Segment& elements = slots.buses.runs()[slots.buses.run_of(position)];
        const Segment& offsets = slots.offsets.runs()[slots.offsets.run_of(position)];
        std::uint64_t end = std::min(elements.end(), offsets.end());
        if (offsets.stride != static_cast<std::int64_t>(bytes))
            end = position + 1;
        while (end > position + 1 && &build.bus_at(port, end - 1) != &bus)
            end = position + (end - position) / 2;
        append({position, end - position, static_cast<std::uint64_t>(offsets.at(position)),
                static_cast<std::uint32_t>(bytes), bus.unwritten == Unwritten::hold,
                static_cast<std::uint32_t>(bus.has_marks() ? bus.type->size() : bytes)},
               runs);
        position = end;
    }
    return runs;
}

/// Buses of different families share a run if their slots are initialised the same way.
void Outputs::append(const Run& run, PortRuns& runs) {
    if (!runs.empty()) {
        Run& last = runs.back();
        if (last.slot_bytes == run.slot_bytes && last.hold == run.hold &&
            last.value_bytes == run.value_bytes &&
            last.offset + last.count * last.slot_bytes == run.offset) {
            last.count += run.count;
            return;
        }
    }
    runs.push_back(run);
}

void Outputs::prepare(unsigned part, Range range, const Frame& frame) const {
    const std::uint64_t range_end = range.first + range.count;
    for (const PortRuns& runs : parts_[part]) {
        auto run = std::partition_point(runs.begin(), runs.end(), [&](const Run& before) {
            return before.end() <= range.first;
        });
        for (; run != runs.end() && run->first < range_end; ++run) {
            const std::uint64_t from = std::max(run->first, range.first);
            const std::uint64_t to = std::min(run->end(), range_end);
            const std::uint64_t offset = run->offset + (from - run->first) * run->slot_bytes;
            const std::size_t bytes = (to - from) * run->slot_bytes;
            std::byte* const slots = frame.write + offset;
            if (!run->hold) {
                std::memset(slots, 0, bytes);
                continue;
            }
            std::memcpy(slots, frame.read + offset, bytes);
            if (run->value_bytes < run->slot_bytes) // clear the marks of the previous write
                for (std::size_t at = 0; at < bytes; at += run->slot_bytes)
                    std::memset(slots + at + run->value_bytes, 0,
                                run->slot_bytes - run->value_bytes);
        }
    }
}

} // namespace sme
