// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "expr/syntax/step.hpp"
#include "expr/typing/elaborator.hpp"

namespace sme::expr {

/// An arm of a match as written.
struct ArmText {
    const std::vector<Pattern>* patterns; // empty: else
    Location where;
};

/// Binds the subject and the patterns of a match; null after an error was reported.
std::shared_ptr<const BoundMatch> bound_match(const Ast& subject, const Location& where,
                                              const std::vector<ArmText>& arms,
                                              Elaborator& elaborator);

/// Returns the value of a match from those of its arms, which `where` locates for messages; values
/// of impossible arms are ignored.
BoundExpr match_value(std::shared_ptr<const BoundMatch> match, std::vector<BoundExpr> values,
                      const std::vector<Location>& where, Elaborator& elaborator);

} // namespace sme::expr
