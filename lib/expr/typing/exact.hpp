// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "bits/integer.hpp"
#include "expr/syntax/ast.hpp"

namespace sme::expr {

/// Computes a binary operator on two exact numbers; a comparison gives 0 or 1. `nullopt` if
/// undefined or too large.
std::optional<Integer> compute(Operator op, Integer a, Integer b);

/// The integers from `low` to `high`.
struct Range {
    Integer low = 0;
    Integer high = 0;
};

/// Returns a range that holds all defined results of an arithmetic operator on numbers of two
/// ranges. `nullopt` if a result may be too large or every result is undefined.
std::optional<Range> compute(Operator op, const Range& a, const Range& b);

/// Returns true if a comparison holds between two exact numbers.
inline bool compares(Operator op, Integer a, Integer b) {
    return compute(op, a, b) == Integer{1};
}

} // namespace sme::expr
