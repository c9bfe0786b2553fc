// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sme/verilog.hpp"

namespace sme::internal {

/// A module built with the program.
struct BuiltModule {
    const char* description; ///< JSON from the generator
    const void* (*abi)();    ///< see hdl/verilator/module/abi.h
};
void add_verilog(Network& network, const Name& name, const BuiltModule& module,
                 const VerilogConnections& ports, const VerilogOptions& options);

} // namespace sme::internal
