// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock_rate.hpp"
#include "base/diagnostic.hpp"
#include "network/graph.hpp"

namespace sme {

/// A text with the place where it was written.
struct Placed {
    std::string text;
    Location where;
};

/// A port of a module that is a clock.
struct VerilogClock {
    Placed port;
    ClockRate rate;
    std::uint32_t domain = no_domain; // of the network, when it is one of its clocks
};

/// A port of a module that is a reset.
struct VerilogReset {
    Placed port;
    bool high = true;    // the value that resets
    unsigned cycles = 2; // that it asks for
    bool stated = true;  // the user named the value
};

/// A Verilog module that is a process: where it comes from, and how it is clocked.
struct VerilogModule {
    /// Name and value of a parameter of the module, or of an interface that is a port of it:
    /// "W" or "port.W"; the value as Verilog writes it.
    struct Parameter {
        Placed name;
        std::string value;
        bool of_interface() const { return name.text.find('.') != std::string::npos; }
        bool operator==(const Parameter& other) const {
            return name.text == other.name.text && value == other.value;
        }
    };

    Location where;
    std::vector<Placed> files;   // of Verilog: paths that can be opened
    std::vector<Placed> sources; // of C and C++, for functions that Verilog imports
    Placed top;
    std::vector<Parameter> parameters;
    std::vector<Placed> include; // folders
    std::vector<Placed> define;  // NAME or NAME=text
    std::vector<Placed> lists;   // files of arguments, as Verilator's -f takes them
    std::vector<Placed> plusargs;
    std::vector<VerilogClock> clocks; // that are named; see known_clocks()
    bool clocks_named = false;        // also when there are none
    ClockRate rate;                   // of a clock of which nothing else is said
    std::uint32_t domain = no_domain; // that rate's
    std::vector<VerilogReset> resets;
    bool savable = false; // its state may be asked for
    bool trace_inside = false;
    std::vector<std::string> seen; // `VerilogSignal::key` of the signals inside that are looked at
    bool seen_arrays = false;      // some of them are arrays of several dimensions
    bool lint = true;              // whether warnings are given
    std::vector<std::string> rules_off; // those of which no warning is given: "WIDTH"
    std::uint64_t clock_ps = 10'000;    // a cycle, for $time
    std::optional<std::uint64_t> seed;  // of $random; none: the run's

    /// Takes a file, of Verilog or of C.
    void add_file(const Placed& file) {
        (is_c_source(file.text) ? sources : files).push_back(file);
    }
    static bool is_c_source(const std::string& path);

    /// Those that are named. When none are: "clk" in every cycle, a port that it need not have.
    std::vector<VerilogClock> known_clocks() const;
    /// Whether a port of that name is one of `known_clocks()` or a reset.
    bool is_control(const std::string& port) const;
    /// How many edges each clock has before cycle 0, while all resets are active: as many as the
    /// longest of them asks for.
    unsigned reset_cycles() const;
};

/// A port of a Verilog module, as it is declared there.
struct VerilogPort {
    std::string name;
    bool output = false;
    bool is_signed = false;
    unsigned width = 1;         // of all elements
    std::uint64_t elements = 0; // of an unpacked array, the lowest index first; 0: it is none
    bool in_interface = false;  // a signal of a port that is an interface
    bool of_inout = false;      // what is driven into an inout, or seen there
    Location declared;
    std::vector<std::string> clocks{}; // of an output: those whose registers it shows
};

/// The indices of an unpacked array: low, low + 1, ...
struct VerilogRange {
    std::int64_t low;
    std::uint64_t count;
};

/// A signal inside a Verilog module, or a parameter.
struct VerilogSignal {
    std::string scope; // the instances and blocks around it: "u_alu.stage[1]"; empty: none
    std::string name;
    std::string key;    // how Verilator spells the name
    unsigned width = 1; // of an element
    bool is_signed = false;
    std::vector<VerilogRange> ranges{}; // of an array, the outermost first
    bool nested = false;                // an array of several dimensions, packed ones too
    std::string constant{};             // of a parameter: its bits in hexadecimal digits
    std::string problem{}; // why it cannot be looked at, as in "is real"; empty: it can
    std::string home{};    // the path of what declares it, an interface; empty: it is the scope

    std::string path() const { return scope.empty() ? name : scope + "." + name; }
};

/// "clock" or "reset", when an input of this name usually is one; null when it is neither.
const char* usual_role(const std::string& port);

/// What a port of a Verilog module is bound to: a port of the process, an array of them (element 0
/// rightmost), or one field of what lies at a port.
struct VerilogBinding {
    std::string name; // of the module's port
    bool output = false;
    std::uint32_t port = 0; // the process's first one
    std::uint64_t count = 1;
    int field = -1; // of the struct that lies there; none: all of it
    bool wire = false;
    Location where;
    std::vector<std::uint32_t> inner{}; // fields within that field, the outermost first
    bool bundle = false;                // what lies there is a bundle
    std::string to{};                   // of a field: what it is bound to as written, "out.data"
    bool unbound{};                     // it has the value of 'unbound'
};

/// A process that is a Verilog module, as it was written.
struct VerilogInstance {
    VerilogModule module;
    std::vector<VerilogBinding> bindings;
    std::vector<VerilogPort> ports; // of the module
};

/// Makes processes of Verilog modules.
class VerilogModules {
public:
    virtual ~VerilogModules() = default;
    /// The ports of a module. Null when something was reported.
    virtual const std::vector<VerilogPort>* ports(const VerilogModule& module,
                                                  Diagnostics& diagnostics) = 0;
    /// Gives the family, whose ports are there, its parts and its kind. False when something was
    /// reported: a port that is not bound, or bound to something of another width.
    virtual bool attach(const VerilogModule& module, const std::vector<VerilogBinding>& bindings,
                        ProcessFamily& family, Graph& graph, Diagnostics& diagnostics) = 0;
    /// The signals inside a module, ordered by their paths. Null when something was reported.
    virtual const std::vector<VerilogSignal>* signals(const VerilogModule& module,
                                                      Diagnostics& diagnostics) = 0;
    /// The first of as many buses as a family that was attached has instances, side by side: wires
    /// that show a signal or, of a memory, the element with this number, as the module has it when
    /// it has settled.
    virtual std::uint64_t look_at(const VerilogSignal& signal, std::uint64_t element,
                                  ProcessFamily& family, Graph& graph) = 0;
};

} // namespace sme
