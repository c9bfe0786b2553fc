// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/cycle/layout.hpp"
#include "engine/cycle/schedule.hpp"
#include "network/checks/check.hpp"
#include "network/graph.hpp"
#include "sme/threads.hpp"

namespace sme::engine {

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
