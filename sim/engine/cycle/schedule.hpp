// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "engine/cycle/layout.hpp"
#include "network/checks/check.hpp"

namespace sme::engine {

/// A range of one part of a group, run at one level.
struct Item {
    std::uint32_t level;
    std::uint32_t group;
    unsigned part;
    Range range;
    bool always;           // also runs when a level before it faulted
    bool observer = false; // looks at values; also after the last cycle
    Group* steps = nullptr;
    Control* control = nullptr;
};

/// What runs in a cycle: items in the order of their levels, within a level in source order.
struct Schedule {
    std::vector<Item> items;
    std::uint32_t levels = 1;
    std::uint32_t last_step_level = 0; // of what is no observer

    /// Commits of memories come one level after everything else.
    static Schedule of(const Graph& graph, const Levels& levels, const Layout& layout);
};

} // namespace sme::engine
