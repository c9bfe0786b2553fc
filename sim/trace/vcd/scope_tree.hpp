// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "network/graph.hpp"
#include "trace/collect/change_finder.hpp"
#include "trace/vcd/names.hpp"

namespace sme::trace {

/// A family of buses in a scope, or those elements of it that belong to the scope.
struct PlacedFamily {
    std::size_t family;
    std::string name;    // without the indices of elements; unique in the scope
    std::string own;     // the last part of its network name, unchanged
    std::uint64_t first; // the first of the `shape.count()` elements in this scope
    Shape shape;         // the indices of the elements in this scope
    bool open = false;   // a struct whose fields are in this scope, not in a scope of its own
};

/// A level of the name hierarchy: a bus "core.alu[2].carry" belongs to the scope "alu[2]" of
/// "core".
struct Scope {
    std::string name;
    std::string own;
    NameSet names;
    std::vector<PlacedFamily> families;
    std::vector<std::unique_ptr<Scope>> scopes;
    std::unordered_map<std::string, Scope*> scopes_by_own;
};

/// Builds the scope of the network, with the names of everything that may be traced.
Scope scope_tree(const Graph& graph, const Traced& traced);

} // namespace sme::trace
