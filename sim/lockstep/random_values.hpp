// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "lockstep/random_rules.hpp"
#include "network/graph.hpp"

namespace sme::lockstep {

/// A process that feeds random values to all that a graph reads and does not write: any value of
/// the type, the smallest and the largest more often. The same for the same seed, port and cycle.
void add_random_values(Graph& graph, std::uint64_t seed);

/// The same under rules (RandomRows), which hold in every cycle, the first as well. Rules about
/// elements that are no such inputs are left out. Something when no first values were found.
std::optional<Diagnostic> add_random_values(Graph& graph, std::uint64_t seed,
                                            const RandomRules& rules);

/// What is written in a cycle to these elements is read in the next: values that belong together
/// come together.
void shorten_delays(Graph& graph, const std::vector<std::uint64_t>& inputs);
/// A process that feeds elements row by row: part 0 shows the wires of a row, part 1 writes the
/// registers of the next. Ports: the elements, then the `ready` of each handshake, which it reads.
/// Its kind is to be set.
ProcessFamily ruled_feeder_of(const Graph& graph, const std::vector<std::uint64_t>& elements,
                              const std::vector<RandomRules::Handshake>& handshakes,
                              const std::string& name);

/// The rules that are about nothing but these elements, which are in order.
RandomRules about(const RandomRules& rules, const std::vector<std::uint64_t>& elements);

} // namespace sme::lockstep
