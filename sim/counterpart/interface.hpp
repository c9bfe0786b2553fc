// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "expr/process/hierarchy.hpp"
#include "network/graph.hpp"
#include "network/pair.hpp"

namespace sme::counterpart {

/// A port of a process or of an instance of a component. The back fields of a bundle are ports of
/// their own, called "x.ready".
struct InterfacePort {
    std::string name;
    bool output = false;
    bool constant = false;               // nothing drives what is bound to it
    TypeRef type;                        // of an element; of a bundle: of its forward fields
    Shape shape;                         // of an array of ports; without dimensions: one
    std::vector<std::uint64_t> elements; // of buses

    /// Of all of it: an array where it is an array of ports.
    TypeRef whole() const {
        return shape.dimensions.empty() ? type : Type::array(type, elements.size());
    }
};

/// What a second implementation has to fit.
struct Interface {
    std::string process; // "filter", "core.alu"
    std::string name;    // with its indices: "core[2].alu"
    Location where;
    Pair::Families families; // in the graph
    std::vector<InterfacePort> ports;

    /// The names of its ports, for messages.
    std::vector<std::string> names() const;
};

/// The ports of a process or of an instance of a component: `instance` counts them in the whole
/// network.
Interface interface_of(const expr::UnitText& unit, std::uint64_t instance, const Graph& graph);

/// Buses like those that the first implementation writes, with the same initial values, and a pair
/// that compares them. The second one is still to be added to the graph.
struct Shadows {
    Pair pair;
    /// Of each output port, in order, the elements that the second implementation writes.
    std::vector<std::vector<std::uint64_t>> outputs;
};
Shadows add_shadows(const Interface& interface, const std::string& other, Graph& graph);

} // namespace sme::counterpart
