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
    bool always;           // also runs after a level before it has faulted
    bool observer = false; // reads values; also runs after the last cycle
    Group* steps = nullptr;
    Control* control = nullptr;
};

/// The items of a cycle, ordered by level, and in source order within a level.
struct Schedule {
    std::vector<Item> items;
    std::uint32_t levels = 1;
    std::uint32_t last_step_level = 0; // the last level of items that are not observers

    /// Memory commits come one level after everything else.
    static Schedule of(const Graph& graph, const Levels& levels, const Layout& layout);
};

} // namespace sme::engine
