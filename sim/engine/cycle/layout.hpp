// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/diagnostic.hpp"
#include "network/build.hpp"
#include "network/checks/check.hpp"
#include "network/graph.hpp"

namespace sme::engine {

/// The slots of one bus family: position in the family → byte offset in the arenas.
struct BusSlots {
    Segments read;    // that readers see
    Segments written; // that the writer writes; differs from `read` only for delays of two or more
};

/// The memory layout, fixed for a run: the order of each family's instances, and a slot for every
/// bus.
///
/// Slots follow the order of their writers, port by port, so that a range of instances writes
/// contiguous spans. Wires follow all registered slots and begin at a page boundary.
struct Layout {
    std::vector<Segments> orders;  // by process family: position → instance
    std::vector<BusSlots> buses;   // by bus family
    std::uint64_t wires_begin = 0; // where the slots of wires begin, at a page boundary
    std::uint64_t arena_bytes = 0; // whole pages

    /// Reports `network_too_large` when a port cannot address all slots.
    static Layout of(const Graph& graph, const Analysis& analysis, Diagnostics& diagnostics);

    /// The slots of a port of a family: position → offset.
    PortSlots port_slots(const Graph& graph, std::uint32_t family, const Port& port) const;
};

} // namespace sme::engine
