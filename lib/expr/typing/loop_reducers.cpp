// SPDX-License-Identifier: Apache-2.0
//
// sum(k < n, e) and other reducers over many steps: a loop that carries the value so far.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "expr/typing/fixed_point.hpp"
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

/// Returns the lengths of ranges as operands.
std::vector<BoundRef> Calls::lengths(const std::vector<LoopIndex>& ranges) const {
    std::vector<BoundRef> result;
    for (const LoopIndex& range : ranges)
        result.push_back(e_.operand(BoundExpr::number(static_cast<Integer>(range.count))));
    return result;
}

/// Ends a loop; returns its value as an expression of this kind.
BoundExpr Calls::after_loop(LoopFrame& frame, BoundExpr value, BoundExpr::Kind kind, const Ast& ast,
                            std::vector<BoundRef> operands, BoundRef carried) {
    if (!value.ok() || !e_.spend(200 * (value.type ? value.type->leaf_count() : 1), ast.where))
        return {};
    BoundDetails details;
    details.loop = frame.loop();
    details.carried = std::move(carried);
    frame.close();
    BoundExpr result = e_.made_of(std::move(value), kind, &ast, std::move(operands),
                                  std::make_shared<const BoundDetails>(std::move(details)));
    return frame.charge(result.loops != 0) ? result : BoundExpr{};
}

std::optional<BoundExpr> Calls::reduced_in_loop(const Ast& ast, const std::string& name,
                                                const std::vector<LoopIndex>& ranges) {
    if (name == "cat" || name == "array")
        return std::nullopt; // the value has scalars for each step
    const Integer steps = steps_of(ranges);
    LoopFrame frame{e_, ranges, ast.where};
    if (!frame.ok())
        return BoundExpr{};
    BoundExpr term = term_of(*ast.operands.back(), name);
    if (!term.ok())
        return BoundExpr{};
    const bool unrolls = steps <= static_cast<Integer>(Elaborator::max_nodes) / 2;
    if (term.form == Form::long_number || (unrolls && frame.is_known(term)))
        return std::nullopt;
    TypeRef fixed;
    if (FixedPoint::is(term)) {
        std::vector<BoundExpr> terms{std::move(term)};
        fixed = FixedPoint{e_}.as_integers(terms, name, steps, ast.where);
        term = std::move(terms[0]);
        if (!fixed)
            return BoundExpr{};
    }
    BoundExpr value = looped(ast, name, term, steps);
    std::vector<BoundRef> operands = lengths(ranges);
    operands.push_back(e_.operand(std::move(term)));
    BoundExpr result =
        after_loop(frame, std::move(value), BoundExpr::Kind::loop, ast, std::move(operands));
    return fixed && result.ok() ? FixedPoint{e_}.from_bits(std::move(result), fixed) : result;
}

/// Returns type and range of a reducer over steps with this term.
BoundExpr Calls::looped(const Ast& ast, const std::string& name, const BoundExpr& term,
                        Integer steps) {
    if (name == "any" || name == "all")
        return BoundExpr::of(Type::boolean());
    if (name == "count" || name == "first")
        return BoundExpr::between(0, steps);
    const Range range = carried_range(term, name == "sum" ? steps : 1);
    BoundExpr before = BoundExpr::of(term.type);
    if (term.is_exact()) {
        if (!scalar_between(range.low, range.high))
            return e_.fail(Code::needs_type, ast.where, "this number may leave 64 bits");
        before = BoundExpr::between(range.low, range.high);
    }
    if (!combine(name, before, term, ast).ok())
        return {};
    if (before.is_exact()) { // it need not include 0, with which the loop begins
        before.low = term.low * (name == "sum" ? steps : 1);
        before.high = term.high * (name == "sum" ? steps : 1);
    }
    return before;
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
        const BoundExpr once = e_.bound_value(body);
        e_.unbind(name);
        if (once.ok() && once.form == Form::typed && once.type->is_integer())
            begin = e_.fitted(begin, once.type, body.where, "what fold carries");
        else if (once.ok())
            return std::nullopt;
        if (!once.ok() || !begin.ok())
            return BoundExpr{};
    }
    BoundExpr carried = BoundExpr::of(begin.type);
    carried.what = std::make_shared<const LoopRef>(LoopRef{frame.loop()});
    carried.loops = loop_bit(*frame.loop());
    BoundExpr before = BoundExpr::of(begin.type);
    before.what = std::make_shared<const BoundExpr>(std::move(carried));
    e_.bind(name, before);
    BoundExpr next = e_.bound_value(body);
    e_.unbind(name);
    next = e_.fitted(std::move(next), before.type, body.where, "what fold carries");
    if (!next.ok())
        return BoundExpr{};
    if (steps <= static_cast<Integer>(Elaborator::max_nodes) / 2 && frame.is_known(next) &&
        frame.is_known(begin))
        return std::nullopt;
    std::vector<BoundRef> operands = lengths(ranges);
    operands.insert(operands.end(), {e_.operand(std::move(begin)), e_.operand(std::move(next))});
    return after_loop(frame, BoundExpr::of(before.type), BoundExpr::Kind::folded_loop, ast,
                      std::move(operands), before.named());
}

} // namespace sme::expr
