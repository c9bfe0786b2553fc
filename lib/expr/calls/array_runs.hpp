// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "expr/typing/elaborator.hpp"

namespace sme::expr {

/// The runs of an array(j < m, k < n, e) whose elements differ in the indices only, each as one
/// expression of them; those of fewer than four elements, and those within one row, are left out.
/// `array` has a tree with an operand for each element, of which the last index runs fastest;
/// `counts` says how far each index goes.
std::vector<TypedRun> array_runs(const Value& array, const Ast& ast,
                                 const std::vector<std::uint64_t>& counts, Elaborator& elaborator);

} // namespace sme::expr
