// SPDX-License-Identifier: Apache-2.0
#include "expr/exact.hpp"

#include <algorithm>

namespace sme::expr {

bool is_comparison(Operator op) {
    return op >= Operator::equal && op <= Operator::greater_equal;
}

std::optional<Integer> compute(Operator op, Integer a, Integer b) {
    switch (op) {
    case Operator::add: return exact_add(a, b);
    case Operator::subtract: return exact_subtract(a, b);
    case Operator::multiply: return exact_multiply(a, b);
    case Operator::divide: return exact_divide(a, b);
    case Operator::remainder: return exact_remainder(a, b);
    case Operator::bit_and: return a & b;
    case Operator::bit_xor: return a ^ b;
    case Operator::bit_or: return a | b;
    case Operator::shift_left:
        if (b < 0 || b > 126)
            return std::nullopt;
        return exact_multiply(a, Integer{1} << b);
    case Operator::shift_right:
        if (b < 0)
            return std::nullopt;
        return a >> std::min(b, Integer{127});
    default: return std::nullopt;
    }
}

namespace {

/// Of and, or, exclusive or.
Range compute_bits(Operator op, const Range& a, const Range& b) {
    const bool positive = a.low >= 0 && b.low >= 0;
    if (op == Operator::bit_and && (a.low >= 0 || b.low >= 0))
        return {0, positive ? std::min(a.high, b.high) : a.low >= 0 ? a.high : b.high};
    Integer power = 1; // of two, beyond all operands
    while (power <= std::max({a.high, b.high, -(a.low + 1), -(b.low + 1)}))
        power *= 2;
    return {positive ? 0 : -power, power - 1};
}

/// A quotient is at most as large as what is divided, whatever its sign.
Range compute_quotient(const Range& a, const Range& b) {
    const Integer most = std::max(a.high < 0 ? -a.high : a.high, a.low < 0 ? -a.low : a.low);
    return {a.low < 0 || b.low < 0 ? -most : 0, most};
}

/// A remainder has the sign of what is divided, and is smaller than the divisor.
Range compute_remainder(const Range& a, const Range& b) {
    const Integer most = std::max(b.high, -b.low) - 1;
    return {a.low < 0 ? std::max(a.low, -most) : 0, std::min(std::max(a.high, Integer{0}), most)};
}

} // namespace

std::optional<Range> compute(Operator op, const Range& a, const Range& b) {
    switch (op) {
    case Operator::divide:
    case Operator::remainder:
        if (b.low == 0 && b.high == 0)
            return std::nullopt;
        return op == Operator::divide ? compute_quotient(a, b) : compute_remainder(a, b);
    case Operator::bit_and:
    case Operator::bit_xor:
    case Operator::bit_or: return compute_bits(op, a, b);
    default: break;
    }
    std::optional<Range> made; // the extremes lie at the ends of the ranges
    for (const Integer x : {a.low, a.high})
        for (const Integer y : {b.low, b.high}) {
            const std::optional<Integer> corner = compute(op, x, y);
            if (!corner)
                return std::nullopt;
            made = made ? Range{std::min(made->low, *corner), std::max(made->high, *corner)}
                        : Range{*corner, *corner};
        }
    return made;
}

bool compares(Operator op, Integer a, Integer b) {
    switch (op) {
    case Operator::equal: return a == b;
    case Operator::not_equal: return a != b;
    case Operator::less: return a < b;
    case Operator::less_equal: return a <= b;
    case Operator::greater: return a > b;
    default: return a >= b;
    }
}

} // namespace sme::expr
