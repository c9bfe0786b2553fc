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

/// The duration of one cycle, such as 10 ns.
struct ClockPeriod {
    std::uint64_t count = 10;
    TimeUnit unit = TimeUnit::nanoseconds;

    /// Converts picoseconds to the largest unit in which they are a whole number.
    static ClockPeriod of(std::uint64_t picoseconds);
};

/// Times in a file, in ticks of its timescale. Both halves of a cycle begin at a whole number of
/// ticks.
struct Timescale {
    /// `problem` receives the reason if the period cannot be used.
    static Timescale of(const ClockPeriod& period);

    std::string tick; // "1 ns" or "100 ps"
    std::uint64_t period_ticks = 0;
    std::string problem;

    std::uint64_t half_ticks() const { return period_ticks / 2; }
    /// The last cycle that begins before 2^63 ticks, the limit of times in readers.
    std::uint64_t last_cycle() const;
};

} // namespace sme::trace
