// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bits/integer.hpp"

namespace sme::vcd {

/// A point in time or a duration, in femtoseconds; exact for any tick count of any timescale.
using Femtoseconds = Integer;

/// Parses the length of a tick: "1 ns", "10ps", "100 fs"; `nullopt` if invalid.
std::optional<Femtoseconds> parse_timescale(std::string_view text);

/// Parses "12 ns", "-2.5us": a whole number of femtoseconds, up to 10^30.
std::optional<Femtoseconds> parse_time(std::string_view text);

/// Returns the unit in which a tick of this length is a whole number: "ns" for 10 ns.
std::string_view unit_of(Femtoseconds tick);

/// Formats a time in a unit, with as many decimals as necessary: "12.5 ns".
std::string time_text(Femtoseconds time, std::string_view unit);

enum class Kind : std::uint8_t { bits, real, event, text };

/// A `$var`: a name for a signal. Several variables may name the same signal.
struct Variable {
    std::uint32_t scope;  // index in `Declarations::scopes`
    std::uint32_t signal; // index in `Declarations::signals`
    std::string name;     // without the range, without the backslash of an escaped name
    std::string range;    // "[7:0]", "[3]", or ""
};

/// The type of a signal's values.
struct Signal {
    Kind kind;
    std::uint32_t width_bits; // for bits
    bool no_width = false;    // declared with width 0, which is read as one bit
    bool is_signed = false;   // marked by the file, as our files do
};

/// A `$scope`; scope 0 is the file itself and has no name.
struct Scope {
    std::uint32_t outer;
    std::string name;
};

/// A variable that the file marks as a clock, as our files do.
struct MarkedClock {
    std::uint32_t variable; // index in `Declarations::variables`
    std::string domain;     // "" for the network's clock
};

/// The declarations of a file, before its first value.
struct Declarations {
    std::optional<Femtoseconds> tick; // `nullopt` without a timescale
    std::vector<Scope> scopes;
    std::vector<Variable> variables;
    std::vector<Signal> signals;
    std::vector<MarkedClock> clocks;

    static constexpr std::uint32_t max_width = std::uint32_t{1} << 26;

    /// Returns the variable marked as the clock of a domain (or of the network, for ""), or null.
    const Variable* clock_of(const std::string& domain) const;
    /// Returns "top.core", or "" for the file itself.
    std::string path(std::uint32_t scope) const;
};

} // namespace sme::vcd
