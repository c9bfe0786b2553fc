// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "lockstep/random_rows.hpp"
#include "network/graph.hpp"

namespace sme::lockstep {

/// Values of inputs: cycle r reads row r.
struct FedRows {
    std::vector<std::uint64_t> elements;
    std::vector<std::size_t> offsets; // by element, in a row
    std::vector<std::vector<std::byte>> rows;
    /// A run with these rows broke a handshake: an offer was not accepted, and the next row changes
    /// it.
    bool broke = false;
};

/// Adds an observer that records the rows of a run.
void add_recorder(Graph& graph, std::shared_ptr<FedRows> into);

/// Adds a process that feeds rows, and repeats the last one. The rows may change before each run;
/// `begin_with` then sets the row of cycle 0.
void add_feeder(Graph& graph, std::shared_ptr<FedRows> rows,
                const std::vector<RandomRules::Handshake>& handshakes);
void begin_with(const FedRows& rows, Graph& graph);

} // namespace sme::lockstep
