// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/slots/layout.hpp"
#include "network/checks/check.hpp"
#include "network/graph.hpp"

namespace sme::engine {

/// Which rank runs which process: a division of the order of the cut, the same on every rank.
/// Processes that are joined by wires or share a memory are on one rank. Observers, and what shares
/// a memory with them, are on rank 0, which writes all files.
class RankShares {
public:
    /// `first`: families that run on rank 0.
    static RankShares of(const Graph& graph, const Writers& writers, const Cut& cut,
                         const std::vector<std::uint32_t>& first, unsigned ranks);

    /// Consecutive instances of a family on one rank, up to the next run.
    struct Run {
        std::uint64_t first;
        unsigned rank;
    };
    /// `runs`: by family, ascending.
    RankShares(const Graph& graph, std::vector<std::vector<Run>> runs, unsigned ranks);

    /// Names processes that this division must not separate, or a process that must be on rank 0,
    /// as those of `first`. Empty if the division is valid.
    std::string violation(const Graph& graph, const Writers& writers,
                          const std::vector<std::uint32_t>& first) const;

    unsigned ranks() const { return ranks_; }
    /// The rank of an instance, and the next instance that may have another one.
    struct Owner {
        unsigned rank;
        std::uint64_t end;
    };
    Owner owner(std::uint32_t family, std::uint64_t instance) const;
    /// The share of the work of each rank, from 0 to 1.
    const std::vector<double>& work() const { return work_; }
    /// What keeps a large part of the work on one rank, as a sentence; empty if nothing does.
    const std::string& together() const { return together_; }

    /// Calls visit(instances, rank) for the pieces of a range of instances.
    template <class Visit>
    void for_each_piece(std::uint32_t family, Range instances, Visit visit) const {
        const std::uint64_t end = instances.first + instances.count;
        for (std::uint64_t k = instances.first; k < end;) {
            const Owner of = owner(family, k);
            const std::uint64_t count = std::min(end, of.end) - k;
            visit(Range{k, count}, of.rank);
            k += count;
        }
    }
    /// Calls visit(positions, rank) for the pieces of a range of positions in an order of
    /// instances.
    template <class Visit>
    void for_each_position(std::uint32_t family, const Segments& order, Range positions,
                           Visit visit) const {
        for_each_run(order, positions.first, positions.count, [&](const Segment& run) {
            for (std::uint64_t k = run.first; k < run.end();) {
                const auto instance = static_cast<std::uint64_t>(run.at(k));
                const Owner of = owner(family, instance);
                const std::uint64_t count =
                    run.stride == 1 ? std::min(run.end() - k, of.end - instance) : 1;
                visit(Range{k, count}, of.rank);
                k += count;
            }
        });
    }

private:
    unsigned ranks_;
    std::vector<std::vector<Run>> runs_;
    std::vector<double> work_;
    std::string together_;
};

/// Keeps the items of a rank: its own processes, and everything that is not a process.
void keep_own(Schedule& schedule, const Graph& graph, const Layout& layout,
              const RankShares& shares, unsigned rank);

/// Puts the items of the last level of steps that write nothing for other ranks after all that do,
/// unless that would take many more items. `boundary`: as of RankSlots.
void put_interior_last(Schedule& schedule, const Graph& graph,
                       const std::vector<std::vector<std::uint64_t>>& boundary);

} // namespace sme::engine
