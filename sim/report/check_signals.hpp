// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "expr/process/observe.hpp"
#include "network/graph.hpp"

namespace sme::report {

/// Returns the scalars of buses and states that a check reads, named as in a waveform, in order of
/// their first use; of a check of many instances, those of one.
std::vector<std::string> signals_of(const expr::CheckSet& set, const expr::Check& check,
                                    std::uint64_t instance, const Graph& graph);

/// The same for the rows of a recording; `number` is its index among the network's recordings.
std::vector<std::string> signals_of(const expr::Recording& recording, std::size_t number,
                                    const Graph& graph);

} // namespace sme::report
