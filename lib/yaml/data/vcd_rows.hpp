// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "network/graph.hpp"
#include "network/input_rows.hpp"
#include "yaml/data/input_row.hpp"
#include "yaml/read/tree.hpp"

namespace sme::yaml {

/// A bus of a file of value changes, and when it is looked at.
struct VcdInput {
    enum class Edge : std::uint8_t { rising, falling };
    enum class Sample : std::uint8_t { before, after };
    std::string path;
    Location where;             // of the file's name
    std::optional<Word> signal; // nothing: named as in a trace of ours
    std::optional<Word> clock;
    const ClockDomain* domain = nullptr; // of its readers; null: the network's only one
    Edge edge = Edge::rising;
    Sample sample = Sample::before;
    enum class Unknown : std::uint8_t { error, zero };
    Unknown unknown = Unknown::error;
};

/// The rows of an input from a file of value changes: what its signals were just before (or right
/// after) each edge of the clock; of a stream, each value that was taken. Null, and reported, when
/// there is something that a row cannot be made of.
std::shared_ptr<InputRows> rows_of_vcd(const VcdInput& input, const InputRow& row,
                                       Diagnostics& diagnostics);

} // namespace sme::yaml
