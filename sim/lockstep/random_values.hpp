// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "lockstep/random_rows.hpp"
#include "network/graph.hpp"

namespace sme::lockstep {

/// Adds a process that feeds random values to all inputs of a graph: any value of the type; the
/// smallest and the largest occur more often. The values depend on seed, port and cycle only.
void add_random_values(Graph& graph, std::uint64_t seed);

/// The same under rules (RandomRows), which hold in every cycle, including the first. Ignores rules
/// about other elements. Returns an error if no first values were found.
std::optional<Diagnostic> add_random_values(Graph& graph, std::uint64_t seed,
                                            const RandomRules& rules);

/// Shortens the delays of these elements to one cycle, so that values that belong together arrive
/// together.
void shorten_delays(Graph& graph, const std::vector<std::uint64_t>& inputs);
/// A process that feeds elements row by row: part 0 writes the wires of a row, part 1 the registers
/// of the next. Ports: the elements, then the `ready` of each handshake, which it reads. The caller
/// sets its kind.
ProcessFamily ruled_feeder_of(const Graph& graph, const std::vector<std::uint64_t>& elements,
                              const std::vector<RandomRules::Handshake>& handshakes,
                              const std::string& name);

/// The rules that concern only these elements, which are sorted.
RandomRules about(const RandomRules& rules, const std::vector<std::uint64_t>& elements);

} // namespace sme::lockstep
