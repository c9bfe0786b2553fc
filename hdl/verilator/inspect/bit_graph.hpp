// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace sme::verilator {

/// Which bits depend on which: a graph of nodes, each a bit of a variable or a meeting of several.
class BitGraph {
public:
    using Node = std::uint32_t;
    static constexpr Node none = ~Node{0}; // a constant

    /// Nodes without edges, one after another; the first.
    Node add(std::size_t count) {
        const auto first = static_cast<Node>(edges_.size());
        edges_.resize(edges_.size() + count);
        return first;
    }
    /// `to` depends on `from`; softly: it may.
    void depend(Node to, Node from, bool soft = false) {
        if (from != none && to != from)
            edges_[to].push_back({from, soft});
    }
    /// One node that depends on all of them; none when all are constant.
    Node meet(const std::vector<Node>& all);
    std::size_t size() const { return edges_.size(); }

    /// The same graph with every edge the other way: what depends on a node.
    BitGraph reversed() const;

    /// How a node is reached.
    enum class Reach : std::uint8_t { no, soft, hard };
    /// Every node, as it is reached from `begin`.
    std::vector<Reach> reach(const std::vector<Node>& begin) const;

private:
    struct Edge {
        Node from;
        bool soft;
    };
    std::vector<std::vector<Edge>> edges_;
};

} // namespace sme::verilator
