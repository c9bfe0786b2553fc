// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "network/verilog.hpp"
#include "verilator/build/interface_wrapper.hpp"
#include "verilator/inspect/netlist.hpp"

namespace sme::verilator {

/// Returns a wrapper around a module with `inout` ports. Each of them, "pad", becomes two inputs
/// and an output: "pad_in" is driven weakly onto the bits that are 1 in "pad_enable"; "pad_out" is
/// the resolved value: the module's, else the external one, else 0. The text is empty if the module
/// has no such port, or none can be wrapped.
PortWrapper inout_wrapper(const Netlist& netlist, const VerilogModule& module);

} // namespace sme::verilator
