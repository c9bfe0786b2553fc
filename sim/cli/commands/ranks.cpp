// SPDX-License-Identifier: Apache-2.0
//
// `mpirun sme run`: rank 0 is the command as on one machine, with all files and all texts; the
// others run their share of the network.
#include "cli/commands/ranks.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <new>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/codes.hpp"
#include "base/program.hpp"
#include "cli/command_table.hpp"
#include "cli/findings.hpp"
#include "cli/terminal.hpp"
#include "engine/engine.hpp"
#include "session/native_run.hpp"

namespace sme::cli {

namespace {

namespace fs = std::filesystem;

/// On other ranks than 0: the standard error, which they use only if they lose another rank.
int error_stream = -1;

unsigned long number_in(const char* variable) {
    const char* const text = std::getenv(variable);
    return text ? std::strtoul(text, nullptr, 10) : 0;
}

/// The MPI that has started this program as one of several; empty if none has.
std::string mpi_of_this_run() {
    return number_in("OMPI_COMM_WORLD_SIZE") > 1 ? "openmpi"
           : number_in("PMI_SIZE") > 1           ? "mpich"
                                                 : "";
}

/// The number of this rank, which mpirun tells the program before MPI begins.
unsigned long rank_in(const std::string& mpi) {
    return number_in(mpi == "openmpi" ? "OMPI_COMM_WORLD_RANK" : "PMI_RANK");
}

/// Beside the installed command, or in the folder in which it was built.
std::string plugin_for(const std::string& mpi) {
    const fs::path here = fs::path{running_program()}.parent_path();
    const std::string name = fmt::format("libsme_mpi_{}.so", mpi);
    for (const char* folder : {"../lib/sme", "../lib64/sme", "../mpi"})
        if (std::error_code error; fs::exists(here / folder / name, error))
            return (here / folder / name).lexically_normal().string();
    return {};
}

/// The first given option that is not available on several ranks, as the user writes it; empty
/// without such an option.
std::string unavailable(const Options& options) {
    if (options.untimed)
        return "--untimed";
    if (options.validate)
        return "--validate";
    return {};
}

/// Adds the options that decide the values of a run, or how ranks work together.
void add_options(const Options& options, session::RunDigest& digest) {
    digest.add("the version of sme", SME_VERSION);
    digest.add("the command", options.command);
    for (const auto& [name, value] : options.parameters)
        digest.add(fmt::format("parameter '{}'", name), value);
    digest.add("the seed", options.run.seed);
    digest.add("--test", options.test);
    digest.add("--metastability", options.metastability.has_value());
    digest.add("--cycles", options.cycles.value_or(0));
    digest.add("--trace-memory", options.trace_memory);
    digest.add("--trace-let", options.trace_let);
    for (const auto& [name, given] : {std::pair{"--coverage", !options.coverage.empty()},
                                      {"--report", !options.page.empty()},
                                      {"--histories", !options.histories.empty()},
                                      {"--stats", bool{options.stats}},
                                      {"--resume", !options.resume.empty()},
                                      {"--partition", !options.partition.empty()},
                                      {"--untimed", bool{options.untimed}},
                                      {"--validate", bool{options.validate}}})
        digest.add(name, given);
}

} // namespace

void let_rank_0_speak() {
    const std::string mpi = mpi_of_this_run();
    if (rank_in(mpi) == 0 || mpi.empty())
        return;
    error_stream = ::dup(STDERR_FILENO);
    for (std::FILE* const stream : {stdout, stderr})
        if (!std::freopen("/dev/null", "w", stream))
            std::_Exit(exit_code::file);
}

std::unique_ptr<mpi::Connection> connect_ranks(const Options& options, int& exit_code) {
    exit_code = exit_code::fine;
    const std::string mpi = mpi_of_this_run();
    if (mpi.empty())
        return nullptr;
    const std::string plugin = plugin_for(mpi);
    std::string problem =
        fmt::format("this sme has no plug-in for it: install lib{}-dev and start tools/sme, which "
                    "builds the plug-in; an installed sme needs the package sme-mpi",
                    mpi);
    const auto seconds = static_cast<double>(options.patience);
    const auto report_lost = [mpi, seconds] {
        if (error_stream >= 0)
            ::dup2(error_stream, STDERR_FILENO);
        report_error(Code::bad_option,
                     fmt::format("rank {} has waited for another one for {} s, so all ranks end; "
                                 "give --patience 0 if that is no failure",
                                 rank_in(mpi), seconds));
        std::fflush(stderr);
    };
    std::unique_ptr<mpi::Connection> ranks =
        plugin.empty() ? nullptr
                       : mpi::connect(plugin, {seconds, report_lost, exit_code::building}, problem);
    if (!ranks) {
        report_error(Code::bad_option,
                     fmt::format("mpirun started several ranks, but {}", problem));
        exit_code = exit_code::usage;
        return nullptr;
    }
    session::RunDigest digest;
    add_options(options, digest);
    if (!all_equal(*ranks, digest)) {
        exit_code = exit_code::usage;
        return nullptr;
    }
    if (const std::string option = unavailable(options); !option.empty()) {
        report_error(Code::bad_option,
                     fmt::format("{} is not available on several ranks: run it on one machine, "
                                 "without mpirun",
                                 option));
        exit_code = exit_code::usage;
        return nullptr;
    }
    return ranks;
}

bool all_loaded(mpi::Connection& ranks, bool loaded) {
    unsigned rank = 0;
    bool all = true;
    for (const std::vector<std::byte>& other : ranks.gather({std::byte{loaded}})) {
        if (loaded && other[0] == std::byte{0} && all)
            report_error(Code::bad_option,
                         fmt::format("rank {} cannot load this network: it needs the same files as "
                                     "rank 0, under the same paths",
                                     rank));
        all = all && other[0] != std::byte{0};
        ++rank;
    }
    return all;
}

bool all_equal(mpi::Connection& ranks, const session::RunDigest& digest) {
    auto difference = digest.compare(ranks);
    if (!difference)
        return true;
    constexpr std::size_t most = 3;
    std::vector<std::string>& names = difference->names;
    const std::string more =
        names.size() > most ? fmt::format(" and {} more", names.size() - most) : "";
    names.resize(std::min(names.size(), most));
    report_error(Code::bad_option,
                 fmt::format("the ranks do not run the same: rank {} differs from rank 0 in {}{}; "
                             "all ranks need the same sme, the same options and the same files",
                             difference->rank, fmt::join(names, ", "), more));
    return false;
}

int read_partition_file(const Options& options, bool alone, std::string& text) {
    if (alone && !options.partition.empty()) {
        report_error(Code::bad_option, "--partition divides a network among ranks, which mpirun "
                                       "starts: mpirun -n 4 sme run ...");
        return exit_code::usage;
    }
    constexpr std::size_t max_bytes = std::size_t{256} << 20;
    std::error_code error;
    if (options.partition.empty() || !fs::exists(options.partition, error))
        return exit_code::fine;
    FileText file = read_text(options.partition, max_bytes);
    if (!file.text) {
        report_error(Code::file_unreadable, file.problem);
        return exit_code::usage;
    }
    text = std::move(*file.text);
    if (text.empty())
        text = " "; // a file that is there must say something
    return exit_code::fine;
}

int follow_run(const Options& options, const Loaded& loaded, const RunCheckpoints& checkpoints,
               const std::string& partition, mpi::Connection& ranks) {
    try {
        Diagnostics diagnostics;
        engine::Options own;
        own.run = options.run;
        own.ranks = &ranks;
        own.first_rank = families_of(loaded.memories.memories);
        own.partition = partition;
        StandardOutput none; // collects lines for rank 0
        own.prints = &none;
        session::Run run{loaded.design.graph, loaded.analysis, own, diagnostics};
        if (!run.ok())
            return agreed_exit_code(exit_code::usage, ranks);
        if (const int failed = checkpoints.follow(run.engine()); failed != exit_code::fine)
            ranks.end_all(failed);
        session::NativeSettings settings;
        settings.one_thread = options.run.threads == 1;
        if (!options.compile)
            settings.forbidden = "--no-compile";
        session::NativeRun& native = session::native_of(run, std::move(settings));
        if (options.execution == Execution::native)
            native.compile(); // rank 0 reports a failure
        run.engine().follow([&] {
            if (options.execution == Execution::automatic)
                native.poll({});
        });
        native.stop();
        run.finish();
        if (options.stats)
            rank_report(run.engine(), ranks);
        return agreed_exit_code(exit_code::fine, ranks);
    } catch (const std::bad_alloc&) {
        ranks.end_all(exit_code::usage);
    } catch (const std::system_error&) {
        ranks.end_all(exit_code::usage);
    }
    return exit_code::usage;
}

int agreed_exit_code(int code, Transport& ranks) {
    return std::to_integer<int>(ranks.gather({std::byte(code)})[0][0]);
}

std::string rank_report(const engine::Engine& engine, Transport& ranks) {
    struct rusage usage {};
    ::getrusage(RUSAGE_SELF, &usage);
    const engine::Engine::RankLoad load = engine.rank_load();
    const std::string own =
        fmt::format("{:.0f} % work, {} bytes to {} ranks{}, peak {:.1f} MB", load.work * 100,
                    load.bytes, load.neighbours,
                    load.observed == 0 ? "" : fmt::format(", {} bytes to observers", load.observed),
                    static_cast<double>(usage.ru_maxrss) / 1024);
    const auto* const text = reinterpret_cast<const std::byte*>(own.data());
    std::string report;
    unsigned rank = 0;
    for (const std::vector<std::byte>& line : ranks.gather({text, text + own.size()}))
        report +=
            fmt::format("rank {}: {}\n", rank++,
                        std::string_view{reinterpret_cast<const char*>(line.data()), line.size()});
    return load.together.empty() ? report : report + load.together + '\n';
}

std::vector<std::uint32_t> families_of(const std::vector<trace::TracedWords>& memories) {
    std::vector<std::uint32_t> result;
    for (const trace::TracedWords& memory : memories)
        result.push_back(memory.family);
    return result;
}

} // namespace sme::cli
