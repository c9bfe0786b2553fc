// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "network/graph.hpp"
#include "network/pair.hpp"
#include "sme/lockstep.hpp"

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

/// The result of comparing a pair. Updated during the run.
struct Comparison : Agreement {
    Pair pair;
};

/// Adds the observer that compares a pair. A difference ends the run after its cycle.
std::shared_ptr<const Comparison> add_comparison(Graph& graph, const Pair& pair);

} // namespace sme::lockstep
