// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "bits/integer.hpp"
#include "expr/ast.hpp"

namespace sme::expr {

bool is_comparison(Operator op);

/// What an arithmetic operator makes of two exact numbers. Nothing when that has too many bits, or
/// is not defined.
std::optional<Integer> compute(Operator op, Integer a, Integer b);

/// Whether a comparison holds between two exact numbers.
bool compares(Operator op, Integer a, Integer b);

} // namespace sme::expr
