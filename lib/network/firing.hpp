// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace sme {

/// A state that each actor of a network has that was loaded to run without a clock, a u16: what
/// became of its last step. In such a network channels are buses with `BusFamily::places`.
inline constexpr const char* firing_state = ".firing";

/// What it says: the actor fired, or it is done (and will not fire again), or what it waits for:
/// `waits` plus the number of its end of a channel, counted through its inputs and then its
/// outputs, in the order of the file.
enum Firing : std::uint16_t { fired = 0, done = 1, waits = 2 };

} // namespace sme
