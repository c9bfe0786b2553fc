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
    /// After the run: the picture, with an empty line before it; empty when none is asked for.
    std::string text(const Options& options, const Loaded& loaded,
                     const engine::Engine& engine) const;
    /// Writes the files. Returns an exit code; other than fine, it has been explained.
    int write(const Loaded& loaded, const engine::Engine& engine);
    /// What the waveform lacks, for a note; empty: nothing.
    std::string missing(const engine::Engine& engine) const;

private:
    const trace::Waveform& waveform(const engine::Engine& engine) const;

    WavedromFiles files_;
    std::uint64_t wanted_ = 0; // the cycle before which the picture shall end
    std::unique_ptr<trace::WaveformRecorder> window_; // null: nothing is drawn
    std::unique_ptr<trace::WaveformRecorder> last_;   // null: the window was chosen
};

} // namespace sme::cli
