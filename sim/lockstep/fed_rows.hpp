// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "lockstep/random_rules.hpp"
#include "network/graph.hpp"

namespace sme::lockstep {

/// Values of inputs: row r is what is read in cycle r.
struct FedRows {
    std::vector<std::uint64_t> elements;
    std::vector<std::size_t> offsets; // of each element, in a row
    std::vector<std::vector<std::byte>> rows;
    /// A run that was fed with them broke a handshake: something was offered and not taken, and the
    /// next row offers something else.
    bool broke = false;
};

/// Adds an observer that takes down the rows of a run.
void add_recorder(Graph& graph, std::shared_ptr<FedRows> into);

/// Adds a process that feeds rows; after the last one, it again. They may change before each run;
/// `begin_with` then makes the first one what is read in cycle 0.
void add_feeder(Graph& graph, std::shared_ptr<FedRows> rows,
                const std::vector<RandomRules::Handshake>& handshakes);
void begin_with(const FedRows& rows, Graph& graph);

} // namespace sme::lockstep
