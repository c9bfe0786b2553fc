// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "yaml/syntax/syntax.hpp"

namespace sme::yaml {

/// The sections that a network, a component and a library have in common: import, parameters,
/// requires, types, constants, functions.
NamesSyntax read_names(const Node& root, Diagnostics& diagnostics);

/// A list of conditions.
std::vector<RequirementSyntax> read_conditions(const Node& section, Diagnostics& diagnostics);

} // namespace sme::yaml
