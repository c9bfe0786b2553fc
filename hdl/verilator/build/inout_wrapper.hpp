// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "network/verilog.hpp"
#include "verilator/build/interface_wrapper.hpp"
#include "verilator/inspect/netlist.hpp"

namespace sme::verilator {

/// A module around one with `inout` ports. Each of them, "pad", becomes two inputs and an output:
/// "pad_in", which is driven weakly into the bits that are 1 in "pad_enable", and "pad_out", what can
/// be seen there: what the module drives, else what is driven into it, else 0. Without a text where
/// there is no such port, or none of these can be made.
PortWrapper inout_wrapper(const Netlist& netlist, const VerilogModule& module);

} // namespace sme::verilator
