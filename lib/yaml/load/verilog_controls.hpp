// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "network/verilog.hpp"
#include "yaml/scope/context.hpp"

namespace sme::yaml {

/// A name of the language's shape, of a module or a port: it becomes part of a command. `key`: what
/// it stands under.
void read_module_name(const Node& node, const char* key, Placed& into, Diagnostics& diagnostics);

/// A port, or a map of ports and when they rise.
void read_clocks(const Node& node, Context& context, VerilogModule& into);

/// A port, a map with port, active and cycles, or a list of these.
void read_resets(const Node& node, Context& context, VerilogModule& into);

} // namespace sme::yaml
