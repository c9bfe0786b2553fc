// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace sme::verilator {

/// A graph of bit dependencies: each node is a bit of a variable, or the join of several bits.
class BitGraph {
public:
    using Node = std::uint32_t;
    static constexpr Node none = ~Node{0}; // a constant

    /// The kind of a dependency.
    enum class Way : std::uint8_t {
        hard,
        soft,  ///< possible
        gated, ///< on the inputs behind the gate, but on no clock and no register
    };

    /// Adds consecutive nodes without edges; returns the first.
    Node add(std::size_t count) {
        const auto first = static_cast<Node>(edges_.size());
        edges_.resize(edges_.size() + count);
        return first;
    }
    /// Makes `to` depend on `from`.
    void depend(Node to, Node from, Way way = Way::hard);
    void depend(Node to, Node from, bool soft) { depend(to, from, soft ? Way::soft : Way::hard); }
    /// Returns one node that depends on all of them; `none` if all are constant.
    Node meet(const std::vector<Node>& all);
    std::size_t size() const { return edges_.size(); }

    /// Returns the graph with reversed edges: the dependents of each node.
    BitGraph reversed() const;

    /// The kind of path to a node.
    enum class Reach : std::uint8_t { no, soft, hard };
    /// Returns for every node how it is reached from `begin`; `gates`: also through gated edges.
    std::vector<Reach> reach(const std::vector<Node>& begin, bool gates = true) const;

    /// From now on tracks the origins of each node, also as edges are added: `origins` lists the
    /// nodes of each origin. Origin 0 passes gated edges, others do not.
    void trace_origins(const std::vector<std::vector<Node>>& origins);
    bool comes_from(Node node, std::size_t origin) const;

private:
    struct Edge {
        Node from;
        Way way;
    };
    std::uint64_t* origins_of(Node node);
    bool pass_origins(Node to, Node from, Way way);
    void spread_origins(Node from);

    std::vector<std::vector<Edge>> edges_;
    std::size_t origin_words_ = 0;          // per node; 0: origins are not tracked
    std::vector<std::uint64_t> origins_;    // by node
    std::vector<std::vector<Edge>> onward_; // reversed edges, if origins are tracked
};

} // namespace sme::verilator
