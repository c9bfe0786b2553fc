// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "bits/integer.hpp"
#include "expr/syntax/ast.hpp"

namespace sme::expr {

/// What a binary operator makes of two exact numbers; a comparison, 0 or 1. Nothing when that has
/// too many bits, or is not defined.
std::optional<Integer> compute(Operator op, Integer a, Integer b);

/// The integers from `low` to `high`.
struct Range {
    Integer low = 0;
    Integer high = 0;
};

/// A range that holds what an arithmetic operator makes of the numbers of two ranges, where that is
/// defined. Nothing when some of it may have too many bits, or none of it is defined.
std::optional<Range> compute(Operator op, const Range& a, const Range& b);

/// Whether a comparison holds between two exact numbers.
inline bool compares(Operator op, Integer a, Integer b) {
    return compute(op, a, b) == Integer{1};
}

} // namespace sme::expr
