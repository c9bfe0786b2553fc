// SPDX-License-Identifier: Apache-2.0
//
// Lowers a match to operations. Arms with the same node count as one. The result is the cheapest
// of: a chain of selects, a tree of selects over the bits of the subject, or, if all values are
// constant, a table read.
#include "base/codes.hpp"
#include "expr/typing/match.hpp"

#include <algorithm>

namespace sme::expr {

namespace {

/// The widest subjects whose values are all enumerated.
constexpr unsigned widest_tree = 6, widest_table = 10;
/// The cost of a table read, in selects.
constexpr std::size_t table_cost = 6;

} // namespace

NodeId Match::holds(const Cube& cube) {
    const Scalar type{static_cast<std::uint8_t>(width_bits_), false};
    if (width_bits_ == 1 && cube.mask == 1)
        return cube.bits != 0 ? subject_ : b_.logical_not(subject_);
    const NodeId masked =
        cube.mask == canonical(~std::uint64_t{0}, width_bits_, false)
            ? subject_
            : b_.operation(Op::bit_and, type, subject_, b_.constant(type, cube.mask));
    return b_.operation(Op::equal, {1, false}, masked, b_.constant(type, cube.bits));
}

NodeId Match::condition(std::size_t arm) {
    if (decided_)
        return b_.boolean(*decided_ == arm);
    NodeId& known = conditions_[arm];
    if (known != no_node)
        return known;
    // values without a pattern take the else arm, or the last arm
    const bool rest = arm == else_.value_or(complete_ ? arms_ : arms_ - 1);
    NodeId found = b_.boolean(false);
    for (const Cube& cube : cubes_)
        if ((cube.arm == arm) != rest)
            found = b_.any_of(found, holds(cube));
    return known = rest ? b_.logical_not(found) : found;
}

NodeId Match::choose(const std::vector<NodeId>& nodes) {
    if (decided_)
        return nodes[*decided_];
    Groups groups;
    for (std::size_t arm = 0; arm < nodes.size(); ++arm)
        if (nodes[arm] != no_node)
            groups[nodes[arm]].push_back(arm);
    if (groups.size() < 2)
        return groups.empty() ? no_node : groups.begin()->first;
    std::vector<std::size_t> patterns(arms_, 0); // by arm
    for (const Cube& cube : cubes_)
        ++patterns[cube.arm];
    const auto cost_of = [&](const std::vector<std::size_t>& arms) {
        std::size_t cost = 0;
        for (const std::size_t arm : arms)
            cost += 2 * patterns[arm];
        return cost;
    };
    // the arm for values that match no pattern
    const std::size_t rest_arm = else_.value_or(arms_ - 1);
    NodeId rest = nodes[rest_arm];
    if (rest == no_node || (!else_ && complete_))
        rest = std::max_element(groups.begin(), groups.end(), [&](const auto& a, const auto& b) {
                   return cost_of(a.second) < cost_of(b.second);
               })->first;
    std::size_t chain = 0;
    for (const auto& [node, arms] : groups)
        chain += node == rest ? 0 : cost_of(arms);
    if (width_bits_ > widest_table || chain <= table_cost)
        return linear(groups, rest);
    const bool constants = std::all_of(groups.begin(), groups.end(), [&](const auto& group) {
        return b_.constant_value(group.first).has_value();
    });
    if (constants)
        return table(dense(nodes, rest));
    if (width_bits_ > widest_tree)
        return linear(groups, rest);
    std::vector<NodeId> values = dense(nodes, rest);
    return tree_cost(values) < chain ? tree(std::move(values)) : linear(groups, rest);
}

NodeId Match::linear(const Groups& groups, NodeId rest) {
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
std::vector<NodeId> Match::dense(const std::vector<NodeId>& nodes, NodeId rest) const {
    std::vector<NodeId> values(std::size_t{1} << width_bits_, rest);
    for (const Cube& cube : cubes_) {
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

NodeId Match::table(const std::vector<NodeId>& values) {
    Table result{b_.type(values[0]), {}};
    for (const NodeId node : values)
        result.values.push_back(*b_.constant_value(node));
    const Scalar type = result.type;
    const std::uint32_t number = b_.add_table(std::move(result));
    return b_.leaf({Op::table_read, type, b_.convert({64, false}, subject_), number, no_node, 0});
}

/// Returns the number of operations of the tree: two for each bit, and a select where two sides
/// differ.
std::size_t Match::tree_cost(const std::vector<NodeId>& values) const {
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

NodeId Match::tree(std::vector<NodeId> level) {
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

Value Match::select(std::vector<Value> values, const std::vector<Location>& where) {
    const Value* typed = nullptr;
    bool exact = false;
    for (std::size_t arm = 0; arm < arms_; ++arm) {
        if (!is_possible(arm))
            continue;
        if (!values[arm].ok())
            return {};
        if (values[arm].is_number())
            exact = true;
        else if (!typed)
            typed = &values[arm];
    }
    if (decided_)
        return e_.lowered(values[*decided_]);
    Scalar common;
    Integer low = 0, high = 0;
    const auto is_long = [](const Value& value) { return value.kind == Value::Kind::long_number; };
    if (!typed && std::any_of(values.begin(), values.end(), is_long))
        return e_.fail(Code::needs_type, where[0],
                       "these numbers do not fit 64 bits together; give them a type");
    if (!typed && exact) {
        low = high = values[0].low;
        for (const Value& value : values) {
            low = std::min(low, value.low);
            high = std::max(high, value.high);
        }
        if (low == high)
            return values[0];
        const std::optional<Scalar> type = scalar_between(low, high);
        if (!type)
            return e_.fail(Code::needs_type, where[0],
                           "these numbers do not fit 64 bits together; give them a type");
        common = *type;
    }
    const TypeRef type = typed ? typed->type : nullptr;
    const std::size_t leaves = typed ? typed->type->leaf_count() : 1;
    std::vector<std::vector<NodeId>> nodes; // by arm
    for (std::size_t arm = 0; arm < arms_; ++arm) {
        if (!type) {
            nodes.push_back({e_.exact_node(values[arm], common)});
            continue;
        }
        const Value fitted = e_.fit(values[arm], type, where[arm], "the first arm with a type");
        if (!fitted.ok() || !e_.spend(50 * leaves, where[arm]))
            return {};
        nodes.push_back(fitted.leaves);
    }
    std::vector<NodeId> chosen;
    for (std::size_t leaf = 0; leaf < leaves; ++leaf) {
        std::vector<NodeId> column;
        for (const std::vector<NodeId>& arm : nodes)
            column.push_back(arm[leaf]);
        chosen.push_back(choose(column));
    }
    return type ? Value::of(type, std::move(chosen)) : Value::between(chosen[0], low, high);
}

} // namespace sme::expr
