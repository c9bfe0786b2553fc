// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "yaml/scope/context.hpp"

namespace sme::yaml {

/// Loads a family of processes that are a Verilog module.
Unit load_verilog_process(Context& context, const ProcessSyntax& body, const std::string& name,
                          const Shape& shape);

} // namespace sme::yaml
