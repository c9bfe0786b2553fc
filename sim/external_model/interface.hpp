// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "expr/process/hierarchy.hpp"
#include "network/graph.hpp"
#include "network/pair.hpp"

namespace sme::external_model {

/// A port of a process or of an instance of a component. The back fields of a bundle are ports of
/// their own, named "x.ready".
struct InterfacePort {
    std::string name;
    bool output = false;
    bool constant = false;               // bound to a constant
    TypeRef type;                        // of one element; for a bundle: of its forward fields
    Shape shape;                         // of an array of ports; no dimensions: a single port
    std::vector<std::uint64_t> elements; // bus elements

    /// The type of the whole port: an array for an array of ports.
    TypeRef whole() const {
        return shape.dimensions.empty() ? type : Type::array(type, elements.size());
    }
};

/// The interface that a second implementation must match.
struct Interface {
    std::string process; // "filter", "core.alu"
    std::string name;    // including indices: "core[2].alu"
    Location where;
    Pair::Families families; // families in the graph
    std::vector<InterfacePort> ports;

    /// The names of the ports, for messages.
    std::vector<std::string> names() const;
};

/// Returns the ports of a process or of an instance of a component; `instance` is its number in the
/// whole network.
Interface interface_of(const expr::Unit& unit, std::uint64_t instance, const Graph& graph);

/// Copies of the buses that the first implementation writes, with the same initial values, and a
/// pair that compares both. The caller adds the second implementation to the graph.
struct Shadows {
    Pair pair;
    /// For each output port, in order, the elements that the second implementation writes.
    std::vector<std::vector<std::uint64_t>> outputs;
};
Shadows add_shadows(const Interface& interface, const std::string& other, Graph& graph);

} // namespace sme::external_model
