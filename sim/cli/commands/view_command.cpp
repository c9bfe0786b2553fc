// SPDX-License-Identifier: Apache-2.0
//
// 1. run the network with a trace, or take an existing trace
// 2. write the save file beside the trace
// 3. open both in GTKWave
// With --live, steps 2 and 3 happen at the start of the run; the marker is set at its end.
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <iterator>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "base/files.hpp"
#include "base/program.hpp"
#include "base/source.hpp"
#include "cli/command_table.hpp"
#include "cli/findings.hpp"
#include "cli/live_viewer.hpp"
#include "cli/output_files.hpp"
#include "cli/reports/results.hpp"
#include "cli/terminal.hpp"
#include "trace/names/vcd_time.hpp"
#include "trace/view/radixes.hpp"
#include "trace/view/rows.hpp"
#include "trace/view/save_file.hpp"
#include "trace/view/vcd_reader.hpp"

namespace sme::cli {

namespace {

using Clock = std::chrono::steady_clock;

/// Replaces the extension of a path.
std::string with_ending(const std::string& path, const char* ending) {
    return std::filesystem::path{path}.replace_extension(ending).string();
}

std::string folder_of(const std::string& path) {
    return path.substr(0, path.rfind('/') + 1);
}

/// Reports an error; returns its exit code.
int ended_by(Code code, std::string message) {
    report_error(code, std::move(message));
    return code == Code::file_unwritable ? exit_code::file : exit_code::usage;
}

int ended_by_viewer(const std::string& problem) {
    fmt::print(stderr, "error: {}\n", shown_text(problem));
    return exit_code::building;
}

/// True if the extension is that of a waveform file.
bool is_waveform(std::string_view path) {
    return path.ends_with(".vcd") || path.ends_with(".fst");
}

/// Chooses the path of a network's trace: the requested one, else beside the save file, else the
/// one in the network if that is a waveform, else beside the network.
std::string trace_of(const Options& options, const Loaded& loaded) {
    if (!options.trace.empty())
        return options.trace;
    if (!options.output.empty())
        return with_ending(options.output, ".vcd");
    return is_waveform(loaded.design.trace) ? loaded.design.trace
                                            : with_ending(options.network, ".vcd");
}

constexpr double cycles_at_first = 25; // the number of cycles in the first view

/// The part of a trace that the viewer shows first.
struct FirstLook {
    double span_ticks = 0;
    std::uint64_t begin_ticks = 0;
    std::optional<std::uint64_t> marker_ticks{};
};

std::uint64_t period_ticks(const Loaded& loaded) {
    return trace::Timescale::of(trace::ClockPeriod::of(loaded.design.clock_ps)).period_ticks;
}

/// The whole of a short trace, else `max_cycles` cycles. A clock changes twice per cycle.
double span_of(const trace::VcdSummary& summary, double max_cycles) {
    std::vector<std::uint64_t> steps;
    for (std::size_t k = 1; k < summary.times.size(); ++k)
        steps.push_back(summary.times[k] - summary.times[k - 1]);
    if (steps.empty())
        return 0;
    const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
    std::nth_element(steps.begin(), middle, steps.end());
    const double cycles = 2 * static_cast<double>(*middle) * max_cycles;
    return summary.end == 0 ? cycles : std::min(cycles, static_cast<double>(summary.end));
}

/// Selects the first 25 cycles, or 20 around the failed cycle: two thirds of the window lie before
/// it, as far as the trace reaches. The failed cycle is usually the last one.
FirstLook look_at(const trace::VcdSummary& summary, std::optional<std::uint64_t> failed_tick) {
    if (!failed_tick)
        return {span_of(summary, cycles_at_first)};
    // GTKWave starts at 0 if the window extends past the end, so the window is half a cycle smaller
    constexpr double part_shown = 0.975;
    const auto span = static_cast<std::uint64_t>(span_of(summary, 20));
    FirstLook look{static_cast<double>(span) * part_shown};
    look.marker_ticks = failed_tick;
    const std::uint64_t before = span / 3 * 2;
    look.begin_ticks = std::min(*failed_tick - std::min(*failed_tick, before),
                                summary.end - std::min(summary.end, span));
    return look;
}

/// The time of the first cycle in which a check failed; otherwise that of a fault, which ends the
/// trace.
std::optional<std::uint64_t> failed_tick(const Loaded& loaded, int code,
                                         const trace::VcdSummary& summary) {
    const std::uint64_t period = period_ticks(loaded);
    if (const std::vector<std::uint64_t> failed = failed_cycles(loaded); !failed.empty())
        return failed.front() * period;
    if (code == exit_code::model_failed && summary.end >= period)
        return summary.end - period;
    return std::nullopt;
}

class Viewer {
public:
    Viewer(const Options& options, std::string trace)
        : options_{options}, trace_{std::move(trace)}, save_{options.output.empty()
                                                                 ? with_ending(trace_, ".gtkw")
                                                                 : options.output} {}

    /// Claims the outputs before the run, to protect the files that the run reads. The content of
    /// an existing save file is checked when it is written.
    int claim(FileAccess& files) const {
        FileAccess::WriteRequest wish;
        wish.path = save_;
        return claim_output(files, wish);
    }

    int show(const std::vector<trace::Row>& rows, const FirstLook& look) {
        if (const int failed = write(rows, look); failed != exit_code::fine)
            return failed;
        return options_.open && !options_.surfer ? open() : exit_code::fine;
    }

    /// Writes the save file and the files that belong to it. `again`: does not repeat reports.
    int write(const std::vector<trace::Row>& rows, const FirstLook& look, bool again = false) {
        trace::View view;
        view.rows = rows;
        view.trace = std::filesystem::proximate(trace_, folder_or_here()).string();
        view.save = save_.substr(folder_of(save_).size());
        view.span_ticks = look.span_ticks;
        view.begin_ticks = look.begin_ticks;
        view.marker_ticks = look.marker_ticks;
        std::vector<trace::ViewFile> files = trace::files_of(view);
        if (options_.surfer) {
            std::vector<trace::ViewFile> mappings = trace::mapping_files_of(view);
            if (mappings.empty())
                print_note("no signal is known to be of an enumeration, so there are no names to "
                           "write for Surfer");
            std::move(mappings.begin(), mappings.end(), std::back_inserter(files));
        }
        return write(files, again);
    }

    /// Opens the viewer on a growing trace.
    int follow(LiveViewer& live, const std::string& gtkwave, const std::string& growing) const {
        const std::string problem = live.start(gtkwave, growing, plain(save_));
        return problem.empty() ? exit_code::fine : ended_by_viewer(problem);
    }

    static int ended(const std::string& program, const ProgramEnd& end) {
        if (end.stopped)
            return signal_exit_code();
        if (!end.problem.empty())
            return ended_by_viewer(end.problem);
        if (end.exit_code != 0)
            return ended_by_viewer(fmt::format("'{}' ended with {}", program, end.exit_code));
        return exit_code::fine;
    }

    /// Finds GTKWave; reports an error and returns `nullopt` if it is missing.
    static std::optional<std::string> find_viewer() {
        std::optional<std::string> gtkwave = find_program("gtkwave");
        if (!gtkwave)
            ended_by_viewer("there is no program 'gtkwave' (Debian: apt-get install gtkwave); "
                            "--no-open only writes the files for it");
        return gtkwave;
    }

private:
    /// Protects a file name that begins with '-'.
    static std::string plain(const std::string& path) {
        return path.starts_with('-') ? "./" + path : path;
    }

    std::string folder_or_here() const {
        const std::string folder = folder_of(save_);
        return folder.empty() ? "." : folder;
    }

    int write(const std::vector<trace::ViewFile>& files, bool again) {
        catch_signals(); // a signal leaves no partial file
        for (const trace::ViewFile& file : files) {
            const std::string path = folder_of(save_) + file.name;
            const trace::WriteResult written =
                trace::write_view_file(folder_of(save_), file, options_.overwrite && !again);
            if (!written.problem.empty())
                return ended_by(Code::file_unwritable, written.problem);
            if (again)
                continue;
            if (written.kept)
                fmt::print(stderr,
                           "note: '{}' is kept as you changed it; --overwrite writes it anew\n",
                           shown_text(path));
            else if (path == save_ || file.name.starts_with(trace::mappings_folder))
                fmt::print("  wrote        {}\n", shown_text(path));
        }
        return std::fflush(stdout) == 0 ? exit_code::fine : output_failed(errno);
    }

    int open() {
        const std::optional<std::string> gtkwave = find_viewer();
        if (!gtkwave)
            return exit_code::building;
        // Ctrl-C ended the run, and the user wants to see it; another signal ends the command
        const bool ends_run = interrupted_by() == SIGINT;
        const ProgramLimit limit{0, ends_run ? nullptr : &interrupted(), 0, &interrupted_by()};
        return ended(*gtkwave, run_program(*gtkwave, {plain(trace_), plain(save_)},
                                           ProgramStreams::ours, {}, &limit));
    }

    const Options& options_;
    std::string trace_;
    std::string save_;
};

/// Applies the radixes of --radix to the rows; a note names a pattern without a match.
void give_radixes(const Options& options, std::vector<trace::Row>& rows) {
    std::vector<trace::RadixRule> rules;
    for (const std::string& written : options.radix)
        rules.push_back(*trace::radix_rule(written)); // parsed successfully before
    for (const std::string& unused : trace::give_radixes(rules, rows))
        print_note(fmt::format("--radix: no signal that is shown is called '{0}', nor is of a type "
                               "'{0}'",
                               unused));
}

/// True if GTKWave should open but there is no display; reports that.
bool lacks_display(const Options& options) {
    const auto is_set = [](const char* name) {
        const char* const display = std::getenv(name);
        return display && *display;
    };
    if (!options.open || options.surfer || is_set("DISPLAY") || is_set("WAYLAND_DISPLAY"))
        return false;
    report_error(Code::bad_option,
                 "there is no display to open GTKWave on: neither DISPLAY nor "
                 "WAYLAND_DISPLAY is set; --no-open only writes the files for it");
    return true;
}

/// Why this trace does not work with --live; empty if it does.
std::string live_problem(const std::string& trace) {
    if (!trace.ends_with(".vcd"))
        return fmt::format("--live shows a VCD file while it grows, but the trace is '{}'; give "
                           "--trace FILE.vcd",
                           trace);
    if (is_written_in_place(trace))
        return fmt::format("--live reads the trace again while it grows, but '{}' is no file",
                           trace);
    return {};
}

/// Runs the network while GTKWave shows it.
int view_live(Loaded& loaded, const std::string& trace, const std::vector<trace::Row>& rows,
              Viewer& viewer, const std::function<int()>& run) {
    if (const std::string problem = live_problem(trace); !problem.empty())
        return ended_by(Code::bad_option, problem);
    const std::optional<std::string> gtkwave = Viewer::find_viewer();
    if (!gtkwave)
        return exit_code::building;
    LiveViewer live;
    int opened = exit_code::fine;
    loaded.on_trace = [&](const std::string& growing) {
        const auto span = static_cast<double>(period_ticks(loaded)) * cycles_at_first;
        opened = viewer.write(rows, {span});
        if (opened == exit_code::fine)
            opened = viewer.follow(live, *gtkwave, growing);
    };
    const int code = run();
    if (code == exit_code::usage || code == exit_code::file || !live.started())
        return code == exit_code::fine ? opened : code;
    const trace::VcdSummary summary = trace::summary_of_vcd(trace);
    if (!summary.problem.empty()) // the run did not start
        return code != exit_code::fine ? code : ended_by(Code::file_unwritable, summary.problem);
    const FirstLook look = look_at(summary, failed_tick(loaded, code, summary));
    live.finish(look.marker_ticks, look.begin_ticks);
    if (const int failed = viewer.write(rows, look, true); failed != exit_code::fine)
        opened = failed;
    const int shown = Viewer::ended(*gtkwave, live.wait(code == 128 + SIGINT)); // Ctrl-C
    return code != exit_code::fine ? code : opened != exit_code::fine ? opened : shown;
}

int view_network(const Options& options) {
    const Clock::time_point begin = Clock::now();
    LoadResult result = load_network(options, VerilogModules::Purpose::run);
    std::optional<Loaded>& loaded = result.network;
    if (!loaded)
        return result.exit_code;
    if (lacks_display(options))
        return exit_code::usage;
    Options traced = options;
    const std::string trace = trace_of(options, *loaded);
    if (options.safe && trace.ends_with(".fst"))
        return ended_by(Code::bad_option, "'--safe' starts no program, but GTKWave's fst2vcd reads "
                                          "FST files; give --trace FILE.vcd");
    if (trace != loaded->design.trace) // otherwise the network names it
        traced.trace = trace;
    Viewer viewer{options, trace};
    if (const int refused = viewer.claim(*loaded->files); refused != exit_code::fine)
        return refused;
    std::vector<trace::Row> rows =
        trace::rows_of(loaded->design.graph, {trace::Selection{options.trace_select},
                                              options.trace_state, traced_words(*loaded)});
    give_radixes(options, rows);
    const auto run = [&] { return run_loaded(traced, *loaded, Clock::now() - begin); };
    if (options.live)
        return view_live(*loaded, trace, rows, viewer, run);
    const int code = run();
    if (code == exit_code::usage || code == exit_code::file)
        return code;
    const trace::VcdSummary summary = trace::summary_of_vcd(trace);
    if (!summary.problem.empty())
        return ended_by(Code::file_unwritable, summary.problem);
    const int shown = viewer.show(rows, look_at(summary, failed_tick(*loaded, code, summary)));
    return code == exit_code::fine ? shown : code;
}

int view_trace(const Options& options) {
    if (options.for_network)
        return ended_by(Code::bad_option, "a trace is looked at as it is; --set, --cycles and the "
                                          "like are for a network");
    if (options.live)
        return ended_by(Code::bad_option,
                        "--live shows a run, but this is a trace; give a network");
    trace::VcdSummary summary = trace::summary_of_vcd(options.network);
    if (!summary.problem.empty())
        return ended_by(Code::file_unreadable, summary.problem);
    if (lacks_display(options))
        return exit_code::usage;
    give_radixes(options, summary.rows);
    return Viewer{options, options.network}.show(summary.rows, look_at(summary, {}));
}

} // namespace

int view_command(const Options& options) {
    if (!options.output.empty() && !options.output.ends_with(".gtkw"))
        return ended_by(Code::bad_option,
                        fmt::format("GTKWave knows a save file by its name; it is FILE.gtkw, but "
                                    "this is '{}'",
                                    options.output));
    if (!options.trace.empty() && !is_waveform(options.trace))
        return ended_by(
            Code::bad_option,
            fmt::format("a trace is FILE.vcd or FILE.fst, but this is '{}'", options.trace));
    for (const std::string& written : options.radix)
        if (!trace::radix_rule(written))
            return ended_by(Code::bad_option,
                            fmt::format("--radix is written GLOB=RADIX with one of {}, but this is "
                                        "'{}'",
                                        trace::radix_names(), written));
    if (options.live && (!options.open || options.surfer))
        return ended_by(Code::bad_option,
                        fmt::format("'--live' opens GTKWave, which '{}' does not; give one of them",
                                    options.surfer ? "--surfer" : "--no-open"));
    return is_waveform(options.network) ? view_trace(options) : view_network(options);
}

} // namespace sme::cli
