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

/// A text with its source location.
struct Placed {
    std::string text;
    Location where;
};

/// A clock port of a module.
struct VerilogClock {
    Placed port;
    ClockRate rate;
    std::uint32_t domain = no_domain; // of the network, if it is one of the network's clocks
};

/// A reset port of a module.
struct VerilogReset {
    Placed port;
    bool high = true;    // the active level
    unsigned cycles = 2; // number of reset cycles
    bool stated = true;  // the user specified the level
};

/// A Verilog module as a process: its sources and its clocks.
struct VerilogModule {
    /// The name and value of a parameter of the module, or of an interface port: "W" or "port.W";
    /// the value in Verilog syntax.
    struct Parameter {
        Placed name;
        std::string value;
        bool of_interface() const { return name.text.find('.') != std::string::npos; }
        bool operator==(const Parameter& other) const {
            return name.text == other.name.text && value == other.value;
        }
    };

    Location where;
    std::vector<Placed> files;   // Verilog: paths that can be opened
    std::vector<Placed> sources; // C and C++, for functions that Verilog imports
    Placed top;
    std::vector<Parameter> parameters;
    std::vector<Placed> include; // folders
    std::vector<Placed> define;  // NAME or NAME=text
    std::vector<Placed> lists;   // argument files, as for Verilator's -f
    std::vector<Placed> plusargs;
    std::vector<VerilogClock> clocks; // the named clocks; see known_clocks()
    bool clocks_named = false;        // true also for an empty list
    ClockRate rate;                   // of a clock without its own rate
    std::uint32_t domain = no_domain; // of that rate
    std::vector<VerilogReset> resets;
    bool savable = false; // its state may be saved
    bool trace_inside = false;
    // `VerilogSignal::key` of the internal signals that are observed
    std::vector<std::string> seen;
    bool seen_arrays = false;           // some of them are multidimensional arrays
    bool lint = true;                   // warnings enabled
    std::vector<std::string> rules_off; // disabled warnings: "WIDTH"
    std::uint64_t clock_ps = 10'000;    // length of a cycle, for $time
    std::optional<std::uint64_t> seed;  // of $random; `nullopt`: that of the run

    /// Adds a Verilog or C file.
    void add_file(const Placed& file) {
        (is_c_source(file.text) ? sources : files).push_back(file);
    }
    static bool is_c_source(const std::string& path);

    /// Returns the named clocks. If none is named: "clk" in every cycle, a port that the module
    /// need not have.
    std::vector<VerilogClock> known_clocks() const;
    /// Returns whether a port of that name is one of `known_clocks()` or a reset.
    bool is_control(const std::string& port) const;
    /// Returns the number of edges of each clock before cycle 0, while all resets are active: the
    /// largest number that a reset requires.
    unsigned reset_cycles() const;
};

/// A port of a Verilog module, as declared.
struct VerilogPort {
    std::string name;
    bool output = false;
    bool is_signed = false;
    unsigned width = 1;         // of all elements
    std::uint64_t elements = 0; // of an unpacked array, lowest index first; 0: not an array
    bool in_interface = false;  // a signal of a port that is an interface
    bool of_inout = false;      // the input or output half of an inout
    Location declared;
    std::vector<std::string> clocks{}; // for an output: the clocks of the registers it shows
};

/// The indices of an unpacked array: low, low + 1, ...
struct VerilogRange {
    std::int64_t low;
    std::uint64_t count;
};

/// A signal or a parameter inside a Verilog module.
struct VerilogSignal {
    std::string scope; // the instances and blocks that contain it: "u_alu.stage[1]"; empty: the
                       // module itself
    std::string name;
    std::string key;    // Verilator's spelling of the name
    unsigned width = 1; // of an element
    bool is_signed = false;
    std::vector<VerilogRange> ranges{}; // of an array, outermost first
    bool nested = false;                // a multidimensional array, including packed ones
    std::string constant{};             // for a parameter: its bits in hexadecimal
    std::string problem{}; // why it cannot be observed, such as "is real"; empty: it can
    std::string home{};    // the path of the interface that declares it; empty: `scope`

    std::string path() const { return scope.empty() ? name : scope + "." + name; }
};

/// Returns "clock" or "reset" if inputs of this name usually have this role; otherwise null.
const char* usual_role(const std::string& port);

/// The binding of a port of a Verilog module: a port of the process, an array of ports (element 0
/// rightmost), or one field of the value at a port.
struct VerilogBinding {
    std::string name; // of the module's port
    bool output = false;
    std::uint32_t port = 0; // the first port of the process
    std::uint64_t count = 1;
    int field = -1; // a field of the struct at the port; −1: the whole value
    bool wire = false;
    Location where;
    std::vector<std::uint32_t> inner{}; // fields within that field, outermost first
    bool bundle = false;                // the value at the port is a bundle
    std::string to{};                   // for a field: the binding as written, "out.data"
    bool unbound{};                     // it has the value from 'unbound'
};

/// A process that is a Verilog module, as written.
struct VerilogInstance {
    VerilogModule module;
    std::vector<VerilogBinding> bindings;
    std::vector<VerilogPort> ports; // of the module
};

/// Makes processes from the Verilog modules of a network.
class VerilogModules {
public:
    /// Whether the network will run: modules are built to run, otherwise only read.
    enum class Purpose : std::uint8_t { look, run };

    virtual ~VerilogModules() = default;
    /// Returns the ports of a module; null after reporting an error.
    virtual const std::vector<VerilogPort>* ports(const VerilogModule& module,
                                                  Diagnostics& diagnostics) = 0;
    /// Gives a family, which already has its ports, its parts and its kind. Returns false after
    /// reporting an error: a port that is unbound, or bound to a value of another width.
    virtual bool attach(const VerilogModule& module, const std::vector<VerilogBinding>& bindings,
                        ProcessFamily& family, Graph& graph, Diagnostics& diagnostics) = 0;
    /// Returns the signals inside a module, ordered by path; null after reporting an error.
    virtual const std::vector<VerilogSignal>* signals(const VerilogModule& module,
                                                      Diagnostics& diagnostics) = 0;
    /// Adds wires that show a signal or, for a memory, the element with this number, after the
    /// module has settled. Returns the first of the wires: one for each instance of an attached
    /// family, with consecutive numbers.
    virtual std::uint64_t look_at(const VerilogSignal& signal, std::uint64_t element,
                                  ProcessFamily& family, Graph& graph) = 0;
    /// Tests whether the network has Verilog modules.
    virtual bool any() const = 0;
    /// Returns a text that differs between modules of other options, tools or files; empty for a
    /// kind of process that is no module.
    virtual std::string contents_of(const GroupFactory* kind) const = 0;
    /// Adds no buses for inside signals, because no observer shows them.
    virtual void leave_inside_out() = 0;
    /// Builds the modules of all attached families before a run. Building is slow: check for all
    /// other errors first. Returns true if it added buses, for inside signals.
    virtual bool build_all(Graph& graph, Diagnostics& diagnostics) = 0;
    /// Makes the outputs of registers after the reset the initial values of their buses. Call it on
    /// the complete network. Returns false after reporting an error.
    virtual bool start(Graph& graph, std::uint64_t clock_ps, std::uint64_t seed,
                       Diagnostics& diagnostics) = 0;
};

} // namespace sme
