// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace sme::trace {

enum class TimeUnit : std::uint8_t {
    seconds,
    milliseconds,
    microseconds,
    nanoseconds,
    picoseconds,
    femtoseconds,
};

/// The time of one cycle, such as 10 ns.
struct ClockPeriod {
    std::uint64_t count = 10;
    TimeUnit unit = TimeUnit::nanoseconds;

    /// So many picoseconds, in the largest unit in which they are a whole number.
    static ClockPeriod of(std::uint64_t picoseconds);
};

/// Times in a file, in ticks of its timescale. A cycle begins at a whole number of ticks, and so
/// does its second half.
struct Timescale {
    /// `problem` says why a period cannot be used.
    static Timescale of(const ClockPeriod& period);

    std::string tick; // "1 ns" or "100 ps"
    std::uint64_t period_ticks = 0;
    std::string problem;

    std::uint64_t half_ticks() const { return period_ticks / 2; }
    /// The last cycle whose begin is below 2^63 ticks: what readers take for a time.
    std::uint64_t last_cycle() const;
};

} // namespace sme::trace
