// SPDX-License-Identifier: Apache-2.0
#include "verilator/inspect/bit_graph.hpp"

#include <algorithm>

namespace sme::verilator {

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
    const Node made = add(1);
    for (const Node from : some)
        depend(made, from);
    return made;
}

BitGraph BitGraph::reversed() const {
    BitGraph made;
    made.add(edges_.size());
    for (Node to = 0; to < edges_.size(); ++to)
        for (const Edge& edge : edges_[to])
            made.edges_[edge.from].push_back({to, edge.soft});
    return made;
}

std::vector<BitGraph::Reach> BitGraph::reach(const std::vector<Node>& begin) const {
    std::vector<Reach> reached(edges_.size(), Reach::no);
    for (const Reach way : {Reach::hard, Reach::soft}) { // hard ways first: they count more
        std::vector<Node> open;
        const auto enter = [&](Node node) {
            if (node != none && reached[node] == Reach::no) {
                reached[node] = way;
                open.push_back(node);
            }
        };
        for (const Node node : begin)
            enter(node);
        if (way == Reach::soft)
            for (Node node = 0; node < edges_.size(); ++node)
                if (reached[node] == Reach::hard)
                    open.push_back(node);
        while (!open.empty()) {
            const Node node = open.back();
            open.pop_back();
            for (const Edge& edge : edges_[node])
                if (way == Reach::soft || !edge.soft)
                    enter(edge.from);
        }
    }
    return reached;
}

} // namespace sme::verilator
