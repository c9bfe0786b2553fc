// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/clock_rate.hpp"
#include "base/diagnostic.hpp"
#include "expr/process/bound_step.hpp"
#include "expr/program/program.hpp"
#include "expr/syntax/step.hpp"
#include "expr/typing/scope.hpp"
#include "network/shape.hpp"
#include "sme/network.hpp"

namespace sme::expr {

/// A reverse field of a bundle that the process reads: a port for each element of the array.
struct ReverseField {
    std::uint32_t read_port = 0;
    TypeRef type;
};

/// A port, or an array of ports with consecutive numbers. The reverse fields of a bundle that a
/// process reads are separate outputs, named "x.ready".
struct PortText {
    std::string name;
    Shape shape;                              // of an array of ports
    TypeRef type;                             // slot type; for a bundle, that of its forward fields
    TypeRef bundle;                           // null if not a bundle
    std::vector<ReverseField> reverse_fields; // in the order of the bundle's reverse fields
    std::string reverse_of; // for a reverse field: the name of the port of its bundle
    bool wire = false;
    Unwritten unwritten = Unwritten::zero;
    bool marked = false;          // the slot records whether it was written, in any case
    std::uint32_t write_port = 0; // for an output
    std::uint32_t read_port = 0;  // port through which the process reads it
    Location declared;

    std::uint64_t count() const { return shape.count(); }
};

/// A state: a slot with a read and a write port, or a memory.
struct StateText {
    std::string name;
    TypeRef type; // for a memory, the type of a word
    bool is_memory = false;
    std::vector<std::uint64_t> dimensions; // for a memory
    std::uint32_t memory = 0;
    std::uint32_t write_port = 0;
    std::uint32_t read_port = 0;
    /// The initial value in slot bytes, unless it is a memory: empty (zero), one for all instances,
    /// or one for each.
    std::vector<std::byte> initial;
    bool every_cycle = false; // it also steps in cycles without a rising clock edge
    bool generated = false;   // not in the file; may be unused
    Location declared;
};

/// A process as written, with numbered ports.
struct ProcessView {
    std::string name;
    Shape shape; // of the family in the network
    std::vector<PortText> inputs;
    std::vector<PortText> outputs;
    std::vector<StateText> states;
    std::vector<LetText> lets;
    std::set<std::string> observed; // lets and states that checks or recordings read
    Block step;
    /// Generated types, by the prefix of the names of their members: "at:" of a sequence, which has
    /// the member "at:stop".
    std::map<std::string, TypeRef> enumerations;
    AstRef reset;    // while it holds, states take their initial values; null: never
    ClockRate clock; // cycles in which it steps; otherwise it keeps its values
    std::shared_ptr<const ActorNames> actor; // null: it is no actor

    /// Returns the generated type with this prefix, or null.
    TypeRef find_enumeration(const std::string& prefix) const {
        const auto found = enumerations.find(prefix);
        return found == enumerations.end() ? nullptr : found->second;
    }
};

/// A process as exporters write it. It refers to the text of the process and to the functions that
/// it calls, which must outlive it.
struct BoundProcess {
    BoundBlock step;
    std::map<std::string, BoundRef> lets;
    BoundRef reset; // null: never
    Bindings bindings;
    std::shared_ptr<const Program> program; // does the same; set by the caller
};

/// Builds the program of a process in parts: one for each set of wire outputs that need the same
/// wire inputs, and one for everything else. `outer` holds the enclosing names. After a reported
/// error, the program must not be used.
///
/// With `cover`, one more part, the last, counts coverage and writes nothing. Unless `bound` is
/// null, it receives the process from which the program was made.
Program build_process(const ProcessView& text, Scope& outer, Diagnostics& diagnostics,
                      bool cover = false, BoundProcess* bound = nullptr);

} // namespace sme::expr
