// SPDX-License-Identifier: Apache-2.0
#include "cli/reports/run_reports.hpp"

#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "cli/findings.hpp"
#include "cli/reports/results.hpp"
#include "engine/cycle/orchestrator.hpp"
#include "engine/placement/schedule_file.hpp"

namespace sme::cli {

namespace {

/// Opens a file that is written after the run, if a path is given.
int open_file(std::optional<OutputFile>& file, const std::string& path) {
    if (path.empty() || file.emplace(path).good())
        return exit_code::fine;
    report_error(Code::file_unwritable, file->problem());
    return exit_code::file;
}

int repeat(const std::string& path, const Graph& graph, engine::Engine& engine) {
    constexpr std::size_t max_bytes = std::size_t{256} << 20;
    const FileText file = read_text(path, max_bytes);
    std::string problem = file.problem;
    std::optional<engine::SavedSchedule> saved;
    if (file.text)
        saved = engine::read_schedule(*file.text, graph, engine.schedule(), problem);
    if (!saved) {
        report_error(file.text ? Code::bad_option : Code::file_unreadable,
                     fmt::format("the schedule '{}' cannot be repeated: {}", path, problem));
        return exit_code::usage;
    }
    engine.repeat(std::move(*saved));
    return exit_code::fine;
}

} // namespace

int MeasuredFiles::open(const Options& options, const Graph& graph, engine::Engine& engine) {
    if (const int failed = open_file(profile_, options.profile); failed != exit_code::fine)
        return failed;
    std::error_code error;
    return std::filesystem::exists(options.schedule, error)
               ? repeat(options.schedule, graph, engine)
               : open_file(schedule_, options.schedule);
}

std::string MeasuredFiles::write(const Graph& graph, engine::Engine& engine) {
    if (engine.cycle() == 0)
        return {};
    std::string problem;
    if (profile_) {
        write_profile(engine, graph, *profile_);
        problem = profile_->problem();
    }
    if (!schedule_ || !problem.empty())
        return problem;
    schedule_->write(engine.decided().text(graph, engine.schedule()));
    schedule_->commit();
    return schedule_->problem();
}

std::string RunReports::open(const Options& options, const Loaded& loaded, engine::Engine& engine,
                             const validator::InvariantChecker* judge) {
    summary_covers_ = !options.coverage.empty();
    const auto add = [&](const std::string& path, auto text) {
        if (!path.empty())
            reports_.push_back({std::make_unique<OutputFile>(path), std::move(text)});
    };
    add(options.results,
        [&loaded, judge, key = RunKey{options.parameters, options.run.seed}](
            const session::Outcome& run) { return results_json(loaded, key, run, judge); });
    add(options.junit, [&loaded, judge](const session::Outcome& run) {
        return results_junit(loaded, run, judge);
    });
    add(options.histories, [&loaded](const session::Outcome&) {
        return histories_csv(loaded.histories->histories());
    });
    if (options.covers()) {
        coverage_ = std::make_unique<CoverageReport>(loaded);
        coverage_->attach(engine);
    }
    for (const std::string& path : options.coverage)
        add(path, [this, lcov = path.ends_with(".info")](const session::Outcome& run) {
            return lcov ? coverage_->lcov() : coverage_->json(run.cycles);
        });
    for (const Report& report : reports_)
        if (!report.file->good())
            return report.file->problem();
    return {};
}

std::string RunReports::write(const session::Outcome& run) {
    std::string problem;
    for (const Report& report : reports_) {
        report.file->write(report.text(run));
        report.file->commit();
        if (problem.empty())
            problem = report.file->problem();
    }
    return problem;
}

} // namespace sme::cli
