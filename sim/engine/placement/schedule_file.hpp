// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/placement/costs.hpp"
#include "engine/slots/layout.hpp"
#include "network/graph.hpp"
#include "sme/threads.hpp"

namespace sme::engine {

/// A digest of a network and its schedule.
std::string digest_of(const Graph& graph, const Schedule& schedule);

/// The decisions of a run about its threads, for another run of the same network.
struct SavedSchedule {
    unsigned threads = 1;
    QueueKind queue = QueueKind::fixed;
    Wait wait = Wait::automatic;
    std::uint64_t grain = 0;
    ChunkTable table; // empty for one thread
    Placement placement;

    /// Returns the decisions as JSON. `schedule` and `graph` are those of the run.
    std::string text(const Graph& graph, const Schedule& schedule) const;
};

/// Reads the output of `text`. `nullopt` if it is invalid or belongs to another network; `problem`
/// then holds the reason.
std::optional<SavedSchedule> read_schedule(const std::string& text, const Graph& graph,
                                           const Schedule& schedule, std::string& problem);

} // namespace sme::engine
