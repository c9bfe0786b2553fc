// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "trace/waveform/waveform.hpp"

namespace sme::trace {

/// Formats a waveform as WaveJSON, the language of WaveDrom: the clock of the network, then all
/// signals in groups, with one character of `wave` per cycle. `title` is shown above, `foot` below;
/// either may be empty.
std::string wavejson(const Waveform& waveform, const std::string& title, const std::string& foot);

} // namespace sme::trace
