// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "network/graph.hpp"
#include "network/pair.hpp"

namespace sme::lockstep {

/// The processes of a pair alone. The pair is renumbered.
Graph isolated(const Graph& graph, Pair& pair);

/// What the processes of a graph read and do not write, constants left out: elements of buses.
std::vector<std::uint64_t> open_inputs(const Graph& graph);

/// A process that feeds these elements: its ports and its part. Its kind is to be set.
ProcessFamily feeder_of(const Graph& graph, const std::vector<std::uint64_t>& elements,
                        const std::string& name);

/// The slot bytes of an element's initial value; all zero without one.
std::vector<std::byte> initial_of(const Graph& graph, std::uint64_t element);
/// Changes it, for that element alone.
void set_initial(Graph& graph, std::uint64_t element, const std::byte* value);

} // namespace sme::lockstep
