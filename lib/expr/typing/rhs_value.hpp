// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "expr/syntax/step.hpp"
#include "expr/typing/elaborator.hpp"
#include "expr/typing/match.hpp"

namespace sme::expr {

/// Returns the value of a right-hand side that must always have one: a let, the body of a function.
/// Reports if it may have no value.
Value always_value(const Rhs& rhs, Elaborator& elaborator);

/// Returns the match of a right-hand side; `nullopt` after an error was reported.
std::optional<Match> match_of(const Rhs& rhs, Elaborator& elaborator);

/// Returns the value of a let; with ranges, an array with the value for each index.
Value let_value(const LetText& let, Elaborator& elaborator);

/// Returns values of one type as an array; `where` locates each for messages.
Value array_of(std::vector<Value> elements, const std::vector<Location>& where,
               Elaborator& elaborator);

} // namespace sme::expr
