// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "network/verilog.hpp"
#include "yaml/scope/context.hpp"

namespace sme::yaml {

/// Reads the value of the key 'verilog'. `nullopt` after an error was reported.
std::optional<VerilogModule> read_verilog(const Node& section, Context& context);

/// Reads the name of a module or a port. It must be an SME identifier, as it becomes part of a
/// command. `key` is the key of the value.
void read_module_name(const Node& node, const char* key, Placed& into, Diagnostics& diagnostics);

/// Reads a port, or a map from ports to their clock rates.
void read_clocks(const Node& node, Context& context, VerilogModule& into);

/// Reads a port, a map with port, active and cycles, or a list of these.
void read_resets(const Node& node, Context& context, VerilogModule& into);

} // namespace sme::yaml
