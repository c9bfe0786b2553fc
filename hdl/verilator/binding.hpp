// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "verilator/instance_group.hpp"
#include "verilator/messages.hpp"

namespace sme::verilator {

/// Joins the ports of a module to those of a process: what does not fit is reported, with both.
/// Gives the family its parts, and the plan its ports. False when something was reported.
bool join_ports(const Netlist& netlist, const std::vector<VerilogBinding>& bindings,
                VerilogSources& sources, ModulePlan& plan, ProcessFamily& family,
                Diagnostics& diagnostics);

} // namespace sme::verilator
