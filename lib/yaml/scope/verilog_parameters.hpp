// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "yaml/scope/context.hpp"

namespace sme::yaml {

/// Whether the value of a parameter is a text without quotes of its own: no file parameter, and no
/// expression of names that are known, or like one that is.
bool is_text_parameter(const Node& value, Context& context);

/// A parameter of a module as Verilog writes it. Nothing when something was reported.
std::optional<std::string> verilog_parameter(const Node& value, Context& context);

} // namespace sme::yaml
