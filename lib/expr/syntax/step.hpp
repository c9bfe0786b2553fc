// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "expr/program/program.hpp"
#include "expr/syntax/ast.hpp"

namespace sme::expr {

/// What an arm of a match holds for: the value of a constant expression, or "0b1??0".
struct Pattern {
    Location where;
    AstRef value;           // null: bits
    std::uint64_t bits = 0; // where `mask` is set
    std::uint64_t mask = 0; // the low `digits` bits, but for those written '?'
    unsigned digits = 0;
};

/// A right-hand side as it was written.
struct Rhs {
    enum class Kind : std::uint8_t {
        expression, // value [when]
        first,      // a list: the first whose condition holds
        fields,     // a struct, field by field
        choice,     // if, elif, else
        match,      // arms by the value of `value`
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
    AstRef condition;              // of a choice; null: else
    std::vector<Pattern> patterns; // of a match; none: else
    Location where;
    Rhs rhs;
};

/// A map of fields as a right-hand side: what it does not give is what the target's rule says.
Rhs fields_of(const Ast& map);

/// A name for a value: "name: rhs", or an array of values "name[k < n]: rhs".
struct LetText {
    std::string name;
    Rhs rhs;
    Location declared;
    std::vector<RangeText> ranges;
    bool made = false; // it does not stand in the file, and may be unused
};

/// A part of what a print says: text, or a value.
struct PrintPiece {
    std::string text;
    AstRef value; // null: text
    PrintStyle style;
};

/// One entry of a step.
struct Statement {
    enum class Kind : std::uint8_t { assign, choice, match, assertion, halt, print };
    Kind kind = Kind::assign;
    Location where;
    AstRef target; // of an assignment
    Rhs rhs;       // of an assignment, an assertion or a halt; of a print its condition
    std::vector<PrintPiece> pieces; // of a print
    AstRef subject;                 // of a match
    struct Arm;
    std::vector<Arm> arms; // of a choice or match
};

struct Block {
    std::vector<Statement> statements;
};

struct Statement::Arm {
    AstRef condition;              // of a choice; null: else
    std::vector<Pattern> patterns; // of a match; none: else
    Location where;
    Block block;
};

} // namespace sme::expr
