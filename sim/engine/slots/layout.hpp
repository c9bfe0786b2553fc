// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/diagnostic.hpp"
#include "cut/cut.hpp"
#include "network/build.hpp"
#include "network/checks/check.hpp"
#include "network/graph.hpp"

namespace sme::engine {

class ActivePart;

/// The slots of one bus family: position in the family → byte offset in the arenas.
struct BusSlots {
    Segments read;    // that readers see
    Segments written; // that the writer writes; differs from `read` only for delays of two or more
};

/// Returns whether elements that no process writes may hold another value than zero.
inline bool begins_with_value(const BusFamily& bus) {
    return bus.input || bus.has_initial || !bus.initial.empty();
}

/// The memory layout, fixed for a run: the order of the families and of their instances, and a slot
/// for every bus.
///
/// Slots follow the order of their writers, port by port, so that a range of instances writes
/// contiguous spans. Wires follow all registered slots and begin at a page boundary.
struct Layout {
    Cut cut;                       // the order in which families write and run
    std::vector<Segments> orders;  // by process family: position → instance
    std::vector<BusSlots> buses;   // by bus family
    std::uint64_t wires_begin = 0; // where the slots of wires begin, at a page boundary
    std::uint64_t arena_bytes = 0; // whole pages

    /// Reports `network_too_large` when a port cannot address all slots.
    static Layout of(const Graph& graph, const Analysis& analysis, Diagnostics& diagnostics);

    /// The slots of a port of a family: position → offset.
    PortSlots port_slots(const Graph& graph, std::uint32_t family, const Port& port) const;
};

/// Calls visit(positions, bus family) for each piece of a port whose elements are of one family.
template <class Visit>
void for_each_bus(const Graph& graph, const Segments& elements, Visit visit) {
    for (const Segment& run : elements.runs())
        for (std::uint64_t k = run.first; k < run.end();) {
            const auto element = static_cast<std::uint64_t>(run.at(k));
            const BusFamily& bus = graph.family_of(element);
            std::uint64_t count = run.end() - k;
            if (run.stride > 0)
                count = std::min(count, (bus.first + bus.count - 1 - element) /
                                                static_cast<std::uint64_t>(run.stride) +
                                            1);
            else if (run.stride < 0)
                count = std::min(
                    count, (element - bus.first) / static_cast<std::uint64_t>(-run.stride) + 1);
            visit(Segment{k, count, run.at(k), run.stride}, bus);
            k += count;
        }
}

/// A range of one part of a group, run at one level.
struct Item {
    std::uint32_t level;
    std::uint32_t group;
    unsigned part;
    Range range;
    bool always;           // also runs after a level before it has faulted
    bool observer = false; // reads values; also runs after the last cycle
    Group* steps = nullptr;
    Control* control = nullptr;
    ActivePart* activity = nullptr; // leaves out idle instances; null: all run in every cycle
};

/// The items of a cycle, ordered by level, and in the order of the cut within a level.
struct Schedule {
    std::vector<Item> items;
    std::uint32_t levels = 1;
    std::uint32_t last_step_level = 0; // the last level of items that are not observers
    /// On one rank of several: from this item on, no step writes what other ranks read.
    std::size_t interior = ~std::size_t{0};

    /// Memory commits come one level after everything else.
    static Schedule of(const Graph& graph, const Levels& levels, const Layout& layout);
};

} // namespace sme::engine
