// SPDX-License-Identifier: Apache-2.0
//
// Unary and binary operators on numbers without a type, scalars, and wide integers.
#include <algorithm>

#include "base/codes.hpp"
#include "expr/lower/lowering.hpp"

namespace sme::expr {

namespace {

/// Computes a power by squaring; the exponent is at least 0. `result` is 1.
template <class Value, class Multiply>
Value power(Value result, Value square, Integer exponent, Multiply multiply) {
    for (; exponent > 0; exponent /= 2) {
        if (exponent % 2 != 0)
            result = multiply(result, square);
        if (exponent > 1)
            square = multiply(square, square);
    }
    return result;
}

NodeId power(Builder& builder, Scalar type, NodeId base, Integer exponent) {
    return power(builder.constant(type, 1), base, exponent,
                 [&](NodeId a, NodeId b) { return builder.operation(Op::multiply, type, a, b); });
}

bool divides(Operator op) {
    return op == Operator::divide || op == Operator::remainder;
}

} // namespace

Lowering::Leaves Lowering::unary(const BoundExpr& bound) {
    const BoundExpr& of = *bound.operands[0];
    const Operator op = bound.ast->op;
    if (of.is_exact()) {
        const Scalar type = *scalar_between(bound.low, bound.high);
        return {b_.operation(Op::negate, type, number(of, type))};
    }
    const Type& type = *type_of(of);
    if (type.kind() == TypeKind::boolean)
        return {b_.logical_not(leaves(of)[0])};
    if (type.is_wide()) {
        WideBuilder wide{b_};
        const Bits bits = bits_of(leaves(of), type);
        return op == Operator::negate ? wide.negate(bits).words : wide.complement(bits).words;
    }
    return {b_.operation(row_of(op).op, Scalar::of(type), leaves(of)[0])};
}

Lowering::Leaves Lowering::logical(const BoundExpr& bound) {
    NodeId left = leaves(*bound.operands[0])[0];
    if (bound.ast->op == Operator::implies)
        left = b_.logical_not(left);
    return {
        b_.operation(row_of(bound.ast->op).op, {1, false}, left, leaves(*bound.operands[1])[0])};
}

Lowering::Leaves Lowering::operation(Operator op, const Location& where, const BoundExpr& a,
                                     const BoundExpr& b) {
    if (a.is_exact() && b.is_exact())
        return is_comparison(op) ? Leaves{compare_numbers(op, a, b)} : on_numbers(op, where, a, b);
    return is_shift(op) ? shift(op, a, b) : on_scalars(op, where, a, b);
}

NodeId Lowering::divided(NodeId quotient, NodeId divisor, Scalar type, const Location& where) {
    return b_.checked(quotient, b_.operation(Op::equal, {1, false}, divisor, b_.constant(type, 0)),
                      {Code::divide_by_zero, where, "the divisor is 0"});
}

Lowering::Leaves Lowering::on_numbers(Operator op, const Location& where, const BoundExpr& a,
                                      const BoundExpr& b) {
    const Range range = *compute(op, Range{a.low, a.high}, Range{b.low, b.high});
    const Scalar type = *scalar_between(std::min({range.low, a.low, b.low}),
                                        std::max({range.high, a.high, b.high}));
    const NodeId x = number(a, type);
    if (op == Operator::power)
        return {power(b_, type, x, b.low)};
    const NodeId y = number(b, type);
    if (is_shift(op))
        return {b_.operation(row_of(op).op, type, x, b_.convert({64, false}, y))};
    const NodeId node = b_.operation(row_of(op).op, type, x, y);
    return {divides(op) && b.low <= 0 && b.high >= 0 ? divided(node, y, type, where) : node};
}

NodeId Lowering::compare_numbers(Operator op, const BoundExpr& a, const BoundExpr& b) {
    if (const auto known = decided(op, {a.low, a.high}, {b.low, b.high}))
        return b_.boolean(*known);
    // a constant beyond 64 bits is outside any interval within 64 bits
    const Scalar common =
        scalar_between(std::min(a.low, b.low), std::max(a.high, b.high)).value_or(Scalar{64, true});
    NodeId x = number(a, common), y = number(b, common);
    if (row_of(op).turned)
        std::swap(x, y);
    return b_.operation(row_of(op).op, {1, false}, x, y);
}

Lowering::Leaves Lowering::on_scalars(Operator op, const Location& where, const BoundExpr& a,
                                      const BoundExpr& b) {
    const Type& type = *type_of(a.is_number() ? b : a);
    if (!type.is_scalar()) {
        const NodeId equal = same(leaves(a), leaves(b));
        return {op == Operator::equal ? equal : b_.logical_not(equal)};
    }
    if (type.is_wide()) {
        const Bits x = bits_of(leaves_as(a, type), type);
        WideBuilder wide{b_};
        if (op == Operator::power)
            return power(wide.constant(x.width, {1}), x, b.low,
                         [&](const Bits& c, const Bits& d) { return wide.multiply(c, d); })
                .words;
        const Bits y = bits_of(leaves_as(b, type), type);
        return is_comparison(op) ? Leaves{compare_wide(op, x, y, type.is_signed())}
               : divides(op)     ? divide_wide(op, where, x, y, type.is_signed())
                                 : on_wide(op, x, y, type);
    }
    NodeId x = scalar_as(a, type);
    if (op == Operator::power)
        return {power(b_, Scalar::of(type), x, b.low)};
    NodeId y = scalar_as(b, type);
    const OperatorRow& row = row_of(op);
    if (row.turned)
        std::swap(x, y);
    const Scalar scalar = Scalar::of(type);
    const NodeId node = b_.operation(row.op, is_comparison(op) ? Scalar{1, false} : scalar, x, y);
    return {divides(op) ? divided(node, y, scalar, where) : node};
}

/// Divides the magnitudes; the remainder has the sign of the dividend.
Lowering::Leaves Lowering::divide_wide(Operator op, const Location& where, const Bits& x,
                                       const Bits& y, bool is_signed) {
    WideBuilder wide{b_};
    const NodeId negative = is_signed ? wide.is_negative(x) : b_.boolean(false);
    const NodeId other = is_signed ? wide.is_negative(y) : b_.boolean(false);
    const auto magnitude = [&](const Bits& of, NodeId is_negative) {
        return is_signed ? wide.select(is_negative, wide.negate(of), of) : of;
    };
    const std::size_t nodes_before = b_.size();
    const WideBuilder::Divided found =
        wide.divide(magnitude(x, negative), magnitude(y, other), b_.loops().open);
    const auto steps = static_cast<Integer>(b_.loops().steps) * x.width;
    charge({where, x.width, b_.loops().open, steps}, nodes_before);
    const bool is_quotient = op == Operator::divide;
    Bits result = is_quotient ? found.quotient : found.remainder;
    if (is_signed) {
        const NodeId turned =
            is_quotient ? b_.operation(Op::not_equal, {1, false}, negative, other) : negative;
        result = wide.select(turned, wide.negate(result), result);
    }
    const NodeId by_zero = wide.is_zero(y);
    for (NodeId& word : result.words)
        word = b_.checked(word, by_zero, {Code::divide_by_zero, where, "the divisor is 0"});
    return result.words;
}

NodeId Lowering::compare_wide(Operator op, const Bits& x, const Bits& y, bool is_signed) {
    WideBuilder wide{b_};
    switch (op) {
    case Operator::equal: return wide.equal(x, y);
    case Operator::not_equal: return b_.logical_not(wide.equal(x, y));
    case Operator::less: return wide.less(x, y, is_signed);
    case Operator::less_equal: return b_.logical_not(wide.less(y, x, is_signed));
    case Operator::greater: return wide.less(y, x, is_signed);
    default: return b_.logical_not(wide.less(x, y, is_signed));
    }
}

Lowering::Leaves Lowering::on_wide(Operator op, const Bits& x, const Bits& y, const Type& type) {
    WideBuilder wide{b_};
    switch (op) {
    case Operator::add: return integer_of(wide.add(x, y), type);
    case Operator::subtract: return integer_of(wide.subtract(x, y), type);
    case Operator::multiply: return integer_of(wide.multiply(x, y), type);
    default: return integer_of(wide.bitwise(row_of(op).op, x, y), type);
    }
}

/// Returns a count of any unsigned type in 64 bits, saturated.
NodeId Lowering::count(const BoundExpr& bound) {
    const Type& type = *type_of(bound);
    return type.is_wide() ? WideBuilder{b_}.saturated(bits_of(leaves(bound), type))
                          : b_.convert({64, false}, leaves(bound)[0]);
}

Lowering::Leaves Lowering::shift(Operator op, const BoundExpr& a, const BoundExpr& b) {
    const Type& type = *type_of(a);
    const Leaves& value = leaves(a);
    const Scalar word{64, false};
    NodeId by = no_node;
    if (!b.is_number())
        by = count(b);
    else if (b.is_exact() && !b.is_constant())
        by = b_.convert(word, leaves(b)[0]);
    else
        by = b_.constant(word, b.is_exact() ? static_cast<std::uint64_t>(
                                                  std::min(b.low, Integer{Type::max_bits}))
                                            : Type::max_bits);
    if (!type.is_wide())
        return {b_.operation(row_of(op).op, Scalar::of(type), value[0], by)};
    WideBuilder wide{b_};
    const Bits bits = bits_of(value, type);
    return op == Operator::shift_left ? wide.shift_left(bits, by).words
                                      : wide.shift_right(bits, by, type.is_signed()).words;
}

} // namespace sme::expr
