// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "verilator/build/messages.hpp"
#include "verilator/run/instance_group.hpp"

namespace sme::verilator {

/// Connects the ports of a module to those of a process, and reports mismatches with both sides.
/// Gives the family its parts, and the plan its ports. Returns false if it reported an error.
bool join_ports(const Netlist& netlist, const std::vector<VerilogBinding>& bindings,
                VerilogSources& sources, ModulePlan& plan, ProcessFamily& family,
                Diagnostics& diagnostics);

/// Returns the part that settles the module for all its inputs and reads observed inside signals;
/// added before the clock's part on first use.
Part& looking_part(ModulePlan& plan, ProcessFamily& family);

} // namespace sme::verilator
