// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "runtime/observer.hpp"
#include "trace/collect/change_finder.hpp"
#include "trace/collect/last_cycles.hpp"
#include "trace/waveform/waveform.hpp"

namespace sme::trace {

struct RecorderOptions {
    /// Patterns as in TracerOptions.
    std::string select = {};
    bool state = false;
    /// Memories and lets of processes to record.
    std::vector<TracedWords> words = {};
    Window window = {};
    /// Not 0: record this number of last cycles of the run instead of a window.
    std::uint64_t last = 0;
    /// The approximate memory limit of the waveform. If names and first values exceed it, the last
    /// signals are omitted; if the changes exceed it, the window ends there.
    std::size_t max_bytes = std::size_t{1} << 28;
    /// When the memory is full, drop the oldest changes instead; names and first values take at
    /// most half of it.
    bool keeps_end = false;
};

/// Fills a waveform during a run, on the run's thread. When memory is short, the window ends there,
/// and the run continues.
class WaveformRecorder final : public Observer {
public:
    explicit WaveformRecorder(RecorderOptions options) : options_{std::move(options)} {}

    void open(const Observed& observed) override;
    std::optional<std::vector<Range>> reads() const override { return finder_.elements(); }
    void step(unsigned part, Range range, const Frame& frame) override;
    void close(std::uint64_t cycles) override;
    /// Reports an empty selection.
    std::string problem() const override { return problem_; }

    /// Complete after `close`; before that, between cycles, up to the current cycle. Not with
    /// `last`.
    const Waveform& waveform() const { return made_; }
    /// Call after `close`: moves the waveform to the caller.
    Waveform take() { return std::move(made_); }

private:
    void add_family(const Traced& traced, std::size_t number, const Observed& observed);
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
    std::optional<LastCycles> last_;   // replaces `found_`
    RecordList found_;                 // changes of one cycle
    std::vector<std::uint64_t> words_; // words of a value, the lowest last
    std::size_t bytes_ = 0;            // size of `made_`
    std::uint32_t selected_ = 0;       // number of signals, including omitted ones
    bool opened_ = false;
};

} // namespace sme::trace
