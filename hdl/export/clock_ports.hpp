// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "expr/process/hierarchy.hpp"

namespace sme::hdl {

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
