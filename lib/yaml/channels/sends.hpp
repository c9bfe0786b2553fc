// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "expr/syntax/step.hpp"

namespace sme::yaml {

/// When a step writes an output: as a condition, from the conditions around its targets.
class Sends {
public:
    /// `lets` takes what a match in the step needs: it has no form as an expression.
    Sends(const std::string& output, std::vector<expr::LetText>& lets)
        : output_{output}, lets_{lets} {}

    /// Null: never. The result that stands for "always" is the tree of `true`.
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

/// The name at the bottom of a target: of "y[3].a[k]" it is y.
const expr::Ast& base_of(const expr::Ast& target);

} // namespace sme::yaml
