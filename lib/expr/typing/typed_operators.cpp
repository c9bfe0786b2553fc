// SPDX-License-Identifier: Apache-2.0
//
// Unary and binary operators on exact integers and on typed values.
#include <algorithm>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "expr/bound/bound.hpp"
#include "expr/typing/cast_advice.hpp"
#include "expr/typing/elaborator.hpp"
#include "expr/typing/fixed_point.hpp"

namespace sme::expr {

namespace {

/// Returns the operator's name for messages: that of the function, if a function uses it.
std::string called(const Ast& ast) {
    return ast.text.empty() ? std::string{spelling(ast.op)} : ast.text;
}

constexpr Integer max_exponent = 1024;

/// Explains why a number without a type cannot be computed, and how to write it.
std::string beyond_numbers(const Ast& ast, Integer a, Integer b) {
    std::string text = fmt::format("{} {} {} needs ", to_string(a), spelling(ast.op), to_string(b));
    Integer bits = b;
    for (Integer rest = a; rest > 0; rest >>= 1)
        ++bits;
    if (ast.op == Operator::power)
        return text + "more than 127 bits, which numbers without a type have";
    if (ast.op != Operator::shift_left || a < 0)
        return text + "more than 127 bits, which numbers without a type have; give one a type, as "
                      "in u256(...)";
    if (bits > Integer{Type::max_bits})
        return text + fmt::format("{} bits, but an integer has at most {}", to_string(bits),
                                  Type::max_bits);
    return text + fmt::format("{} bits, but numbers without a type have 127; write u{}({}) << {}",
                              to_string(bits), to_string(bits), to_string(a), to_string(b));
}

} // namespace

BoundExpr Elaborator::unary(const Ast& ast) {
    BoundExpr operand = bound_value(*ast.operands[0]);
    if (!operand.ok())
        return operand;
    if (FixedPoint::is(operand))
        return FixedPoint{*this}.unary(ast, operand);
    BoundExpr result = unary_of(ast, operand);
    return made_of(std::move(result), BoundExpr::Kind::unary, &ast,
                   operands_of(std::move(operand)));
}

BoundExpr Elaborator::unary_of(const Ast& ast, const BoundExpr& operand) {
    if (ast.op == Operator::logical_not || (ast.op == Operator::complement && operand.is_bool())) {
        if (!operand.is_bool())
            return fail(Code::operand_type, ast.operands[0]->where,
                        fmt::format("'not' takes a bool, but this is {}; for the bits of an "
                                    "integer write '~'",
                                    describe_type(operand)));
        return operand.known ? BoundExpr::boolean(*operand.known == 0)
                             : BoundExpr::of(Type::boolean());
    }
    if (operand.is_exact())
        return exact_unary(ast, operand);
    if (operand.is_number())
        return needs_type(ast);
    if (operand.form != Form::typed || !operand.type->is_integer())
        return fail(Code::operand_type, ast.where,
                    fmt::format("'{}' takes an integer, but this is {}", spelling(ast.op),
                                describe_type(operand)));
    return BoundExpr::of(operand.type);
}

BoundExpr Elaborator::exact_unary(const Ast& ast, const BoundExpr& operand) {
    if (ast.op == Operator::complement)
        return fail(Code::needs_type, ast.where,
                    "'~' needs to know how many bits there are; write the type, as in ~u8(...)");
    const std::optional<Integer> low = exact_subtract(0, operand.high);
    const std::optional<Integer> high = exact_subtract(0, operand.low);
    if (!low || !high)
        return fail(Code::constant_fault, ast.where, "this number leaves 128 bits");
    if (operand.is_constant())
        return operand.varies ? BoundExpr::step(*low) : BoundExpr::number(*low);
    return scalar_between(*low, *high)
               ? BoundExpr::between(*low, *high)
               : fail(Code::needs_type, ast.where, "this number may leave 64 bits");
}

BoundExpr Elaborator::binary(const Ast& ast) {
    const std::vector<const Ast*> chain = chain_of(ast);
    if (chain.size() == 1 && ast.operands[0]->kind == Ast::Kind::fields &&
        ast.operands[1]->kind != Ast::Kind::fields && !is_logical(ast.op)) {
        const BoundExpr b = bound_value(*ast.operands[1]);
        return operated(ast, bound(*ast.operands[0], b.type),
                        b); // it takes the other operand's type
    }
    BoundExpr value = bound(*chain.back()->operands[0]);
    for (std::size_t k = chain.size(); k-- > 0;) {
        if (k > 0 && !spend(50, chain[k]->where))
            return {};
        value = binary_step(*chain[k], std::move(value));
        if (k > 0 && !charge(value, chain[k]->where))
            return {};
    }
    return value;
}

/// Evaluates one binary operator whose left operand is known.
BoundExpr Elaborator::binary_step(const Ast& ast, BoundExpr a) {
    a = read(std::move(a), ast.operands[0]->where);
    if (is_logical(ast.op))
        return logical(ast, std::move(a));
    BoundExpr b = bound_value(*ast.operands[1], a.type);
    return operated(ast, std::move(a), std::move(b));
}

BoundExpr Elaborator::operated(const Ast& ast, BoundExpr a, BoundExpr b) {
    if (!a.ok() || !b.ok())
        return {};
    if (FixedPoint::is(a) || FixedPoint::is(b))
        return FixedPoint{*this}.binary(ast, a, b);
    const bool constants = a.is_constant() && b.is_constant();
    BoundExpr result = binary_of(ast, a, b);
    result = made_of(std::move(result), BoundExpr::Kind::binary, &ast,
                     operands_of(std::move(a), std::move(b)));
    if (lowers_all_ && result.is_constant() && !constants)
        lower_.leaves(result); // it may fault
    return result;
}

BoundExpr Elaborator::binary_of(const Ast& ast, const BoundExpr& a, const BoundExpr& b) {
    if (ast.op == Operator::power &&
        (!b.is_exact() || !b.is_constant() || b.low < 0 || b.low > max_exponent))
        return fail(
            b.is_constant() ? Code::operand_type : Code::not_constant, ast.operands[1]->where,
            fmt::format("an exponent is a constant from 0 to {}, but this is {}",
                        to_string(max_exponent),
                        b.is_exact() && b.is_constant() ? to_string(b.low) : describe_type(b)));
    if (a.is_exact() && b.is_exact())
        return is_comparison(ast.op) ? exact_compare(ast.op, a, b) : exact_binary(ast, a, b);
    if (a.is_number() && b.is_number())
        return needs_type(a.is_exact() ? *ast.operands[1] : *ast.operands[0]);
    if (is_shift(ast.op))
        return shift(ast, a, b);
    return typed_binary(ast, a, b);
}

BoundExpr Elaborator::logical(const Ast& ast, BoundExpr first) {
    const char* const what = ast.op == Operator::logical_and  ? "an operand of 'and'"
                             : ast.op == Operator::logical_or ? "an operand of 'or'"
                                                              : "an operand of 'implies'";
    BoundExpr left = as_truth(std::move(first), ast.operands[0]->where, what);
    if (!left.ok())
        return {};
    const bool is_and = ast.op == Operator::logical_and;
    // a constant left operand may decide the result: the other is then skipped, as its index may be
    // out of range
    std::optional<bool> holds;
    if (const auto value = known(left))
        holds = (*value != 0) != (ast.op == Operator::implies);
    if (holds == !is_and)
        return BoundExpr::boolean(!is_and);
    BoundExpr right = bound_truth(*ast.operands[1], what);
    if (!right.ok() || holds)
        return right;
    return made_of(BoundExpr::of(Type::boolean()), BoundExpr::Kind::binary, &ast,
                   operands_of(std::move(left), std::move(right)));
}

BoundExpr Elaborator::exact_binary(const Ast& ast, const BoundExpr& a, const BoundExpr& b) {
    const bool divides = ast.op == Operator::divide || ast.op == Operator::remainder;
    if (a.is_constant() && b.is_constant()) {
        const std::optional<Integer> result = compute(ast.op, a.low, b.low);
        if (!result)
            return fail(Code::constant_fault, ast.where,
                        is_shift(ast.op) && b.low < 0 ? std::string{"a shift count is not negative"}
                        : divides && b.low == 0       ? fmt::format("{} {} 0 divides by zero",
                                                                    to_string(a.low), spelling(ast.op))
                                                      : beyond_numbers(ast, a.low, b.low));
        return a.varies || b.varies ? BoundExpr::step(*result) : BoundExpr::number(*result);
    }
    if (is_shift(ast.op) && b.low < 0)
        return fail(Code::operand_type, ast.where, "a shift count is not negative");
    const std::optional<Range> range = compute(ast.op, Range{a.low, a.high}, Range{b.low, b.high});
    if (!range)
        return fail(Code::needs_type, ast.where, "this number may leave 64 bits");
    const auto [low, high] = *range;
    return scalar_between(std::min({low, a.low, b.low}), std::max({high, a.high, b.high}))
               ? BoundExpr::between(low, high)
               : fail(Code::needs_type, ast.where, "this number may leave 64 bits");
}

BoundExpr Elaborator::exact_compare(Operator op, const BoundExpr& a, const BoundExpr& b) {
    const auto holds = decided(op, {a.low, a.high}, {b.low, b.high});
    return holds ? BoundExpr::boolean(*holds) : BoundExpr::of(Type::boolean());
}

/// Returns the type that both operands can have; null after an error was reported.
TypeRef Elaborator::unified_type(const BoundExpr& a, const BoundExpr& b, const Ast& ast) {
    const auto give = [&](const BoundExpr& number, const BoundExpr& typed, const Ast& where) {
        return fits(number, typed.type, where.where,
                    fmt::format("the other operand of '{}'", called(ast)))
                   ? typed.type
                   : nullptr;
    };
    if (a.is_number() && b.type->is_integer())
        return give(a, b, *ast.operands[0]);
    if (b.is_number() && a.type->is_integer())
        return give(b, a, *ast.operands[1]);
    const bool typed = !a.is_number() && !b.is_number();
    if (typed && *a.type == *b.type)
        return a.type;
    const bool integers = typed && a.type->is_integer() && b.type->is_integer();
    const auto is_enumeration = [](const BoundExpr& value) {
        return !value.is_number() && value.type->kind() == TypeKind::enumeration;
    };
    std::string advice;
    if (is_enumeration(a) != is_enumeration(b)) {
        const Type& type = is_enumeration(a) ? *a.type : *b.type;
        advice = fmt::format("; write one of the members {}, or u{}(...) around {}",
                             members_of(type), type.width_bits(), type.name());
    } else if (integers) {
        advice = join_advice(ast, a.type, b.type);
    } else if (a.is_bool() || b.is_bool())
        advice = "; a bool is not a number";
    const auto [left, right] =
        typed ? distinct_names(*a.type, *b.type) : std::pair{describe_type(a), describe_type(b)};
    fail(integers ? Code::width_mismatch : Code::operand_type, ast.where,
         ast.text.empty()
             ? fmt::format("the left operand of '{}' is {}, but the right one is {}{}",
                           spelling(ast.op), left, right, advice)
             : fmt::format("'{}' takes values of one type, but the first here is {} and the second "
                           "{}{}",
                           ast.text, left, right, advice));
    return nullptr;
}

BoundExpr Elaborator::typed_binary(const Ast& ast, const BoundExpr& a, const BoundExpr& b) {
    warn_of_wrap(ast, a, b);
    const TypeRef type = ast.op == Operator::power ? a.type : unified_type(a, b, ast);
    if (!type)
        return {};
    const bool equality = is_equality(ast.op);
    if (!type->is_scalar())
        return equality
                   ? BoundExpr::of(Type::boolean())
                   : fail(Code::operand_type, ast.where,
                          fmt::format("'{}' is not defined for {}", called(ast), type->name()));
    if (type->kind() == TypeKind::enumeration && !equality)
        return fail(Code::operand_type, ast.where,
                    fmt::format("'{}' is not defined for the enumeration {}, which has only == and "
                                "!=; for numbers write u{}(...)",
                                called(ast), type->name(), type->width_bits()));
    if (type->kind() == TypeKind::boolean && !equality && !is_bitwise(ast.op))
        return fail(
            Code::operand_type, ast.where,
            fmt::format("'{}' is not defined for bool, which is not a number", called(ast)));
    if (is_comparison(ast.op))
        return BoundExpr::of(Type::boolean());
    return BoundExpr::of(type);
}

BoundExpr Elaborator::shift(const Ast& ast, const BoundExpr& a, const BoundExpr& b) {
    if (a.is_number())
        return fail(Code::needs_type, ast.operands[0]->where,
                    "the type of the shifted value is not known; write it, as in u32(1) << n");
    if (!a.type->is_integer())
        return fail(Code::operand_type, ast.where,
                    fmt::format("'{}' shifts an integer, but this is {}", spelling(ast.op),
                                describe_type(a)));
    if (b.is_exact() && b.low < 0)
        return fail(Code::operand_type, ast.operands[1]->where, "a shift count is not negative");
    if (!b.is_number() && (!b.type->is_integer() || b.type->is_signed()))
        return fail(
            Code::operand_type, ast.operands[1]->where,
            fmt::format("a shift count has an unsigned type, but this is {}", describe_type(b)));
    return BoundExpr::of(a.type);
}

} // namespace sme::expr
