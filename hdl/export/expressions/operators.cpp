// SPDX-License-Identifier: Apache-2.0
//
// Operators. An operator on exact numbers is written in a type that holds its operands and result.
#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "export/expressions/translator.hpp"

namespace sme::hdl {

using expr::BoundExpr;
using expr::is_comparison;
using expr::Operator;

namespace {

struct Spelled {
    const char* text;
    Level level;
};

/// Returns the Verilog operator; empty if Verilog needs more than one operator.
Spelled spelled(Operator op) {
#define SME_VERILOG(symbol, level)                                                                 \
    { symbol, Level::level }
#define SME_OWN_VERILOG                                                                            \
    { "", Level::primary }
#define SME_BINARY_OPERATOR(name, symbol, strength, kind, op, turned, verilog, exact)              \
    case Operator::name: return verilog;
    switch (op) {
#include "expr/syntax/operators.def"
    default: return SME_OWN_VERILOG;
    }
}

/// Returns the result of a comparison with the limit of a type's range, which is always true or
/// always false; a reader or linter would object to such a comparison.
std::optional<bool> known_comparison(Operator op, const HdlValue& a, const HdlValue& b) {
    if (!expr::is_order(op) || !a.type->is_integer() || a.type->is_wide() ||
        (!a.literal && !b.literal))
        return std::nullopt;
    const auto width = static_cast<unsigned>(a.type->width_bits());
    const auto range = [&](const HdlValue& term) {
        if (term.is_literal())
            return std::pair{*term.literal, *term.literal};
        return std::pair{smallest(width, a.type->is_signed()), largest(width, a.type->is_signed())};
    };
    auto [a_low, a_high] = range(a);
    auto [b_low, b_high] = range(b);
    if (op == Operator::greater || op == Operator::greater_equal) {
        std::swap(a_low, b_low);
        std::swap(a_high, b_high);
        op = op == Operator::greater ? Operator::less : Operator::less_equal;
    }
    const bool strict = op == Operator::less;
    if (strict ? a_high < b_low : a_high <= b_low)
        return true;
    if (strict ? a_low >= b_high : a_low > b_high)
        return false;
    return std::nullopt;
}

/// Returns true for "x < 0" and false for "x >= 0", also the other way round; `nullopt` for any
/// other comparison. Synthesis tools make a subtractor of such a comparison; the sign bit is free.
std::optional<bool> sign_test(Operator op, const HdlValue& a, const HdlValue& b) {
    const bool turned = a.is_literal();
    const HdlValue &x = turned ? b : a, &zero = turned ? a : b;
    if (!expr::is_order(op) || !x.place || x.place->is_integer || !x.type->is_integer() ||
        !x.type->is_signed() || !zero.is_literal() || *zero.literal != 0)
        return std::nullopt;
    if (op == (turned ? Operator::greater : Operator::less))
        return true;
    if (op == (turned ? Operator::less_equal : Operator::greater_equal))
        return false;
    return std::nullopt;
}

/// Tests whether (a op b) op c equals a op (b op c), for integers modulo 2^n and for truth values.
bool is_associative(Operator op) {
    switch (op) {
    case Operator::add:
    case Operator::multiply:
    case Operator::bit_and:
    case Operator::bit_or:
    case Operator::bit_xor:
    case Operator::logical_and:
    case Operator::logical_or: return true;
    default: return false;
    }
}

} // namespace

HdlValue Translator::unary(const BoundExpr& bound, const HdlValue& operand) {
    if (bound.is_exact()) {
        const TypeRef type =
            type_between(std::min(bound.low, operand.low), std::max(bound.high, operand.high));
        return HdlValue::between(HdlValue::of(type, rtl::unary("-", code(fit(operand, type)))),
                                 bound.low, bound.high);
    }
    if (operand.type->kind() == TypeKind::boolean)
        return operand.is_literal() ? HdlValue::truth(*operand.literal == 0) : negated(operand);
    const std::string op{expr::spelling(bound.ast->op)};
    return HdlValue::of(operand.type, rtl::unary(op.c_str(), code(operand)));
}

namespace {

/// Returns the number of terms to join in source order. Synthesis tools rebalance sums,
/// conjunctions and similar chains, but keep the order of '^', which the author may have chosen to
/// share terms.
std::size_t kept_terms(Operator op) {
    return op == Operator::bit_xor ? 7 : 3;
}

} // namespace

/// Writes a chain of operators from its first operand on. More terms than `kept_terms`, joined by
/// one associative operator, become a balanced tree.
HdlValue Translator::binary(const BoundExpr& bound) {
    std::vector<const BoundExpr*> chain;
    const BoundExpr* first = &bound;
    for (; first->kind == BoundExpr::Kind::binary && !first->is_constant();
         first = first->operands[0].get())
        chain.push_back(first);
    HdlValue result = value(*first);
    for (std::size_t k = chain.size(); k > 0;) {
        std::size_t last = k - 1; // the outermost operator that continues this one
        while (last > 0 && is_associative(chain[k - 1]->ast->op) &&
               chain[last - 1]->ast->op == chain[k - 1]->ast->op)
            --last;
        if (k - last < kept_terms(chain[k - 1]->ast->op)) {
            for (; k > last; --k)
                result = binary(*chain[k - 1], result, value(*chain[k - 1]->operands[1]));
            continue;
        }
        HdlValues terms{result};
        for (; k > last; --k)
            terms.push_back(value(*chain[k - 1]->operands[1]));
        result = associated(*chain[last], terms);
    }
    return result;
}

/// Joins terms with the operator of an expression. All are converted to its type, in which the
/// result is the same modulo 2^n in any order.
HdlValue Translator::associated(const BoundExpr& bound, const HdlValues& terms) {
    const Operator op = bound.ast->op;
    if (std::any_of(terms.begin(), terms.end(),
                    [](const HdlValue& each) { return each.is_none(); }))
        return {};
    TypeRef type = bound.type;
    if (bound.is_exact()) {
        Integer low = bound.low, high = bound.high;
        for (const HdlValue& term : terms) {
            low = std::min(low, term.low);
            high = std::max(high, term.high);
        }
        type = type_between(low, high);
    }
    HdlValues fitted;
    for (const HdlValue& term : terms)
        fitted.push_back(fit(term, type));
    const HdlValue result = balanced(std::move(fitted), [&](const HdlValue& a, const HdlValue& b) {
        return typed_binary(op, a, b);
    });
    return bound.is_exact() ? HdlValue::between(result, bound.low, bound.high) : result;
}

HdlValue Translator::binary(const BoundExpr& bound, const HdlValue& a, const HdlValue& b) {
    const Operator op = bound.ast->op;
    if (a.is_none() || b.is_none())
        return {};
    if (expr::is_logical(op)) {
        const auto [symbol, level] = spelled(op);
        return infix(bound.type, op == Operator::implies ? negated(a) : a, symbol, b, level);
    }
    TypeRef type = a.is_number() ? b.type : a.type;
    if (a.is_number() && b.is_number()) {
        const bool compares = is_comparison(op);
        if (compares)
            if (bound.known)
                return HdlValue::truth(*bound.known != 0);
        type = type_between(std::min({a.low, b.low, compares ? a.low : bound.low}),
                            std::max({a.high, b.high, compares ? a.high : bound.high}));
    }
    const HdlValue x = fit(a, type);
    const HdlValue result = expr::is_shift(op)      ? shifted(x, b, op == Operator::shift_left)
                            : op == Operator::power ? power(x, b.low)
                                                    : typed_binary(op, x, fit(b, type));
    return bound.is_exact() ? HdlValue::between(result, bound.low, bound.high) : result;
}

HdlValue Translator::infix(const TypeRef& type, const HdlValue& a, const char* op,
                           const HdlValue& b, Level level) {
    return HdlValue::of(type, rtl::binary(op, level, code(a), code(b)));
}

HdlValue Translator::typed_binary(Operator op, const HdlValue& a, const HdlValue& b) {
    if (op == Operator::divide || op == Operator::remainder)
        return divided(a, b, op == Operator::remainder);
    if (const std::optional<bool> known = known_comparison(op, a, b))
        return HdlValue::truth(*known);
    if (const std::optional<bool> negative = sign_test(op, a, b)) {
        const Place& place = a.place ? *a.place : *b.place;
        const HdlValue sign = HdlValue::at(Type::boolean(), place.part(place.width - 1, 1));
        return *negative ? sign : negated(sign);
    }
    const auto [symbol, level] = spelled(op);
    return infix(is_comparison(op) ? Type::boolean() : a.type, a, symbol, b, level);
}

/// Raises to a power by squaring; each product gets a name.
HdlValue Translator::power(const HdlValue& base, Integer exponent) {
    if (exponent == 0)
        return fit(HdlValue::number_of(1), base.type);
    const auto named = [&](HdlValue term) {
        term.moves = base.moves;
        return placed(term, "power");
    };
    std::optional<HdlValue> result;
    for (HdlValue square = exponent == 1 ? base : named(base);; exponent /= 2) {
        if (exponent % 2 != 0)
            result = result ? named(typed_binary(Operator::multiply, *result, square)) : square;
        if (exponent == 1)
            return *result;
        square = named(typed_binary(Operator::multiply, square, square));
    }
}

HdlValue Translator::divided(const HdlValue& a, const HdlValue& b, bool remainder) {
    if (b.is_literal() && *b.literal != 0 && !a.type->is_signed() && !a.type->is_wide())
        return infix(a.type, a, remainder ? "%" : "/", b, Level::product);
    return HdlValue::of(a.type, rtl::call(module_.divide(*a.type, remainder), {code(a), code(b)},
                                          a.type->width_bits(), a.type->is_signed()));
}

/// Returns a shift count for Verilog: at most 32 bits, and limited to the width.
ExprRef Translator::shift_count(const HdlValue& count, std::uint64_t width) {
    if (count.kind == HdlValue::Kind::number)
        return rtl::number(static_cast<Integer>(width));
    if (count.known())
        return rtl::number(std::min(count.low, static_cast<Integer>(width)));
    if (count.integer && count.low >= 0)
        return rtl::grouped(count.integer);
    if (count.type->is_signed())
        return shift_count(
            HdlValue::between(fit(count, type_between(0, count.high)), 0, count.high), width);
    if (count.type->width_bits() <= 32)
        return code(shiftable(count));
    const Place whole = *placed(count, "count").place;
    const unsigned need = static_cast<unsigned>(std::bit_width(width));
    return rtl::select(rtl::unary("|", rtl::at(whole.part(need, count.type->width_bits() - need))),
                       rtl::literal(static_cast<Integer>(width), need),
                       rtl::at(whole.part(0, need)));
}

/// Icarus 11 cannot shift a word of a memory: gives it a name.
HdlValue Translator::shiftable(const HdlValue& term) {
    if (!term.place || !term.place->word)
        return term;
    return HdlValue::at(term.type,
                        Place::all_of(context_.keep("word", *term.type, code(term), moves_),
                                      term.type->width_bits(), term.type->is_signed()));
}

HdlValue Translator::shifted(const HdlValue& operand, const HdlValue& b, bool left) {
    const HdlValue a = shiftable(operand);
    const auto width = static_cast<Integer>(a.type->width_bits());
    if (b.known() && b.low >= width && (left || !a.type->is_signed())) // all bits are lost
        return fit(HdlValue::number_of(0), a.type);
    const char* op = left ? "<<" : a.type->is_signed() ? ">>>" : ">>";
    return HdlValue::of(
        a.type, rtl::binary(op, Level::shift, code(a), shift_count(b, a.type->width_bits()), true));
}

} // namespace sme::hdl
