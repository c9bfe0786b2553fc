// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/diagnostic.hpp"
#include "network/build.hpp"
#include "network/checks/check.hpp"
#include "network/graph.hpp"

namespace sme::engine {

/// Where the slots of one family of buses lie: place in the family → byte offset in the arenas.
struct BusSlots {
    Segments read;    // what readers see
    Segments written; // what the writer writes; another slot only for delays of two and more
};

/// Where everything lies: the order of each family's instances, and a slot for every bus. Fixed for
/// a run.
///
/// Slots are laid out in the order of their writers, port by port, so that a range of instances
/// writes contiguous spans. Wires come after all registered slots, from a page boundary on.
struct Layout {
    std::vector<Segments> orders;  // of each process family: position → instance
    std::vector<BusSlots> buses;   // of each bus family
    std::uint64_t wires_begin = 0; // a page boundary: from here on lie the slots of wires
    std::uint64_t arena_bytes = 0; // whole pages

    /// Reports `network_too_large` when the slots cannot be addressed by a port.
    static Layout of(const Graph& graph, const Analysis& analysis, Diagnostics& diagnostics);

    /// position → offset for a port of a family.
    PortSlots port_slots(const Graph& graph, std::uint32_t family, const Port& port) const;
};

} // namespace sme::engine
