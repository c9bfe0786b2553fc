// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "network/picture/diagram.hpp"

namespace sme {

/// The picture in the language of Graphviz: the hierarchy as clusters, wires dashed, whatever the
/// names hold. The same diagram gives the same text.
std::string to_dot(const Diagram& diagram);

} // namespace sme
