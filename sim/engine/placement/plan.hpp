// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/cycle/schedule.hpp"
#include "engine/placement/costs.hpp"
#include "engine/threads/queue.hpp"
#include "sme/threads.hpp"

namespace sme::engine {

/// Neighbouring items of the schedule between two meetings of all threads.
struct Section {
    std::uint32_t first_item;
    std::uint32_t end_item;
    std::unique_ptr<Queue> queue; // null: one thread runs its items, in their order
    double ns = 0;                // that it takes, by costs
};

/// How the threads go through a cycle.
struct Plan {
    unsigned threads = 1;
    std::vector<Section> sections;

    /// What a cycle takes, by costs.
    double predicted_ns(double barrier_ns) const;

    /// All in one serial section.
    static Plan sequential(const Schedule& schedule);
};

/// What a plan is made of beside the schedule.
struct PlanOptions {
    QueueKind queue = QueueKind::fixed;
    std::uint64_t grain = 0;
    /// Neighbouring levels, each of which takes no more than this, are one serial section.
    double cheap_level_ns = 0;
    /// Whether a level needs no barrier in front of it when the last one was in front of `since`.
    /// Asked for queues of fixed lists.
    std::function<bool(std::uint32_t level, std::uint32_t since)> joined;
};

Plan make_plan(const Schedule& schedule, const ChunkTable& table, const Placement& placement,
               const PlanOptions& options);

/// Why a placement is none: a chunk that is lost or repeated, a number that is none, lists for
/// another number of threads; empty when it is one.
std::string placement_problem(const Placement& placement, std::size_t chunks, unsigned threads);

} // namespace sme::engine
