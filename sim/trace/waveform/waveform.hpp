// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock_rate.hpp"
#include "sme/type.hpp"

namespace sme::trace {

/// The cycles from `from`, up to but excluding `to`.
struct Window {
    std::uint64_t from = 0;
    std::uint64_t to = std::numeric_limits<std::uint64_t>::max();

    bool holds(std::uint64_t cycle) const { return from <= cycle && cycle < to; }
};

/// The values of one scalar in time order. Each change holds until the next.
class Changes {
public:
    /// `words`: the number of 64-bit words per value.
    explicit Changes(std::size_t words) : words_{words} {}

    std::size_t size() const { return cycles_.size(); }
    /// The first cycle of change `k`.
    std::uint64_t cycle(std::size_t k) const { return cycles_[k] & ~unknown; }
    /// False for an unwritten `error` bus, or a wire without a value; both show as x.
    bool is_known(std::size_t k) const { return (cycles_[k] & unknown) == 0; }
    /// The words of change `k`, the lowest first, sign-extended, as `scalar_text` expects them.
    /// Zero if unknown.
    std::span<const std::uint64_t> value(std::size_t k) const {
        return {values_.data() + k * words_, words_};
    }
    /// The index of the change that holds in a cycle; `none` before the first.
    std::size_t at(std::uint64_t cycle) const;
    static constexpr std::size_t none = ~std::size_t{0};

    /// Appends a change. `cycle` must be below 2^63 and after the last change.
    void add(std::uint64_t cycle, std::span<const std::uint64_t> value);
    void add_unknown(std::uint64_t cycle);
    /// Drops changes before a cycle; the value that holds in it becomes the first change.
    void forget_before(std::uint64_t cycle);
    /// The memory in use.
    std::size_t bytes() const {
        return (cycles_.capacity() + values_.capacity()) * sizeof(std::uint64_t);
    }

private:
    static constexpr std::uint64_t unknown = std::uint64_t{1} << 63;

    std::size_t words_;
    std::vector<std::uint64_t> cycles_; // with the flag `unknown`
    std::vector<std::uint64_t> values_; // `words_` words per change
};

/// A scalar of a bus or of a state.
struct Signal {
    std::string name;      // the network name: "stage[3].fifo.token.valid"
    TypeRef type;          // a scalar type
    bool state = false;    // private to a process
    bool wire = false;     // its value becomes valid within a cycle, not at its start
    std::size_t clock = 0; // index in `Waveform::clocks`: the clock of the writing process
    Changes changes;

    /// The parts of the name between dots, from the outermost to the signal's own.
    std::vector<std::string_view> path() const;
    /// The value of change `k`, formatted as in data files; "x" if unknown.
    std::string text(std::size_t k) const;
};

/// A clock, which rises in some cycles of the network; its level follows from its rate.
struct WaveformClock {
    std::string name;
    ClockRate rate;
};

/// The values of a selection of signals in a window of a run.
struct Waveform {
    /// The first is the clock of the network, "clock", which rises in every cycle; the clocks of
    /// the network's domains follow.
    std::vector<WaveformClock> clocks;
    /// In the order of the network's buses.
    std::vector<Signal> signals;
    /// The recorded cycles. Each signal has a change at `from`. After N cycles there is a cycle N,
    /// in which registered buses have the values that the next cycle would read, and wires keep
    /// theirs.
    Window window{0, 0};
    /// The number of cycles that ran, including those outside the window.
    std::uint64_t cycles = 0;

    // Omissions because of the memory limit:
    std::uint64_t signals_left_out = 0; // the last of the selected signals
    bool cut_short = false;             // the window ends early because the memory is full
    std::uint64_t forgotten = 0;        // cycles before the window

    /// The number of changes of all signals.
    std::uint64_t changes() const;
};

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
