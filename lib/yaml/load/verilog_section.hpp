// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "network/verilog.hpp"
#include "yaml/scope/context.hpp"

namespace sme::yaml {

/// Reads the value of the key 'verilog'. `nullopt` after an error was reported.
std::optional<VerilogModule> read_verilog(const Node& section, Context& context);

} // namespace sme::yaml
