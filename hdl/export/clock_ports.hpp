// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "expr/process/hierarchy.hpp"

namespace sme::hdl {

/// The ports of a written module that clock what is in one clock domain: "clk" and "rst", or
/// "slow_clk" and "slow_rst" of a module that is in several.
struct ClockPorts {
    std::string clock, reset;
};

/// By the name of a domain; "" of a module that is in one.
ClockPorts clock_ports(const std::string& domain);
/// In a scope, of a domain of the network.
ClockPorts clock_ports(const expr::ModuleView& scope, std::uint32_t domain);

/// The names of all of them, the clock first.
std::vector<std::string> clock_port_names(const expr::ModuleView& scope);

} // namespace sme::hdl
