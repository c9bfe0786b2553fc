// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "expr/process/observe.hpp"
#include "network/graph.hpp"

namespace sme::report {

/// The scalars of buses and states that a check looks at, as a waveform names them, in the order in
/// which they first stand in it.
std::vector<std::string> signals_of(const expr::CheckSet& set, const expr::Check& check,
                                    const Graph& graph);

/// The same of the rows of a recording, which is that of this number among those of the network.
std::vector<std::string> signals_of(const expr::Recording& recording, std::size_t number,
                                    const Graph& graph);

} // namespace sme::report
