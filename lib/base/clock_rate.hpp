// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sme {

/// The rate of a clock: it rises at the end of every network cycle t with t % every == offset.
///
/// It is high for half of its period. If `every` is even, it falls at the end of a cycle, together
/// with the rising edges there. If `every` is odd, it falls in the middle of a cycle, when all
/// wires have their values.
struct ClockRate {
    std::uint64_t every = 1;
    std::uint64_t offset = 0; // below `every`
    bool operator==(const ClockRate&) const = default;

    bool is_every_cycle() const { return every == 1; }
    bool rises_after(std::uint64_t cycle) const {
        return is_every_cycle() || cycle % every == offset;
    }
    /// Returns the number of rising edges before the cycle begins.
    std::uint64_t edges_before(std::uint64_t cycle) const {
        return (cycle + every - 1 - offset) / every;
    }
    /// Returns whether its falling edges are in the middle of cycles.
    bool falls_within_cycles() const { return every % 2 != 0; }
    bool falls_within(std::uint64_t cycle) const {
        return is_every_cycle() || (falls_within_cycles() && falls_in(cycle));
    }
    bool falls_after(std::uint64_t cycle) const {
        return !falls_within_cycles() && falls_in(cycle);
    }
    /// Returns whether it is high when the cycle begins.
    bool is_high_before(std::uint64_t cycle) const {
        return (cycle + every - 1 - offset) % every * 2 < every;
    }

    /// Returns why the rate is invalid, and a correction; empty if it is valid.
    std::string problem() const;
    /// Returns the rate in the syntax of the language: "every 2 offset 1".
    std::string text() const;
    /// Parses a rate, including one with a problem; `nullopt` if the text is not a rate.
    static std::optional<ClockRate> parse(std::string_view text);

private:
    bool falls_in(std::uint64_t cycle) const {
        return cycle % every == (offset + (every + 1) / 2) % every;
    }
};

/// The comment in our waveforms that precedes the network's clock; before the clock of a domain,
/// the domain's name follows: "sme clock slow".
inline constexpr std::string_view clock_mark = "sme clock";

/// The comment in our waveforms that precedes a signed variable, as neither VCD nor FST has signs.
inline constexpr std::string_view signed_mark = "sme signed";

} // namespace sme
