// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "export/export.hpp"
#include "export/vhdl/expr_text.hpp"
#include "export/vhdl/names.hpp"

namespace sme::hdl::vhdl {

/// An existing Verilog module.
struct Component {
    rtl::Module module;                       // its ports and parameters
    std::string path;                         // "work.filter_components.fir"
    std::map<std::string, std::string> names; // of its ports and parameters, in VHDL

    /// Returns the value of a parameter, in VHDL.
    static std::string value(const rtl::ExprRef& given);
};

/// Returns the type of a component's port: std_logic or std_logic_vector, which all tools accept.
std::string port_type(const rtl::Declared& port);

/// The existing modules of a network, as packages of components. A module whose ports depend on its
/// parameters is one component in each of several packages.
class Components {
public:
    /// `names` names the packages.
    Components(const Exported& exported, Names& names);

    std::vector<ExportedFile> files() const;
    /// Returns the component of an instance; null for a written module.
    const Component* of(const rtl::Instance& instance) const;

private:
    struct Package {
        std::string name;
        std::map<std::string, std::string> texts; // of components, by module
    };
    void add(const rtl::Module& module, const std::string& name, const std::string& wanted,
             Names& names);

    std::vector<Package> packages_;
    std::map<std::string, Component> all_; // by module and parameters
};

/// The units of instances: all written modules, by name, and components.
struct Library {
    Library(const Exported& exported, Names& names);

    std::map<std::string, const rtl::Module*> modules;
    Components components;
};

/// The inside of a module that it shows to a test bench, as one vector, the first leftmost: some
/// signals, then the vectors that its instances show, in the order of the module.
struct Shown {
    std::vector<std::string> signals;          // of the module itself
    std::map<std::string, std::uint64_t> bits; // of instances by name, of families by label
    std::uint64_t width = 0;                   // total
};

/// Writes a module as an entity and its architecture. With `shown` it is a copy called
/// `inside_name(its name)` with one more port, `shown`, and so are its instances that show
/// something.
std::string module_text(const rtl::Module& module, const Library& library, Names names,
                        const Shown* shown = nullptr);
std::string inside_name(const std::string& module);

/// Writes an instance of a module. Ports that cannot be associated directly get an intermediate
/// signal: GHDL 2.0.0 crashes on converted slices in a port map, an output cannot be part of a
/// concatenation, and ports of components are vectors of std_logic.
class InstanceText {
public:
    /// `shown` is associated with the port `shown` of the module's copy; empty: the module itself.
    InstanceText(const rtl::Instance& instance, const Library& library, const Scope& scope,
                 Names& names, const std::string& shown);

    /// Declarations of the intermediate signals.
    std::string declarations(const std::string& indent) const;
    std::string text(const std::string& indent) const;

private:
    void connect(const rtl::Connection& connection, const rtl::Declared& port);
    void take_apart(const std::string& name, const rtl::ExprRef& to, const rtl::Declared& port);
    std::string between(const rtl::Declared& port);
    std::string generics() const;
    std::string formal(const std::string& name) const;
    bool is_vector(const rtl::Declared& port) const { return component_ && port.width > 1; }

    const rtl::Instance& instance_;
    const Component* component_; // null: a written module
    const rtl::Module& module_;
    bool clocked_late_ = false;
    const Scope& scope_;
    ExprText expr_;
    Names& names_;
    std::string shown_;
    std::vector<std::string> declared_;
    std::vector<std::string> assigned_;
    std::vector<std::string> ports_;
};

/// The inside that the copies of modules show, and the position of each watched signal in the
/// vector that the copy of the top module shows.
class ShownInside {
public:
    ShownInside(const Exported& exported, const Library& library);

    /// By module; only modules that show something.
    const std::map<std::string, Shown>& modules() const { return shown_; }
    /// Returns the lowest bit of a signal, named as in `Watched::path`.
    std::uint64_t low_bit(const std::string& path) const;
    std::uint64_t width() const;

private:
    /// "node[3].unit" or "node": an instance, with its index in a family.
    struct Step {
        const rtl::Item* item = nullptr;
        const rtl::Instance* instance = nullptr;
        std::string label; // of the instance, or of the family
        std::uint64_t member = 0;
        std::uint64_t members = 1;
    };
    Step step(const rtl::Module& module, std::string& path) const;
    void add(const rtl::Module& module, std::string path);
    std::uint64_t measure(const rtl::Module& module);
    static std::uint64_t width_of(const rtl::Module& module, const std::string& signal);
    static std::uint64_t members_of(const rtl::Generate& generate);

    const Exported& exported_;
    const Library& library_;
    std::map<std::string, Shown> shown_;
};

const rtl::Module& top_of(const Exported& exported);
/// Returns the output port of the top module that a watched signal is, if any.
const rtl::Port* output_of(const Exported& exported, const std::string& path);

/// "-- text"
std::string comment_line(const std::string& indent, const std::string& text);

/// Writes statements in VHDL-2008.
class StatementText {
public:
    /// Variables of a scope are assigned with ":=". `names` names the loops.
    StatementText(const Scope& scope, Names& names) : scope_{scope}, expr_{scope}, names_{names} {}

    std::string block(const rtl::Statements& statements, const std::string& indent);

private:
    std::string one(const rtl::Statement& statement, const std::string& indent);
    std::string assign(const rtl::Statement& statement, const std::string& indent);
    std::string assign_moving(const rtl::Statement& statement, const std::string& indent);
    std::string chain(const rtl::Statement& statement, const std::string& indent);
    std::string cases(const rtl::Statement& statement, const std::string& indent);
    std::string tests(const rtl::Statement& statement, const std::string& indent);
    /// Returns the value of a case label, to find duplicates.
    std::string key_of(const rtl::ExprRef& label) const;

    const Scope& scope_;
    ExprText expr_;
    Names& names_;
};

/// Writes a function in the declarations of an architecture, after the declarations that it needs.
std::string function_text(const rtl::Function& function, const Scope& scope, Names& names);

/// The package `sme_bits`: functions that modules need beyond numeric_std.
extern const char* const bits_package;

} // namespace sme::hdl::vhdl
