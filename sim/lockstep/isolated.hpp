// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "network/graph.hpp"
#include "network/pair.hpp"

namespace sme::lockstep {

/// The processes of a pair alone, with random values on all buses that they read and do not write.
/// The pair is renumbered.
Graph isolated(const Graph& graph, Pair& pair, std::uint64_t seed);

} // namespace sme::lockstep
