// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "export/module_set.hpp"
#include "expr/process/hierarchy.hpp"
#include "network/verilog.hpp"

namespace sme::hdl {

/// Writes the instances of a Verilog module that is a process of the network. A module with a clock
/// but no reset is not clocked while the network is in reset, as in a run.
Written foreign_module(const VerilogInstance& instance, const ProcessFamily& family,
                       const expr::ModuleView& scope);
/// Returns its ports and given parameters, without its contents. Ports are unsigned.
rtl::Module foreign_shell(const VerilogInstance& instance);

} // namespace sme::hdl
