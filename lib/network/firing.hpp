// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace sme {

/// The state, a u16, that every actor has in a network loaded to run without a clock: the result of
/// its last step. In such a network channels are buses with `BusFamily::places`.
inline constexpr const char* firing_state = ".firing";

/// The values of this state: the actor fired; it is done and will not fire again; or it waits,
/// coded as `waits` plus the number of its end of a channel, counted through its inputs and then
/// its outputs, in file order.
enum Firing : std::uint16_t { fired = 0, done = 1, waits = 2 };

} // namespace sme
