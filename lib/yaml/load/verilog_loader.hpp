// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "yaml/scope/context.hpp"

namespace sme::yaml {

/// Loads a family of processes that are a Verilog module, as `body` says under its key 'verilog'.
Unit load_verilog_process(Context& context, const Node& body, const std::string& name,
                          const Shape& shape, const Location& where);

} // namespace sme::yaml
