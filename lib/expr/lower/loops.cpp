// SPDX-License-Identifier: Apache-2.0
//
// Reducers and folds as loops. The nodes of a step are made between those before and after the
// loop: a fault site of a step is greater than those of values that exist before it.
#include <algorithm>

#include <fmt/format.h>

#include "expr/lower/lowering.hpp"

namespace sme::expr {

Range carried_range(const BoundExpr& term, Integer steps) {
    return {std::min<Integer>(term.low, 0) * steps, std::max<Integer>(term.high, 0) * steps};
}

/// Returns an index of a loop. A carried value has its nodes already.
NodeId Lowering::loop_index(const BoundExpr& index) {
    const LoopRef& of = *index.loop_value();
    const auto count = static_cast<std::uint64_t>(index.high - index.low + 1);
    NodeId node = b_.step(of.loop->count, of.loop->depth);
    const Scalar own = b_.type(node);
    if (of.repeats > 1)
        node = b_.operation(Op::divide, own, node, b_.constant(own, of.repeats));
    if (of.repeats * count < of.loop->count)
        node = b_.operation(Op::remainder, own, node, b_.constant(own, count));
    const Scalar type = scalar_between(std::min<Integer>(index.low, 0),
                                       std::max<Integer>(index.high, static_cast<Integer>(count)))
                            .value_or(Scalar{64, true});
    return b_.operation(Op::add, type, b_.convert(type, node),
                        b_.constant(type, static_cast<std::uint64_t>(index.low)));
}

namespace {

/// Operations of an average step; a longer step is charged as several.
constexpr std::size_t usual_operations = 32;

} // namespace

TooLarge too_many_steps(const Location& where, Integer steps, std::size_t operations,
                        unsigned weight) {
    const auto of = [&](std::size_t number) {
        return operations > usual_operations ? fmt::format(" of {} operations", number)
                                             : std::string{};
    };
    return {where,
            fmt::format("this takes {} steps{}{} in each cycle, but all loops together may take "
                        "{}{}; do a part of them in each cycle, with a state that says which",
                        to_string(steps), of(operations), weight > 1 ? " that write a word" : "",
                        Fuel::max_loop_steps / weight, of(usual_operations)),
            true};
}

void Lowering::charge(const BoundLoop& loop, std::size_t nodes_before, unsigned weight) {
    const std::size_t operations = b_.size() - nodes_before;
    const Integer units = loop.steps * static_cast<Integer>(weight) *
                          static_cast<Integer>(1 + operations / usual_operations);
    if (units > static_cast<Integer>(fuel_.loop_steps))
        throw too_many_steps(loop.where, loop.steps, operations, weight);
    fuel_.loop_steps -= static_cast<std::uint64_t>(units);
}

Loop Lowering::begin_loop(const BoundLoop& loop) {
    return {loop.count, b_.step(loop.count, loop.depth), {}, {b_.next_site()}};
}

/// Returns the carried values after the last step.
Lowering::Leaves Lowering::end_loop(const BoundLoop& of, Loop loop, std::size_t nodes_before) {
    charge(of, nodes_before);
    const std::size_t places = loop.carried.size();
    const NodeId node = b_.loop(std::move(loop));
    Leaves result;
    for (std::uint32_t place = 0; place < places; ++place)
        result.push_back(b_.loop_result(node, place));
    return of.results = result;
}

Lowering::Leaves Lowering::loop(const BoundExpr& bound) {
    const std::string& name = bound.ast->operands[0]->text;
    const BoundExpr& term = *bound.operands.back();
    const BoundLoop& of = *bound.details->loop;
    if (!of.results.empty())
        return of.results;
    const std::size_t nodes_before = b_.size();
    Loop loop = begin_loop(of);
    if (name == "any" || name == "all") {
        const NodeId before = b_.carried({1, false}), value = leaves(term)[0];
        loop.carried = {{before, b_.boolean(name == "all"),
                         name == "all" ? b_.all_of(before, value) : b_.any_of(before, value)}};
    } else if (name == "count" || name == "first")
        loop.carried = {counted(loop, leaves(term)[0], name)};
    else
        loop.carried = combined_in_loop(loop, bound, name);
    return end_loop(of, std::move(loop), nodes_before);
}

/// Carries the number of steps that chose, or the first such step.
Loop::Carried Lowering::counted(const Loop& loop, NodeId chosen, const std::string& name) {
    const Scalar type = *scalar_between(0, static_cast<Integer>(loop.count));
    const NodeId before = b_.carried(type);
    if (name == "count")
        return {before, b_.constant(type, 0),
                b_.operation(Op::add, type, before, b_.convert(type, chosen))};
    const NodeId none = b_.constant(type, loop.count); // later steps are not evaluated
    return {before, none,
            b_.select(b_.operation(Op::equal, {1, false}, before, none),
                      b_.select(chosen, b_.convert(type, loop.step), none), before)};
}

/// Carries sum, xor, min or max.
std::vector<Loop::Carried> Lowering::combined_in_loop(const Loop& loop, const BoundExpr& bound,
                                                      const std::string& name) {
    const BoundExpr& term = *bound.operands.back();
    const bool adds = name == "sum";
    BoundExpr before = BoundExpr::of(term.type);
    if (term.is_exact()) {
        const Range range = carried_range(term, adds ? static_cast<Integer>(loop.count) : 1);
        before = BoundExpr::between(range.low, range.high);
    }
    const auto as_carried = [&](const BoundExpr& value) {
        return before.is_exact() ? Leaves{number(value, *scalar_between(before.low, before.high))}
                                 : leaves(value);
    };
    const Leaves value = as_carried(term);
    for (const NodeId leaf : value)
        before.leaves.push_back(b_.carried(b_.type(leaf)));
    Leaves next = as_carried(joined(name, bound.ast->where, before, term));
    if (!adds && name != "xor") // the first value is not compared
        next = select(
            b_.operation(Op::equal, {1, false}, loop.step, b_.constant(b_.type(loop.step), 0)),
            value, next);
    std::vector<Loop::Carried> result;
    for (std::size_t k = 0; k < next.size(); ++k)
        result.push_back({before.leaves[k], b_.constant(b_.type(next[k]), 0), next[k]});
    return result;
}

Lowering::Leaves Lowering::folded_loop(const BoundExpr& bound) {
    const BoundLoop& of = *bound.details->loop;
    if (!of.results.empty())
        return of.results;
    const Leaves start = leaves_as(*bound.operands[bound.operands.size() - 2], *bound.type);
    const std::size_t nodes_before = b_.size();
    Loop loop = begin_loop(of);
    Leaves& before = bound.details->carried->leaves;
    for (const NodeId leaf : start)
        before.push_back(b_.carried(b_.type(leaf)));
    const Leaves next = leaves_as(*bound.operands.back(), *bound.type);
    for (std::size_t k = 0; k < next.size(); ++k)
        loop.carried.push_back({before[k], start[k], next[k]});
    return end_loop(of, std::move(loop), nodes_before);
}

} // namespace sme::expr
