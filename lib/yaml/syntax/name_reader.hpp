// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "yaml/syntax/syntax.hpp"

namespace sme::yaml {

/// Reads the section types.
std::vector<NamedTypeSyntax> read_types(const Node& section, Diagnostics& diagnostics);

/// Reads the sections common to a network, a component and a library: import, parameters, requires,
/// types, constants, functions.
NamesSyntax read_names(const Node& root, Diagnostics& diagnostics);

/// Reads a list of conditions.
std::vector<RequirementSyntax> read_conditions(const Node& section, Diagnostics& diagnostics);

} // namespace sme::yaml
