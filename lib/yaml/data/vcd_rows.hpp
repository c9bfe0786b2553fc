// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "network/graph.hpp"
#include "yaml/data/input_row.hpp"
#include "yaml/read/tree.hpp"

namespace sme::yaml {

/// A bus fed from a file of value changes, and its sampling.
struct VcdInput {
    enum class Edge : std::uint8_t { rising, falling };
    enum class Sample : std::uint8_t { before, after };
    std::string path;
    Location where;             // location of the file's name
    std::optional<Word> signal; // nullopt: named as in SME's own traces
    std::optional<Word> clock;
    const ClockDomain* domain = nullptr; // domain of its readers; null: the network's only domain
    Edge edge = Edge::rising;
    Sample sample = Sample::before;
    enum class Unknown : std::uint8_t { error, zero };
    Unknown unknown = Unknown::error;
};

/// Reads the rows of an input from a file of value changes: the values of its signals just before
/// (or right after) each clock edge; for a stream, each transferred value. Null after reporting
/// values that cannot form a row.
std::shared_ptr<InputRows> rows_of_vcd(const VcdInput& input, const InputRow& row,
                                       Diagnostics& diagnostics);

} // namespace sme::yaml
