// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <vector>

#include "expr/lower/lowering.hpp"

namespace sme::expr {

/// Makes the nodes that choose among the arms of a match.
class MatchLowering {
public:
    /// `match` outlives this.
    MatchLowering(Lowering& lowering, const BoundMatch& match);

    /// Returns a node that is true when an arm is chosen.
    NodeId condition(std::size_t arm);
    /// Returns the node of the chosen arm; no_node marks an arm that is not needed.
    NodeId choose(const std::vector<NodeId>& nodes);

private:
    /// Nodes with the arms that take them.
    using Groups = std::map<NodeId, std::vector<std::size_t>>;

    NodeId holds(const MatchCube& cube);
    NodeId linear(const Groups& groups, NodeId rest);
    std::vector<NodeId> dense(const std::vector<NodeId>& nodes, NodeId rest) const;
    NodeId table(const std::vector<NodeId>& values);
    std::size_t tree_cost(const std::vector<NodeId>& values) const;
    NodeId tree(std::vector<NodeId> values);

    Builder& b_;
    const BoundMatch& match_;
    NodeId subject_ = no_node;       // its bits, unsigned
    std::vector<NodeId> conditions_; // by arm
};

} // namespace sme::expr
