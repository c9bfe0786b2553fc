// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "yaml/syntax/syntax.hpp"

namespace sme::yaml {

/// Reads the section types.
std::vector<NamedTypeSyntax> read_types(const Node& section, Diagnostics& diagnostics);

} // namespace sme::yaml
