// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "runtime/observer.hpp"
#include "trace/collect/change_finder.hpp"
#include "trace/collect/family_signals.hpp"
#include "trace/vcd/declarations.hpp"

namespace sme::trace {

/// Declares all that is traced of a network, a scope a level, and tells the finder where the values
/// of each signal lie. Signal 0 is the clock. Returns the number of signals, the clock included.
std::uint32_t declare(const Observed& observed, const Traced& traced, Declarations& declarations,
                      ChangeFinder& finder);

} // namespace sme::trace
