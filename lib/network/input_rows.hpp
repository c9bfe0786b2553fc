// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/clock_rate.hpp"

namespace sme {

/// The behaviour of an input after its last row.
enum class AtEnd : std::uint8_t { halt, zero, hold, repeat };

/// Rows of values for a family of buses: row r is the value that readers see in cycle r; for a
/// stream, the value offered until the stream has been accepted r + 1 times.
struct InputRows {
    std::vector<std::byte> values; // [row][element], each value in slot layout
    std::uint64_t rows = 0;
    std::size_t row_bytes = 0;
    AtEnd at_end = AtEnd::halt;
    /// There is a row after the last one: the value readable when the run has halted.
    bool row_behind = false;
    /// For a single bus of a bundle: a row is offered until 'ready', the bus at the second port, is
    /// true.
    bool stream = false;
    /// For a waveform: the signal chosen as the clock, if the user names no clock.
    std::string clock_taken;
    /// The clock of the domain that reads the rows: its cycles count, not those of the network.
    ClockRate rate;

    /// Returns the row that readers see in a cycle; it may be past the last row.
    std::uint64_t row_in(std::uint64_t cycle) const { return rate.edges_before(cycle); }
};

} // namespace sme
