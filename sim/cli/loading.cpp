// SPDX-License-Identifier: Apache-2.0
#include "cli/loading.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include <fmt/format.h>
#include <unistd.h>

#include "base/codes.hpp"
#include "base/kept_folder.hpp"
#include "base/shown_text.hpp"
#include "cli/findings.hpp"
#include "cli/output_files.hpp"
#include "cli/program.hpp"
#include "cli/signals.hpp"
#include "engine/feeder.hpp"
#include "interpret/program_group.hpp"

namespace sme::cli {

namespace {

/// Where the standard library lies: beside an installed command, else in the sources.
std::string library_folder() {
    std::error_code error;
    const std::filesystem::path command = std::filesystem::read_symlink("/proc/self/exe", error);
    const std::filesystem::path installed = command.parent_path().parent_path() / "share" / "sme";
    if (!error && std::filesystem::is_directory(installed / "std", error))
        return installed.string();
    return SME_LIBRARY_FOLDER;
}

} // namespace

namespace {

/// In the user's cache; empty: the user has none.
std::string cache_folder(const std::string& name) {
    const char* const cache = std::getenv("XDG_CACHE_HOME");
    const char* const home = std::getenv("HOME");
    if (cache && *cache == '/')
        return fmt::format("{}/sme/{}", cache, name);
    return home && *home == '/' ? fmt::format("{}/.cache/sme/{}", home, name) : std::string{};
}

/// A folder for one command.
class Temporary {
public:
    Temporary() {
        std::error_code error;
        path_ = (std::filesystem::temp_directory_path(error) / "sme-verilog-XXXXXX").string();
        if (!::mkdtemp(path_.data()))
            path_.clear();
    }
    ~Temporary() {
        std::error_code error;
        if (!path_.empty())
            std::filesystem::remove_all(path_, error);
    }
    Temporary(const Temporary&) = delete;
    Temporary& operator=(const Temporary&) = delete;
    const std::string& path() const { return path_; }

private:
    std::string path_;
};

} // namespace

std::string modules_folder() {
    std::string folder = cache_folder("verilog");
    if (!folder.empty() && !is_of_another(folder))
        return folder;
    static const Temporary none; // built for this command alone
    return none.path();
}

std::string native_folder() {
    return cache_folder("native");
}

namespace {

verilator::Settings verilog_settings(const Options& options,
                                     const std::shared_ptr<FileAccess>& files) {
    verilator::Settings settings;
    settings.reads = [files](const std::string& path) { files->note_read(path); };
    settings.verilator = find_program("verilator").value_or("");
    settings.compiler = find_program("c++").value_or("");
    settings.folder = modules_folder();
    settings.may_build = options.compile;
    settings.may_run = !options.safe;
    if (options.safe)
        settings.forbidden_by = "--safe";
    settings.savable = options.checkpoint_every > 0 || !options.resume.empty();
    settings.unwanted = &interrupted();
    settings.jobs = std::max(1U, std::thread::hardware_concurrency());
    settings.progress = [](const std::string& what) {
        catch_signals(); // nothing half-built stays, and no compiler runs on
        if (::isatty(STDERR_FILENO))
            fmt::print(stderr, "sme: {}\n", shown_text(what));
    };
    return settings;
}

/// Mistakes of the network come before what another program says of it.
int exit_code_of(const Diagnostics& diagnostics) {
    const auto is_building = [](const Diagnostic& found) {
        return found.severity != Severity::error || found.code == Code::verilog_missing ||
               found.code == Code::verilog_error || found.code == Code::verilog_build;
    };
    return std::all_of(diagnostics.all().begin(), diagnostics.all().end(), is_building)
               ? exit_code::building
               : exit_code::usage;
}

} // namespace

LoadResult load_network(const Options& options, verilator::Modules::Purpose purpose,
                        LoadHooks hooks) {
    if (purpose == verilator::Modules::Purpose::run)
        catch_signals(); // nothing half-built stays
    Diagnostics diagnostics;
    if (options.strict)
        diagnostics.make_strict();
    auto verdicts = std::make_shared<interpret::Verdicts>();
    std::vector<std::shared_ptr<interpret::RecordingFile>> recordings;
    const std::shared_ptr<FileAccess> files = file_access(options);
    const auto modules =
        std::make_shared<verilator::Modules>(verilog_settings(options, files), purpose);
    const auto covered = std::make_shared<interpret::CoveredPrograms>();
    const yaml::Kinds kinds{
        [&](std::shared_ptr<const expr::Program> program) {
            return interpret::counted_program_kind(std::move(program), covered);
        },
        engine::feeder,
        [&](std::shared_ptr<const expr::CheckSet> checks) {
            return interpret::checks_kind(std::move(checks), verdicts);
        },
        [&](std::shared_ptr<const expr::Recording> recording) {
            recordings.push_back(std::make_shared<interpret::RecordingFile>(std::move(recording)));
            return interpret::recorder_kind(recordings.back());
        },
        modules.get()};
    yaml::LoadOptions load_options;
    load_options.parameters = options.parameters;
    load_options.library = library_folder();
    files->allow_reading(load_options.library);
    load_options.files = files.get();
    load_options.print = options.print;
    load_options.parts = options.command == "check" && !options.print;
    load_options.cover = !options.coverage.empty();
    load_options.describe = std::move(hooks.describe);
    load_options.against = options.against;
    load_options.mark_writes = options.validate;
    std::optional<yaml::Design> design =
        yaml::load(options.network, load_options, kinds, diagnostics);
    if (design && design->library) {
        show(diagnostics);
        const bool fine = !diagnostics.has_errors();
        return {std::nullopt, fine ? exit_code::fine : exit_code::usage, fine};
    }
    std::optional<Analysis> analysis;
    if (design && options.validate)
        design->graph.mark_writes();
    if (design && hooks.change)
        hooks.change(*design, *modules, diagnostics);
    if (design)
        analysis = analyse(design->graph, diagnostics);
    if (analysis && !diagnostics.has_errors() && modules->build_all(design->graph, diagnostics)) {
        Diagnostics again; // of the buses that were added there is nothing to say
        analysis = analyse(design->graph, again);
        for (const Diagnostic& found : again.all())
            if (found.severity == Severity::error)
                diagnostics.add(found.code, found.where, found.message);
    }
    if (analysis && !diagnostics.has_errors())
        modules->start(design->graph, design->clock_ps, options.run.seed, diagnostics);
    show(diagnostics);
    if (!analysis || diagnostics.has_errors())
        return {std::nullopt, interrupted() ? signal_exit_code() : exit_code_of(diagnostics),
                false};
    return {Loaded{std::move(*design), std::move(*analysis), std::move(verdicts),
                   std::move(recordings), modules, files, covered},
            exit_code::fine, false};
}

} // namespace sme::cli
