// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "network/picture/diagram.hpp"

namespace sme {

/// Returns the picture in Graphviz's language: the hierarchy as clusters, wires dashed. Names may
/// contain any characters. Equal diagrams give equal texts.
std::string to_dot(const Diagram& diagram);

} // namespace sme
