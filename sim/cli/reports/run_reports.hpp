// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/files.hpp"
#include "cli/loading.hpp"
#include "cli/options.hpp"
#include "cli/reports/coverage_report.hpp"
#include "engine/engine.hpp"
#include "interpret/observers/actor_observers.hpp"
#include "judge/invariant_checker.hpp"
#include "network/graph.hpp"
#include "session/native_run.hpp"
#include "session/run/outcome.hpp"
#include "trace/timeline.hpp"

namespace sme::cli {

/// The lines of --stats about native code.
std::string native_report(const Options& options, const session::NativeRun& run);

/// Writes the C code for --emit-c and creates its folder; reports errors. Returns the exit code.
int write_c(const std::string& path, const native::CModule& unit);

/// Reports how the threads of a run spent their time, by thread and level, from the measured
/// cycles. `asked`: the requested number of threads, 0 for auto.
std::string thread_report(engine::Engine& engine, unsigned asked);

/// The measurements as a time line.
std::vector<trace::TimelineEvent> timeline_of(engine::Engine& engine, const Graph& graph);

/// Writes the measurements as a time line, and commits the file, whether or not writing succeeds.
void write_profile(engine::Engine& engine, const Graph& graph, OutputFile& file);

/// Reports where actors waited longest in this number of cycles; empty if nothing was counted.
std::string wait_report(const interpret::WaitCounts& counts, std::uint64_t cycles);

/// The files measured during a run: time line and schedule. Opens them before the run, to report
/// write errors early. Repeats an existing schedule instead of writing one.
class MeasuredFiles {
public:
    /// Returns `fine`, or the exit code after reporting the error.
    int open(const Options& options, const Graph& graph, engine::Engine& engine);
    /// Call after the run, unless no cycle ran. Returns why a file could not be written, or empty.
    std::string write(const Graph& graph, engine::Engine& engine);

private:
    std::optional<OutputFile> profile_;
    std::optional<OutputFile> schedule_; // absent if an existing schedule is repeated
};

/// The result files of a run: opened before it, to report write errors early, and written after it,
/// however it ended.
class RunReports {
public:
    /// Opens a file for each requested report, before the first cycle. Returns why a file cannot be
    /// written, or empty. `judge` may be null.
    std::string open(const Options& options, const Loaded& loaded, engine::Engine& engine,
                     const validator::InvariantChecker* judge);
    /// Returns why a file could not be written, or empty.
    std::string write(const session::Outcome& run);
    /// The coverage so far, for a checkpoint; null if not counted.
    CoverageReport* coverage() { return coverage_.get(); }
    /// The coverage line of the summary.
    std::string summary() const { return summary_covers_ ? coverage_->summary() : std::string{}; }

private:
    struct Report {
        std::unique_ptr<OutputFile> file;
        std::function<std::string(const session::Outcome&)> text;
    };
    std::vector<Report> reports_;
    std::unique_ptr<CoverageReport> coverage_; // null if not counted
    bool summary_covers_ = false;
};

} // namespace sme::cli
