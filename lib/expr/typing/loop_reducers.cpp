// SPDX-License-Identifier: Apache-2.0
//
// sum(k < n, e) and other reducers over many steps: a loop that carries the value so far.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "expr/typing/functions.hpp"
#include "expr/typing/structs.hpp"

namespace sme::expr {

/// Unrolls an expression that must know its index, up to a limit.
BoundExpr Calls::in_loop_or_unrolled(const std::vector<LoopIndex>& ranges,
                                     const std::function<std::optional<BoundExpr>()>& loop,
                                     const std::function<BoundExpr()>& unrolled) {
    if (!LoopFrame::is_wanted(e_, steps_of(ranges)))
        return unrolled();
    Builder::Loops& loops = e_.builder_.loops();
    const Diagnostics before = e_.diagnostics_;
    const Builder::Loops at_first = loops;
    loops.longest = 0;
    const std::optional<BoundExpr> looped = loop();
    const bool may_unroll = loops.longest <= Fuel::max_unrolled && !e_.scope().fuel().reported;
    const bool failed = looped && !looped->ok();
    loops.longest = std::max(loops.longest, at_first.longest);
    if (looped && !(failed && may_unroll))
        return *looped;
    if (!failed)
        return unrolled();
    loops.failed = at_first.failed;
    const Diagnostics found = std::exchange(e_.diagnostics_, before);
    BoundExpr result = unrolled();
    if (!result.ok() && e_.diagnostics_.errors() == before.errors())
        e_.diagnostics_ = found; // already reported for a let
    return result;
}

BoundExpr Calls::carried_value(const BoundExpr& like, Integer low, Integer high) {
    Builder& b = e_.builder_;
    if (like.is_exact()) {
        const std::optional<Scalar> type = scalar_between(low, high);
        BoundExpr result = BoundExpr::between(low, high);
        if (type)
            result.leaves = {b.carried(*type)};
        return type ? result : BoundExpr{};
    }
    std::vector<NodeId> leaves;
    for (const NodeId leaf : like.leaves)
        leaves.push_back(b.carried(b.type(leaf)));
    return BoundExpr::of(like.type, std::move(leaves));
}

BoundExpr Calls::after_loop(LoopFrame& frame, const BoundExpr& before, const BoundExpr& start,
                            const BoundExpr& next, const Ast& ast) {
    Builder& b = e_.builder_;
    if (!start.ok() || !next.ok())
        return {};
    Loop loop = frame.loop();
    if (before.is_exact()) {
        const Scalar type = b.type(before.leaves[0]);
        loop.carried.push_back(
            {before.leaves[0], e_.lower_.number(start, type), e_.lower_.number(next, type)});
    } else
        for (std::size_t k = 0; k < before.leaves.size(); ++k)
            loop.carried.push_back({before.leaves[k], start.leaves[k], next.leaves[k]});
    if (!e_.spend(200 * loop.carried.size(), ast.where))
        return {};
    frame.close();
    const std::size_t places = loop.carried.size();
    const NodeId node = b.loop(std::move(loop));
    if (!frame.charge(b.free_in(node)))
        return {};
    BoundExpr result = before;
    for (std::uint32_t place = 0; place < places; ++place)
        result.leaves[place] = b.loop_result(node, place);
    return result;
}

/// Returns the lengths of ranges as operands.
std::vector<BoundRef> Calls::lengths(const std::vector<LoopIndex>& ranges) const {
    std::vector<BoundRef> result;
    for (const LoopIndex& range : ranges)
        result.push_back(e_.operand(BoundExpr::number(static_cast<Integer>(range.count))));
    return result;
}

std::optional<BoundExpr> Calls::reduced_in_loop(const Ast& ast, const std::string& name,
                                                const std::vector<LoopIndex>& ranges) {
    if (name == "cat" || name == "array")
        return std::nullopt; // the value has scalars for each step
    const Integer steps = steps_of(ranges);
    LoopFrame frame{e_, ranges, ast.where};
    if (!frame.ok())
        return BoundExpr{};
    const BoundExpr term = e_.lowered(term_of(*ast.operands.back(), name));
    if (!term.ok())
        return BoundExpr{};
    const bool unrolls = steps <= static_cast<Integer>(Elaborator::max_nodes) / 2;
    if (term.form == Form::long_number || (unrolls && frame.is_known(term.leaves)))
        return std::nullopt;
    std::vector<BoundRef> operands = lengths(ranges);
    operands.push_back(e_.operand(term));
    return e_.made_of(looped(ast, name, frame, term, steps), BoundExpr::Kind::loop, &ast,
                      std::move(operands));
}

BoundExpr Calls::looped(const Ast& ast, const std::string& name, LoopFrame& frame,
                        const BoundExpr& term, Integer steps) {
    if (name == "any" || name == "all") {
        Builder& b = e_.builder_;
        const BoundExpr before = carried_value(term, 0, 0);
        const BoundExpr start = BoundExpr::of(term.type, {b.boolean(name == "all")});
        const NodeId next = name == "all" ? b.all_of(before.leaves[0], term.leaves[0])
                                          : b.any_of(before.leaves[0], term.leaves[0]);
        return after_loop(frame, before, start, BoundExpr::of(term.type, {next}), ast);
    }
    if (name == "count" || name == "first")
        return counted_in_loop(frame, term.leaves[0], name, steps, ast);
    return combined_in_loop(frame, term, name, steps, ast);
}

/// Returns the number of steps that chose, or the first such step.
BoundExpr Calls::counted_in_loop(LoopFrame& frame, NodeId chosen, const std::string& name,
                                 Integer steps, const Ast& ast) {
    Builder& b = e_.builder_;
    const Scalar type = *scalar_between(0, steps);
    const BoundExpr before = BoundExpr::between(b.carried(type), 0, steps);
    const NodeId none = b.constant(type, static_cast<std::uint64_t>(steps));
    NodeId next = no_node;
    if (name == "count")
        next = b.operation(Op::add, type, before.leaves[0], b.convert(type, chosen));
    else // later steps are not evaluated
        next = b.select(b.operation(Op::equal, {1, false}, before.leaves[0], none),
                        b.select(chosen, b.convert(type, frame.step()), none), before.leaves[0]);
    return after_loop(frame, before, BoundExpr::number(name == "count" ? 0 : steps),
                      BoundExpr::between(next, 0, steps), ast);
}

/// sum, xor, min and max.
BoundExpr Calls::combined_in_loop(LoopFrame& frame, const BoundExpr& term, const std::string& name,
                                  Integer steps, const Ast& ast) {
    Builder& b = e_.builder_;
    const bool adds = name == "sum";
    const Integer most = adds ? steps : 1;
    const Integer low = std::min<Integer>(term.low, 0) * most;
    const Integer high = std::max<Integer>(term.high, 0) * most;
    const BoundExpr before = carried_value(term, low, high);
    if (!before.ok())
        return e_.fail(Code::needs_type, ast.where, "this number may leave 64 bits");
    BoundExpr next =
        e_.lowered(e_.made_of(combine(name, before, term, ast), BoundExpr::Kind::reduced, &ast,
                              {e_.operand(before), e_.operand(term)}));
    if (next.ok() && name != "xor" && !adds) // the first value is not compared
        next = e_.select(
            b.operation(Op::equal, {1, false}, frame.step(), b.constant(b.type(frame.step()), 0)),
            term, next, ast.where);
    const BoundExpr start = term.is_exact() ? BoundExpr::number(0) : zero_of(term.type, b);
    BoundExpr result = after_loop(frame, before, start, next, ast);
    if (result.is_exact()) { // its range need not include 0
        result.low = term.low * most;
        result.high = term.high * most;
    }
    return result;
}

std::optional<BoundExpr> Calls::folded_in_loop(const Ast& ast, const BoundExpr& start,
                                               const std::vector<LoopIndex>& ranges) {
    if (!start.ok())
        return BoundExpr{};
    const Integer steps = steps_of(ranges);
    const std::string& name = ast.operands[ast.operands.size() - 2]->text;
    const Ast& body = *ast.operands.back();
    LoopFrame frame{e_, ranges, ast.where};
    if (!frame.ok())
        return BoundExpr{};
    BoundExpr begin = start;
    if (begin.is_number()) { // the first step determines the type
        e_.bind(name, begin);
        const BoundExpr once = e_.loaded(e_.evaluate(body), body.where);
        e_.unbind(name);
        if (once.ok() && once.form == Form::typed && once.type->is_integer())
            begin = e_.fit(begin, once.type, body.where, "what fold carries");
        else if (once.ok())
            return std::nullopt;
        if (!once.ok() || !begin.ok())
            return BoundExpr{};
    }
    const BoundExpr before = carried_value(begin, 0, 0);
    e_.bind(name, before);
    BoundExpr next = e_.loaded(e_.evaluate(body), body.where);
    e_.unbind(name);
    next = e_.fit(std::move(next), before.type, body.where, "what fold carries");
    if (!next.ok())
        return BoundExpr{};
    std::vector<NodeId> nodes = next.leaves;
    nodes.insert(nodes.end(), begin.leaves.begin(), begin.leaves.end());
    if (steps <= static_cast<Integer>(Elaborator::max_nodes) / 2 &&
        frame.is_known(nodes, before.leaves))
        return std::nullopt;
    std::vector<BoundRef> operands = lengths(ranges);
    operands.insert(operands.end(), {e_.operand(begin), e_.operand(next)});
    return e_.made_of(after_loop(frame, before, begin, next, ast), BoundExpr::Kind::folded_loop,
                      &ast, std::move(operands));
}

} // namespace sme::expr
