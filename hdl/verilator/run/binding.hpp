// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "verilator/build/messages.hpp"
#include "verilator/run/instance_group.hpp"

namespace sme::verilator {

/// Joins the ports of a module to those of a process: what does not fit is reported, with both.
/// Gives the family its parts, and the plan its ports. False when something was reported.
bool join_ports(const Netlist& netlist, const std::vector<VerilogBinding>& bindings,
                VerilogSources& sources, ModulePlan& plan, ProcessFamily& family,
                Diagnostics& diagnostics);

/// The part that settles the module for all its inputs and shows what is looked at inside; added
/// when it is first asked for, before the clock's.
Part& looking_part(ModulePlan& plan, ProcessFamily& family);

} // namespace sme::verilator
