// SPDX-License-Identifier: Apache-2.0
#include "cli/programs.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <new>
#include <system_error>
#include <thread>

#include <unistd.h>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "base/disk_cache.hpp"
#include "base/program.hpp"
#include "base/source.hpp"
#include "cli/command_table.hpp"
#include "cli/findings.hpp"
#include "cli/terminal.hpp"
#include "session/loading.hpp"

namespace sme::cli {

std::string build_target(const std::string& target, const std::string& note,
                         const std::function<bool()>& is_built) {
    const std::optional<std::string> cmake = find_program("cmake");
    if (!cmake)
        return "cmake, which builds it, is not in PATH";
    catch_signals();
    const DiskCache::Lock lock{SME_BUILD, "build", &interrupted()}; // as in tools/build.sh
    if (!lock.problem().empty() || is_built())
        return lock.problem();
    print_note(note);
    const ProgramLimit limit{.unwanted = &interrupted()};
    const ProgramEnd end = run_program(*cmake, {"--build", SME_BUILD, "--target", target},
                                       ProgramStreams::all_taken, {}, &limit);
    return end.good()             ? std::string{}
           : !end.problem.empty() ? end.problem
           : interrupted().load() ? "it was interrupted"
                                  : fmt::format("'cmake --build' failed:\n{}", end.output);
}

namespace {

/// A part of the command besides `sme`: its target, its path from `sme` in a build folder, what
/// needs it, and how long it takes to build once `sme` is built. An installation has it in
/// `libexec`.
struct LatePart {
    std::string_view target;
    std::string_view built;
    std::string_view needed_by;
    unsigned cpu_seconds;
};

constexpr std::array late_parts{LatePart{"sme-analysis", "sme-analysis", "'sme {}' needs", 50},
                                LatePart{"sme-hardware", "sme-hardware", "'sme {}' needs", 70},
                                LatePart{verilog_plugin, "../../hdl/verilator/libsme_verilog.so",
                                         "networks with Verilog modules need", 50}};

/// Returns why a part cannot be built, or empty.
std::string build(const LatePart& part, const std::filesystem::path& path, const Options& options) {
    if (options.safe)
        return "it is not built yet, and --safe starts no program that would build it";
    const unsigned cpus = std::max(std::thread::hardware_concurrency(), 1u);
    return build_target(std::string{part.target},
                        fmt::format("building what {}, once; this takes about {} seconds",
                                    fmt::format(fmt::runtime(part.needed_by), options.command),
                                    std::max(part.cpu_seconds / cpus, 1u)),
                        [&] { return ::access(path.c_str(), X_OK) == 0; });
}

/// Becomes another program; returns the exit code if that is impossible.
int become(std::string_view name, const Options& options, char** values) {
    std::string problem;
    const std::string path = path_of_part(name, options, problem);
    if (interrupted())
        return signal_exit_code();
    if (problem.empty()) {
        ::execv(path.c_str(), values);
        problem = std::strerror(errno);
    }
    report_error(Code::file_unreadable,
                 fmt::format("cannot start '{}', which carries out 'sme {}': {}", path,
                             options.command, problem));
    return exit_code::file;
}

} // namespace

std::string path_of_part(std::string_view target, const Options& options, std::string& problem) {
    const LatePart& part =
        *std::find_if(late_parts.begin(), late_parts.end(),
                      [&](const LatePart& each) { return each.target == target; });
    const std::filesystem::path here = std::filesystem::path{running_program()}.parent_path();
    const bool installed = !session::installed_folder().empty();
    const std::filesystem::path built = here / part.built;
    const std::filesystem::path path =
        (installed ? here.parent_path() / "libexec" / built.filename() : built).lexically_normal();
    std::error_code error;
    // The linker makes a file executable at its end; an installed library may not be executable.
    if (::access(path.c_str(), installed ? R_OK : X_OK) != 0)
        problem = std::filesystem::equivalent(here, SME_BUILD "/sim/cli", error)
                      ? build(part, path, options)
                      : "it is not there; install sme again";
    return path.string();
}

int without_exceptions(const std::function<int()>& command) {
    try {
        return command();
    } catch (const std::bad_alloc&) {
        try_print_error("error: there is not enough memory for this network [network-too-large]\n");
        return exit_code::usage;
    } catch (const std::system_error& error) {
        if (error.code() != std::errc::resource_unavailable_try_again)
            return error.code().value() == EPIPE ? 128 + SIGPIPE : exit_code::file; // thrown by fmt
        try_print_error("error: there cannot be as many threads here as this needs [bad-option]\n");
        return exit_code::usage;
    }
}

int run_main(int count, char** values, std::span<const Command> commands) {
    const std::vector<std::string> arguments{values + 1, values + count};
    const auto own = [&](const std::string& name) {
        return std::find_if(commands.begin(), commands.end(),
                            [&](const Command& command) { return command.name == name; });
    };
    if (!arguments.empty() && own(arguments[0]) != commands.end() &&
        (arguments[0] == "run" || arguments[0] == "predict"))
        let_rank_0_speak();
    return without_exceptions([&] {
        const auto read = read_options(arguments);
        if (const auto* ending = std::get_if<Ending>(&read)) {
            fmt::print(ending->exit_code == exit_code::fine ? stdout : stderr, "{}",
                       shown_text(ending->text));
            return std::fflush(stdout) == 0 ? ending->exit_code : output_failed(errno);
        }
        const Options& options = std::get<Options>(read);
        const auto command = own(options.command);
        if (command == commands.end())
            return become(find_command(options.command)->program, options, values);
        const int code = command->carry_out(options);
        if (code == exit_code::fine && std::fflush(stdout) != 0)
            return output_failed(errno);
        return code;
    });
}

} // namespace sme::cli
