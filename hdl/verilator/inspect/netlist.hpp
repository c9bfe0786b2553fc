// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "base/diagnostic.hpp"
#include "network/verilog.hpp"
#include "verilator/inspect/element.hpp"

namespace sme::verilator {

/// Returns the signals inside a module, ordered by path, from a flat tree with all signals public;
/// `top` is the name of the module, or its path inside a wrapper, and `described` tells which ports
/// are clocks. Omits signals whose names the network language cannot write. Throws
/// `ReadingInterrupted` soon after `unwanted` becomes true.
std::vector<VerilogSignal> read_signals(const ElementTree& tree, const std::string& top,
                                        const VerilogModule& described,
                                        const std::atomic<bool>* unwanted = nullptr);

nlohmann::ordered_json json_of(const std::vector<VerilogSignal>& signals);
/// Throws nlohmann::json::exception if the text is invalid.
std::vector<VerilogSignal> signals_of(const nlohmann::ordered_json& json);

/// How an output depends on an input within a cycle.
enum class Follows : std::uint8_t {
    perhaps, ///< possibly: through a net that is not told apart, or a clock
    yes,     ///< through logic
};

/// The parts of a SystemVerilog type that have names.
struct PortShape {
    std::string type;                  // the name of a structure or an enumeration
    unsigned width = 0;                // in bits
    std::vector<std::string> names;    // of the fields, the leftmost first, or of the members
    std::vector<PortShape> fields;     // of a structure
    std::vector<std::uint64_t> values; // of the members
    bool operator==(const PortShape&) const = default;
};

/// A file that $readmemh or $readmemb reads.
struct MemoryFile {
    std::string name;    // empty: unknown before the run
    bool always = false; // read at every start
    std::string file;    // of the call
    unsigned line = 0;
    unsigned column = 0;
};

/// A port of a module, and its dependencies on inputs.
struct ModulePort {
    VerilogPort port;
    PortShape shape;        // without names: plain bits
    std::string dimensions; // of an unpacked array, as declared: "[-1:2]"; not kept
    std::string file;       // of its declaration
    unsigned line = 0;
    unsigned column = 0;
    std::map<std::string, Follows> follows; // of an output: by input
    bool both = false;                      // an inout port
    bool falling = false; // an output that changes when a clock falls within a cycle
    bool edges = false;   // a non-clock input whose edges load registers
};

/// The interface of a module, known before it is built.
struct Netlist {
    std::vector<ModulePort> ports;
    std::string wrapper; // the text of a wrapper, whose ports these are; empty: no wrapper
    std::vector<MemoryFile> reads;
    std::vector<std::string> seeds; // seed variables of $random, as Verilator spells them
    bool falls = false;             // a clock that falls within a cycle loads registers
    bool uses_time = false;         // reads the simulation time
    std::string unsavable;          // the part without checkpoint support: "the queue 'q'"
    std::string said;               // Verilator's warnings
    std::string problem;            // why the module is unusable; empty: usable
    std::string problem_file;
    unsigned problem_line = 0;
    unsigned problem_column = 0;

    const ModulePort* find(const std::string& name) const;
};

/// Increase this when `read_netlist` reads the same text differently: netlists are cached.
constexpr int netlist_version = 9;

/// Thrown when reading is no longer wanted.
struct ReadingInterrupted {};

/// Reads a flat tree. Signals registered by a clock at the end of a cycle depend on nothing. Throws
/// `ReadingInterrupted` soon after `unwanted` becomes true.
Netlist read_netlist(const ElementTree& tree, const VerilogModule& module,
                     const std::atomic<bool>* unwanted = nullptr);

/// Converts the ports of a netlist to a text for the cache.
nlohmann::ordered_json json_of(const Netlist& netlist);
/// Throws nlohmann::json::exception if the text is invalid.
Netlist netlist_of(const nlohmann::ordered_json& json);

} // namespace sme::verilator
