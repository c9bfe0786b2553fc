// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "trace/waveform/waveform.hpp"

namespace sme::trace {

/// What a picture of a waveform shows on one line: a signal, or the name of a group.
struct WaveformRow {
    std::string label;               // within its group: "valid", or "fifo.count"
    const Signal* signal = nullptr;  // null: a group
    std::vector<WaveformRow> rows{}; // of a group
};

/// The signals in groups as their names have them. In a group `valid` comes first and `ready` last;
/// a group of one is part of its label. The rows point into the waveform.
std::vector<WaveformRow> grouped(const Waveform& waveform);

/// Whether a signal is drawn as a line that is high or low.
bool is_level(const Signal& signal);

/// A value in the radix that viewers show: decimal, names of enumerations, and
/// "0x3f" for unsigned integers of more than 16 bits. `words` as `Changes::value` has them.
std::string shown_value(const TypeRef& type, std::span<const std::uint64_t> words);
/// The value of change `k`; "x" when it is not known.
std::string shown_value(const Signal& signal, std::size_t k);

} // namespace sme::trace
