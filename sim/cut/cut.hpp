// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "network/checks/connections.hpp"
#include "network/graph.hpp"

namespace sme {

/// Divides consecutive items with these costs: the share of each, ascending, when all shares get
/// about equal work.
std::vector<unsigned> shares_of(const std::vector<double>& costs, unsigned count);

/// An order of the processes of a network in which those that exchange values are close together.
/// Where the order is divided, few values cross; so any number of shares is a division of the one
/// order, and the order itself depends on the network alone: not on measurements, threads or time.
class Cut {
public:
    /// Consecutive instances of a process family, which are not divided further.
    struct Block {
        std::uint32_t family;
        Range instances;
        double cost = 0; // in operations
    };

    /// Both arguments must be of the same network.
    static Cut of(const Graph& graph, const Writers& writers);

    /// In the order found.
    const std::vector<Block>& blocks() const { return blocks_; }
    /// The process families, in the order of their first blocks.
    const std::vector<std::uint32_t>& families() const { return families_; }
    /// The share of each block.
    std::vector<unsigned> shares(unsigned count) const { return shares_of(costs(), count); }
    /// How much of the work precedes an instance, from 0 to 1.
    double place(std::uint32_t family, std::uint64_t instance) const;

    /// False if the program was built without METIS: then the order is that of the source.
    static bool has_metis();

private:
    void index();
    std::vector<double> costs() const;

    std::vector<Block> blocks_;
    std::vector<std::uint32_t> families_;
    double work_ = 0;
    struct Place {
        std::uint64_t first; // instance
        double before;       // work
    };
    std::vector<std::vector<Place>> places_; // by family, ascending
};

} // namespace sme
