// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
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
    static RankShares of(const Graph& graph, const Writers& writers, const Cut& cut,
                         unsigned ranks);

    unsigned ranks() const { return ranks_; }
    /// The rank of an instance, and the next instance that may have another one.
    struct Owner {
        unsigned rank;
        std::uint64_t end;
    };
    Owner owner(std::uint32_t family, std::uint64_t instance) const;
    /// The share of the work of each rank, from 0 to 1.
    const std::vector<double>& work() const { return work_; }

private:
    struct Run {
        std::uint64_t first; // instance
        unsigned rank;
    };
    unsigned ranks_ = 1;
    std::vector<std::vector<Run>> runs_; // by family, ascending
    std::vector<double> work_;
};

/// Keeps the items of a rank: its own processes, and everything that is not a process.
void keep_own(Schedule& schedule, const Graph& graph, const Layout& layout,
              const RankShares& shares, unsigned rank);

/// Bytes of an arena.
struct Span {
    std::uint64_t offset, bytes;
};

/// What a rank exchanges with another one in every cycle: the slots that one writes and the other
/// reads.
struct Link {
    unsigned rank;
    std::vector<Span> sends, receives;
};

/// The slots that the processes of a rank write, also those from which delays read.
std::vector<Span> own_slots(unsigned rank, const Graph& graph, const Writers& writers,
                            const Layout& layout, const RankShares& shares);

/// The links of a rank, by rank. `observes`: rank 0 reads every bus. If so, or if the network has
/// observers, every rank has a link with rank 0, which must know when the run ends.
std::vector<Link> links_of(unsigned rank, const Graph& graph, const Writers& writers,
                           const Layout& layout, const RankShares& shares, bool observes);

} // namespace sme::engine
