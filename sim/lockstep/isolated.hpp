// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "network/graph.hpp"
#include "network/pair.hpp"

namespace sme::lockstep {

/// The processes of a pair alone. Renumbers the pair.
Graph isolated(const Graph& graph, Pair& pair);

/// The bus elements that the processes of a graph read and do not write, without constants.
std::vector<std::uint64_t> open_inputs(const Graph& graph);

/// A process that feeds these elements: its ports and its part. The caller sets its kind.
ProcessFamily feeder_of(const Graph& graph, const std::vector<std::uint64_t>& elements,
                        const std::string& name);

/// The slot bytes of an element's initial value; all zero without one.
std::vector<std::byte> initial_of(const Graph& graph, std::uint64_t element);
/// Changes the initial value of that element alone.
void set_initial(Graph& graph, std::uint64_t element, const std::byte* value);

} // namespace sme::lockstep
