// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "verilator/inspect/netlist.hpp"

namespace sme::verilator {

/// Whether it can be a clock or a reset.
inline bool is_control_port(const ModulePort& port) {
    return !port.port.output && port.port.width == 1;
}

/// Whether a reset of that name is usually active low: "rst_n", "aresetn", "nreset", "rst_b".
bool is_active_low(const std::string& name);

/// What to write under 'verilog' where some inputs that are bound to nothing are clocks or resets:
/// "'clock: {a: every 1, b: every 1}'". A clock is known by what the module does with it or, where
/// none is named, by its name. Empty: none of them is one.
std::string control_advice(const VerilogModule& module, const Netlist& netlist,
                           const std::vector<const ModulePort*>& unbound);

} // namespace sme::verilator
