// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "bits/integer.hpp"

namespace sme::vcd {

/// A point in time or a span, in femtoseconds, exact: of any tick count of any timescale.
using Femtoseconds = Integer;

/// "1 ns", "10ps", "100 fs": the length of a tick. Nothing when it is none.
std::optional<Femtoseconds> parse_timescale(std::string_view text);

/// "12 ns", "-2.5us": a whole number of femtoseconds, up to 10^30 of them.
std::optional<Femtoseconds> parse_time(std::string_view text);

/// The unit in which a tick of this length is a whole number: "ns" for 10 ns.
std::string_view unit_of(Femtoseconds tick);

/// A time in a unit, with as many decimals as it needs: "12.5 ns".
std::string time_text(Femtoseconds time, std::string_view unit);

} // namespace sme::vcd
