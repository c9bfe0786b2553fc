// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "network/graph.hpp"
#include "trace/collect/family_signals.hpp"
#include "trace/vcd/vcd_names.hpp"

namespace sme::trace {

/// A family of buses in a scope, or those elements of it that lie there.
struct PlacedFamily {
    std::size_t family;
    std::string name;    // without the indices of elements, and unlike all others of the scope
    std::string own;     // its last part in the network, unchanged
    std::uint64_t first; // the elements that lie here: from this one on, as many as `shape` has
    Shape shape;         // their indices in this scope
    bool open = false;   // a struct whose fields lie in this scope, not in one of their own
};

/// A level of the hierarchy of names: a bus "core.alu[2].carry" lies in the scope "alu[2]" of
/// "core".
struct Scope {
    std::string name;
    std::string own;
    NameSet names;
    std::vector<PlacedFamily> families;
    std::vector<std::unique_ptr<Scope>> scopes;
    std::unordered_map<std::string, Scope*> scopes_by_own;
};

/// The scope of the network with the names of all that may be traced.
Scope scope_tree(const Graph& graph, const Traced& traced);

} // namespace sme::trace
