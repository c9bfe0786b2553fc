// SPDX-License-Identifier: Apache-2.0
#include "cli/reports/run_reports.hpp"

#include "cli/reports/results.hpp"

namespace sme::cli {

std::string RunReports::open(const Options& options, const Loaded& loaded, engine::Engine& engine,
                             const validator::Judge* judge) {
    summary_covers_ = !options.coverage.empty();
    const auto add = [&](const std::string& path, auto text) {
        if (!path.empty())
            reports_.push_back({std::make_unique<OutputFile>(path), std::move(text)});
    };
    add(options.results, [&loaded, judge](const engine::Engine& engine) {
        return results_json(loaded, engine, judge);
    });
    add(options.junit, [&loaded, judge](const engine::Engine& engine) {
        return results_junit(loaded, engine, judge);
    });
    add(options.histories,
        [&loaded](const engine::Engine&) { return histories_csv(loaded.histories->histories()); });
    if (options.covers()) {
        coverage_ = std::make_unique<CoverageReport>(loaded);
        coverage_->attach(engine);
    }
    for (const std::string& path : options.coverage)
        add(path, [this, lcov = path.ends_with(".info")](const engine::Engine& engine) {
            return lcov ? coverage_->lcov() : coverage_->json(engine);
        });
    for (const Report& report : reports_)
        if (!report.file->good())
            return report.file->problem();
    return {};
}

std::string RunReports::write(const engine::Engine& engine) {
    std::string problem;
    for (const Report& report : reports_) {
        report.file->write(report.text(engine));
        report.file->commit();
        if (problem.empty())
            problem = report.file->problem();
    }
    return problem;
}

} // namespace sme::cli
