// SPDX-License-Identifier: Apache-2.0
//
// round(x, T), saturate(x, T) and wrap(x, T): fixed-point numbers in fewer bits.
#include <algorithm>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "expr/typing/fixed_point.hpp"

namespace sme::expr {

namespace {

/// Returns the value of a literal with a point, with its sign; `nullopt` for any other expression.
std::optional<Decimal> decimal_of(const Ast& ast) {
    if (ast.kind == Ast::Kind::decimal)
        return parse_decimal(ast.text);
    if (ast.kind != Ast::Kind::unary || ast.op != Operator::negate ||
        ast.operands[0]->kind != Ast::Kind::decimal)
        return std::nullopt;
    std::optional<Decimal> result = parse_decimal(ast.operands[0]->text);
    if (result)
        result->negative = true;
    return result;
}

} // namespace

BoundExpr FixedPoint::narrowed(const Ast& call) {
    const std::string& function = call.operands[0]->text;
    const TypeRef type = e_.type(*call.operands[2]);
    if (!type)
        return {};
    if (!type->is_fixed())
        return e_.fail(Code::bad_call, call.operands[2]->where,
                       fmt::format("'{}' makes a fixed-point number, but {} is another type",
                                   function, type->name()));
    std::optional<Rounding> mode;
    if (call.operands.size() > 3) {
        const Ast& name = *call.operands[3];
        mode = name.kind == Ast::Kind::name ? rounding_named(name.text) : std::nullopt;
        if (!mode)
            return e_.fail(Code::bad_call, name.where,
                           "numbers are rounded by floor, nearest, even or zero");
    } else if (function == "round")
        mode = Rounding::floor;
    const unsigned fraction = type->fraction_bits();
    const Ast& argument = *call.operands[1];
    BoundExpr x;
    const std::optional<Decimal> decimal = decimal_of(argument);
    if (decimal && mode)
        x = constant(scaled(*decimal, fraction, *mode), fraction, argument.where);
    else
        x = e_.bound_value(argument);
    if (!x.ok())
        return {};
    if (!is_number(x))
        return e_.fail(Code::operand_type, argument.where,
                       fmt::format("'{}' takes a fixed-point number, but this is {}", function,
                                   e_.describe_type(x)));
    if (format_of(x).fraction > static_cast<Integer>(fraction)) {
        if (!mode && narrowest(x).fraction > static_cast<Integer>(fraction))
            return e_.fail(Code::width_mismatch, call.where,
                           fmt::format("this has more bits after the point than {0}; write how it "
                                       "is rounded, as in {1}(..., {0}, nearest), with floor, "
                                       "nearest, even or zero",
                                       type->name(), function));
        x = rounded(x, fraction, mode.value_or(Rounding::floor), call.where);
    } else if (x.is_exact())
        if (const TypeRef own = type_of(format_of(x), call.where))
            x = converted(x, own);
    if (!x.ok() || function == "round")
        return x;
    if (function == "saturate")
        return saturated(x, type, call.where);
    Format whole = joined(format_of(x), format_of(*type));
    return type_of(whole, call.where)
               ? cast(cast(bits_in(x, whole), integer_type(format_of(*type))), type)
               : BoundExpr{};
}

/// Leaves a number of fraction bits that is smaller than that of the operand.
BoundExpr FixedPoint::rounded(const BoundExpr& x, Integer fraction, Rounding mode,
                              const Location& where) {
    const Format given = format_of(*x.type);
    const Integer dropped = given.fraction - fraction;
    Format wide = given; // holds the sum
    ++wide.whole;
    if (!type_of(wide, where))
        return {};
    const TypeRef type = integer_type(wide);
    const BoundExpr bits = bits_in(x, wide);
    const Integer half = dropped > 126 ? 0 : Integer{1} << (dropped - 1);
    if (half == 0)
        return e_.fail(Code::too_large, where, "at most 126 bits are rounded at once");
    BoundExpr added = number(0, type);
    const auto below = [&](Integer by) {
        return operated(Operator::shift_right, bits, BoundExpr::number(by), type);
    };
    switch (mode) {
    case Rounding::floor: break;
    case Rounding::nearest: added = number(half, type); break;
    case Rounding::even: // half, or one less if the number below is even
        added = operated(Operator::add, number(half - 1, type),
                         operated(Operator::bit_and, below(dropped), number(1, type), type), type);
        break;
    case Rounding::zero: // a negative number goes up
        if (given.is_signed)
            added = operated(Operator::bit_and, below(wide.width() - 1), number(2 * half - 1, type),
                             type);
        break;
    }
    const bool grows = mode == Rounding::nearest || mode == Rounding::even;
    const BoundExpr sum = mode == Rounding::floor || (mode == Rounding::zero && !given.is_signed)
                              ? bits
                              : operated(Operator::add, bits, added, type);
    const Format result{given.is_signed,
                        std::max(given.whole + (grows ? 1 : 0), Integer{1} - fraction), fraction};
    return cast(cast(operated(Operator::shift_right, sum, BoundExpr::number(dropped), type),
                     integer_type(result)),
                type_of(result, where));
}

BoundExpr FixedPoint::saturated(const BoundExpr& x, const TypeRef& type, const Location& where) {
    const Format wanted = format_of(*type), given = format_of(x);
    if (holds(wanted, narrowest(x)))
        return converted(x, type);
    const Format both = joined(wanted, given);
    if (!type_of(both, where))
        return {};
    const TypeRef wide = integer_type(both);
    const BoundExpr bits = bits_in(x, both);
    // the limits of the type, as numbers of that type
    const Integer width = wanted.width();
    const auto limit = [&](bool largest) {
        const TypeRef own = integer_type(wanted);
        const BoundExpr one = number(1, own);
        const BoundExpr sign = wanted.is_signed ? operated(Operator::shift_left, one,
                                                           BoundExpr::number(width - 1), own)
                                                : number(0, own);
        return bits_in(cast(largest ? changed(Operator::complement, sign, own) : sign, type), both);
    };
    const BoundExpr high = limit(true), low = limit(false);
    BoundExpr kept = bits;
    if (given.is_signed)
        kept = chosen(operated(Operator::less, bits, low, Type::boolean()), low, kept);
    kept = chosen(operated(Operator::less, high, bits, Type::boolean()), high, kept);
    return cast(cast(kept, integer_type(wanted)), type);
}

} // namespace sme::expr
