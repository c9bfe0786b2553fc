// SPDX-License-Identifier: Apache-2.0
#include "expr/program/builder.hpp"

#include <algorithm>
#include <iterator>

#include "bits/integer.hpp"
#include "expr/program/apply.hpp"
#include "expr/program/parts.hpp"

namespace sme::expr {

std::optional<Scalar> scalar_between(Integer low, Integer high) {
    for (const unsigned width : {8u, 16u, 32u, 64u})
        for (const bool is_signed : {false, true})
            if (low >= smallest(width, is_signed) && high <= largest(width, is_signed))
                return Scalar{static_cast<std::uint8_t>(width), is_signed};
    return std::nullopt;
}

namespace {

std::uint64_t hash_of(const Node& node) {
    std::uint64_t hash = static_cast<std::uint64_t>(node.op);
    const auto mix = [&](std::uint64_t value) {
        hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
    };
    mix(node.type.width_bits * 2u + (node.type.is_signed ? 1u : 0u));
    mix(node.a | std::uint64_t{node.b} << 32);
    mix(node.c);
    mix(node.immediate);
    return hash;
}

} // namespace

/// Doubles the places, of which at most half are taken.
void Builder::grow() {
    known_.assign(std::max<std::size_t>(64, 2 * known_.size()), no_node);
    for (NodeId id = 0; id < program_.nodes.size(); ++id) {
        std::size_t at = hash_of(program_.nodes[id]) & (known_.size() - 1);
        while (known_[at] != no_node)
            at = (at + 1) & (known_.size() - 1);
        known_[at] = id;
    }
}

NodeId Builder::intern(const Node& node) {
    if (2 * program_.nodes.size() >= known_.size())
        grow();
    std::size_t at = hash_of(node) & (known_.size() - 1);
    for (; known_[at] != no_node; at = (at + 1) & (known_.size() - 1))
        if (program_.nodes[known_[at]] == node)
            return known_[at];
    known_[at] = static_cast<NodeId>(program_.nodes.size());
    program_.nodes.push_back(node);
    may_fault_.push_back(may_fault(node));
    free_.push_back(free_of(node));
    return known_[at];
}

bool Builder::may_fault(const Node& node) const {
    bool faults = row_of(node.op).faults;
    for_each_operand(node, [&](NodeId operand) { faults = faults || may_fault_[operand]; });
    return faults;
}

NodeId Builder::constant(Scalar type, std::uint64_t value) {
    Node node;
    node.type = type;
    node.immediate = canonical(value, type.width_bits, type.is_signed);
    return intern(node);
}

std::optional<std::uint64_t> Builder::constant_value(NodeId id) const {
    const Node& node = program_.nodes[id];
    return node.op == Op::constant ? std::optional{node.immediate} : std::nullopt;
}

namespace {

/// Combines neighbours until one value is left.
template <class Combine> NodeId combined(std::vector<NodeId> values, Combine combine) {
    while (values.size() > 1) {
        std::size_t left = 0;
        for (std::size_t k = 0; k < values.size(); k += 2)
            values[left++] = k + 1 < values.size() ? combine(values[k], values[k + 1]) : values[k];
        values.resize(left);
    }
    return values[0];
}

} // namespace

NodeId Builder::all_of(std::vector<NodeId> values) {
    if (values.empty())
        return boolean(true);
    return combined(std::move(values), [this](NodeId a, NodeId b) { return all_of(a, b); });
}

NodeId Builder::any_of(std::vector<NodeId> values) {
    if (values.empty())
        return boolean(false);
    return combined(std::move(values), [this](NodeId a, NodeId b) { return any_of(a, b); });
}

NodeId Builder::operation(Op op, Scalar type, NodeId a, NodeId b, NodeId c) {
    const Node node{op, type, a, b, c, 0};
    const auto value = [&](NodeId id) {
        return id == no_node ? std::optional<std::uint64_t>{0} : constant_value(id);
    };
    const auto x = value(a), y = value(b), z = value(c);
    if (x && y && z)
        return constant(type, evaluate(op, type, program_.nodes[a].type, *x, *y, *z));
    const NodeId simple = simplified(node);
    return simple != no_node ? simple : intern(node);
}

/// Returns the node that an operation with a constant or equal operands reduces to, or no_node.
NodeId Builder::simplified(const Node& node) const {
    const bool is_bool = node.type == Scalar{1, false};
    const auto is = [&](NodeId id, std::uint64_t value) {
        return id != no_node && constant_value(id) == value;
    };
    // a deciding constant does not deselect the other operand, except the second one of
    // `logical_and` and `logical_or`
    const bool a_decides = node.op == Op::logical_and || node.op == Op::logical_or ||
                           (node.b != no_node && !may_fault_[node.b]);
    switch (node.op) {
    case Op::logical_and:
    case Op::bit_and:
        if (is_bool && ((is(node.a, 0) && a_decides) || is(node.b, 1)))
            return node.a;
        if (is_bool && is(node.a, 1))
            return node.b;
        if (is_bool && is(node.b, 0) && !may_fault_[node.a])
            return node.b;
        return node.a == node.b ? node.a : no_node;
    case Op::logical_or:
    case Op::bit_or:
        if (is_bool && ((is(node.a, 1) && a_decides) || is(node.b, 0)))
            return node.a;
        if (is_bool && is(node.a, 0))
            return node.b;
        if (is_bool && is(node.b, 1) && !may_fault_[node.a])
            return node.b;
        if (node.a == node.b)
            return node.a;
        break;
    case Op::select:
        if (const auto condition = constant_value(node.a))
            return *condition ? node.b : node.c;
        return node.b == node.c && !may_fault_[node.a] ? node.b : no_node;
    case Op::convert: return program_.nodes[node.a].type == node.type ? node.a : no_node;
    default: break;
    }
    const Neutral neutral = row_of(node.op).neutral;
    if (neutral.left && is(node.a, neutral.value))
        return node.b;
    return neutral.right && is(node.b, neutral.value) ? node.a : no_node;
}

NodeId Builder::convert(Scalar type, NodeId a) {
    return operation(Op::convert, type, a);
}

NodeId Builder::rises(const ClockRate& clock) {
    const Scalar number{64, false};
    const NodeId cycle = leaf({Op::cycle, number, no_node, no_node, no_node, 0});
    const NodeId phase = operation(Op::remainder, number, cycle, constant(number, clock.every));
    return operation(Op::equal, {1, false}, phase, constant(number, clock.offset));
}

NodeId Builder::select(NodeId condition, NodeId yes, NodeId no) {
    return operation(Op::select, type(yes), condition, yes, no);
}

NodeId Builder::checked(NodeId value, NodeId bad, FaultSite site) {
    if (constant_value(bad) == std::uint64_t{0})
        return value;
    const auto number = program_.sites.size();
    const NodeId result = intern({Op::checked, type(value), value, bad, no_node, number});
    program_.sites.push_back(std::move(site));
    return result;
}

std::uint32_t Builder::add_table(Table table) {
    program_.tables.push_back(std::move(table));
    return static_cast<std::uint32_t>(program_.tables.size() - 1);
}

// The nodes of loops, and which nodes depend on which loops.

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
    const NodeId result =
        intern({Op::loop, {1, false}, no_node, no_node, no_node, program_.loops.size() - 1});
    const Loop& known = program_.loops.back();
    for (std::uint32_t place = 0; place < known.carried.size(); ++place)
        carriers_[known.carried[place].variable] = {result, place};
    return result;
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
