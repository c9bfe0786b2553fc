// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "bits/integer.hpp"
#include "bits/words.hpp"
#include "export/rtl/module.hpp"
#include "network/graph.hpp"

namespace sme::hdl {

/// A port of a written module: what it carries of which buses.
struct ModulePort {
    std::string name;               // in Verilog
    std::vector<std::string> notes; // comments that stand above it
    bool output = false;
    std::uint64_t width = 1; // of one element
    std::uint64_t count = 1; // of an array: element 0 rightmost
    bool is_signed = false;
    std::vector<std::int64_t> lows; // of its indices
    std::vector<std::uint64_t> counts;
    int field = -1;                     // among the forward fields of the bus; -1: all of it
    std::optional<std::uint64_t> slice; // of a foreign module: its first bit in what is there
    bool seen = false;                  // reads back, late, what the module writes
    std::string port;                   // as the language calls it; of a back field, its bundle
    std::uint32_t graph_port = 0;       // of a process: the first of its ports in the graph
    int back = -1;                      // of a component: which back field of its port; -1: none
};

/// A parameter that instances of a module give a value.
struct ModuleParameter {
    std::string name;
    int dimension = -1; // the index of the family that it is; -1: an initial value
    std::uint64_t width = 32;
    std::vector<Words> values; // of an initial value, for each instance
};

/// A parameter of the network that stays one in Verilog, whose text is the same for other values.
struct KeptParameter {
    Integer value = 0; // what the text gives it
    std::string note;  // a comment above it
};
using KeptParameters = std::map<std::string, KeptParameter>;

/// A module that was written.
struct Written {
    std::string name;
    std::vector<ModulePort> ports;
    std::vector<ModuleParameter> parameters;
    std::vector<std::string> hints;          // what keeps it from being smaller
    std::vector<rtl::Given> given;           // parameters that all instances have alike
    std::map<std::string, std::string> kept; // parameters of the network, by their names in it
    std::vector<rtl::Connection> fixed; // of a module that was there: connections of other ports
};

/// All modules, each text once.
class Modules {
public:
    /// Gives the module a name. Another module may have the `wanted` one, unless that is reserved
    /// for this one.
    std::string add(const std::string& wanted, rtl::Module module, bool is_reserved = false);
    /// Names that none of them gets.
    void reserve(const std::set<std::string>& names) { names_.insert(names.begin(), names.end()); }
    const std::vector<rtl::Module>& all() const { return all_; }

    /// Takes the ports of a module that was there, and the parameters that instances give it.
    void add_foreign(rtl::Module module);
    /// Each module once for each set of parameters.
    const std::vector<rtl::Module>& foreign() const { return foreign_; }

    /// What a user may want to change for a smaller design, a sentence each.
    void add_hint(std::string hint) { hints_.push_back(std::move(hint)); }
    const std::vector<std::string>& hints() const { return hints_; }

private:
    std::vector<rtl::Module> all_, foreign_;
    std::vector<std::string> hints_;
    std::map<std::string, std::string> known_; // by text
    std::set<std::string> names_;
};

/// What a bus element, or a forward field of it, begins with, as one vector.
Words initial_bits(const Graph& graph, std::uint64_t element, int field = -1);

/// Comments of a YAML text: those on the lines right above, and the one behind, as they stand there
/// after '#', each trimmed.
std::vector<std::string> comments_above(const Location& where);
std::string comment_behind(const Location& where);
/// Both, and of a struct where its fields lie: "raw is {valid, value[15:0]}".
std::vector<std::string> notes_of(const std::string& name, const Location& where, const Type& type);
/// Long lines broken where a space stands. Comments begin with `comment`.
std::string wrapped(const std::string& text, const char* comment = "//");

} // namespace sme::hdl
