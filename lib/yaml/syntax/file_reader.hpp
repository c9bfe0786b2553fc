// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "yaml/syntax/syntax.hpp"

namespace sme::yaml {

// Each reads a file whose root is a map, and reports what is wrong with its form.

FileSyntax read_network(const Node& root, Diagnostics& diagnostics);
/// `name` is what the component is called.
FileSyntax read_component(const Node& root, const std::string& name, Diagnostics& diagnostics);
FileSyntax read_library(const Node& root, Diagnostics& diagnostics);

} // namespace sme::yaml
