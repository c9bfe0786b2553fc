// SPDX-License-Identifier: Apache-2.0
#include "cli/reports/measured_files.hpp"

#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "cli/reports/findings.hpp"
#include "cli/reports/thread_report.hpp"
#include "engine/placement/orchestrator.hpp"
#include "engine/placement/schedule_file.hpp"

namespace sme::cli {

namespace {

/// Opens a file that is written after the run, if a path is given.
int open_file(std::optional<OutputFile>& file, const std::string& path) {
    if (path.empty() || file.emplace(path).good())
        return exit_code::fine;
    complain(Code::file_unwritable, file->problem());
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
        complain(file.text ? Code::bad_option : Code::file_unreadable,
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

} // namespace sme::cli
