// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "export/modules/module_set.hpp"
#include "export/modules/module_text.hpp"
#include "expr/process/hierarchy.hpp"

namespace sme::hdl {

/// A vector that carries buses in a module: all elements of a family, element 0 rightmost.
struct Signal {
    enum class Role : std::uint8_t { own, input, output };
    std::string name;
    TypeRef type;            // of an element
    std::uint64_t width = 1; // of an element
    std::uint64_t count = 1;
    Role role = Role::own;
    int field = -1; // among the forward fields of the bus; -1: all fields
    int back = -1;  // of a bundle: among its back fields
    const expr::BusView* view = nullptr;
    std::string written; // the signal that its writers drive: a different one if a delay lies
                         // between
    std::string seen;    // of an output: the signal that readers in the module see
    bool is_signed = false;
    bool is_port = false; // of the module
    bool is_reg = false;

    std::uint64_t bits() const { return width * count; }
    /// Returns the bus of an element, in an instance of the scope.
    std::uint64_t element(std::uint64_t instance, std::uint64_t place) const {
        const expr::BusView& of =
            back < 0 ? *view : view->reverse_fields[static_cast<std::size_t>(back)];
        return of.element(instance, place);
    }
};

/// The contents of a scope's module, for callers that look inside.
struct ScopeLayout {
    std::vector<Signal> signals;
    /// Of a generate loop: the labels of the nested blocks, then of the instance.
    std::map<const expr::Unit*, std::vector<std::string>> looped;
    std::map<const expr::Unit*, std::string> names; // of instances or blocks
    /// The states of processes: of each member, or equal for all.
    std::map<const expr::Unit*, std::vector<std::vector<WrittenState>>> states;
};

/// The state shared while a network is written.
struct Export {
    const Graph& graph;
    Diagnostics& diagnostics;
    Modules modules;
    std::set<std::uint64_t> fed;           // buses fed by an input: first elements of families
    std::set<std::uint64_t> shown;         // families of buses that become outputs of the network
    bool uniform = true;                   // all instances of a component have the same initial
                                           // values
    const expr::ModuleView* top = nullptr; // the component with its name reserved
    const expr::ModuleView* network = nullptr;
    KeptParameters kept; // the network's parameters
    bool packed = false; // structs are one vector
    std::map<std::pair<const expr::ModuleView*, std::uint64_t>, WrittenModule> written;
    std::map<std::pair<const expr::ModuleView*, std::uint64_t>, ScopeLayout> layouts;

    std::pair<const expr::ModuleView*, std::uint64_t> key(const expr::ModuleView& scope,
                                                          std::uint64_t instance) const {
        return {&scope, uniform ? 0 : instance};
    }
};

/// Writes a network, or one instance of a component, and everything inside it.
const WrittenModule& write_scope(const expr::ModuleView& scope, std::uint64_t instance,
                                 bool is_network, Export& all);

/// Writes instances member … member + count − 1 of a process of a scope as one module; without a
/// count, all of them.
WrittenModule write_process_of(const expr::ModuleView& scope, std::uint64_t instance,
                               const expr::Unit& unit, Export& all, std::uint64_t member = 0,
                               std::uint64_t count = 0);
/// Returns the bus of a port's element, for a member of a unit of a scope.
std::uint64_t bus_of(const expr::Unit& unit, std::uint64_t instance, const Graph& graph,
                     const ModulePort& port, std::uint64_t member, std::uint64_t element);
/// Returns the parameter values of a member whose module was written for the members from `first`
/// on.
std::vector<rtl::Given> parameters_of(const expr::Unit& unit, const WrittenModule& module,
                                      std::uint64_t member, std::uint64_t first = 0);

/// Returns the path of instance `member` of a family: "node_3", "node[3].unit".
std::string instance_path(const expr::Unit& unit, std::uint64_t member,
                          const std::vector<std::string>* labels, const std::string& name);

} // namespace sme::hdl
