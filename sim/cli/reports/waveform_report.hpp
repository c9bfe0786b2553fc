// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "cli/loading.hpp"
#include "cli/reports/wavedrom_files.hpp"
#include "engine/engine.hpp"
#include "trace/waveform/recorder.hpp"

namespace sme::cli {

/// The cycles of a run, as far as they are known before it.
struct RunCycles {
    std::uint64_t first;
    std::uint64_t end;
};

/// What --show draws on standard output, and --wavedrom into files.
class WaveformReport {
public:
    /// Attaches what records the waveform, before the first cycle. The exit code that the command
    /// ends with here, which has been explained, or fine.
    int open(const Options& options, const Loaded& loaded, engine::Engine& engine,
             const RunCycles& cycles);
    /// After the run: takes the waveform that is drawn.
    void finish(const Options& options, const engine::Engine& engine);
    /// Behind that: the picture, with an empty line before it; empty when none is asked for.
    std::string text(const Options& options, const Loaded& loaded) const;
    /// Writes the files. Returns an exit code; other than fine, it has been explained.
    int write(const Loaded& loaded);
    /// What the waveform lacks, for a note; empty: nothing.
    std::string missing() const;

private:
    bool is_asked_for() const { return window_ != nullptr; }

    WavedromFiles files_;
    std::uint64_t wanted_ = 0; // the cycle before which the picture shall end
    std::unique_ptr<trace::WaveformRecorder> window_; // null: nothing is drawn
    std::unique_ptr<trace::WaveformRecorder> last_;   // null: the window was chosen
    trace::Waveform drawn_;
};

} // namespace sme::cli
