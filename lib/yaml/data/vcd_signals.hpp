// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "vcd/declarations.hpp"
#include "yaml/data/input_row.hpp"
#include "yaml/data/vcd_rows.hpp"

namespace sme::yaml {

/// Where a word of a row stands in a file of value changes.
struct VcdWord {
    std::uint32_t signal;
    std::uint64_t bit;  // the lowest one
    unsigned width;     // 1 to 64
    const Type* scalar; // that it is of
    std::string name;   // of the signal, for diagnostics
};

/// The signals of a file that belong to an input.
struct VcdSignals {
    std::vector<VcdWord> words; // of a row
    std::uint32_t clock = 0;
    std::string clock_name;
    bool clock_marked = false; // by the file
    bool of_domain = false;    // it is the clock of the domain: a cycle of it begins with the file
    ClockRate counted;         // of the clock's edges, those that end a cycle of the bus
    std::optional<std::uint32_t> valid, ready; // of a stream
};

/// The clock of a domain below a scope, where our own traces put it. Nothing: there is none, or
/// another signal of such a name makes it uncertain.
std::optional<std::uint32_t>
find_domain_clock(const std::unordered_map<std::string, std::uint32_t>& signals,
                  const vcd::Declarations& declarations, const std::string& scope,
                  const ClockDomain& domain);

/// Finds them. A struct is a signal for each scalar ("x.valid", "x.data_3" as we write it or
/// "x.data[3]", or "x_data_3" as a port) or one signal of all bits. Nothing, and reported, when one
/// is missing or has another width.
std::optional<VcdSignals> find_signals(const vcd::Declarations& declarations, const VcdInput& input,
                                       const InputRow& row, Diagnostics& diagnostics);

} // namespace sme::yaml
