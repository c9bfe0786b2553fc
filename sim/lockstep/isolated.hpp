// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "network/graph.hpp"
#include "network/pair.hpp"

namespace sme::lockstep {

/// The processes of pairs alone, with random values on all buses that they read and do not write.
/// The pairs are renumbered.
Graph isolated(const Graph& graph, std::vector<Pair>& pairs, std::uint64_t seed);

} // namespace sme::lockstep
