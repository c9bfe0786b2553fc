// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "runtime/observer.hpp"
#include "trace/collect/change_finder.hpp"
#include "trace/collect/family_signals.hpp"
#include "trace/vcd/declarations.hpp"

namespace sme::trace {

/// Declares all traced parts of a network, with a scope per level, and gives the finder the
/// positions of the values. Signal 0 is the clock. Returns the number of signals, including the
/// clock.
std::uint32_t declare(const Observed& observed, const Traced& traced, Declarations& declarations,
                      ChangeFinder& finder);

} // namespace sme::trace
