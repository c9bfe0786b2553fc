// SPDX-License-Identifier: Apache-2.0
//
// Matches. Arms with the same node count as one. The result is the cheapest of: a chain of selects,
// a tree of selects over the bits of the subject, or, if all values are constant, a table read.
#include "expr/lower/match.hpp"

#include <algorithm>
#include <utility>

namespace sme::expr {

namespace {

/// The widest subjects whose values are all enumerated.
constexpr unsigned widest_tree = 6, widest_table = 10;
/// The cost of a table read, in selects.
constexpr std::size_t table_cost = 6;

} // namespace

MatchLowering::MatchLowering(Lowering& lowering, const BoundMatch& match)
    : b_{lowering.builder()}, match_{match}, conditions_(match.arms.size(), no_node) {
    if (match.decided)
        return;
    const BoundExpr& subject = *match.subject;
    const NodeId node =
        subject.is_exact()
            ? lowering.number(subject,
                              scalar_between(subject.low, subject.high).value_or(Scalar{64, true}))
            : lowering.leaves(subject)[0];
    subject_ = b_.convert({static_cast<std::uint8_t>(match.width_bits), false}, node);
}

NodeId MatchLowering::holds(const MatchCube& cube) {
    const Scalar type{static_cast<std::uint8_t>(match_.width_bits), false};
    if (match_.width_bits == 1 && cube.mask == 1)
        return cube.bits != 0 ? subject_ : b_.logical_not(subject_);
    const NodeId masked =
        cube.mask == canonical(~std::uint64_t{0}, match_.width_bits, false)
            ? subject_
            : b_.operation(Op::bit_and, type, subject_, b_.constant(type, cube.mask));
    return b_.operation(Op::equal, {1, false}, masked, b_.constant(type, cube.bits));
}

NodeId MatchLowering::condition(std::size_t arm) {
    if (match_.decided)
        return b_.boolean(*match_.decided == arm);
    NodeId& known = conditions_[arm];
    if (known != no_node)
        return known;
    // values without a pattern take the else arm, or the last arm
    const bool rest = arm == match_.otherwise.value_or(match_.complete ? match_.arms.size()
                                                                       : match_.arms.size() - 1);
    NodeId found = b_.boolean(false);
    for (const MatchCube& cube : match_.cubes)
        if ((cube.arm == arm) != rest)
            found = b_.any_of(found, holds(cube));
    return known = rest ? b_.logical_not(found) : found;
}

NodeId MatchLowering::choose(const std::vector<NodeId>& nodes) {
    if (match_.decided)
        return nodes[*match_.decided];
    Groups groups;
    for (std::size_t arm = 0; arm < nodes.size(); ++arm)
        if (nodes[arm] != no_node)
            groups[nodes[arm]].push_back(arm);
    if (groups.size() < 2)
        return groups.empty() ? no_node : groups.begin()->first;
    std::vector<std::size_t> patterns(match_.arms.size(), 0); // by arm
    for (const MatchCube& cube : match_.cubes)
        ++patterns[cube.arm];
    const auto cost_of = [&](const std::vector<std::size_t>& arms) {
        std::size_t cost = 0;
        for (const std::size_t arm : arms)
            cost += 2 * patterns[arm];
        return cost;
    };
    NodeId rest = nodes[match_.rest()];
    if (rest == no_node || (!match_.otherwise && match_.complete))
        rest = std::max_element(groups.begin(), groups.end(), [&](const auto& a, const auto& b) {
                   return cost_of(a.second) < cost_of(b.second);
               })->first;
    std::size_t chain = 0;
    for (const auto& [node, arms] : groups)
        chain += node == rest ? 0 : cost_of(arms);
    if (match_.width_bits > widest_table || chain <= table_cost)
        return linear(groups, rest);
    const bool constants = std::all_of(groups.begin(), groups.end(), [&](const auto& group) {
        return b_.constant_value(group.first).has_value();
    });
    if (constants)
        return table(dense(nodes, rest));
    if (match_.width_bits > widest_tree)
        return linear(groups, rest);
    std::vector<NodeId> values = dense(nodes, rest);
    return tree_cost(values) < chain ? tree(std::move(values)) : linear(groups, rest);
}

NodeId MatchLowering::linear(const Groups& groups, NodeId rest) {
    NodeId result = rest;
    for (const auto& [node, arms] : groups) {
        if (node == rest)
            continue;
        NodeId chosen = b_.boolean(false);
        for (const std::size_t arm : arms)
            chosen = b_.any_of(chosen, condition(arm));
        result = b_.select(chosen, node, result);
    }
    return result;
}

/// Returns the node of every value of the subject.
std::vector<NodeId> MatchLowering::dense(const std::vector<NodeId>& nodes, NodeId rest) const {
    std::vector<NodeId> values(std::size_t{1} << match_.width_bits, rest);
    for (const MatchCube& cube : match_.cubes) {
        if (nodes[cube.arm] == no_node)
            continue;
        // enumerates the values of the pattern: the open bits count up
        const std::uint64_t open = ~cube.mask & (values.size() - 1);
        std::uint64_t value = 0;
        do {
            values[cube.bits | value] = nodes[cube.arm];
            value = (value - open) & open;
        } while (value != 0);
    }
    return values;
}

NodeId MatchLowering::table(const std::vector<NodeId>& values) {
    Table result{b_.type(values[0]), {}};
    for (const NodeId node : values)
        result.values.push_back(*b_.constant_value(node));
    const Scalar type = result.type;
    const std::uint32_t number = b_.add_table(std::move(result));
    return b_.leaf({Op::table_read, type, b_.convert({64, false}, subject_), number, no_node, 0});
}

/// Returns the number of operations of the tree: two for each bit, and a select where two sides
/// differ.
std::size_t MatchLowering::tree_cost(const std::vector<NodeId>& values) const {
    std::size_t cost = 0;
    std::vector<NodeId> level = values;
    for (unsigned bit = 0; level.size() > 1; ++bit) {
        std::map<std::pair<NodeId, NodeId>, NodeId> result;
        std::vector<NodeId> next;
        const auto fresh = static_cast<NodeId>(bit) << 24 | 0x80000000; // not a node number
        for (std::size_t k = 0; k < level.size(); k += 2)
            next.push_back(level[k] == level[k + 1]
                               ? level[k]
                               : result
                                     .try_emplace({level[k], level[k + 1]},
                                                  fresh | static_cast<NodeId>(result.size()))
                                     .first->second);
        cost += result.empty() ? 0 : result.size() + 2;
        level = std::move(next);
    }
    return cost;
}

NodeId MatchLowering::tree(std::vector<NodeId> level) {
    const Scalar type = b_.type(subject_);
    for (unsigned bit = 0; level.size() > 1; ++bit) {
        NodeId odd = no_node;
        std::vector<NodeId> next;
        for (std::size_t k = 0; k < level.size(); k += 2) {
            if (level[k] != level[k + 1] && odd == no_node)
                odd = b_.convert({1, false}, b_.operation(Op::shift_right, type, subject_,
                                                          b_.constant({64, false}, bit)));
            next.push_back(level[k] == level[k + 1] ? level[k]
                                                    : b_.select(odd, level[k + 1], level[k]));
        }
        level = std::move(next);
    }
    return level[0];
}

/// Column by column: the same scalar of each arm.
Lowering::Leaves Lowering::match(const BoundExpr& bound) {
    if (const auto& arm = bound.details->match->decided)
        return leaves_for(*bound.operands[*arm + 1], bound);
    MatchLowering match{*this, *bound.details->match};
    std::vector<Leaves> arms;
    for (std::size_t k = 1; k < bound.operands.size(); ++k)
        arms.push_back(leaves_for(*bound.operands[k], bound));
    Leaves result;
    for (std::size_t leaf = 0; leaf < arms[0].size(); ++leaf) {
        std::vector<NodeId> column;
        for (const Leaves& arm : arms)
            column.push_back(arm[leaf]);
        result.push_back(match.choose(column));
    }
    return result;
}

} // namespace sme::expr
