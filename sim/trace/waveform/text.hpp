// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trace/waveform/waveform.hpp"

namespace sme::trace {

/// How a waveform is drawn as text.
struct WaveformLook {
    std::size_t columns = 80; // of a line, at most; a picture that needs more is cut into several
    bool ascii = false;       // no characters but those of ASCII
    /// Cycles that have a mark below the numbers of the cycles.
    struct Mark {
        std::string label;
        std::uint64_t cycle;
    };
    std::vector<Mark> marks{};
};

/// Draws a waveform: the numbers of the cycles on top, then a line for each signal, in groups.
/// Equal waveforms give equal texts.
std::string waveform_text(const Waveform& waveform, const WaveformLook& look);

} // namespace sme::trace
