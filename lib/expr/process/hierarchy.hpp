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

/// A family of buses as a scope knows it: its own, or what a port of a component is bound to.
struct ViewText {
    enum class Use : std::uint8_t { own, input, output };
    std::string name;
    Use use = Use::own;
    std::vector<std::int64_t> lows; // of its indices; empty: a single bus
    std::vector<std::uint64_t> counts;
    TypeRef type; // of a bundle: with its back fields
    /// The number of a bus element in the network, by instance of the scope and place in the view.
    std::function<std::uint64_t(std::uint64_t instance, std::uint64_t place)> element;
    std::vector<ViewText> backs; // of a bundle, in the order of its back fields
    Location declared;

    std::uint64_t count() const {
        std::uint64_t product = 1;
        for (const std::uint64_t each : counts)
            product *= each;
        return product;
    }
};

/// "port: bus[k]" under `in` or `out`, as it was written.
struct BindingText {
    std::string port;
    std::vector<std::string> indices; // of an array port, "" where they have no name
    AstRef to;
};

struct ModuleView;

/// What stands under one name of `processes`: a family of processes, or of instances of a
/// component. A component with a step is both.
struct UnitText {
    std::string name;
    std::vector<std::string> indices; // "": not named
    std::vector<std::int64_t> lows;
    std::vector<std::uint64_t> counts;
    std::vector<std::uint64_t> kept;            // flat places of those that are kept; empty: all
    std::optional<std::size_t> family;          // of processes: its place in the network
    std::shared_ptr<const ProcessView> process; // null: none; of a module: its ports
    std::unique_ptr<ModuleView> inside;         // of an instance
    std::shared_ptr<const VerilogInstance> verilog; // of a process that is a Verilog module
    std::vector<BindingText> bindings;
    Location declared;

    std::uint64_t count() const {
        std::uint64_t product = 1;
        for (const std::uint64_t each : counts)
            product *= each;
        return kept.empty() ? product : kept.size();
    }
};

/// A network, or a component as it is in an instance (or in all of a family): the names it
/// declares, in the order of its text, for whoever writes it out in another language.
struct ModuleView {
    std::string name;       // as the file says
    Scope* scope = nullptr; // where expressions in it are looked up
    std::vector<std::pair<std::string, Integer>> parameters; // those that are numbers
    std::vector<ViewText> views;
    std::vector<UnitText> units;
    /// The clock domains of what is in it: by its own names, or one without a name. The number is
    /// that in the network.
    struct Domain {
        std::string name;
        std::uint32_t number = 0;
    };
    std::vector<Domain> domains;
    std::uint64_t instances = 1; // how many there are in the whole network
    Location declared;
};

} // namespace sme::expr
