// SPDX-License-Identifier: Apache-2.0
#include "expr/typing/fixed_format.hpp"

#include <algorithm>

namespace sme::expr {

namespace {

/// Returns the number of bits of an integer that is not negative.
Integer bits_of(Integer value) {
    Integer bits = 0;
    for (; value > 0; value >>= 1)
        ++bits;
    return bits;
}

} // namespace

FixedFormat of_integers(Integer low, Integer high) {
    const Integer below = low < 0 ? bits_of(-(low + 1)) : Integer{0};
    const Integer bits = std::max(below, bits_of(std::max(high, Integer{0})));
    return {low < 0, bits + (low < 0 ? 1 : 0), 0}; // no bits for 0
}

FixedFormat format_of(const Type& type) {
    const Integer fraction = type.fraction_bits();
    return {type.is_signed(), static_cast<Integer>(type.width_bits()) - fraction, fraction};
}

FixedFormat format_of(const BoundExpr& value) {
    return value.is_exact() ? of_integers(value.low, value.high) : format_of(*value.type);
}

FixedFormat joined(FixedFormat a, FixedFormat b) {
    const bool is_signed = a.is_signed || b.is_signed;
    for (FixedFormat* each : {&a, &b})
        each->whole += is_signed && !each->is_signed && each->width() > 0 ? 1 : 0;
    return {is_signed, std::max(a.whole, b.whole), std::max(a.fraction, b.fraction)};
}

bool holds(const FixedFormat& wide, const FixedFormat& narrow) {
    const FixedFormat both = joined(wide, narrow);
    return both.is_signed == wide.is_signed && both.whole == wide.whole &&
           both.fraction == wide.fraction;
}

FixedFormat with_fraction(FixedFormat integer, Integer fraction) {
    return {integer.is_signed, std::max<Integer>(integer.whole - fraction, 0), fraction};
}

TypeRef integer_type(const FixedFormat& format) {
    const auto width = static_cast<unsigned>(std::max<Integer>(format.width(), 1));
    return format.is_signed ? Type::signed_integer(width) : Type::unsigned_integer(width);
}

} // namespace sme::expr
