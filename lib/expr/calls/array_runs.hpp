// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "expr/typing/elaborator.hpp"

namespace sme::expr {

/// The runs of an array(k < n, e) whose elements differ in the index only, each as one expression
/// of the index; those of fewer than four elements are left out. `array` has a tree with an operand
/// for each element.
std::vector<TypedRun> array_runs(const Value& array, const Ast& ast, Elaborator& elaborator);

} // namespace sme::expr
