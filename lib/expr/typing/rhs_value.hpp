// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "expr/syntax/step.hpp"
#include "expr/typing/elaborator.hpp"

namespace sme::expr {

/// Returns the value of a right-hand side that must always have one: a let, the body of a function.
/// Reports if it may have no value.
BoundExpr always_value(const Rhs& rhs, Elaborator& elaborator);

/// Returns the match of a right-hand side; null after an error was reported.
std::shared_ptr<const BoundMatch> match_of(const Rhs& rhs, Elaborator& elaborator);

/// Returns the value of a let; with ranges, an array with the value for each index.
BoundExpr let_value(const LetText& let, Elaborator& elaborator);

/// Returns values of one type as an array; `where` locates each for messages.
BoundExpr array_of(std::vector<BoundExpr> elements, const std::vector<Location>& where,
                   Elaborator& elaborator);

} // namespace sme::expr
