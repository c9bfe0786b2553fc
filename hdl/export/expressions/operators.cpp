// SPDX-License-Identifier: Apache-2.0
//
// Operators on exact numbers and on typed values.
#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "export/expressions/translator.hpp"
#include "expr/typing/exact.hpp"

namespace sme::hdl {

using expr::Ast;
using expr::compares;
using expr::compute;
using expr::is_comparison;
using expr::Operator;

namespace {

struct Spelled {
    const char* text;
    Level level;
};

/// Of what is more than an operator in Verilog: nothing.
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

Term truth(bool value) {
    return Term::of(Type::boolean(), value ? "1'b1" : "1'b0");
}

/// A comparison with the end of a type's range that is always true, or never: a reader, and a
/// linter, would wonder.
std::optional<bool> known_comparison(Operator op, const Term& a, const Term& b) {
    if (!expr::is_order(op) || !a.type->is_integer() || a.type->is_wide() ||
        (!a.literal && !b.literal))
        return std::nullopt;
    const auto width = static_cast<unsigned>(a.type->width_bits());
    const auto range = [&](const Term& term) {
        if (term.literal && !term.place)
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

} // namespace

Term Translator::unary(const Ast& ast) {
    const Term operand = value(*ast.operands[0]);
    if (operand.known())
        return Term::number_of(-operand.low);
    if (operand.kind == Term::Kind::exact) {
        const TypeRef type = type_between(std::min(-operand.high, operand.low),
                                          std::max(-operand.low, operand.high));
        return Term::between(
            Term::of(type, "-" + text(fit(operand, type), Level::unary), Level::unary),
            -operand.high, -operand.low);
    }
    if (!operand.is_typed())
        return {};
    if (ast.op == Operator::logical_not || operand.type->kind() == TypeKind::boolean)
        return operand.text == "1'b0"   ? truth(true)
               : operand.text == "1'b1" ? truth(false)
                                        : negated(operand);
    return Term::of(operand.type,
                    (ast.op == Operator::negate ? "-" : "~") + text(operand, Level::unary),
                    Level::unary);
}

Term Translator::binary(const Ast& ast) {
    const bool is_logical = expr::is_logical(ast.op);
    std::vector<const Ast*> chain = expr::chain_of(ast);
    chain.erase(
        std::find_if(chain.begin(), chain.end(),
                     [&](const Ast* each) { return expr::is_logical(each->op) != is_logical; }),
        chain.end());
    const Ast& first = *chain.back();
    const auto is_map = [&](std::size_t k) { return first.operands[k]->kind == Ast::Kind::fields; };
    Term made;
    if (is_logical)
        made = logical(first, nullptr);
    else if (is_map(0) || is_map(1)) { // a map takes the type of the other operand
        const std::size_t map = is_map(1) ? 1 : 0;
        const Term other = value(*first.operands[1 - map]);
        made = any_binary(first.op, other, value(*first.operands[map], other.type));
    } else
        made = any_binary(first.op, value(*first.operands[0]), value(*first.operands[1]));
    for (std::size_t k = chain.size() - 1; k-- > 0;)
        made = is_logical ? logical(*chain[k], &made)
                          : any_binary(chain[k]->op, made, value(*chain[k]->operands[1]));
    return made;
}

/// `left` is null: the left operand is not translated yet.
Term Translator::logical(const Ast& ast, const Term* left) {
    const bool is_and = ast.op == Operator::logical_and;
    const std::optional<bool> first = known_condition(*ast.operands[0]);
    if (first) // what a constant decides is not looked at further
        return *first == (ast.op != Operator::logical_or) ? value(*ast.operands[1])
                                                          : truth(!is_and);
    Term a = left ? *left : value(*ast.operands[0]);
    const Term b = value(*ast.operands[1]);
    if (ast.op == Operator::implies)
        a = negated(a);
    if (!a.is_typed() || !b.is_typed())
        return a.is_typed() ? a : b;
    const auto [op, level] = spelled(ast.op);
    return infix(Type::boolean(), a, op, b, level);
}

Term Translator::infix(const TypeRef& type, const Term& a, const char* op, const Term& b,
                       Level level) {
    // operators on bits and comparisons stand elsewhere in other languages: parentheses
    const auto side = [&](const Term& term, bool left) {
        const bool chains = left && term.level == level && !term.place && term.parts.empty() &&
                            level != Level::equality && level != Level::relation;
        const bool mixes = level <= Level::bit_and && level >= Level::bit_or &&
                           term.level != level && term.level < Level::unary;
        const auto below = static_cast<Level>(static_cast<int>(level) - 1);
        return text(term, mixes ? Level::product : chains ? below : level);
    };
    return Term::of(type, fmt::format("{} {} {}", side(a, true), op, side(b, false)), level);
}

void Translator::unify(Term& a, Term& b) {
    if (a.is_number() && b.is_typed())
        a = fit(a, b.type);
    else if (b.is_number() && a.is_typed())
        b = fit(b, a.type);
}

Term Translator::any_binary(Operator op, const Term& first, const Term& second) {
    Term a = first, b = second;
    if (a.kind == Term::Kind::none || b.kind == Term::Kind::none)
        return is_comparison(op) ? truth(false) : a.kind == Term::Kind::none ? b : a;
    if (a.kind == Term::Kind::exact && b.kind == Term::Kind::exact)
        return is_comparison(op) ? exact_compare(op, a, b) : exact_binary(op, a, b);
    if (expr::is_shift(op))
        return shifted(a, b, op == Operator::shift_left);
    unify(a, b);
    return typed_binary(op, a, b);
}

Term Translator::typed_binary(Operator op, const Term& a, const Term& b) {
    if (!a.is_typed() || !b.is_typed())
        return a;
    if (op == Operator::divide || op == Operator::remainder)
        return divided(a, b, op == Operator::remainder);
    if (const std::optional<bool> known = known_comparison(op, a, b))
        return truth(*known);
    const auto [text, level] = spelled(op);
    return infix(is_comparison(op) ? Type::boolean() : a.type, a, text, b, level);
}

Term Translator::divided(const Term& a, const Term& b, bool remainder) {
    const bool is_divisor = !b.place && b.literal && *b.literal != 0;
    if (is_divisor && !a.type->is_signed())
        return infix(a.type, a, remainder ? "%" : "/", b, Level::product);
    return Term::of(
        a.type, fmt::format("{}({}, {})", module_.divide(*a.type, remainder), text(a), text(b)));
}

/// A count that Verilog takes: of at most 32 bits, and as large as the width when it is larger.
std::string Translator::shift_count(const Term& count, std::uint64_t width) {
    if (count.kind == Term::Kind::number)
        return std::to_string(width);
    if (count.known())
        return to_string(std::min(count.low, static_cast<Integer>(width)));
    if (count.type->is_signed())
        return shift_count(Term::between(fit(count, type_between(0, count.high)), 0, count.high),
                           width);
    if (count.type->width_bits() <= 32)
        return text(count, Level::shift);
    const Term whole = placed(count, "count");
    const unsigned need = static_cast<unsigned>(std::bit_width(width));
    const std::string most = literal(static_cast<Integer>(width), need, false);
    return fmt::format("(|{} ? {} : {})",
                       whole.place->part(need, count.type->width_bits() - need).text(), most,
                       whole.place->part(0, need).text());
}

Term Translator::shifted(const Term& a, const Term& b, bool left) {
    if (!a.is_typed())
        return a;
    if (a.place && a.place->name.ends_with(']')) // Icarus 11 cannot shift a word of a memory
        return shifted(Term::of(a.type, site_.keep("word", *a.type, text(a))), b, left);
    const char* op = left ? "<<" : a.type->is_signed() ? ">>>" : ">>";
    return Term::of(
        a.type,
        fmt::format("{} {} {}", text(a, Level::shift), op, shift_count(b, a.type->width_bits())),
        Level::shift);
}

Term Translator::exact_compare(Operator op, const Term& a, const Term& b) {
    if ((a.known() && b.known()) || a.high < b.low || b.high < a.low)
        return truth(compares(op, a.low, b.low));
    const TypeRef type = type_between(std::min(a.low, b.low), std::max(a.high, b.high));
    return typed_binary(op, fit(a, type), fit(b, type));
}

Term Translator::exact_binary(Operator op, const Term& a, const Term& b) {
    if (a.known() && b.known()) {
        const std::optional<Integer> result = compute(op, a.low, b.low);
        return result ? Term::number_of(*result) : Term{};
    }
    const auto range = compute(op, expr::Range{a.low, a.high}, expr::Range{b.low, b.high});
    if (!range)
        return {}; // never chosen
    const auto [low, high] = *range;
    const TypeRef type =
        type_between(std::min({low, a.low, b.low}), std::max({high, a.high, b.high}));
    const bool shifts = expr::is_shift(op);
    const Term x = fit(a, type);
    return Term::between(shifts ? shifted(x, b, op == Operator::shift_left)
                                : typed_binary(op, x, fit(b, type)),
                         low, high);
}

} // namespace sme::hdl
