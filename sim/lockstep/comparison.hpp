// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "network/graph.hpp"
#include "network/pair.hpp"
#include "sme/lockstep.hpp"

namespace sme::lockstep {

/// The result of comparing a pair. Updated during the run.
struct Comparison : Agreement {
    Pair pair;
};

/// Adds the observer that compares a pair. A difference ends the run after its cycle.
std::shared_ptr<const Comparison> add_comparison(Graph& graph, const Pair& pair);

} // namespace sme::lockstep
