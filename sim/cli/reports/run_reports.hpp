// SPDX-License-Identifier: Apache-2.0
#pragma once

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
#include "judge/judge.hpp"
#include "network/graph.hpp"

namespace sme::cli {

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
                     const validator::Judge* judge);
    /// Returns why a file could not be written, or empty.
    std::string write(const engine::Engine& engine);
    /// The coverage so far, for a checkpoint; null if not counted.
    CoverageReport* coverage() { return coverage_.get(); }
    /// The coverage line of the summary.
    std::string summary() const { return summary_covers_ ? coverage_->summary() : std::string{}; }

private:
    struct Report {
        std::unique_ptr<OutputFile> file;
        std::function<std::string(const engine::Engine&)> text;
    };
    std::vector<Report> reports_;
    std::unique_ptr<CoverageReport> coverage_; // null if not counted
    bool summary_covers_ = false;
};

} // namespace sme::cli
