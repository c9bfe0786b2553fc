// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

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

} // namespace sme::vcd
