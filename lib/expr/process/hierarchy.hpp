// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "expr/process/process.hpp"

namespace sme {
struct VerilogInstance; // network/verilog.hpp
}

namespace sme::expr {

/// A family of buses in the view of a scope: its own buses, or the buses bound to a port of a
/// component.
struct ViewText {
    enum class Use : std::uint8_t { own, input, output };
    std::string name;
    Use use = Use::own;
    std::vector<std::int64_t> lows; // low end of each index; empty: a single bus
    std::vector<std::uint64_t> counts;
    TypeRef type; // for a bundle, including its back fields
    /// The number of a bus element in the network, by instance of the scope and position in the
    /// view.
    std::function<std::uint64_t(std::uint64_t instance, std::uint64_t place)> element;
    std::vector<ViewText> backs; // for a bundle, in the order of its back fields
    Location declared;

    std::uint64_t count() const {
        std::uint64_t product = 1;
        for (const std::uint64_t each : counts)
            product *= each;
        return product;
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
struct UnitText {
    std::string name;
    std::vector<std::string> indices; // "": unnamed
    std::vector<std::int64_t> lows;
    std::vector<std::uint64_t> counts;
    std::vector<std::uint64_t> kept;                // flat positions of kept members; empty: all
    std::optional<std::size_t> family;              // for processes: index in the network
    std::shared_ptr<const ProcessView> process;     // null if absent; of a module: its ports
    std::unique_ptr<ModuleView> inside;             // for an instance
    std::shared_ptr<const VerilogInstance> verilog; // for a process that is a Verilog module
    std::vector<BindingText> bindings;
    Location declared;

    std::uint64_t count() const {
        std::uint64_t product = 1;
        for (const std::uint64_t each : counts)
            product *= each;
        return kept.empty() ? product : kept.size();
    }
};

/// A network, or a component as seen in an instance (or in all instances of a family): the names it
/// declares, in source order, for exporters.
struct ModuleView {
    std::string name;                                        // as in the file
    Scope* scope = nullptr;                                  // scope for its expressions
    std::vector<std::pair<std::string, Integer>> parameters; // parameters that are numbers
    std::vector<ViewText> views;
    std::vector<UnitText> units;
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
