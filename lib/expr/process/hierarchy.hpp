// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "expr/process/process.hpp"
#include "network/segments.hpp"
#include "network/shape.hpp"

namespace sme {
struct VerilogInstance; // network/verilog.hpp
}

namespace sme::expr {

/// Buses under one name in a scope: the scope's own family, or the buses bound to a port of a
/// component.
struct BusView {
    enum class Use : std::uint8_t { own, input, output };
    std::string name;
    std::string field;  // for a reverse field of a bundle: its name
    std::string closes; // for the port "x.closed": the port x of a channel
    Shape shape;        // as seen in the scope
    TypeRef type;       // for a bundle, including its reverse fields
    Use use = Use::own;
    bool wire = false;
    Unwritten unwritten = Unwritten::zero;
    Location declared;
    /// Maps instance of the scope · shape.count() + position to the number of a bus element.
    Segments elements;
    /// For a bundle: the buses of each reverse field, in the order of the fields.
    std::vector<BusView> reverse_fields;

    /// Returns the element at a position as one instance of the scope sees it.
    std::uint64_t element(std::uint64_t instance, std::uint64_t place) const {
        return static_cast<std::uint64_t>(elements.at(instance * shape.count() + place));
    }
};

/// A binding as written: "port: bus[k]" under `in` or `out`.
struct BindingText {
    std::string port;
    std::vector<std::string> indices; // for an array port, "" if unnamed
    AstRef to;
};

struct ModuleView;

/// The entry of one name in `processes`: a family of processes, or of instances of a component. A
/// component with a step is both.
struct Unit {
    std::string name;
    Shape shape;                                    // as seen in the scope
    std::optional<std::size_t> family;              // for processes: index in the network
    std::shared_ptr<const ProcessView> process;     // null if absent; of a module: its ports
    std::shared_ptr<const BoundProcess> bound;      // null unless kept for an exporter
    std::shared_ptr<const VerilogInstance> verilog; // for a process that is a Verilog module
    const ModuleView* inside = nullptr;             // for an instance: its scope
    std::vector<BindingText> bindings;
    Location declared;
};

/// A network, or a component as seen in an instance (or in all instances of a family): the names it
/// declares, in source order, for exporters.
struct ModuleView {
    std::string name;                                        // as in the file
    Scope* scope = nullptr;                                  // scope for its expressions
    std::vector<std::pair<std::string, Integer>> parameters; // parameters that are numbers
    std::vector<const BusView*> views;
    std::vector<const Unit*> units;
    /// Its clock domains, by their local names, or one domain without a name. The number is that in
    /// the network.
    struct Domain {
        std::string name;
        std::uint32_t number = 0;
    };
    std::vector<Domain> domains;
    std::uint64_t instances = 1; // in the whole network
    Location declared;
};

} // namespace sme::expr
