// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include "network/graph.hpp"
#include "yaml/design.hpp"
#include "yaml/initial.hpp"
#include "yaml/network_scope.hpp"
#include "yaml/tree.hpp"

namespace sme::yaml {

/// What the sections of one network file share while it is loaded.
struct Context {
    Diagnostics& diagnostics;
    const LoadOptions& options;
    const Kinds& kinds;
    std::string folder; // of the network file; empty: the working folder
    NetworkScope scope;
    Initials initials;
    Design design;
    std::map<std::string, std::size_t> buses;     // name → place in the graph
    std::map<std::string, std::size_t> processes; // name → place in the graph
    Integer memory_bytes = 0;                     // of all arrays of states and stages of delays
    std::set<std::string> broken_buses;           // reported where they are declared

    Context(const LoadOptions& load_options, const Kinds& who, std::string beside,
            Diagnostics& into)
        : diagnostics{into}, options{load_options}, kinds{who}, folder{std::move(beside)},
          scope{load_options.work}, initials{scope, folder, into} {}
    bool spend(std::uint64_t units, const Location& where) {
        return scope.spend(units, where, diagnostics);
    }
    /// Counts what arrays of states and stages of delays need; reports what is too much.
    bool take_memory(Integer bytes, const std::string& name, const Location& where);
};

/// The ranges of a family; nothing when something was reported. `most` is how many members it may
/// have.
std::optional<Shape> read_shape(const expr::FamilyName& name, Context& context);

/// A type from a text or a map of fields; null when something was reported.
TypeRef read_type(const Node& node, const std::string& name, Context& context);

void load_parameters(const Node& section, Context& context);
void load_requires(const Node& section, Context& context);
void load_types(const Node& section, Context& context);
void load_constants(const Node& section, Context& context);
void load_clock(const Node& section, Context& context);
void load_buses(const Node& section, Context& context);

} // namespace sme::yaml
