// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/files.hpp"
#include "cli/loading.hpp"
#include "cli/options.hpp"
#include "cli/reports/coverage_report.hpp"
#include "cli/reports/results.hpp"
#include "engine/engine.hpp"
#include "judge/invariant_checker.hpp"
#include "report/report.hpp"
#include "session/native_run.hpp"
#include "trace/waveform/recorder.hpp"

namespace sme::cli {

/// The page of reports, without data.
struct PageFile {
    std::string text;
    std::string problem; // why there is no text, and the remedy
};

/// Reads the page from the installation. In a build folder, bundles it on first use, unless
/// `options` forbid starting programs.
PageFile read_page(const Options& options);

/// The data of a completed run.
struct EndedRun {
    engine::Engine& engine;
    const session::Outcome& outcome;
    const validator::InvariantChecker* judge; // may be null
    const session::NativeRun& native;
    CoverageReport* coverage; // null: not counted
    const Activity* activity; // of its buses
    std::uint64_t first_cycle = 0;
    double seconds = 0;
};

/// The page of --report: opened before the run, and written after it, however it ended.
class RunPage {
public:
    /// The maximum number of work items on the time line.
    static constexpr std::size_t max_events = 20'000;

    RunPage(const Options& options, const Loaded& loaded) : options_{options}, loaded_{loaded} {}

    /// Call before the first cycle; does nothing without --report. Returns `fine`, or the exit code
    /// after reporting the error.
    int open(engine::Engine& engine);
    /// Returns why the page could not be written, or empty.
    std::string write(const EndedRun& run);

private:
    report::Report content(const EndedRun& run);
    void add_outcomes(const EndedRun& run, report::Report& result) const;
    void add_check(Outcome item, std::size_t number, report::Report& result) const;
    void add_output(Outcome item, report::Report& result) const;
    void add_diagram(const EndedRun& run, report::Report& result);
    void add_coverage(const EndedRun& run, report::Report& result) const;
    void add_threads(const EndedRun& run, report::Report& result) const;
    void add_channels(report::Report& result) const;
    std::vector<std::string> wave_notes() const;

    const Options& options_;
    const Loaded& loaded_;
    std::optional<OutputFile> file_; // absent without --report
    std::string page_;               // without data
    std::unique_ptr<trace::WaveformRecorder> recorder_;
    std::optional<Diagram> diagram_;
};

} // namespace sme::cli
