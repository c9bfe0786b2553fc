// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "bits/integer.hpp"
#include "export/rtl/module.hpp"
#include "network/graph.hpp"

namespace sme::hdl {

/// A port of a written module, and the buses that it carries.
struct ModulePort {
    std::string name;               // in Verilog
    std::vector<std::string> notes; // comments above it
    bool output = false;
    std::uint64_t width = 1; // of one element
    std::uint64_t count = 1; // of an array: element 0 rightmost
    bool is_signed = false;
    std::vector<std::int64_t> lows; // of the indices
    std::vector<std::uint64_t> counts;
    int field = -1;                     // among the forward fields of the bus; -1: all fields
    std::optional<std::uint64_t> slice; // of a foreign module: its first bit in the connected
                                        // vector
    bool seen = false;                  // reads back, delayed, the module's own output
    std::string port;                   // the port's name in the network; of a back field, that of
                                        // its bundle
    std::uint32_t graph_port = 0;       // of a process: the first of its ports in the graph
    int back = -1;                      // of a component: index of the back field of its port; -1:
                                        // no back field
};

/// A parameter that instances of a module set.
struct ModuleParameter {
    std::string name;
    int dimension = -1; // the index of the family that it carries; -1: an initial value
    std::uint64_t width = 32;
    std::vector<Words> values; // of an initial value, per instance
};

/// A parameter of the network that stays one in Verilog: the text is the same for other values.
struct KeptParameter {
    Integer value = 0; // its value in the network's text
    std::string note;  // a comment above it
};
using KeptParameters = std::map<std::string, KeptParameter>;

/// A state in the module of a process.
struct WrittenState {
    std::string name;                       // in Verilog
    std::uint64_t width = 1;                // of a word
    std::uint32_t graph_port = 0;           // unless it is an array: its port in the graph
    std::optional<std::size_t> memory = {}; // of an array: among the memories of the process
    bool is_addressed = false;              // addressed words; another array is a vector
    bool is_reset = true;                   // `rst` gives it its initial value
};

/// A module that was written.
struct WrittenModule {
    std::string name;
    std::vector<ModulePort> ports;
    std::vector<WrittenState> states; // of a process
    std::vector<ModuleParameter> parameters;
    std::vector<std::string> hints;          // causes of larger hardware
    std::vector<rtl::Given> given;           // parameters with one value for all instances
    std::map<std::string, std::string> kept; // parameters of the network, by their names in it
    std::vector<rtl::Connection> fixed;      // of an existing module: connections of other ports
};

/// All modules; modules with equal text are one.
class Modules {
public:
    /// Names the module. Another module may already have the `wanted` name, unless it is reserved
    /// for this one.
    std::string add(const std::string& wanted, rtl::Module module, bool is_reserved = false);
    /// Reserves names that no module gets.
    void reserve(const std::set<std::string>& names) { names_.insert(names.begin(), names.end()); }
    const std::vector<rtl::Module>& all() const { return all_; }
    /// Tests whether a module has a signal; one that nothing reads is left out.
    bool declares(const std::string& module, const std::string& signal) const;

    /// Adds the ports of an existing module, and the parameters that instances give it.
    void add_foreign(rtl::Module module);
    /// Returns each module once per set of parameters.
    const std::vector<rtl::Module>& foreign() const { return foreign_; }

    /// Returns suggestions for a smaller design, a sentence each.
    void add_hint(std::string hint) { hints_.push_back(std::move(hint)); }
    const std::vector<std::string>& hints() const { return hints_; }

private:
    std::vector<rtl::Module> all_, foreign_;
    std::vector<std::string> hints_;
    std::map<std::string, std::string> known_; // by text
    std::set<std::string> names_;
};

/// Returns the initial value of a bus element, or of one forward field, as one vector.
Words initial_bits(const Graph& graph, std::uint64_t element, int field = -1);

/// Return the comments in YAML: those on the lines directly above, and the trailing one, verbatim
/// after '#', each trimmed.
std::vector<std::string> comments_above(const Location& where);
std::string comment_behind(const Location& where);
/// Returns both comments, and for a struct its field layout: "raw is {valid, value[15:0]}".
std::vector<std::string> notes_of(const std::string& name, const Location& where, const Type& type);
/// Wraps long lines at spaces. Comments begin with `comment`.
std::string wrapped(const std::string& text, const char* comment = "//");

} // namespace sme::hdl
