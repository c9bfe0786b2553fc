// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "expr/process/hierarchy.hpp"

namespace sme::hdl {

/// An instance of a component, or a process, in a network.
struct Top {
    const expr::ModuleView* scope = nullptr; // the scope that contains it
    const expr::Unit* unit = nullptr;
    std::uint64_t scope_instance = 0;  // of `scope`
    std::uint64_t member = 0;          // of the family
    std::vector<std::string> left_out; // the parts beside it, and beside each scope that contains
                                       // it

    /// Returns its number among all instances of its kind.
    std::uint64_t instance() const { return scope_instance * unit->shape.count() + member; }
};

/// Returns the part named `name`: the component of an instance, or an instance or process by its
/// path, such as "console" or "core[2].alu". Reports a name that matches no part, or several.
std::optional<Top> find_top(const expr::ModuleView& network, const std::string& name,
                            Diagnostics& diagnostics);

/// The clock and reset ports of a written module for one clock domain: "clk" and "rst", or
/// "slow_clk" and "slow_rst" in a module with several domains.
struct ClockPorts {
    std::string clock, reset;
};

/// Returns the ports by domain name; the name is "" in a module with one domain.
ClockPorts clock_ports(const std::string& domain);
/// Returns the ports in a scope for a domain of the network.
ClockPorts clock_ports(const expr::ModuleView& scope, std::uint32_t domain);

/// Returns all port names, each clock before its reset.
std::vector<std::string> clock_port_names(const expr::ModuleView& scope);

} // namespace sme::hdl
