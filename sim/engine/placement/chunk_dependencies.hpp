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

/// Who reads what whom writes, by position instead of by name.
class ChunkDependencies {
public:
    /// All must outlive it.
    ChunkDependencies(const Graph& graph, const Layout& layout, const Analysis& analysis,
                      const Schedule& schedule);

    /// Which chunks communicate, and over how many buses; of large chunks a sample.
    std::vector<ChunkLink> between(std::span<const Chunk> chunks) const;

    /// Whether a level may follow the one before it without a barrier: nothing up to there can
    /// fault, and every wire that it reads was written by the same thread, or before the barrier in
    /// front of `since`.
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
