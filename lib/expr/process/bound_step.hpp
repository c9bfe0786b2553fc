// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "expr/bound/bound.hpp"
#include "expr/syntax/step.hpp"

namespace sme::expr {

struct PortText;
struct StateText;

/// A bound condition, and whether it holds if that is known before the run.
struct BoundCondition {
    BoundRef value; // null: always
    std::optional<bool> known = true;
    Location where; // of the condition

    bool always_holds() const { return known == true; }
    bool never_holds() const { return known == false; }
};

/// A bound right-hand side.
struct BoundRhs {
    struct Entry;
    Rhs::Kind kind = Rhs::Kind::expression;
    Location where;                          // of an assert: its condition
    BoundCondition when;                     // it applies if this holds
    BoundRef value;                          // of an expression; the subject of a match
    std::shared_ptr<const BoundMatch> match; // of a match: an arm for each entry
    std::vector<Entry> entries;              // the entries of a list, arms, or fields
};

struct BoundRhs::Entry {
    BoundCondition condition; // of a list or a choice
    std::string field;        // of a struct
    bool possible = true;     // an arm of a match that can be chosen
    Location where;
    BoundRhs rhs;
};

/// An index in a target, one of `count`, or the other ways to name a part of a value.
struct BoundSelect {
    enum class Kind : std::uint8_t { element, bit, slice, field };
    Kind kind = Kind::element;
    BoundRef index;             // of an element or a bit
    std::int64_t lowest = 0;    // index
    std::uint64_t count = 0;    // of indices
    Location where;             // of the index
    unsigned high = 0, low = 0; // of a slice
    std::size_t field = 0;      // its position

    /// Returns the index, counted from the lowest, if it is known before the run.
    std::optional<std::uint64_t> constant() const {
        return index->is_constant() ? std::optional{static_cast<std::uint64_t>(index->low - lowest)}
                                    : std::nullopt;
    }
};

/// The left side of an assignment: an output, a state, or a part of one.
struct BoundTarget {
    const PortText* port = nullptr; // null: a state
    const StateText* state = nullptr;
    std::vector<BoundSelect> indices; // of an array of ports, or of a memory
    std::vector<BoundSelect> selects; // parts of its value, the outermost first
    TypeRef type;
    std::string name;
    Location declared;
    bool sliced = false; // bits of an integer
    BoundRef tree;       // the same as an expression; null unless an exporter needs it
};

/// An assignment.
struct BoundLine {
    BoundTarget target;
    BoundRhs rhs;
};

/// A value that a condition reads, for reports of its failure.
struct BoundOperand {
    std::string text; // as written: "total.value"
    BoundRef value;
};

/// A bound statement of a step. Arms that can never be chosen have no statements.
struct BoundStatement {
    struct Arm;
    Statement::Kind kind = Statement::Kind::assign;
    Location where;
    std::vector<LoopIndex> indices;          // of an assignment in a loop
    std::shared_ptr<const BoundLoop> loop;   // around the line of an assignment
    std::vector<BoundLine> lines;            // of an assignment: one for each step of its ranges
    BoundRhs effect;                         // of an assert, a halt or a print: its condition
    std::vector<BoundOperand> operands;      // of an assert, for its message
    std::vector<BoundRef> printed;           // the values of a print
    PrintLine line;                          // of a print
    std::shared_ptr<const BoundMatch> match; // of a match
    std::vector<Arm> arms;                   // of a choice or match
};

/// The statements of a block: the assignments first.
using BoundBlock = std::vector<BoundStatement>;

struct BoundStatement::Arm {
    BoundCondition condition; // of a choice
    bool possible = true;     // an arm of a match that can be chosen
    Location where;
    BoundBlock block;
};

} // namespace sme::expr
