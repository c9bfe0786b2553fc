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

    /// How a node depends on another one.
    enum class Way : std::uint8_t {
        hard,
        soft,  ///< it may
        gated, ///< on the inputs behind it, but on no clock and no register
    };

    /// Nodes without edges, one after another; the first.
    Node add(std::size_t count) {
        const auto first = static_cast<Node>(edges_.size());
        edges_.resize(edges_.size() + count);
        return first;
    }
    /// `to` depends on `from`.
    void depend(Node to, Node from, Way way = Way::hard);
    void depend(Node to, Node from, bool soft) { depend(to, from, soft ? Way::soft : Way::hard); }
    /// One node that depends on all of them; none when all are constant.
    Node meet(const std::vector<Node>& all);
    std::size_t size() const { return edges_.size(); }

    /// The same graph with every edge the other way: what depends on a node.
    BitGraph reversed() const;

    /// How a node is reached.
    enum class Reach : std::uint8_t { no, soft, hard };
    /// Every node, as it is reached from `begin`; `gates`: through gated edges, too.
    std::vector<Reach> reach(const std::vector<Node>& begin, bool gates = true) const;

    /// From now on the graph knows which of some origins each node depends on, also when edges are
    /// added: the number of each origin's nodes is `origins`. Origin 0 passes gated edges, others
    /// do not.
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
    std::size_t origin_words_ = 0;          // of a node; 0: they are not traced
    std::vector<std::uint64_t> origins_;    // by node
    std::vector<std::vector<Edge>> onward_; // where they are traced: the edges the other way
};

} // namespace sme::verilator
