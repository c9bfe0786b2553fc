// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "base/files.hpp"
#include "runtime/observer.hpp"
#include "trace/collect/change_finder.hpp"
#include "trace/collect/family_signals.hpp"

namespace sme::trace {

/// Writes the declarations of a VCD file (IEEE 1364-2005, clause 18), a scope a level, and tells
/// the finder where the values of each signal lie. Signal 0 is the clock. Returns the number of
/// signals, the clock included.
std::uint32_t write_header(const Observed& observed, const Traced& traced, const std::string& tick,
                           OutputFile& file, ChangeFinder& finder);

} // namespace sme::trace
