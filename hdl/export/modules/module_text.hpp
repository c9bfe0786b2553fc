// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "export/expressions/term.hpp"
#include "export/module_set.hpp"
#include "export/modules/names.hpp"

namespace sme::hdl {

/// What stands in a module beside what it does: constants, tables and functions, each made when it
/// is first asked for.
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

    /// The name of a number without a type, in 32 bits: a localparam, or a parameter. Nothing for a
    /// parameter of the network that is not kept: its value is part of too much else.
    std::optional<std::string> number(const std::string& name, Integer value);
    /// A parameter of the network, or of the component. `kept` is null when it is not kept, which a
    /// comment says with `says_so`.
    void add_parameter(const std::string& name, Integer value, const KeptParameter* kept,
                       bool says_so);
    bool keeps(const std::string& name) const { return kept_.count(name) > 0; }
    /// The localparam of what is computed from kept parameters.
    std::string derived(const std::string& wanted, const ExprRef& expression, Integer value);
    /// Those parameters that the text uses: whoever makes an instance gives them a value.
    std::map<std::string, std::string> kept_parameters() const;
    /// Their declarations.
    std::vector<rtl::Parameter> parameter_declarations() const;
    /// The localparam of a value; `value` is a literal.
    std::string constant(const std::string& name, const Type& type, const ExprRef& value);
    /// A member of an enumeration, as a localparam of its name.
    ExprRef member(const Type& type, std::uint64_t value);
    /// A function that gives element `index` of a constant array.
    std::string table(const std::string& name, const expr::ConstantArray& array);

    /// The function that divides, or gives the remainder, as the language does: the most negative
    /// number divided by -1 wraps, and a divisor of 0, which is a fault, gives 0.
    std::string divide(const Type& type, bool remainder);
    /// How many of the bits are set, in `result` bits.
    std::string population(std::uint64_t width, unsigned result);
    std::string reverse(std::uint64_t width);

    /// Notes that an index which is not known before the run chooses a word of a memory.
    void add_address(const expr::StateText* memory) { addressed_.insert(memory); }
    const std::set<const expr::StateText*>& addressed() const { return addressed_; }

    /// What calls of functions give that were written before, by function and typing; where the
    /// function is one in Verilog, the text is its name.
    std::map<std::string, Term>& results() { return results_; }
    void add_function(rtl::Function function) { functions_.emplace_back(std::move(function)); }

    /// Everything that was asked for: constants, then functions.
    rtl::Items items() const;

private:
    void add_constant(rtl::Declared what, ExprRef value) {
        constants_.emplace_back(rtl::Constant{std::move(what), std::move(value)});
    }
    void add_function(rtl::Function::Kind kind, rtl::Declared result, std::uint64_t argument_width);

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
    std::map<std::string, std::string> known_; // by what they are: names
    std::map<std::string, Term> results_;
    std::set<const expr::StateText*> addressed_;
};

/// Adds the parameters of a scope; `kept` may be null.
void add_parameters(ModuleText& module,
                    const std::vector<std::pair<std::string, Integer>>& parameters,
                    const KeptParameters* kept, bool says_so);

} // namespace sme::hdl
