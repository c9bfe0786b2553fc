// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sme {

/// When a clock rises: at the end of the network's cycles t with t % every == offset.
///
/// It is high for half of its period. When `every` is even, it falls at the end of a cycle, with
/// the edges that rise there; when `every` is odd, in the middle of a cycle, when all wires have
/// their values.
struct ClockRate {
    std::uint64_t every = 1;
    std::uint64_t offset = 0; // below `every`
    bool operator==(const ClockRate&) const = default;

    bool is_every_cycle() const { return every == 1; }
    bool rises_after(std::uint64_t cycle) const {
        return is_every_cycle() || cycle % every == offset;
    }
    /// How many times it has risen when the cycle begins.
    std::uint64_t edges_before(std::uint64_t cycle) const {
        return (cycle + every - 1 - offset) / every;
    }
    /// Whether its falling edges are in the middle of cycles.
    bool falls_within_cycles() const { return every % 2 != 0; }
    bool falls_within(std::uint64_t cycle) const {
        return is_every_cycle() || (falls_within_cycles() && falls_in(cycle));
    }
    bool falls_after(std::uint64_t cycle) const {
        return !falls_within_cycles() && falls_in(cycle);
    }
    /// Whether it is high when the cycle begins.
    bool is_high_before(std::uint64_t cycle) const {
        return (cycle + every - 1 - offset) % every * 2 < every;
    }

    /// Why it is no rate, and what to write instead; empty: it is one.
    std::string problem() const;
    /// "every 2 offset 1", as the language has it.
    std::string text() const;
    /// The rate that a text of numbers means, also one with a problem; nothing: it is no such text.
    static std::optional<ClockRate> parse(std::string_view text);

private:
    bool falls_in(std::uint64_t cycle) const {
        return cycle % every == (offset + (every + 1) / 2) % every;
    }
};

/// A comment in our waveforms right before the clock of the network, and with the name of a domain
/// behind it before the clock of that one: "sme clock slow".
inline constexpr std::string_view clock_mark = "sme clock";

} // namespace sme
