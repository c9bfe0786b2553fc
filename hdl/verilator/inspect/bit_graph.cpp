// SPDX-License-Identifier: Apache-2.0
#include "verilator/inspect/bit_graph.hpp"

#include <algorithm>

namespace sme::verilator {

void BitGraph::depend(Node to, Node from, Way way) {
    if (from == none || to == from)
        return;
    edges_[to].push_back({from, way});
    if (origin_words_ == 0)
        return;
    onward_.resize(edges_.size());
    onward_[from].push_back({to, way});
    if (pass_origins(to, from, way))
        spread_origins(to);
}

BitGraph::Node BitGraph::meet(const std::vector<Node>& all) {
    std::vector<Node> some;
    std::copy_if(all.begin(), all.end(), std::back_inserter(some),
                 [](Node node) { return node != none; });
    std::sort(some.begin(), some.end());
    some.erase(std::unique(some.begin(), some.end()), some.end());
    if (some.empty())
        return none;
    if (some.size() == 1)
        return some[0];
    const Node result = add(1);
    for (const Node from : some)
        depend(result, from);
    return result;
}

BitGraph BitGraph::reversed() const {
    BitGraph result;
    result.add(edges_.size());
    for (Node to = 0; to < edges_.size(); ++to)
        for (const Edge& edge : edges_[to])
            result.edges_[edge.from].push_back({to, edge.way});
    return result;
}

std::vector<BitGraph::Reach> BitGraph::reach(const std::vector<Node>& begin, bool gates) const {
    std::vector<Reach> reached(edges_.size(), Reach::no);
    std::vector<Node> all; // nodes reached through hard edges, which come first because they take
                           // precedence
    for (const Reach way : {Reach::hard, Reach::soft}) {
        std::vector<Node> open;
        open.swap(all); // empty at first
        const auto enter = [&](Node node) {
            if (node == none || reached[node] != Reach::no)
                return;
            reached[node] = way;
            open.push_back(node);
            if (way == Reach::hard)
                all.push_back(node);
        };
        for (const Node node : begin)
            enter(node);
        while (!open.empty()) {
            const Node node = open.back();
            open.pop_back();
            for (const Edge& edge : edges_[node])
                if (edge.way == Way::hard ||
                    (way == Reach::soft && (gates || edge.way == Way::soft)))
                    enter(edge.from);
        }
    }
    return reached;
}

void BitGraph::trace_origins(const std::vector<std::vector<Node>>& origins) {
    origin_words_ = origins.size() / 64 + 1;
    onward_.assign(edges_.size(), {});
    for (Node to = 0; to < edges_.size(); ++to)
        for (const Edge& edge : edges_[to])
            onward_[edge.from].push_back({to, edge.way});
    for (std::size_t k = 0; k < origins.size(); ++k)
        for (const Node node : origins[k])
            origins_of(node)[k / 64] |= std::uint64_t{1} << (k % 64);
    for (const std::vector<Node>& nodes : origins)
        for (const Node node : nodes)
            spread_origins(node);
}

bool BitGraph::comes_from(Node node, std::size_t origin) const {
    const std::size_t word = node * origin_words_ + origin / 64;
    return node != none && word < origins_.size() && (origins_[word] >> (origin % 64) & 1) != 0;
}

std::uint64_t* BitGraph::origins_of(Node node) {
    if (origins_.size() < edges_.size() * origin_words_)
        origins_.resize(edges_.size() * origin_words_);
    return origins_.data() + node * origin_words_;
}

/// Returns true if `to` gains origins.
bool BitGraph::pass_origins(Node to, Node from, Way way) {
    std::uint64_t* const into = origins_of(to);
    const std::uint64_t* const of = origins_of(from);
    bool grew = false;
    for (std::size_t word = 0; word < origin_words_; ++word) {
        const std::uint64_t passing = way != Way::gated ? of[word] : word == 0 ? of[0] & 1 : 0;
        grew = grew || (passing & ~into[word]) != 0;
        into[word] |= passing;
    }
    return grew;
}

void BitGraph::spread_origins(Node from) {
    std::vector<Node> open{from};
    while (!open.empty()) {
        const Node node = open.back();
        open.pop_back();
        for (const Edge& edge : onward_[node])
            if (pass_origins(edge.from, node, edge.way))
                open.push_back(edge.from);
    }
}

} // namespace sme::verilator
