// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/cycle/schedule.hpp"
#include "engine/placement/costs.hpp"
#include "network/graph.hpp"
#include "sme/threads.hpp"

namespace sme::engine {

/// What a run decided about its threads, to be repeated by another run of the same network.
struct SavedSchedule {
    unsigned threads = 1;
    QueueKind queue = QueueKind::fixed;
    Wait wait = Wait::automatic;
    std::uint64_t grain = 0;
    ChunkTable table; // empty for one thread
    Placement placement;

    /// As JSON. `schedule` and `graph` are those of the run.
    std::string text(const Graph& graph, const Schedule& schedule) const;
};

/// Reads what `text` wrote. Nothing when it is broken, or of another network: `problem` says why.
std::optional<SavedSchedule> read_schedule(const std::string& text, const Graph& graph,
                                           const Schedule& schedule, std::string& problem);

} // namespace sme::engine
