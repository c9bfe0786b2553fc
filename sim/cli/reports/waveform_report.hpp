// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/files.hpp"
#include "cli/loading.hpp"
#include "cli/options.hpp"
#include "engine/engine.hpp"
#include "trace/waveform/recorder.hpp"

namespace sme::cli {

/// The files of --wavedrom. Opened before the run, to report write errors early.
class WavedromFiles {
public:
    /// Returns `fine`, or the exit code after reporting the error.
    int open(const Options& options);
    bool any() const { return !files_.empty(); }
    /// Writes WaveJSON unchanged, or as the SVG that WaveDrom draws. Returns `fine`, or the exit
    /// code after reporting the error.
    int write(const std::string& wavejson);

private:
    std::vector<std::unique_ptr<OutputFile>> files_;
};

/// The cycles of a run, as far as known in advance.
struct RunCycles {
    std::uint64_t first;
    std::uint64_t end;
};

/// The waveforms of a run, for --show on standard output and --wavedrom into files.
class WaveformReport {
public:
    /// Attaches the waveform recorders, before the first cycle. Returns `fine`, or the exit code
    /// after reporting the error.
    int open(const Options& options, const Loaded& loaded, engine::Engine& engine,
             const RunCycles& cycles);
    /// Call after the run: takes the waveform to draw.
    void finish(const Options& options, const engine::Engine& engine);
    /// Call after `finish`: the picture after an empty line; empty unless requested.
    std::string text(const Options& options, const Loaded& loaded) const;
    /// Writes the files. Returns `fine`, or the exit code after reporting the error.
    int write(const Loaded& loaded);
    /// The missing part of the waveform, for a note; empty if complete.
    std::string missing() const;

private:
    bool is_asked_for() const { return window_ != nullptr; }

    WavedromFiles files_;
    std::uint64_t wanted_ = 0;                        // the cycle before which the picture ends
    std::unique_ptr<trace::WaveformRecorder> window_; // null: nothing to draw
    std::unique_ptr<trace::WaveformRecorder> last_;   // null: the user chose the window
    trace::Waveform drawn_;
};

} // namespace sme::cli
