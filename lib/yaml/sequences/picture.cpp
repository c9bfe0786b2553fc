// SPDX-License-Identifier: Apache-2.0
#include "yaml/sequences/picture.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "expr/syntax/printer.hpp"

namespace sme::yaml {

namespace {

class MachineDrawing {
public:
    MachineDrawing(const SequenceGraph& graph, Diagram& picture)
        : graph_{graph}, picture_{picture} {}

    void add_node(std::uint32_t number) {
        const SequencePoint& point = graph_.points[number];
        Diagram::Node node{point.is_decision() ? Diagram::Role::decision : Diagram::Role::process,
                           {point.name}};
        if (graph_.end && graph_.name != "at") // a branch
            node.path.insert(node.path.begin(), graph_.name);
        nodes_[number] = picture_.nodes.size();
        picture_.nodes.push_back(std::move(node));
    }

    /// Draws the ways from a point, under these conditions.
    void add_ways(std::uint32_t from, const SequencePath& path,
                  const std::vector<std::string>& conditions) {
        if (!path.decision)
            return add_edge(from, path.to, fmt::format("{}", fmt::join(conditions, " and ")));
        const bool is_way = path.arms.size() == 1;
        for (const SequencePath::Arm& arm : path.arms) {
            std::vector<std::string> inner = conditions;
            if (arm.condition)
                inner.push_back(expr::print(*arm.condition));
            else if (!arm.patterns->empty())
                inner.push_back(fmt::format("{} is {}", expr::print(*path.condition),
                                            expr::print(*arm.patterns)));
            else if (!is_way && conditions.empty() && !arm.path.decision)
                inner.emplace_back("else");
            add_ways(from, arm.path, inner);
        }
    }

private:
    /// Ways between the same points share an arrow.
    void add_edge(std::uint32_t from, std::uint32_t to, const std::string& label) {
        const auto [known, is_new] = edges_.emplace(std::pair{from, to}, picture_.edges.size());
        if (is_new)
            picture_.edges.push_back({nodes_.at(from), nodes_.at(to)});
        if (!label.empty())
            picture_.edges[known->second].labels.push_back(label);
    }

    const SequenceGraph& graph_;
    Diagram& picture_;
    std::map<std::uint32_t, std::size_t> nodes_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> edges_;
};

} // namespace

void draw_machine(const SequenceGraph& graph, const std::map<std::uint32_t, SequenceWays>& items,
                  const std::map<std::uint32_t, SequencePath>& decisions, Diagram& picture) {
    MachineDrawing drawing{graph, picture};
    std::vector<std::uint32_t> all;
    for (const auto& [number, ways] : items)
        all.push_back(number);
    for (const auto& [number, path] : decisions)
        all.push_back(number);
    std::sort(all.begin(), all.end(), [&](std::uint32_t a, std::uint32_t b) {
        return std::pair{graph.points[a].place(), a} < std::pair{graph.points[b].place(), b};
    });
    for (const std::uint32_t number : all)
        drawing.add_node(number);
    for (const auto& [number, ways] : items) {
        const SequencePoint& point = graph.points[number];
        if (point.kind == SequenceItem::Kind::stop)
            continue;
        drawing.add_ways(number, ways.next, {});
        if (point.within)
            drawing.add_ways(number, ways.late,
                             {fmt::format("after {} cycles", expr::print(*point.within))});
    }
    for (const auto& [number, path] : decisions)
        drawing.add_ways(number, path, {});
}

} // namespace sme::yaml
