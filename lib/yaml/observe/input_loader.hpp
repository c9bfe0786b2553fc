// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "yaml/scope/declarations.hpp"

namespace sme::yaml {

/// Loads the inputs section: each fed family of buses gets a process that writes its rows.
void load_inputs(const std::vector<InputSyntax>& section, Context& context);

} // namespace sme::yaml
