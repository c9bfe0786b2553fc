// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "yaml/syntax/syntax.hpp"

namespace sme::yaml {

// Each function reads a file whose root is a map, and reports errors of form.

FileSyntax read_network(const Node& root, Diagnostics& diagnostics);
/// `name` is the name of the component.
FileSyntax read_component(const Node& root, const std::string& name, Diagnostics& diagnostics);
FileSyntax read_library(const Node& root, Diagnostics& diagnostics);

} // namespace sme::yaml
