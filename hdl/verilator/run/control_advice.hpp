// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "verilator/inspect/netlist.hpp"

namespace sme::verilator {

/// Whether it can be a clock or a reset.
inline bool is_control_port(const ModulePort& port) {
    return !port.port.output && port.port.width == 1;
}

/// Whether its name is that of a "clock" or a "reset".
bool is_usually(const ModulePort& port, std::string_view role);

/// Whether a reset of that name is usually active low: "rst_n", "aresetn", "nreset", "rst_b".
bool is_active_low(const std::string& name);

/// The warning of such a reset that is active high in a network; `module` as in "module 'm'".
std::string high_advice(const std::string& reset, const std::string& module);

/// What to write under 'verilog' where some inputs that are bound to nothing are clocks or resets:
/// "'clock: {a: every 1, b: every 1}'". A clock is known by what the module does with it or, where
/// none is named, by its name; after `before`. Empty: no input is one.
std::string control_advice(const VerilogModule& module, const Netlist& netlist,
                           const std::vector<const ModulePort*>& unbound,
                           std::string_view before = {});

} // namespace sme::verilator
