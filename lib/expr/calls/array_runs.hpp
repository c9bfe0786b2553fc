// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "expr/typing/elaborator.hpp"

namespace sme::expr {

/// Returns the runs of array(j < m, k < n, e): elements that differ only in their indices, each run
/// as one expression of the indices. Runs of fewer than four elements and runs within one row are
/// left out. The tree of `array` has an operand for each element, with the last index running
/// fastest; `counts` holds the length of each index.
std::vector<TypedRun> array_runs(const Value& array, const Ast& ast,
                                 const std::vector<std::uint64_t>& counts, Elaborator& elaborator);

} // namespace sme::expr
