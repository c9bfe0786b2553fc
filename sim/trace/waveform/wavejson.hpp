// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "trace/waveform/waveform.hpp"

namespace sme::trace {

/// A waveform as WaveJSON, the language of WaveDrom: the clock of the network, then all signals in
/// groups, a character of `wave` for each cycle. `title` stands above, `foot` below; empty:
/// nothing.
std::string wavejson(const Waveform& waveform, const std::string& title, const std::string& foot);

} // namespace sme::trace
