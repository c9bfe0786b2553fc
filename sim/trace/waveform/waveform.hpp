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

/// The cycles from `from` on, without `to`.
struct Window {
    std::uint64_t from = 0;
    std::uint64_t to = std::numeric_limits<std::uint64_t>::max();

    bool holds(std::uint64_t cycle) const { return from <= cycle && cycle < to; }
};

/// The values of one scalar in the order of time. Each change holds until the next.
class Changes {
public:
    /// `words`: how many words of 64 bits each value has.
    explicit Changes(std::size_t words) : words_{words} {}

    std::size_t size() const { return cycles_.size(); }
    /// The cycle from which on change `k` holds.
    std::uint64_t cycle(std::size_t k) const { return cycles_[k] & ~unknown; }
    /// False for an `error` bus that was not written, and a wire without a value: an x.
    bool is_known(std::size_t k) const { return (cycles_[k] & unknown) == 0; }
    /// The words of change `k`, the lowest first, sign-extended: what `scalar_text` takes. Zero
    /// when it is not known.
    std::span<const std::uint64_t> value(std::size_t k) const {
        return {values_.data() + k * words_, words_};
    }
    /// The change that holds in a cycle; `none` before the first.
    std::size_t at(std::uint64_t cycle) const;
    static constexpr std::size_t none = ~std::size_t{0};

    /// `cycle` is below 2^63 and after that of the last change.
    void add(std::uint64_t cycle, std::span<const std::uint64_t> value);
    void add_unknown(std::uint64_t cycle);
    /// Forgets what was before a cycle; what holds in it is then the first change.
    void forget_before(std::uint64_t cycle);
    /// The memory that it holds.
    std::size_t bytes() const {
        return (cycles_.capacity() + values_.capacity()) * sizeof(std::uint64_t);
    }

private:
    static constexpr std::uint64_t unknown = std::uint64_t{1} << 63;

    std::size_t words_;
    std::vector<std::uint64_t> cycles_; // with the flag
    std::vector<std::uint64_t> values_; // `words_` for each cycle
};

/// A scalar of a bus or of a state.
struct Signal {
    std::string name;      // as the network has it: "stage[3].fifo.token.valid"
    TypeRef type;          // a scalar
    bool state = false;    // private to a process
    bool wire = false;     // has its value within a cycle, not from its start on
    std::size_t clock = 0; // of `Waveform::clocks`: that of the process that writes it
    Changes changes;

    /// The parts of the name between dots, the outermost first; the last is the signal's own.
    std::vector<std::string_view> path() const;
    /// The value of change `k` as traces and messages have it; "x" when it is not known.
    std::string text(std::size_t k) const;
};

/// A clock rises in some cycles of the network; its level follows from its rate.
struct WaveformClock {
    std::string name;
    ClockRate rate;
};

/// The values of a selection of signals in a window of a run.
struct Waveform {
    /// The first is the clock of the network, "clock", which rises in every cycle; the domains of
    /// the network follow.
    std::vector<WaveformClock> clocks;
    /// In the order of the network's buses.
    std::vector<Signal> signals;
    /// What was recorded. Each signal has a change at `from`. After N cycles there is a cycle N, in
    /// which registered buses have the values that a next cycle would read, and wires keep theirs.
    Window window{0, 0};
    /// How many cycles ran, with those outside the window.
    std::uint64_t cycles = 0;

    // What the bound on memory left out:
    std::uint64_t signals_left_out = 0; // the last ones that were selected
    bool cut_short = false;             // the window ends where the memory did
    std::uint64_t forgotten = 0;        // cycles, after which the window begins

    /// How many changes all signals have.
    std::uint64_t changes() const;
};

} // namespace sme::trace
