// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "verilator/build/verilator_output.hpp"
#include "verilator/inspect/netlist.hpp"
#include "verilator/run/instance_group.hpp"

namespace sme::verilator {

/// Tests whether a port can be a clock or a reset.
inline bool is_control_port(const ModulePort& port) {
    return !port.port.output && port.port.width == 1;
}

/// Tests whether a name is typical for a "clock" or a "reset".
bool is_usually(const ModulePort& port, std::string_view role);

/// Tests whether a reset of that name is usually active low: "rst_n", "aresetn", "nreset", "rst_b".
bool is_active_low(const std::string& name);

/// Returns the warning for such a reset that is active high in a network; `module` as in "module
/// 'm'".
std::string high_advice(const std::string& reset, const std::string& module);

/// Returns the text to write under 'verilog' if unbound inputs are clocks or resets: "'clock: {a:
/// every 1, b: every 1}'". Clocks are recognized by their use in the module or, if the module uses
/// none, by name; the text follows `before`. Empty if no input is one.
std::string control_advice(const VerilogModule& module, const Netlist& netlist,
                           const std::vector<const ModulePort*>& unbound,
                           std::string_view before = {});

/// Returns the difference if a bound value has the same bits as the port but other parts: elements
/// of an unpacked array, fields of a packed struct, members of an enumeration. Reads as in "has
/// ..., but ..."; empty if they agree, or one of them has no such parts.
std::string shape_difference(const BoundPort& bound, const ModulePort& port);

/// Connects the ports of a module to those of a process, and reports mismatches with both sides.
/// Gives the family its parts, and the plan its ports. Returns false if it reported an error.
bool join_ports(const Netlist& netlist, const std::vector<VerilogBinding>& bindings,
                VerilogSources& sources, ModulePlan& plan, ProcessFamily& family,
                Diagnostics& diagnostics);

/// Returns the part that settles the module for all its inputs and reads observed inside signals;
/// added before the clock's part on first use.
Part& looking_part(ModulePlan& plan, ProcessFamily& family);

} // namespace sme::verilator
