// SPDX-License-Identifier: Apache-2.0
#include "expr/program/loop_faults.hpp"

#include <algorithm>
#include <set>
#include <unordered_map>

#include "expr/program/apply.hpp"
#include "expr/program/parts.hpp"

namespace sme::expr {

namespace {

constexpr std::uint64_t max_words = 4'000'000;

/// Returns true if an operation depends only on steps and constants.
bool is_plain(Op op) {
    return op == Op::constant || op == Op::step || op == Op::checked || is_value(op);
}

} // namespace

std::optional<std::vector<std::uint64_t>> LoopWords::computed(NodeId word) const {
    const std::vector<NodeId>& free = b_.free_in(word);
    if (free.size() > 1 || (free.size() == 1 && b_.node(free[0]).op != Op::step))
        return std::nullopt;
    const std::uint64_t count = free.empty() ? 1 : b_.steps_of(free[0]);
    const std::vector<NodeId> nodes = reachable(b_, {{word}});
    for (const NodeId id : nodes)
        if (!is_plain(b_.node(id).op) || count > max_words)
            return std::nullopt;
    std::vector<std::uint64_t> result;
    std::unordered_map<NodeId, std::uint64_t> values;
    for (std::uint64_t step = 0; step < count; ++step) {
        if (!free.empty())
            values[free[0]] = step;
        for (const NodeId id : nodes) {
            const Node& node = b_.node(id);
            if (node.op == Op::step)
                continue;
            const auto value = [&](NodeId operand) {
                return operand == no_node ? 0 : values.at(operand);
            };
            values[id] = node.op == Op::constant ? node.immediate
                         : node.op == Op::checked
                             ? value(node.a)
                             : evaluate(node.op, node.type, b_.type(node.a), value(node.a),
                                        value(node.b), value(node.c));
        }
        result.push_back(values.at(word));
    }
    std::sort(result.begin(), result.end());
    return result;
}

const std::vector<std::uint64_t>* LoopWords::of(NodeId word) {
    auto found = known_.find(word);
    if (found == known_.end())
        found = known_.emplace(word, computed(word)).first;
    return found->second ? &*found->second : nullptr;
}

std::optional<bool> LoopWords::meet(NodeId a, NodeId b) {
    const std::vector<std::uint64_t>*x = of(a), *y = of(b);
    if (!x || !y)
        return std::nullopt;
    for (auto i = x->begin(), j = y->begin(); i != x->end() && j != y->end();)
        if (*i == *j)
            return true;
        else
            *i < *j ? ++i : ++j;
    return false;
}

namespace {

constexpr Scalar word{64, false};
constexpr unsigned site_bits = 32;
constexpr std::uint64_t site_mask = (std::uint64_t{1} << site_bits) - 1;

} // namespace

bool LoopFaults::contains_fault(const std::vector<NodeId>& roots) {
    bool found = false;
    visit_nodes(roots, [&](NodeId id, std::vector<NodeId>& open) {
        const Node& node = b_.node(id);
        found = found || node.op == Op::checked || (node.op == Op::loop && may_fault(id));
        if (!found)
            for_each_operand(node, [&](NodeId operand) { open.push_back(operand); });
    });
    return found;
}

bool LoopFaults::may_fault(NodeId loop) {
    const auto [found, fresh] = faulty_.try_emplace(loop, false);
    if (!fresh)
        return found->second;
    std::vector<NodeId> roots;
    for (const Loop::Carried& carried : b_.loop_at(loop).carried)
        roots.insert(roots.end(), {carried.start, carried.next});
    return faulty_[loop] = contains_fault(roots);
}

NodeId LoopFaults::first(NodeId a, NodeId b) {
    if (a == no_node || b == no_node || a == b)
        return a == no_node ? b : a;
    return b_.select(b_.operation(Op::less, {1, false}, a, b), a, b);
}

NodeId LoopFaults::where(NodeId condition, NodeId yes, NodeId no) {
    if (yes == no)
        return yes;
    return b_.select(condition, yes == no_node ? constant(none) : yes,
                     no == no_node ? constant(none) : no);
}

NodeId LoopFaults::is_fault(NodeId rank) {
    return b_.operation(Op::not_equal, {1, false}, rank, constant(none));
}

/// Returns the high bits of a rank in a step of a loop: lines are ordered, each with all its steps.
NodeId LoopFaults::step_of(std::uint64_t site, NodeId loop) {
    if (loop == no_node)
        return constant(0);
    const Loop& known = b_.loop_at(loop);
    const auto line =
        std::upper_bound(known.sites.begin(), known.sites.end(), site) - known.sites.begin();
    if (line == 0) // values computed before the loop come first
        return constant(0);
    const NodeId step =
        b_.operation(Op::add, word, b_.convert(word, known.step),
                     b_.constant(word, static_cast<std::uint64_t>(line - 1) * known.count + 1));
    return b_.operation(Op::shift_left, word, step, b_.constant(word, site_bits));
}

NodeId LoopFaults::site(std::uint64_t number, NodeId loop) {
    return b_.operation(Op::bit_or, word, step_of(number, loop), constant(number));
}

/// Drops the step of a rank that precedes everything it is compared with.
NodeId LoopFaults::without_step(NodeId rank) {
    return b_.select(is_fault(rank), b_.operation(Op::bit_and, word, rank, constant(site_mask)),
                     rank);
}

/// Adds the step of a loop to a rank without a step.
NodeId LoopFaults::within(NodeId rank, std::uint64_t first_site, NodeId loop) {
    return b_.select(is_fault(rank),
                     b_.operation(Op::bit_or, word, step_of(first_site, loop), rank), rank);
}

NodeId LoopFaults::known(NodeId id, NodeId loop) const {
    const auto found = ranks_.find({loop, id});
    return found == ranks_.end() ? no_node : found->second;
}

/// Returns the unranked nodes that a value needs, operands first.
std::vector<NodeId> LoopFaults::unknown(NodeId value, NodeId loop) const {
    std::set<NodeId> found;
    std::vector<NodeId> open{value};
    while (!open.empty()) {
        const NodeId id = open.back();
        open.pop_back();
        if (ranks_.contains({loop, id}) || !found.insert(id).second)
            continue;
        if (b_.node(id).op != Op::loop_result)
            for_each_operand(b_.node(id), [&](NodeId operand) { open.push_back(operand); });
    }
    return {found.begin(), found.end()};
}

NodeId LoopFaults::of(NodeId value, NodeId loop) {
    for (const NodeId id : unknown(value, loop))
        ranks_[{loop, id}] = rank_of(id, loop);
    return known(value, loop);
}

/// Computes the rank of a node whose operands are ranked.
NodeId LoopFaults::rank_of(NodeId id, NodeId loop) {
    const Node node = b_.node(id); // a copy: making nodes moves them
    const auto rank = [&](NodeId operand) { return known(operand, loop); };
    switch (node.op) {
    case Op::carried: {
        const auto [carrier, place] = b_.carrier(id);
        if (!may_fault(carrier))
            return no_node;
        const std::uint32_t ranked = place_of(carrier, place);
        const NodeId variable = b_.loop_at(carrier).carried[ranked].variable;
        return carrier == loop ? variable : without_step(variable);
    }
    case Op::loop_result:
        return may_fault(node.a) ? within(of_result(id), b_.loop_at(node.a).sites.at(0), loop)
                                 : no_node;
    case Op::select: return first(rank(node.a), where(node.a, rank(node.b), rank(node.c)));
    case Op::logical_and: return first(rank(node.a), where(node.a, rank(node.b), no_node));
    case Op::logical_or: return first(rank(node.a), where(node.a, no_node, rank(node.b)));
    case Op::checked:
        return first(first(rank(node.a), rank(node.b)),
                     where(node.b, site(node.immediate, loop), no_node));
    default: break;
    }
    NodeId all = no_node;
    for_each_operand(node, [&](NodeId operand) { all = first(all, rank(operand)); });
    return all;
}

/// Returns the index at which a loop carries the rank of the value at `place`.
std::uint32_t LoopFaults::place_of(NodeId loop, std::uint32_t place) {
    const auto [found, fresh] = places_.try_emplace({loop, place}, 0);
    if (!fresh)
        return found->second;
    const Loop::Carried carried = b_.loop_at(loop).carried[place];
    // faults in the start value precede the loop's steps
    const NodeId start = of(carried.start, no_node);
    const NodeId variable = b_.carried(word);
    const std::uint32_t result =
        b_.carry(loop, {variable, start == no_node ? constant(none) : start, variable});
    places_[{loop, place}] = result;
    if (const NodeId next = of(carried.next, loop); next == no_node)
        b_.set_next(loop, result, constant(none));
    else
        b_.set_next(loop, result, next);
    return result;
}

NodeId LoopFaults::of_result(NodeId result) {
    const Node node = b_.node(result);
    const std::uint32_t ranked = place_of(node.a, static_cast<std::uint32_t>(node.immediate));
    return without_step(b_.loop_result(node.a, ranked));
}

} // namespace sme::expr
