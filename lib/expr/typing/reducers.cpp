// SPDX-License-Identifier: Apache-2.0
//
// sum(k < n, e) and other reducers, unrolled: the ranges are known before the run.
#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "expr/typing/fixed_point.hpp"
#include "expr/typing/functions.hpp"
#include "expr/typing/loop_frame.hpp"

namespace sme::expr {

bool Calls::is_range(const Ast& ast) const {
    return ast.kind == Ast::Kind::binary && ast.op == Operator::less &&
           ast.operands[0]->kind == Ast::Kind::name && !e_.is_known(ast.operands[0]->text);
}

bool Calls::ranges_of(const Ast& ast, std::size_t count, std::vector<LoopIndex>& ranges) {
    for (std::size_t k = 0; k < count; ++k) {
        const Ast& range = *ast.operands[k + 1];
        const std::optional<Integer> end =
            e_.constant(*range.operands[1], "the end of a reducer's range");
        if (!end)
            return false;
        if (*end < 0 || (*end > static_cast<Integer>(Elaborator::max_nodes) &&
                         !LoopFrame::is_wanted(e_, *end))) {
            e_.fail(Code::bad_range, range.where,
                    fmt::format("the range ends at {}, but a reducer takes 0 to {} steps",
                                to_string(*end), Elaborator::max_nodes));
            return false;
        }
        for (const LoopIndex& other : ranges)
            if (other.name == range.operands[0]->text) {
                e_.fail(Code::duplicate_name, range.where,
                        fmt::format("index '{}' is declared twice", other.name));
                return false;
            }
        // the loop refuses ranges that are too long
        ranges.push_back({range.operands[0]->text, 0,
                          static_cast<std::uint64_t>(std::min(*end, Integer{1} << 62))});
    }
    return true;
}

/// Returns the number of steps.
Integer Calls::steps_of(const std::vector<LoopIndex>& ranges) {
    Integer total = 1;
    for (const LoopIndex& range : ranges)
        total = std::min(total * static_cast<Integer>(range.count), Integer{1} << 62);
    return total;
}

/// Calls visit() with the indices bound, the last index running fastest, until it returns false.
template <class Visit>
bool Calls::for_each(const Ast& ast, const std::vector<LoopIndex>& ranges, Visit visit) {
    const Integer total = steps_of(ranges);
    if (total > static_cast<Integer>(Elaborator::max_nodes)) {
        e_.fail(Code::too_large, ast.where,
                fmt::format("this reducer takes {} steps, but may take {}", to_string(total),
                            Elaborator::max_nodes));
        return false;
    }
    bool going = true;
    for (Integer step = 0; step < total && going; ++step) {
        if (!e_.spend(50, ast.where))
            going = false;
        Integer rest = step;
        for (std::size_t d = ranges.size(); d-- > 0;) {
            const auto size = static_cast<Integer>(ranges[d].count);
            e_.bind(ranges[d].name, BoundExpr::step(rest % size));
            rest /= size;
        }
        going = going && visit();
    }
    for (const LoopIndex& range : ranges)
        e_.unbind(range.name);
    return going;
}

BoundExpr Calls::combine(const std::string& name, const BoundExpr& a, const BoundExpr& b,
                         const Ast& ast) {
    if (!a.ok() || !b.ok())
        return {};
    Ast binary{};
    binary.kind = Ast::Kind::binary;
    binary.where = ast.where;
    binary.text = name; // for messages
    binary.operands = {ast.operands.back(), ast.operands.back()};
    const auto apply = [&](Operator op) {
        binary.op = op;
        if (a.is_number() && b.is_number() && !(a.is_exact() && b.is_exact()))
            return e_.needs_type(ast);
        if (a.is_exact() && b.is_exact())
            return op == Operator::less ? e_.exact_compare(op, a, b)
                                        : e_.exact_binary(binary, a, b);
        return e_.typed_binary(binary, a, b);
    };
    if (name == "sum")
        return apply(Operator::add);
    if (name == "xor")
        return apply(Operator::bit_xor);
    const BoundExpr less = apply(Operator::less);
    if (!less.ok())
        return {};
    const bool smaller_first = name == "min";
    const auto holds = less.known ? std::optional{*less.known != 0} : std::nullopt;
    return e_.selected(holds, smaller_first ? a : b, smaller_first ? b : a, ast.where);
}

/// Combines at least one term. Constants become one operand.
BoundExpr Calls::combined(const std::string& name, const std::vector<BoundExpr>& terms,
                          const Ast& ast) {
    if (std::any_of(terms.begin(), terms.end(), FixedPoint::is)) {
        std::vector<BoundExpr> bits = terms;
        const TypeRef type = FixedPoint{e_}.as_integers(bits, name, 1, ast.where);
        return type ? FixedPoint{e_}.from_bits(combined(name, bits, ast), type) : BoundExpr{};
    }
    BoundExpr result = terms[0];
    std::vector<BoundRef> operands{e_.operand(result)};
    for (std::size_t k = 1; k < terms.size() && result.ok(); ++k) {
        result = combine(name, result, terms[k], ast);
        if (result.is_constant())
            operands.clear();
        operands.push_back(e_.operand(result.is_constant() ? result : terms[k]));
    }
    return e_.made_of(std::move(result), BoundExpr::Kind::reduced, &ast, std::move(operands));
}

/// Evaluates the term of one step.
BoundExpr Calls::term_of(const Ast& body, const std::string& name) {
    if (name != "any" && name != "all" && name != "count" && name != "first")
        return e_.bound_value(body);
    return e_.bound_truth(body, "what is reduced");
}

BoundExpr Calls::reduced(const Ast& ast, const std::string& name) {
    const std::size_t count = ast.operands.size() - 2;
    for (std::size_t k = 1; k <= count; ++k)
        if (!is_range(*ast.operands[k]))
            return e_.fail(Code::bad_call, ast.operands[k]->where,
                           fmt::format("this is written {}(k < n, expression)", name));
    if (ast.operands.back()->kind == Ast::Kind::named)
        return e_.fail(Code::bad_call, ast.operands.back()->where,
                       fmt::format("this is written {}(k < n, expression)", name));
    std::vector<LoopIndex> ranges;
    if (!ranges_of(ast, count, ranges))
        return {};
    return in_loop_or_unrolled(
        ranges, [&] { return reduced_in_loop(ast, name, ranges); },
        [&] { return unrolled(ast, name, ranges); });
}

BoundExpr Calls::unrolled(const Ast& ast, const std::string& name,
                          const std::vector<LoopIndex>& ranges) {
    std::vector<BoundExpr> terms;
    if (!for_each(ast, ranges, [&] {
            terms.push_back(term_of(*ast.operands.back(), name));
            return terms.back().ok();
        }))
        return {};
    std::vector<BoundRef> operands; // the other reducers make an expression of their own
    if (name == "any" || name == "all" || name == "count" || name == "first")
        operands = e_.operands_of_all(terms);
    BoundExpr result = reduced_of(ast, name, std::move(terms));
    if (name == "array" && result.ok() && e_.bindings()) {
        std::vector<std::uint64_t> counts;
        for (const LoopIndex& range : ranges)
            counts.push_back(range.count);
        BoundDetails details;
        details.runs = array_runs(result, ast, counts, e_);
        result.details = std::make_shared<const BoundDetails>(std::move(details));
    }
    return result.is_written()
               ? result
               : e_.made_of(std::move(result), BoundExpr::Kind::reduced, &ast, std::move(operands));
}

BoundExpr Calls::reduced_of(const Ast& ast, const std::string& name, std::vector<BoundExpr> terms) {
    if (name == "any" || name == "all")
        return BoundExpr::of(Type::boolean());
    if (name == "count" || name == "first")
        return counted(name, terms);
    if (name == "sum" && terms.empty())
        return BoundExpr::number(0);
    if (terms.empty())
        return e_.fail(Code::bad_range, ast.where,
                       fmt::format("'{}' over an empty range has no value", name));
    if (name == "cat") {
        std::reverse(terms.begin(), terms.end()); // element 0 rightmost
        return concatenated(terms, ast);
    }
    if (name == "array")
        return array_of(std::move(terms), ast);
    return combined(name, terms, ast);
}

/// Returns the range of the number of terms that hold, or of the first one that holds.
BoundExpr Calls::counted(const std::string& name, const std::vector<BoundExpr>& terms) {
    const auto all = static_cast<Integer>(terms.size());
    Integer low = name == "count" ? 0 : all, high = low;
    bool known = true;
    for (Integer k = all; k-- > 0;) {
        const auto holds = e_.known(terms[static_cast<std::size_t>(k)]);
        known = known && holds;
        if (name == "count")
            low += holds ? static_cast<Integer>(*holds) : 0;
        else if (holds ? *holds != 0 : true) {
            high = holds ? k : std::max(high, k);
            low = holds ? k : std::min(low, k);
        }
    }
    if (name == "count")
        return known ? BoundExpr::number(low) : BoundExpr::between(0, all);
    return BoundExpr::between(low, high);
}

/// Makes an array; the last element with a type determines the element type.
BoundExpr Calls::array_of(std::vector<BoundExpr> terms, const Ast& ast) {
    FixedPoint{e_}.unify(terms, ast.operands.back()->where);
    const auto typed = std::find_if_not(terms.rbegin(), terms.rend(),
                                        [](const BoundExpr& term) { return term.is_number(); });
    if (typed == terms.rend())
        return e_.fail(Code::needs_type, ast.where,
                       "the type of the elements is not known; write it, as in u8(...)");
    for (const BoundExpr& term : terms)
        if (!e_.fits(term, typed->type, ast.operands.back()->where, "an element"))
            return {};
    return e_.made_of(BoundExpr::of(Type::array(typed->type, terms.size())), BoundExpr::Kind::array,
                      &ast, e_.operands_of_all(terms));
}

/// fold(k < n, acc = start, e): acc is the value of e in the previous step.
BoundExpr Calls::folded(const Ast& ast) {
    const Ast& start = *ast.operands[ast.operands.size() - 2];
    if (ast.operands.size() < 4 || start.kind != Ast::Kind::named)
        return e_.fail(Code::bad_call, ast.where,
                       "this is written fold(k < n, acc = start, expression)");
    if (e_.is_known(start.text))
        return e_.fail(Code::duplicate_name, start.where,
                       fmt::format("'{}' is already the name of something", start.text));
    const BoundExpr carried = e_.bound_value(*start.operands[0]);
    std::vector<LoopIndex> ranges;
    if (!ranges_of(ast, ast.operands.size() - 3, ranges))
        return {};
    return in_loop_or_unrolled(
        ranges, [&] { return folded_in_loop(ast, carried, ranges); },
        [&] { return folded_unrolled(ast, carried, ranges); });
}

BoundExpr Calls::folded_unrolled(const Ast& ast, BoundExpr carried,
                                 const std::vector<LoopIndex>& ranges) {
    const Ast& start = *ast.operands[ast.operands.size() - 2];
    const Ast& body = *ast.operands.back();
    std::vector<BoundRef> operands{e_.operand(carried)};
    const bool went = for_each(ast, ranges, [&] {
        e_.bind(start.text, Elaborator::named(carried));
        BoundExpr next = e_.bound_value(body);
        if (carried.form == Form::typed)
            next = e_.fitted(std::move(next), carried.type, body.where, "what fold carries");
        carried = std::move(next);
        operands.push_back(e_.operand(carried));
        return carried.ok();
    });
    e_.unbind(start.text);
    return went ? e_.made_of(std::move(carried), BoundExpr::Kind::folded, &ast, std::move(operands))
                : BoundExpr{};
}

} // namespace sme::expr
