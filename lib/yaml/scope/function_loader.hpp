// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "yaml/scope/network_scope.hpp"
#include "yaml/syntax/syntax.hpp"

namespace sme::yaml {

/// Puts the functions of a file into a scope, which is their home. What they compute is found when
/// they are called.
void load_functions(const std::vector<FunctionSyntax>& section, NetworkScope& scope,
                    Diagnostics& diagnostics);

} // namespace sme::yaml
