// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "runtime/observer.hpp"
#include "trace/collect/change_finder.hpp"
#include "trace/collect/family_signals.hpp"
#include "trace/collect/last_cycles.hpp"
#include "trace/waveform/waveform.hpp"

namespace sme::trace {

struct RecorderOptions {
    /// As TracerOptions has them.
    std::string select = {};
    bool state = false;
    Window window = {};
    /// Not 0: only so many last cycles of the run, in place of a window.
    std::uint64_t last = 0;
    /// About how much memory the waveform takes. When that is not enough for the names and first
    /// values, the last signals are left out; when the changes fill it, the window ends there.
    std::size_t max_bytes = std::size_t{1} << 28;
    /// Changes that fill the memory take the place of the oldest ones instead; names and first
    /// values take at most half of it.
    bool keeps_end = false;
};

/// Fills a waveform while a network runs, on the thread of the run. When memory is short, the
/// window ends there, and the run goes on.
class WaveformRecorder final : public Observer {
public:
    explicit WaveformRecorder(RecorderOptions options) : options_{std::move(options)} {}

    void open(const Observed& observed) override;
    void step(unsigned part, Range range, const Frame& frame) override;
    void close(std::uint64_t cycles) override;
    /// Says so when nothing is selected.
    std::string problem() const override { return problem_; }

    /// Whole after `close`; before it, between cycles, as far as the run has come; without `last`.
    const Waveform& waveform() const { return made_; }
    /// After `close`: the waveform is the caller's.
    Waveform take() { return std::move(made_); }

private:
    void add_family(const BusFamily& bus, const Segments& slots, const Selection& selection);
    void add_signal(const BusFamily& bus, const std::string& name, const Leaf& scalar);
    void take_cycle(const Frame& frame);
    void end_before(std::uint64_t cycle);
    void add(std::span<const Record> records);
    void add_value(const Record& record);
    void forget_half();

    RecorderOptions options_;
    std::string problem_;
    Waveform made_;
    ChangeFinder finder_;
    std::optional<LastCycles> last_;   // instead of `found_`
    RecordList found_;                 // in one cycle
    std::vector<std::uint64_t> words_; // of a value, the lowest last
    std::size_t bytes_ = 0;            // of `made_`
    std::uint32_t selected_ = 0;       // signals, with those that are left out
    bool opened_ = false;
};

} // namespace sme::trace
