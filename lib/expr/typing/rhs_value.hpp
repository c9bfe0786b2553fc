// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "expr/syntax/step.hpp"
#include "expr/typing/elaborator.hpp"
#include "expr/typing/match.hpp"

namespace sme::expr {

/// The value of a right-hand side that always has one: a let, the body of a function. Reports where
/// there may be none.
Value always_value(const Rhs& rhs, Elaborator& elaborator);

/// The match that a right-hand side is; nothing when something was reported.
std::optional<Match> match_of(const Rhs& rhs, Elaborator& elaborator);

/// The value of a let; with ranges, an array of what its right-hand side gives for each index.
Value let_value(const LetText& let, Elaborator& elaborator);

/// Values of one type as an array; `where` of each for messages.
Value array_of(std::vector<Value> elements, const std::vector<Location>& where,
               Elaborator& elaborator);

} // namespace sme::expr
