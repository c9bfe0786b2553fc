// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "expr/bound/bound.hpp"

namespace sme::expr {

/// A number of `whole` bits before the point, with the sign, and `fraction` bits after it. 0 needs
/// no bits at all.
struct FixedFormat {
    bool is_signed = false;
    Integer whole = 0;
    Integer fraction = 0;
    Integer width() const { return whole + fraction; }
};

/// Returns the narrowest format of all integers from `low` to `high`.
FixedFormat of_integers(Integer low, Integer high);
FixedFormat format_of(const Type& type);
/// Returns the format of an exact integer or a fixed-point number.
FixedFormat format_of(const BoundExpr& value);
/// Returns the narrowest format that holds all numbers of both formats.
FixedFormat joined(FixedFormat a, FixedFormat b);
bool holds(const FixedFormat& wide, const FixedFormat& narrow);
/// Moves the point of a format without fraction.
FixedFormat with_fraction(FixedFormat integer, Integer fraction);
/// Returns the type of the bits.
TypeRef integer_type(const FixedFormat& format);

} // namespace sme::expr
