// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <random>
#include <string>
#include <vector>

#include "bits/integer.hpp"

namespace sme::test {

/// A scalar type of the language.
struct ScalarType {
    unsigned width = 1;
    bool is_signed = false;
    bool is_bool = false;
    bool operator==(const ScalarType&) const = default;
    std::string name() const;
    /// The number modulo 2^n.
    Integer wrap(Integer value) const;
};

struct Term;
using TermRef = std::shared_ptr<const Term>;

/// An expression: its text in the language, and a tree.
struct Term {
    enum class Kind : std::uint8_t {
        literal,
        index,
        input,
        state,
        let,
        own,
        word, // leaves up to here; a word has an index
        binary,
        compare,
        shift,
        divide,
        negate,
        complement,
        logical_not,
        both,
        either,
        implies,
        choose,
        cast,
        slice,
        bit,
        cat,
        smaller,
        larger,
        reverse,
        rotate,
    };
    Kind kind;
    ScalarType type;
    std::string text;
    bool bare = false; // an untyped number: takes the type of the other operand
    Integer value = 0;
    unsigned number = 0; // of the input, state or let
    unsigned high = 0, low = 0;
    std::string op;
    std::vector<TermRef> kids;
};

/// One line of `value when condition` entries; the first true condition wins.
struct Line {
    std::vector<std::pair<TermRef, TermRef>> entries; // value, condition or null
};

/// A target's lines: outside blocks, and in each arm of the step's only if.
struct TargetLines {
    Line outer;
    std::vector<Line> arms; // one per arm; no entries: not mentioned
    TermRef word;           // of a memory write
};

struct InputPort {
    unsigned family;
    bool wire;
    unsigned shift; // bound to bus[(k + shift) % size]
};

/// A family of processes with a registered output, a wire output, states and a memory.
struct RandomFamily {
    unsigned size;
    ScalarType out_type, wire_type, memory_type;
    bool hold;
    unsigned delay;
    std::vector<InputPort> inputs;
    std::vector<ScalarType> states;
    std::vector<Integer> initial; // of the states
    std::vector<TermRef> lets;
    std::vector<TermRef> conditions; // of the if's arms; the last may be null: else
    std::vector<TargetLines> state_lines;
    TargetLines out, wire, memory;
    bool has_wire = false, has_memory = false;
};

/// A well-typed network. With `faults` it may divide by zero and index out of range, and has no
/// wires: all faults of a cycle are then in one level.
struct RandomNetwork {
    RandomNetwork(unsigned seed, bool faults);
    std::string yaml() const;
    std::vector<RandomFamily> families;
    static constexpr unsigned memory_words = 4;
};

} // namespace sme::test
