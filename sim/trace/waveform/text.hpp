// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trace/waveform/waveform.hpp"

namespace sme::trace {

/// The format of a waveform as text.
struct WaveformLook {
    std::size_t columns = 80; // the maximum width of a line; a wider picture is split
    bool ascii = false;       // use only ASCII characters
    /// Marked cycles; the mark is below the cycle numbers.
    struct Mark {
        std::string label;
        std::uint64_t cycle;
    };
    std::vector<Mark> marks{};
};

/// Draws a waveform: the cycle numbers on top, then a line for each signal, in groups. Equal
/// waveforms give equal texts.
std::string waveform_text(const Waveform& waveform, const WaveformLook& look);

/// Formats a waveform as WaveJSON, the language of WaveDrom: the clock of the network, then all
/// signals in groups, with one character of `wave` per cycle. `title` is shown above, `foot` below;
/// either may be empty.
std::string wavejson(const Waveform& waveform, const std::string& title, const std::string& foot);

} // namespace sme::trace
