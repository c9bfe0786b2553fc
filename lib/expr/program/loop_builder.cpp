// SPDX-License-Identifier: Apache-2.0
//
// The nodes of loops, and which nodes depend on which loops.
#include <algorithm>
#include <iterator>

#include "expr/program/builder.hpp"
#include "expr/program/parts.hpp"

namespace sme::expr {

NodeId Builder::step(std::uint64_t count, unsigned depth) {
    const auto [found, fresh] = steps_.try_emplace({count, depth}, no_node);
    if (fresh) {
        const Scalar type = *scalar_between(0, static_cast<Integer>(count) - 1);
        found->second =
            intern({Op::step, type, no_node, no_node, no_node, std::uint64_t{steps_.size()}});
        step_counts_[found->second] = count;
    }
    return found->second;
}

NodeId Builder::carried(Scalar type) {
    return intern({Op::carried, type, no_node, no_node, no_node, carried_++});
}

NodeId Builder::loop(Loop loop) {
    program_.loops.push_back(std::move(loop));
    const NodeId made =
        intern({Op::loop, {1, false}, no_node, no_node, no_node, program_.loops.size() - 1});
    const Loop& known = program_.loops.back();
    for (std::uint32_t place = 0; place < known.carried.size(); ++place)
        carriers_[known.carried[place].variable] = {made, place};
    return made;
}

std::uint32_t Builder::carry(NodeId loop, Loop::Carried carried) {
    Loop& known = program_.loops[node(loop).immediate];
    known.carried.push_back(carried);
    const auto place = static_cast<std::uint32_t>(known.carried.size() - 1);
    carriers_[carried.variable] = {loop, place};
    return place;
}

NodeId Builder::loop_result(NodeId loop, std::uint32_t place) {
    return intern({Op::loop_result, type(loop_at(loop).carried[place].variable), loop, no_node,
                   no_node, place});
}

std::uint32_t Builder::free_set(std::vector<NodeId> ids) {
    const auto [found, fresh] =
        free_numbers_.try_emplace(std::move(ids), static_cast<std::uint32_t>(free_sets_.size()));
    if (fresh)
        free_sets_.push_back(found->first);
    return found->second;
}

std::uint32_t Builder::joined(std::uint32_t a, std::uint32_t b) {
    if (a == b || b == 0)
        return a;
    if (a == 0)
        return b;
    std::vector<NodeId> all;
    std::set_union(free_sets_[a].begin(), free_sets_[a].end(), free_sets_[b].begin(),
                   free_sets_[b].end(), std::back_inserter(all));
    return free_set(std::move(all));
}

/// Returns the set of a node that has just been added.
std::uint32_t Builder::free_of(const Node& node) {
    const auto itself = static_cast<NodeId>(program_.nodes.size() - 1);
    if (node.op == Op::step || node.op == Op::carried)
        return free_set({itself});
    std::uint32_t all = 0;
    if (node.op != Op::loop) {
        for_each_operand(node, [&](NodeId operand) { all = joined(all, free_[operand]); });
        return all;
    }
    const Loop& loop = program_.loops[node.immediate];
    std::vector<NodeId> own{loop.step};
    for (const Loop::Carried& each : loop.carried) {
        own.push_back(each.variable);
        all = joined(all, free_[each.next]);
    }
    std::sort(own.begin(), own.end());
    std::vector<NodeId> left;
    std::set_difference(free_sets_[all].begin(), free_sets_[all].end(), own.begin(), own.end(),
                        std::back_inserter(left));
    all = free_set(std::move(left));
    for (const Loop::Carried& each : loop.carried)
        all = joined(all, free_[each.start]);
    return all;
}

} // namespace sme::expr
