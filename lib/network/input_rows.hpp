// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/clock_rate.hpp"

namespace sme {

/// What an input does after its last row.
enum class AtEnd : std::uint8_t { halt, zero, hold, repeat };

/// Rows of values for a family of buses: row r is what readers see in cycle r; of a stream, what
/// they see until it has been taken r + 1 times.
struct InputRows {
    std::vector<std::byte> values; // [row][element], each value as it lies in a slot
    std::uint64_t rows = 0;
    std::size_t row_bytes = 0;
    AtEnd at_end = AtEnd::halt;
    /// One more row lies behind the last: what can be read when the run has halted.
    bool row_behind = false;
    /// For a single bus of a bundle: a row is offered until 'ready', the bus at the second port, is
    /// true.
    bool stream = false;
    /// Of a waveform: the signal that was taken for the clock, where nothing names one.
    std::string clock_taken;
    /// Of the clock domain that reads them: its cycles are counted, not those of the network.
    ClockRate rate;

    /// The row that readers see in a cycle, when there are so many.
    std::uint64_t row_in(std::uint64_t cycle) const { return rate.edges_before(cycle); }
};

} // namespace sme
