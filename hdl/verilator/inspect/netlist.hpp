// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "network/verilog.hpp"
#include "verilator/inspect/element.hpp"

namespace sme::verilator {

/// How an output follows an input within a cycle.
enum class Follows : std::uint8_t {
    perhaps, ///< a way may lead there: through a net that is not told apart, or a clock
    yes,     ///< a way through logic leads there
};

/// What a type of SystemVerilog is made of, where it has names for that.
struct PortShape {
    std::string type;                  // of a structure or an enumeration, as it is called there
    unsigned width = 0;                // in bits
    std::vector<std::string> names;    // of the fields, the leftmost first, or of the members
    std::vector<PortShape> fields;     // of a structure
    std::vector<std::uint64_t> values; // of the members
    bool operator==(const PortShape&) const = default;
};

/// A file that $readmemh or $readmemb reads.
struct MemoryFile {
    std::string name;    // empty: it is not known before the run
    bool always = false; // whenever the module starts
    std::string file;    // where the call stands
    unsigned line = 0;
    unsigned column = 0;
};

/// A port of a module, and what is between it and the inputs.
struct ModulePort {
    VerilogPort port;
    PortShape shape;        // without names: bits
    std::string dimensions; // of an unpacked array, as declared: "[-1:2]"; not kept
    std::string file;       // of its declaration
    unsigned line = 0;
    unsigned column = 0;
    std::map<std::string, Follows> follows; // of an output: the inputs
    bool both = false;                      // an inout
    bool falling = false; // an output that moves when a clock falls within a cycle
    bool edges = false;   // an input, no clock, at whose edges registers take their values
};

/// What is known of a module before it is built.
struct Netlist {
    std::vector<ModulePort> ports;
    std::string wrapper; // the text of a module around it, whose ports these are; empty: none
    std::vector<MemoryFile> reads;
    std::vector<std::string> seeds; // variables from which $random draws, as Verilator spells them
    bool falls = false;     // registers of it take their values when a clock falls within a cycle
    bool uses_time = false; // asks for the time of the simulation
    std::string unsavable;  // what of it no checkpoint can hold: "the queue 'q'"; empty: nothing
    std::string said;       // what Verilator warned of
    std::string problem;    // why it cannot be used; empty: it can
    std::string problem_file;
    unsigned problem_line = 0;
    unsigned problem_column = 0;

    const ModulePort* find(const std::string& name) const;
};

/// Another number when `read_netlist` reads something else in the same text: netlists are kept.
constexpr int netlist_version = 8;

/// Thrown where reading is not wanted any more.
struct ReadingInterrupted {};

/// From a flat tree. What is registered by a clock of the module at the end of a cycle follows
/// nothing. Throws `ReadingInterrupted` soon after `unwanted` becomes true.
Netlist read_netlist(const ElementTree& tree, const VerilogModule& module,
                     const std::atomic<bool>* unwanted = nullptr);

} // namespace sme::verilator
