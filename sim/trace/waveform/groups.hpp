// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "trace/waveform/waveform.hpp"

namespace sme::trace {

/// A line in a picture of a waveform: a signal, or the name of a group.
struct WaveformRow {
    std::string label;               // the name within its group: "valid", or "fifo.count"
    const Signal* signal = nullptr;  // null: a group
    std::vector<WaveformRow> rows{}; // the rows of a group
};

/// Groups the signals by their names. In a group `valid` comes first and `ready` last; the name of
/// a group with one row becomes a part of that row's label. The rows point into the waveform.
std::vector<WaveformRow> grouped(const Waveform& waveform);

/// True if a signal is drawn as a high or low level.
bool is_level(const Signal& signal);

/// Formats a value in the radix of viewers: decimal, names of enumerations, and "0x3f" for unsigned
/// integers of more than 16 bits. `words`: as from `Changes::value`.
std::string shown_value(const TypeRef& type, std::span<const std::uint64_t> words);
/// Formats the value of change `k`; "x" if unknown.
std::string shown_value(const Signal& signal, std::size_t k);

} // namespace sme::trace
