// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/runs.hpp"

#include <chrono>
#include <new>
#include <system_error>

#include <fmt/format.h>

#include "actors/run.hpp"
#include "base/codes.hpp"
#include "base/files.hpp"
#include "base/source.hpp"
#include "cli/findings.hpp"
#include "cli/histories.hpp"
#include "cli/loading.hpp"
#include "cli/output_files.hpp"
#include "cli/reports/results.hpp"
#include "cli/terminal.hpp"
#include "runtime/clock.hpp"
#include "session/native_actors.hpp"
#include "session/run/outcome.hpp"

namespace sme::cli {

namespace {

using Clock = std::chrono::steady_clock;

std::string_view phrase_of(const actors::Result& result) {
    if (result.end == RunEnd::completed && result.at_limit)
        return ", as often as they may fire";
    return result.end == RunEnd::check_failed ? ", ended by a failed output"
                                              : session::ending_of(result.end).phrase;
}

/// Converts "a
/// b" to a finding with notes.
Diagnostic deadlock_of(const std::string& explanation) {
    Diagnostic result{Code::deadlock, Severity::fault, {}, "actors wait for each other", {}};
    for (std::size_t begin = 0; begin < explanation.size();) {
        const std::size_t end = std::min(explanation.find('\n', begin), explanation.size());
        result.notes.push_back({{}, explanation.substr(begin, end - begin)});
        begin = end + 1;
    }
    return result;
}

class UntimedRun {
public:
    UntimedRun(const Options& options, const Loaded& loaded, std::vector<actors::Plan> plans)
        : options_{options}, loaded_{loaded}, plans_{std::move(plans)} {}

    int carry_out() {
        if (const int refused = claim_outputs(options_, loaded_, ""); refused != exit_code::fine)
            return refused;
        std::optional<OutputFile> histories;
        if (!options_.histories.empty()) {
            histories.emplace(options_.histories);
            if (!histories->good())
                return failed_file(histories->problem());
        }
        actors::Run run{loaded_.design.graph, std::move(plans_), run_options()};
        for (const auto& recording : loaded_.recordings)
            if (!recording->problem().empty())
                return failed_file(recording->problem());
        session::NativeActors native{loaded_.design.graph, run, native_settings()};
        if (const int failed = prepare(native); failed != exit_code::fine)
            return failed;
        const Clock::time_point begin = Clock::now();
        const actors::Result result = run.run();
        const double seconds = seconds_of(Clock::now() - begin);
        native.stop();
        for (const auto& recording : loaded_.recordings)
            recording->finish(result.end != RunEnd::completed || result.at_limit);
        if (histories) {
            histories->write(histories_csv(histories_of(result)));
            histories->commit();
        }
        if (options_.stats)
            print_stats(result, native, seconds);
        return report(result, histories ? histories->problem() : "");
    }

private:
    static int failed_file(const std::string& problem) {
        report_error(Code::file_unwritable, problem);
        return exit_code::file;
    }

    actors::RunOptions run_options() {
        actors::RunOptions result;
        result.untimed.runners = static_cast<unsigned>(options_.runners);
        result.untimed.seed = options_.seed;
        result.untimed.thread_per_process = options_.thread_per_process;
        result.untimed.enlarge = !options_.fixed_depths;
        result.untimed.channel_bytes_max = options_.channel_memory;
        result.untimed.digests = !options_.histories.empty();
        result.firings = options_.firings;
        result.places = static_cast<std::uint32_t>(options_.min_depth);
        result.interrupt = &interrupted();
        result.can_write = [](Group& recorder) {
            const interpret::RecordingFile* const file = interpret::recording_of(recorder);
            return file == nullptr || file->problem().empty();
        };
        result.print = [this](const std::string& line) { output_.print(line); };
        return result;
    }

    session::NativeSettings native_settings() const {
        session::NativeSettings result;
        if (!options_.compile)
            result.forbidden =
                "native code needs a C compiler, which --no-compile forbids to start";
        result.interrupt = &interrupted();
        result.note = print_note;
        return result;
    }

    int prepare(session::NativeActors& native) const {
        if (options_.execution == Execution::automatic)
            native.begin();
        if (options_.execution != Execution::native)
            return exit_code::fine;
        if (const std::string why = native.missing(); !why.empty()) {
            report_error(Code::compiler_missing, why);
            return exit_code::building;
        }
        const std::string problem = native.compile();
        if (problem.empty())
            return exit_code::fine;
        report_error(Code::native_failed, fmt::format("native code cannot be made: {}", problem));
        return interrupted() ? signal_exit_code() : exit_code::building;
    }

    static std::vector<History> histories_of(const actors::Result& result) {
        std::vector<History> made;
        for (const ChannelReport& channel : result.channels)
            made.push_back({channel.name, channel.received, channel.digest});
        return made;
    }

    void print_stats(const actors::Result& result, const session::NativeActors& native,
                     double seconds) const {
        std::uint64_t messages = 0;
        for (const ChannelReport& channel : result.channels)
            messages += channel.received;
        fmt::print(stderr,
                   "stats: run_s={:.4f} firings={} ns_per_firing={:.1f} messages={} runners={} "
                   "native={}\n",
                   seconds, result.firings,
                   seconds * 1e9 / static_cast<double>(std::max<std::uint64_t>(1, result.firings)),
                   messages, options_.runners.value, native.is_live() ? "yes" : native.why());
    }

    std::string summary(const actors::Result& result) const {
        std::string text = fmt::format(
            "{}: {} of {} and {}, without a clock{}\n", loaded_.design.graph.name,
            counted(result.firings, "firing", "firings"), counted(result.actors, "actor", "actors"),
            counted(result.channel_count, "channel", "channels"), phrase_of(result));
        for (const auto& recording : loaded_.recordings)
            text += recording_line(*recording);
        for (const ChannelReport& channel : result.channels)
            if (channel.depth > channel.declared_depth)
                text += fmt::format("  deepened     {}: {} instead of {}, or actors would have "
                                    "waited for each other\n",
                                    channel.name, counted(channel.depth, "place", "places"),
                                    channel.declared_depth);
        if (const std::uint64_t left_out = loaded_.design.checks_left_out; left_out > 0)
            text += fmt::format("  skipped      {}, as checks look at cycles\n",
                                counted(left_out, "check", "checks"));
        return text;
    }

    int report(const actors::Result& result, const std::string& histories_problem) {
        std::vector<Diagnostic> findings = result.faults;
        if (result.end == RunEnd::deadlocked)
            findings.push_back(deadlock_of(result.explanation));
        for (Diagnostic& failure : failures_of(loaded_))
            findings.push_back(std::move(failure));
        if (loaded_.strict && session::ending_of(result.end).well)
            for (Diagnostic& unreached : unreached_of(loaded_, 0))
                findings.push_back(std::move(unreached));
        const bool bad = !findings.empty();
        show(findings);
        output_.write(shown_text(summary(result)));
        output_.flush();
        bool written = histories_problem.empty();
        if (!written)
            report_error(Code::file_unwritable, histories_problem);
        for (const auto& recording : loaded_.recordings)
            if (const std::string problem = recording->problem(); !problem.empty()) {
                report_error(Code::file_unwritable, problem);
                written = false;
            }
        if (bad)
            return exit_code::model_failed;
        if (output_.error() != 0)
            return output_failed(output_.error());
        if (!written)
            return exit_code::file;
        return result.end == RunEnd::stopped ? signal_exit_code() : exit_code::fine;
    }

    const Options& options_;
    const Loaded& loaded_;
    std::vector<actors::Plan> plans_;
    StandardOutput output_;
};

} // namespace

int run_untimed(const Options& options) {
    catch_signals();
    std::vector<actors::Plan> plans;
    LoadSettings settings;
    settings.untimed = true;
    settings.change = [&](yaml::Design& design, VerilogModules&, Diagnostics& diagnostics) {
        if (design.may_halt)
            diagnostics.add(Code::needs_clock, design.graph.declared,
                            "a process halts the run, which ends it after a cycle; end actors with "
                            "'done' instead");
        plans = actors::plans_of(design.graph, diagnostics);
    };
    LoadResult result = load_network(options, VerilogModules::Purpose::run, std::move(settings));
    if (!result.network)
        return result.exit_code;
    try {
        return UntimedRun{options, *result.network, std::move(plans)}.carry_out();
    } catch (const std::system_error& error) {
        report_error(Code::bad_option,
                     fmt::format("this machine does not allow that many threads: {}",
                                 error.code().message()));
    } catch (const std::bad_alloc&) {
        report_error(Code::network_too_large, "there is not enough memory to go on");
    }
    return exit_code::usage;
}

} // namespace sme::cli
