// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/clock_rate.hpp"
#include "base/diagnostic.hpp"
#include "expr/program/program.hpp"
#include "expr/syntax/step.hpp"
#include "expr/typing/value.hpp"

namespace sme::expr {

/// What a field of an output is after a cycle in which it was not written.
enum class Rule : std::uint8_t { zero, hold, error };

/// A back field of a bundle, as the process reads it: a port for each element of the array.
struct BackText {
    std::uint32_t read_port = 0;
    TypeRef type;
};

/// A port, or an array of ports: its elements have consecutive port numbers. The back fields of a
/// bundle that a process reads are outputs of their own, called "x.ready".
struct PortText {
    std::string name;
    std::vector<std::int64_t> lows; // of the array's indices; empty: a single port
    std::vector<std::uint64_t> counts;
    TypeRef type;                // of the slot; of a bundle: of its forward fields
    TypeRef bundle;              // null: none
    std::vector<BackText> backs; // in the order of the bundle's back fields
    bool is_back = false;        // "x.ready"
    bool wire = false;
    Rule rule = Rule::zero;
    bool marked = false;          // the slot says what was written, whatever the rule
    std::uint32_t write_port = 0; // of an output
    std::uint32_t read_port = 0;  // where the process reads it
    Location declared;

    std::uint64_t count() const;
};

/// A state: a slot with a port on either side, or a memory.
struct StateText {
    std::string name;
    TypeRef type; // of a memory: of a word
    bool is_memory = false;
    std::vector<std::uint64_t> dimensions; // of a memory
    std::uint32_t memory = 0;
    std::uint32_t write_port = 0;
    std::uint32_t read_port = 0;
    /// Slot bytes of what it begins with, when it is no memory: none (zero), one for all instances,
    /// or one for each.
    std::vector<std::byte> initial;
    bool every_cycle = false; // it steps in cycles, too, in which the clock does not rise
    Location declared;
};

/// A process as it was written, its ports numbered.
struct ProcessView {
    std::string name;
    std::vector<std::string> indices; // empty names: not named
    std::vector<std::int64_t> index_low;
    std::vector<std::uint64_t> index_count;
    std::vector<std::uint64_t> kept; // as in Program
    std::vector<PortText> inputs;
    std::vector<PortText> outputs;
    std::vector<StateText> states;
    std::vector<LetText> lets;
    Block step;
    AstRef reset;          // while it holds, states take their initial values; null: never
    ClockRate clock;       // the cycles that it steps in; in all others it keeps what it has
    bool is_actor = false; // which is done when its state of that name says so
    bool is_pure = false;  // an actor to whose conditions it does not matter which cycle it is
};

/// Makes the program of a process, in parts: one for each set of wire outputs that need the same
/// wire inputs, and one for all the rest. `outer` has the names around it. Reports what is wrong;
/// the program must not be used then.
///
/// With `cover`, one more part counts what happens: the last one, which writes nothing.
Program build_process(const ProcessView& text, Scope& outer, Diagnostics& diagnostics,
                      bool cover = false);

} // namespace sme::expr
