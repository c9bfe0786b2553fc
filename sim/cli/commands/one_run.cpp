// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/one_run.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <system_error>

#include <fmt/format.h>
#include <sys/resource.h>

#include "base/codes.hpp"
#include "base/source.hpp"
#include "cli/commands/ranks.hpp"
#include "cli/findings.hpp"
#include "cli/reports/results.hpp"
#include "runtime/clock.hpp"
#include "session/run_loop.hpp"

namespace sme::cli {

int Run::carry_out() {
    if (!choose_cycles())
        return exit_code::usage;
    const Clock::time_point begin = Clock::now();
    if (const int refused = claim_outputs(options_, loaded_, trace_path());
        refused != exit_code::fine)
        return refused;
    Diagnostics diagnostics;
    checkpoints_.prepare(loaded_);
    session::Run run{loaded_.design.graph, loaded_.analysis, engine_options(), diagnostics};
    show(diagnostics);
    if (!run.ok()) {
        finished_ = true; // other ranks have the same errors
        return exit_code::usage;
    }
    engine::Engine& engine = run.engine();
    if (const int failed = open_files(engine); failed != exit_code::fine)
        return failed;
    if (ranks_ && !options_.partition.empty() && partition_.empty())
        if (const int failed = write_partition(engine); failed != exit_code::fine)
            return failed;
    if (const int failed = measured_.open(options_, loaded_.design.graph, engine);
        failed != exit_code::fine)
        return failed;
    if (const int failed =
            checkpoints_.begin(options_, engine, loaded_, reports_.coverage(), cycles_);
        failed != exit_code::fine)
        return failed;
    if (const int failed = prepare_native(run); failed != exit_code::fine)
        return failed;
    const Clock::time_point start = Clock::now();
    try {
        run_cycles(run);
    } catch (const std::system_error& error) {
        report_error(Code::bad_option, fmt::format("there cannot be {} threads here: {}",
                                                   options_.run.threads, error.code().message()));
        return exit_code::usage;
    } catch (const std::bad_alloc&) {
        reserve_.reset();
        return out_of_memory(engine);
    }
    native_->stop();
    const Clock::time_point end = Clock::now();
    const session::Outcome outcome = run.finish();
    finished_ = true;
    watch_.finish(engine);
    waveform_.finish(options_, engine);
    ran_ = outcome.cycles;
    finish_recordings(outcome);
    if (options_.stats)
        print_stats(engine, start - begin, end - start);
    measured_problem_ = measured_.write(loaded_.design.graph, engine);
    page_problem_ =
        page_.write({engine, outcome, judge_.get(), *native_, reports_.coverage(),
                     graph_.activity(), checkpoints_.first_cycle(), seconds_of(end - start)});
    return report(engine, outcome);
}

void Run::run_cycles(session::Run& run) {
    engine::Engine& engine = run.engine();
    if (watch_.on_terminal())
        output_.before_print = [this] { watch_.take_away(); };
    Progress progress{endless_ ? 0 : cycles_};
    Clock::time_point flushed = Clock::now();
    const std::chrono::milliseconds between_flushes{loaded_.on_trace ? 100 : 1000};
    session::BetweenSlices between;
    between.look = [&] {
        if (!watch_.on_terminal())
            progress.update(engine.cycle());
        watch_.update(engine);
        if (Clock::now() - flushed >= between_flushes) {
            for_each_stream([](auto& stream) { stream.flush(); });
            flushed = Clock::now();
        }
        return can_write();
    };
    between.checkpoints = checkpoints_.saves();
    if (options_.execution == Execution::automatic && !judge_)
        between.native = native_;
    between.endless = endless_;
    if (!session::run_until(run, cycles_, between))
        engine.interrupt();
}

template <class Use> void Run::for_each_stream(Use use) const {
    if (trace_.tracer())
        use(*trace_.tracer());
    for (const auto& recording : loaded_.recordings)
        use(*recording);
}

bool Run::can_write() const {
    bool can = output_.error() == 0;
    for_each_stream([&](const auto& stream) { can = can && stream.problem().empty(); });
    return can;
}

int Run::out_of_memory(const engine::Engine& engine) const {
    report_error(Code::network_too_large,
                 fmt::format("there is not enough memory to go on in cycle {}", engine.cycle()));
    for_each_stream([](auto& stream) {
        try {
            stream.abandon();
            print_note(stream.problem());
        } catch (const std::bad_alloc&) {
            try_print_error("note: an unfinished file is left with the ending .part\n");
        }
    });
    return exit_code::usage;
}

engine::Options Run::engine_options() {
    constexpr std::size_t max_events = 200'000;
    engine::Options result;
    result.run = options_.run;
    result.run.auditor = judge_;
    result.ranks = ranks_;
    result.first_rank = families_of(loaded_.memories.memories);
    result.partition = partition_;
    result.reads_all = !options_.watch.empty();
    result.interrupt = &interrupted();
    result.prints = &output_;
    result.measure = options_.stats || !options_.profile.empty() || !options_.page.empty();
    result.max_events = !options_.profile.empty() ? max_events
                        : !options_.page.empty()  ? RunPage::max_events
                                                  : 0;
    return result;
}

int Run::write_partition(const engine::Engine& engine) const {
    OutputFile file{options_.partition};
    file.write(engine.partition());
    file.commit();
    if (file.problem().empty())
        return exit_code::fine;
    report_error(Code::file_unwritable, file.problem());
    return exit_code::file;
}

bool Run::choose_cycles() {
    const std::optional<std::uint64_t> cycles = cycles_to_run(options_, loaded_);
    if (!cycles)
        report_error(Code::bad_cycles, "nothing says how many cycles to run; give --cycles N, or "
                                       "write 'run: {cycles: N}' in the network");
    cycles_ = cycles.value_or(0);
    endless_ = !options_.cycles && !loaded_.design.cycles;
    return cycles.has_value();
}

int Run::open_files(engine::Engine& engine) {
    for (const auto& recording : loaded_.recordings)
        if (!recording->problem().empty()) {
            report_error(Code::file_unwritable, recording->problem());
            return exit_code::file;
        }
    if (const std::string problem = reports_.open(options_, loaded_, engine, judge_.get());
        !problem.empty()) {
        report_error(Code::file_unwritable, problem);
        return exit_code::file;
    }
    if (const int failed = page_.open(engine); failed != exit_code::fine)
        return failed;
    if (const int failed = graph_.open(options_, engine); failed != exit_code::fine)
        return failed;
    if (const int failed = trace_.open(options_, loaded_, engine, trace_path());
        failed != exit_code::fine)
        return failed;
    if (const int failed = watch_.open(options_, loaded_, engine, endless_ ? 0 : cycles_);
        failed != exit_code::fine)
        return failed;
    return waveform_.open(options_, loaded_, engine, {checkpoints_.first_cycle(), cycles_});
}

int Run::prepare_native(session::Run& run) {
    session::NativeSettings settings;
    settings.one_thread = options_.run.threads == 1;
    if (!options_.compile)
        settings.forbidden = "native code needs a C compiler, which --no-compile forbids to start";
    settings.interrupt = &interrupted();
    settings.note = [this](const std::string& text) {
        watch_.take_away();
        print_note(text);
    };
    native_ = &session::native_of(run, std::move(settings));
    if (!options_.emit_c.empty())
        if (const int failed = write_c(c_path(options_, loaded_), native_->write());
            failed != exit_code::fine)
            return failed;
    if (options_.execution != Execution::native)
        return exit_code::fine;
    if (const std::string why = native_->missing(); !why.empty()) {
        report_error(Code::compiler_missing, why);
        return exit_code::building;
    }
    const std::string problem = native_->compile();
    if (problem.empty())
        return exit_code::fine;
    report_error(Code::native_failed, fmt::format("native code cannot be made: {}", problem));
    return interrupted() ? signal_exit_code() : exit_code::building;
}

std::string Run::trace_path() const {
    std::string path = options_.trace.empty() ? loaded_.design.trace : options_.trace;
    if (path.empty() || !checkpoints_.resumes() || std::filesystem::is_character_file(path))
        return path;
    const std::string ending = std::filesystem::path{path}.extension().string();
    path.resize(path.size() - ending.size());
    return fmt::format("{}.from-{}{}", path, checkpoints_.first_cycle(), ending);
}

void Run::finish_recordings(const session::Outcome& outcome) {
    const bool shortened = options_.cycles && loaded_.design.cycles.value_or(0) > cycles_;
    const bool cut =
        (shortened || (options_.cycles && !loaded_.design.cycles)) && outcome.cycles >= cycles_;
    for (const auto& recording : loaded_.recordings)
        recording->finish(cut || !outcome.ending().well);
}

void Run::print_stats(engine::Engine& engine, Clock::duration building,
                      Clock::duration running) const {
    struct rusage usage {};
    ::getrusage(RUSAGE_SELF, &usage);
    const double run_s = seconds_of(running);
    const auto cycles = static_cast<double>(engine.cycle() - checkpoints_.first_cycle());
    const auto processes = static_cast<double>(loaded_.design.graph.process_count());
    fmt::print(stderr,
               "stats: load_s={:.4f} build_s={:.4f} run_s={:.4f} cycles_per_s={:.0f} "
               "run_ns_per_process_cycle={:.4f} arena_bytes={} changes={} peak_mb={:.1f}\n",
               seconds_of(loading_), seconds_of(building), run_s, cycles / run_s,
               run_s * 1e9 / (cycles * processes), engine.layout().arena_bytes,
               trace_.tracer() ? trace_.tracer()->changes() : 0,
               static_cast<double>(usage.ru_maxrss) / 1024);
    if (ranks_)
        fmt::print(stderr, "{}", rank_report(engine, *ranks_));
    fmt::print(stderr, "{}", native_report(options_, *native_));
    if (engine.cycle() > 0)
        fmt::print(stderr, "{}", thread_report(engine, options_.run.threads));
    if (loaded_.waits)
        fmt::print(stderr, "{}", wait_report(*loaded_.waits, engine.cycle()));
}

bool Run::is_cut_short(const session::Outcome& outcome) {
    return interrupted() &&
           std::all_of(outcome.faults.begin(), outcome.faults.end(),
                       [](const Diagnostic& fault) { return fault.code == Code::verilog_stopped; });
}

int Run::report(const engine::Engine& engine, const session::Outcome& outcome) {
    std::vector<Diagnostic> findings = outcome.faults;
    for (Diagnostic& failure : failures_of(loaded_))
        findings.push_back(std::move(failure));
    for (Diagnostic& unreached : strict_failures_of(loaded_, outcome))
        findings.push_back(std::move(unreached));
    show(findings);
    if (const std::string missing = waveform_.missing(); !missing.empty())
        print_note(missing);
    output_.write(shown_text(summary_of(loaded_, outcome, judge_.get()) +
                             checkpoints_.summary(options_) + reports_.summary() +
                             trace_.kept_line(options_, engine) +
                             waveform_.text(options_, loaded_)));
    bool written = true;
    const auto take = [&](const std::string& problem) {
        if (!problem.empty())
            report_error(Code::file_unwritable, problem);
        written = written && problem.empty();
    };
    for_each_stream([&](const auto& stream) { take(stream.problem()); });
    output_.flush();
    take(reports_.write(outcome));
    take(measured_problem_);
    take(page_problem_);
    take(checkpoints_.problem());
    const int drawn = std::max(waveform_.write(loaded_), graph_.write(loaded_));
    const bool faulted = outcome.has_faulted();
    if ((faulted && !is_cut_short(outcome)) || has_failed(loaded_, outcome, judge_.get()))
        return exit_code::model_failed;
    const int printed = output_.error() == 0 ? exit_code::fine : output_failed(output_.error());
    if (!written)
        return exit_code::file;
    if (drawn != exit_code::fine)
        return drawn;
    if (printed != exit_code::fine)
        return printed;
    return faulted || outcome.was_interrupted() ? signal_exit_code() : exit_code::fine;
}

int run_loaded(const Options& options, const Loaded& loaded, std::chrono::nanoseconds loading,
               std::uint64_t* cycles) {
    catch_signals();
    RunCheckpoints none;
    Run run{options, loaded, loading, none, {}, nullptr};
    const int code = run.carry_out();
    if (cycles)
        *cycles = run.ran();
    return code;
}

} // namespace sme::cli
