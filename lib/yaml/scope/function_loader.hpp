// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "yaml/scope/network_scope.hpp"
#include "yaml/syntax/syntax.hpp"

namespace sme::yaml {

/// Adds the functions of a file to a scope, their home. Their bodies are elaborated at each call.
void load_functions(const std::vector<FunctionSyntax>& section, NetworkScope& scope,
                    Diagnostics& diagnostics);

} // namespace sme::yaml
