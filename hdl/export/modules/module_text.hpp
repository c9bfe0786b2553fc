// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.hpp"
#include "export/modules/hdl_value.hpp"
#include "export/modules/module_set.hpp"

namespace sme::hdl {

/// The identifiers of a module, or of a function in it.
class Names {
public:
    explicit Names(Names* outer = nullptr) : outer_{outer} {
        if (outer_)
            outer_->inner_.insert(this);
    }
    ~Names() {
        if (!outer_)
            return;
        outer_->inner_.erase(this);
        outer_->used_inside_.merge(taken_);
    }
    Names(const Names&) = delete;
    Names& operator=(const Names&) = delete;

    /// Takes a name; adds a suffix if the name is taken or reserved around, is taken here or within
    /// the names inside, or is a word of Verilog or SystemVerilog (which Verilator reads).
    std::string take(const std::string& wanted);
    /// Keeps a name for here: names inside, which may be taken earlier, avoid it.
    void reserve(const std::string& wanted);
    bool has(const std::string& name) const {
        return taken_.count(name) > 0 || (outer_ && outer_->has(name));
    }

private:
    bool hides(const std::string& name) const;

    Names* outer_;
    std::set<const Names*> inner_;
    std::set<std::string> taken_;
    std::set<std::string> reserved_;
    std::set<std::string> used_inside_; // by names inside that are closed
    std::map<std::string, int> next_;   // by taken name: the next number to try
};

/// Tests whether a Verilog tool reserves a word.
bool is_keyword(const std::string& word);
/// Returns the words of a text, separated by spaces and newlines.
std::set<std::string, std::less<>> words_of(std::string_view text);
/// Returns a name for a port of the top module that avoids Verilator's warning about C++ words.
std::string top_port(const std::string& name);
/// Returns a name of a network, which may contain dots, as a Verilog name.
std::string identifier(std::string name);

/// The most elements among which a `case` selects; more are a slice that moves.
constexpr std::uint64_t max_selected = 256;

/// The declarations of a module: constants, tables and functions, each created on first use.
class ModuleText {
public:
    /// `clocks`: the names of its clocks and resets.
    explicit ModuleText(Diagnostics& diagnostics,
                        const std::vector<std::string>& clocks = {"clk", "rst"})
        : diagnostics_{diagnostics} {
        for (const std::string& name : clocks)
            names_.take(name);
    }
    ModuleText(const ModuleText&) = delete;
    ModuleText& operator=(const ModuleText&) = delete;

    Names& names() { return names_; }
    Diagnostics& diagnostics() { return diagnostics_; }

    /// Returns the name of an untyped number, in 32 bits: a localparam or a parameter. `nullopt`
    /// for a network parameter that is not kept, because other text depends on its value.
    std::optional<std::string> number(const std::string& name, Integer value);
    /// Adds a parameter of the network or the component. `kept` is null if it is not kept; with
    /// `says_so` a comment states that.
    void add_parameter(const std::string& name, Integer value, const KeptParameter* kept,
                       bool says_so);
    bool keeps(const std::string& name) const { return kept_.count(name) > 0; }
    /// Returns the localparam of a value computed from kept parameters.
    std::string derived(const std::string& wanted, const ExprRef& expression, Integer value);
    /// Returns the parameters that the text uses; each instance sets them.
    std::map<std::string, std::string> kept_parameters() const;
    /// Returns their declarations.
    std::vector<rtl::Parameter> parameter_declarations() const;
    /// Returns the localparam of a value; `value` is a literal.
    std::string constant(const std::string& name, const Type& type, const ExprRef& value);
    /// Returns a member of an enumeration, as a localparam with its name.
    ExprRef member(const Type& type, std::uint64_t value);
    /// Returns a function that returns element `index` of a constant array.
    std::string table(const std::string& name, const expr::ConstantArray& array);

    /// Returns the function for division or remainder with the semantics of the language: the most
    /// negative number divided by -1 wraps; a divisor of 0, which is a fault, gives 0.
    std::string divide(const Type& type, bool remainder);
    /// Counts the bits that are set, in `result` bits.
    std::string population(std::uint64_t width, unsigned result);
    std::string reverse(std::uint64_t width);
    /// Returns the function that selects one of `count` elements side by side. Synthesis makes
    /// fewer cells of its `case` than of a slice that moves, unless elements have 2**n bits.
    std::string selection(std::uint64_t count, const Type& element);

    /// Notes that an index not known before the run selects a word of a memory.
    void add_address(const expr::StateText* memory) { addressed_.insert(memory); }
    const std::set<const expr::StateText*>& addressed() const { return addressed_; }

    /// Results of function calls already written, by function and typing; if the function is a
    /// Verilog function, the term is a call without arguments.
    std::map<std::string, HdlValue>& results() { return results_; }
    void add_function(rtl::Function function) { functions_.emplace_back(std::move(function)); }

    /// Returns everything requested: constants, then functions.
    rtl::Items items() const;

private:
    void add_constant(rtl::Declared what, ExprRef value) {
        constants_.emplace_back(rtl::Constant{std::move(what), std::move(value)});
    }
    rtl::Function over_bits(rtl::Declared result, const std::string& local, std::uint64_t width);

    Names names_;
    struct Kept {
        KeptParameter as;
        std::string name; // in the module; empty: not used
    };
    Diagnostics& diagnostics_;
    std::map<std::string, Kept> kept_;
    std::set<std::string> folded_; // parameters that are not kept
    rtl::Items notes_;
    rtl::Items constants_;
    rtl::Items functions_;
    std::map<std::string, std::string> known_; // names by content
    std::map<std::string, HdlValue> results_;
    std::set<const expr::StateText*> addressed_;
};

/// Adds the parameters of a scope; `kept` may be null.
void add_parameters(ModuleText& module,
                    const std::vector<std::pair<std::string, Integer>>& parameters,
                    const KeptParameters* kept, bool says_so);

} // namespace sme::hdl
