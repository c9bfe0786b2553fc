// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "export/module_set.hpp"
#include "expr/process/hierarchy.hpp"
#include "network/verilog.hpp"

namespace sme::hdl {

/// A module that is a process of the network, as instances of it are connected. One that has a
/// clock but no reset stands still while the network is reset, as in a run.
Written foreign_module(const VerilogInstance& instance, const ProcessFamily& family,
                       const expr::ModuleView& scope);
/// Its ports and the parameters that it is given, without what is in it. No port has a sign.
rtl::Module foreign_shell(const VerilogInstance& instance);

} // namespace sme::hdl
