// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "yaml/read/tree.hpp"
#include "yaml/scope/network_scope.hpp"

namespace sme::yaml {

/// Reads the functions of a file into a scope, which is their home. What they compute is found when
/// they are called.
void load_functions(const Node& section, NetworkScope& scope, Diagnostics& diagnostics);

} // namespace sme::yaml
