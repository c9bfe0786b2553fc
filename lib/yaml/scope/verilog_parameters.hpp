// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "yaml/scope/context.hpp"

namespace sme::yaml {

/// Returns true if the value of a parameter is an unquoted text: not a file parameter, and not an
/// expression of known (or similar) names.
bool is_text_parameter(const Node& value, Context& context);

/// Returns a parameter of a module as written in Verilog. `nullopt` after an error was reported.
std::optional<std::string> verilog_parameter(const Node& value, Context& context);

} // namespace sme::yaml
