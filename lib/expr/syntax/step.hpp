// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/source.hpp"
#include "expr/program/program.hpp"
#include "expr/syntax/ast.hpp"

namespace sme::expr {

/// The text of one expression with the source position of each byte: YAML folds lines and strips
/// indentation, but diagnostics point to the original text.
struct Text {
    SourceRef source;
    std::string text;
    std::vector<std::uint32_t> offsets; // one more than the number of text bytes

    /// Returns the location of bytes [begin, end) of the text.
    Location at(std::size_t begin, std::size_t end) const {
        Location where;
        where.source = source;
        where.begin = offsets[begin];
        where.end = end > begin ? offsets[end - 1] + 1 : where.begin;
        return where;
    }
    Location all() const { return at(0, text.size()); }
};

/// A pattern of a match arm: the value of a constant expression, or "0b1??0".
struct Pattern {
    Location where;
    AstRef value;           // null if a bit pattern
    std::uint64_t bits = 0; // where `mask` is set
    std::uint64_t mask = 0; // the low `digits` bits except '?'
    unsigned digits = 0;
};

/// A right-hand side as written.
struct Rhs {
    enum class Kind : std::uint8_t {
        expression, // value [when]
        first,      // a list: the first whose condition holds
        fields,     // a struct, by fields
        choice,     // if, elif, else
        match,      // arms selected by `value`
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
    AstRef condition;              // for a choice; null for else
    std::vector<Pattern> patterns; // for a match; empty for else
    Location where;
    Rhs rhs;
};

/// Returns a map of fields as a right-hand side; fields that it omits follow the target's rule.
Rhs fields_of(const Ast& map);

/// A let: "name: rhs", or an array of values "name[k < n]: rhs".
struct LetText {
    std::string name;
    Rhs rhs;
    Location declared;
    std::vector<RangeText> ranges;
    bool generated = false; // not in the file; may be unused
};

/// The lets and the state that tell what an actor does in a cycle.
struct ActorNames {
    /// Its end of a channel. `waits`: it waits for the other end; `wanted`: the firing receives
    /// from it; empty: every firing does.
    struct End {
        std::string port, waits, wanted;
    };
    std::string fires, ends;
    std::string done; // a state; empty: it never ends
    std::vector<End> channels;
    bool is_pure = false; // its conditions do not depend on the cycle number

    /// Null for the ports of buses.
    const End* find(const std::string& port) const {
        for (const End& each : channels)
            if (each.port == port)
                return &each;
        return nullptr;
    }
};

/// The lets, states and parameters that tell what the queue of a channel does in a cycle.
struct QueueNames {
    const char *push, *pop; // a message is sent, or taken
    const char* count;      // the messages in the queue
    const char* arrived;    // those that can be taken; null: all
    const char* latency;    // cycles from send to receive; null: 1
};

/// A piece of a print: text, or a value.
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
    AstRef target; // for an assignment
    Rhs rhs;       // for an assignment, an assertion or a halt; the condition of a print
    std::vector<PrintPiece> pieces; // for a print
    AstRef subject;                 // for a match
    struct Arm;
    std::vector<Arm> arms; // for a choice or match
};

struct Block {
    std::vector<Statement> statements;
};

struct Statement::Arm {
    AstRef condition;              // for a choice; null for else
    std::vector<Pattern> patterns; // for a match; empty for else
    Location where;
    Block block;
};

} // namespace sme::expr
