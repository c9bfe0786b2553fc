// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "bits/integer.hpp"
#include "expr/syntax/ast.hpp"
#include "expr/typing/value.hpp"

namespace sme::expr {

/// Computes a binary operator on two exact numbers; a comparison gives 0 or 1. `nullopt` if
/// undefined or too large.
std::optional<Integer> compute(Operator op, Integer a, Integer b);

/// The integers from `low` to `high`.
struct Range {
    Integer low = 0;
    Integer high = 0;
};

/// Returns a range that holds all defined results of an arithmetic operator on numbers of two
/// ranges. `nullopt` if a result may be too large or every result is undefined.
std::optional<Range> compute(Operator op, const Range& a, const Range& b);

/// Returns true if a comparison holds between two exact numbers.
inline bool compares(Operator op, Integer a, Integer b) {
    return compute(op, a, b) == Integer{1};
}

struct Ast;
struct Rhs;

struct Typed;
using TypedRef = std::shared_ptr<const Typed>;

/// A range of an index within 0 to `of` - 1.
struct TypedRange {
    std::uint64_t first = 0;
    std::uint64_t count = 0;
    std::uint64_t of = 0;
    bool operator==(const TypedRange&) const = default;
};

/// A run of array elements that differ only in their indices: one expression for all.
struct TypedRun {
    std::vector<TypedRange> ranges; // one for each index of the array
    TypedRef element;
};

/// An elaborated expression: its type, its known values, and its operands. Exporters print it. It
/// omits arms that can never be chosen; a name is a leaf, whatever its value contains.
struct Typed {
    enum class Kind : std::uint8_t {
        leaf,        // a name, a number, a member, random(T); also constants without operands
        unary,       // the operator of `ast` on one operand
        binary,      // the operator of `ast` on two operands
        element,     // an element or a bit of the first operand; the others are indices
        slice,       // the first operand, from the bit of the second down to that of the third
        field,       // field of the operand, named in `ast`
        choice,      // conditions and values alternately, then the final value
        match,       // the subject, then the value of each arm of `match`; null: never taken
        cast,        // converts the operand to the type of `value`
        call,        // a built-in function and its arguments
        own_call,    // a function of the network and its arguments
        construct,   // a struct: the one to change or null, then each field; null: unchanged, or 0
        record,      // a struct whose fields determine its type
        array,       // its elements, the first rightmost
        reduced,     // the reducer of `ast` applied to these terms
        folded,      // the start of a fold, then the value of each step
        loop,        // a reducer as a loop: the length of each range, then the term
        folded_loop, // a fold as a loop: the length of each range, then the start and a step
    };
    Kind kind = Kind::leaf;
    const Ast* ast = nullptr;   // as written; null: a right-hand side, or a number
    const Rhs* match = nullptr; // for a match
    Value value;                // without nodes, except that of a scalar
    std::vector<TypedRef> operands;
    std::vector<TypedRun> runs = {}; // for an array over ranges: its runs
};

} // namespace sme::expr
