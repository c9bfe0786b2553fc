// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "network/graph.hpp"
#include "sme/group.hpp"

namespace sme::lockstep {

/// Writes values to each of its ports in every cycle: any value of the type, the smallest and the
/// largest more often. The same for the same seed, port and cycle.
std::shared_ptr<const GroupFactory> random_values(std::uint64_t seed);

/// A process that feeds them to all that the graph reads and does not write.
void add_random_values(Graph& graph, std::uint64_t seed);

} // namespace sme::lockstep
