// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/placement/costs.hpp"
#include "engine/slots/layout.hpp"
#include "engine/threads/queue.hpp"
#include "network/checks/check.hpp"
#include "network/graph.hpp"
#include "runtime/observer.hpp"
#include "sme/threads.hpp"

namespace sme::engine {

/// Neighbouring items of the schedule between two meetings of all threads.
struct Section {
    std::uint32_t first_item;
    std::uint32_t end_item;
    std::unique_ptr<Queue> queue; // null: one thread runs the items in order
    double ns = 0;                // predicted by costs
};

/// The path of the threads through a cycle.
struct Plan {
    unsigned threads = 1;
    std::vector<Section> sections;

    /// The predicted time of a cycle, by costs.
    double predicted_ns(double barrier_ns) const;

    /// All items in one serial section.
    static Plan sequential(const Schedule& schedule);
};

/// The inputs of a plan besides the schedule.
struct PlanOptions {
    QueueKind queue = QueueKind::fixed;
    std::uint64_t grain = 0;
    /// Neighbouring levels, each no longer than this, form one serial section.
    double cheap_level_ns = 0;
    /// True if a level needs no barrier before it when the last one preceded `since`. Called for
    /// queues of fixed lists.
    std::function<bool(std::uint32_t level, std::uint32_t since)> joined;
    /// Items that one call may run when a fixed list holds all of them; may be null.
    const std::vector<FusedItems>* fused = nullptr;
};

Plan make_plan(const Schedule& schedule, const ChunkTable& table, const Placement& placement,
               const PlanOptions& options);

/// Moves the chunks of items that one call may run to one thread, if each is a whole item: to the
/// thread that has most of their work.
void join_fused(const Schedule& schedule, const ChunkTable& table,
                const std::vector<FusedItems>& fused, Placement& placement);

/// Why a placement is invalid (a lost or repeated chunk, an invalid number, lists for another
/// number of threads); empty if valid.
std::string placement_problem(const Placement& placement, std::size_t chunks, unsigned threads);

/// Which chunks read the outputs of which others, by position instead of by name.
class ChunkDependencies {
public:
    /// All arguments must outlive the object.
    ChunkDependencies(const Graph& graph, const Layout& layout, const Analysis& analysis,
                      const Schedule& schedule);

    /// The chunks that communicate, and over how many buses; estimated from a sample for large
    /// chunks.
    std::vector<ChunkLink> between(std::span<const Chunk> chunks) const;

    /// True if a level may follow the previous one without a barrier: nothing up to there can
    /// fault, and every wire that it reads was written by the same thread, or before the barrier
    /// that precedes `since`.
    bool joined(std::uint32_t level, std::uint32_t since, std::span<const Chunk> chunks,
                const Placement& placement) const;

private:
    template <class Visit>
    bool for_each_writer(const Chunk& chunk, std::uint64_t step, Visit visit) const;
    bool is_quiet(std::uint32_t since, std::uint32_t level) const;

    const Graph& graph_;
    const Layout& layout_;
    const Analysis& analysis_;
    const Schedule& schedule_;
};

} // namespace sme::engine
