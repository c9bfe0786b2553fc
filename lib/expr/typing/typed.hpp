// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "expr/typing/value.hpp"

namespace sme::expr {

struct Ast;
struct Rhs;

struct Typed;
using TypedRef = std::shared_ptr<const Typed>;

/// A part of the numbers 0 to `of` - 1 that an index runs over.
struct TypedRange {
    std::uint64_t first = 0;
    std::uint64_t count = 0;
    std::uint64_t of = 0;
    bool operator==(const TypedRange&) const = default;
};

/// Elements of an array that differ in the indices of its ranges only: one expression of them.
struct TypedRun {
    std::vector<TypedRange> ranges; // one for each of the array
    TypedRef element;
};

/// An expression as the elaborator understood it: its type, what is known of it, and the
/// expressions that it is made of. Exporters write it. An arm that can never be chosen is not in
/// it; a name stands for itself, whatever its value is made of.
struct Typed {
    enum class Kind : std::uint8_t {
        leaf,        // a name, a number, a member, random(T); what is known without operands
        unary,       // the operator of `ast` on one operand
        binary,      // the operator of `ast` on two operands
        element,     // an element, or a bit, of the first operand; the others are indices
        slice,       // of the first operand, from the bit of the second down to that of the third
        field,       // of the operand, the field that `ast` names
        choice,      // a condition and its value by turns, then the value that needs none
        match,       // the subject, then the value of each arm of `match`; null: never taken
        cast,        // of the operand, to the type of this
        call,        // a function that the language has built in, on its arguments
        own_call,    // a function of the network, on its arguments
        construct,   // a struct: the one to change or null, then each field; null: as it was, or 0
        record,      // a struct of fields that give it its type
        array,       // of these elements, the first one rightmost
        reduced,     // what the reducer of `ast` makes of these terms
        folded,      // the start of a fold, then what each step gives
        loop,        // a reducer as a loop: how long each range is, then the term
        folded_loop, // a fold as a loop: how long each range is, then the start and a step
    };
    Kind kind = Kind::leaf;
    const Ast* ast = nullptr;   // as it was written; null: a right-hand side, or a number
    const Rhs* match = nullptr; // of a match
    Value value;                // without nodes, but for the one of a scalar
    std::vector<TypedRef> operands;
    std::vector<TypedRun> runs = {}; // of an array over ranges: what is alike among the operands
};

} // namespace sme::expr
