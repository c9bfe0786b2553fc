// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "expr/syntax/step.hpp"

namespace sme::yaml {

/// Derives the condition under which a step writes an output, from the conditions around its
/// targets.
class Sends {
public:
    /// Adds a let to `lets` for each match in the step: an expression cannot hold a match.
    Sends(const std::string& output, std::vector<expr::LetText>& lets)
        : output_{output}, lets_{lets} {}

    /// Returns the condition; null if never, the tree of `true` if always.
    expr::AstRef when(const expr::Block& block);

private:
    expr::AstRef has_value(const expr::Rhs& rhs);
    expr::AstRef of(const expr::Statement& statement);
    template <class Arms, class Of>
    expr::AstRef chosen(const Arms& arms, const Location& where, Of of);
    template <class Arms, class Of>
    expr::AstRef matched(const expr::AstRef& subject, const Arms& arms, const Location& where,
                         Of of);

    const std::string& output_;
    std::vector<expr::LetText>& lets_;
    std::size_t matches_ = 0;
};

} // namespace sme::yaml
