// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "network/graph.hpp"

namespace sme::cli {

/// Why the first of these patterns that no bus matches matches none, with names that are near it;
/// empty: each matches some. `state`: states count, too.
std::string unmatched(const Graph& graph, const std::vector<std::string>& patterns, bool state);

/// The patterns as one selection.
std::string joined(const std::vector<std::string>& patterns);

} // namespace sme::cli
