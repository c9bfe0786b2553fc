// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/files.hpp"
#include "cli/loading.hpp"
#include "cli/reports/coverage_report.hpp"
#include "engine/engine.hpp"
#include "judge/judge.hpp"

namespace sme::cli {

/// The files that say what came of a run: opened before it, so that what cannot be written is said
/// at once, and written after it, however it ended.
class RunReports {
public:
    /// A file for each option that asks for one; why one cannot be written, or empty. Before the
    /// first cycle.
    /// `judge` may be null.
    std::string open(const Options& options, const Loaded& loaded, engine::Engine& engine,
                     const validator::Judge* judge);
    /// Why one could not be written, or empty.
    std::string write(const engine::Engine& engine);
    /// What was covered so far, for a checkpoint; null: it is not asked for.
    CoverageReport* coverage() { return coverage_.get(); }
    /// What the summary says of them.
    std::string summary() const { return summary_covers_ ? coverage_->summary() : std::string{}; }

private:
    struct Report {
        std::unique_ptr<OutputFile> file;
        std::function<std::string(const engine::Engine&)> text;
    };
    std::vector<Report> reports_;
    std::unique_ptr<CoverageReport> coverage_; // null: not asked for
    bool summary_covers_ = false;
};

} // namespace sme::cli
