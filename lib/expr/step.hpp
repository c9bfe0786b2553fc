// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "expr/ast.hpp"

namespace sme::expr {

/// A right-hand side as it was written.
struct Rhs {
    enum class Kind : std::uint8_t {
        expression, // value [when]
        first,      // a list: the first whose condition holds
        fields,     // a struct, field by field
        choice,     // if, elif, else
    };
    Kind kind = Kind::expression;
    Location where;
    AstRef value;
    AstRef when; // null: always
    struct FieldRhs;
    struct Arm;
    std::vector<Rhs> list;
    std::vector<FieldRhs> fields;
    std::vector<Arm> arms;
};

struct Rhs::FieldRhs {
    std::string name;
    Location where;
    Rhs rhs;
};

struct Rhs::Arm {
    AstRef condition; // null: else
    Rhs rhs;
};

/// One entry of a step.
struct Statement {
    enum class Kind : std::uint8_t { assign, choice, assertion, halt };
    Kind kind = Kind::assign;
    Location where;
    AstRef target; // of an assignment
    Rhs rhs;       // of an assignment, an assertion or a halt
    struct Arm;
    std::vector<Arm> arms; // of a choice
};

struct Block {
    std::vector<Statement> statements;
};

struct Statement::Arm {
    AstRef condition; // null: else
    Block block;
};

} // namespace sme::expr
