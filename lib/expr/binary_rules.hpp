// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "expr/ast.hpp"

namespace sme::expr {

/// How a binary operator is written and how strongly it binds: the parser and the printer share
/// this table.
struct BinaryRule {
    std::string_view symbol;
    Operator op;
    int strength; // 1 and up; larger binds tighter

    /// Comparisons do not chain; 'not' binds just weaker than they do.
    static constexpr int comparison = 4;
};

/// Null for what is no binary operator.
const BinaryRule* rule_of(std::string_view symbol);
const BinaryRule* rule_of(Operator op);

} // namespace sme::expr
