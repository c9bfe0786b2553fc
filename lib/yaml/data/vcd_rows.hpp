// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "network/graph.hpp"
#include "vcd/declarations.hpp"
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

/// The position of a word of a row in a file of value changes.
struct VcdWord {
    std::uint32_t signal;
    std::uint64_t bit;  // the lowest bit
    unsigned width;     // 1 to 64
    const Type* scalar; // the scalar that contains it
    std::string name;   // name of the signal, for diagnostics
};

/// The signals of a file that feed an input.
struct VcdSignals {
    std::vector<VcdWord> words; // words of a row
    std::uint32_t clock = 0;
    std::string clock_name;
    bool clock_marked = false; // marked by the file
    bool of_domain = false;    // it is the domain's clock, whose first cycle begins with the file
    ClockRate counted;         // which of the clock's edges end a cycle of the bus
    std::optional<std::uint32_t> valid, ready; // for a stream
};

/// Returns the clock of a domain below a scope, as named in SME's own traces. `nullopt` if absent,
/// or ambiguous because of another signal with such a name.
std::optional<std::uint32_t>
find_domain_clock(const std::unordered_map<std::string, std::uint32_t>& signals,
                  const vcd::Declarations& declarations, const std::string& scope,
                  const ClockDomain& domain);

/// Finds the signals of an input. A struct is either one signal for each scalar ("x.valid",
/// "x.data_3" as SME writes it or "x.data[3]", or "x_data_3" as a port) or one signal with all
/// bits. `nullopt` after reporting a missing signal or a wrong width.
std::optional<VcdSignals> find_signals(const vcd::Declarations& declarations, const VcdInput& input,
                                       const InputRow& row, Diagnostics& diagnostics);

} // namespace sme::yaml
