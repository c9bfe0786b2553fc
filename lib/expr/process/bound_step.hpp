// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "expr/bound/bound.hpp"
#include "expr/syntax/step.hpp"

namespace sme::expr {

/// A bound condition, and whether it holds if that is known before the run.
struct BoundCondition {
    BoundRef value; // null: always
    std::optional<bool> known = true;

    bool always_holds() const { return known == true; }
    bool never_holds() const { return known == false; }
};

/// A bound right-hand side.
struct BoundRhs {
    struct Entry;
    Rhs::Kind kind = Rhs::Kind::expression;
    BoundCondition when;        // it applies if this holds
    BoundRef value;             // of an expression; the subject of a match
    std::vector<Entry> entries; // the entries of a list, arms, or fields
};

struct BoundRhs::Entry {
    BoundCondition condition; // of a list or a choice
    BoundPatterns patterns;   // of a match
    std::string field;        // of a struct
    bool possible = true;     // an arm of a match that can be chosen
    BoundRhs rhs;
};

/// An assignment. `target` is a state or an output, or a part of one.
struct BoundLine {
    BoundRef target;
    BoundRhs rhs;
};

/// A bound statement of a step. Arms that can never be chosen have no statements.
struct BoundStatement {
    struct Arm;
    Statement::Kind kind = Statement::Kind::assign;
    Location where;
    std::vector<LoopIndex> loop;   // of an assignment: the loop around its line
    std::vector<BoundLine> lines;  // of an assignment: one for each step of its ranges
    BoundRhs effect;               // of an assert, a halt or a print: its condition
    std::vector<BoundRef> printed; // the values of a print
    BoundRef subject;              // of a match
    std::vector<Arm> arms;         // of a choice or match
};

/// The statements of a block: the assignments first.
using BoundBlock = std::vector<BoundStatement>;

struct BoundStatement::Arm {
    BoundCondition condition; // of a choice
    BoundPatterns patterns;   // of a match
    bool possible = true;
    BoundBlock block;
};

} // namespace sme::expr
