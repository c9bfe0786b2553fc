// SPDX-License-Identifier: Apache-2.0
#include "cli/native_run.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/codes.hpp"
#include "base/files.hpp"
#include "base/find_program.hpp"
#include "base/shown_text.hpp"
#include "cli/reports/findings.hpp"
#include "cli/signals.hpp"
#include "engine/threads/machine.hpp"
#include "session/system_compiler.hpp"

namespace sme::cli {

namespace {

constexpr double first_look_s = 0.02;    // before the length of a run is guessed
constexpr double worth_s = 0.3;          // a shorter rest of a run is not worth a compiler
constexpr double patience_s = 0.25;      // a compiler is given so long in any case
constexpr double unknown_length_s = 0.2; // a run that may end at any time has lasted so long
constexpr unsigned most_at_once = 8;     // compilers; each has its memory
constexpr int low_priority = 10;

} // namespace

void NativeRun::write() {
    if (native_)
        return;
    const Clock::time_point begin = Clock::now();
    native_ = native::Native::of(loaded_.design.graph, engine_);
    writing_s_ = std::chrono::duration<double>(Clock::now() - begin).count();
    parts_.resize(native_->unit().files().size());
}

int NativeRun::write_c(const std::string& folder) const {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    const std::string name = native::c_name(loaded_.design.graph.name) + ".c";
    OutputFile file{(std::filesystem::path{folder} / name).string()};
    file.write(native_->unit().text());
    if (file.commit())
        return exit_code::fine;
    complain(Code::file_unwritable, file.problem());
    return exit_code::file;
}

void NativeRun::start_compilers(bool one_thread, unsigned at_once, int niceness) {
    native::CompilerSettings settings = session::system_compiler();
    settings.niceness = niceness;
    compilers_ = std::make_unique<native::Compilers>(
        native_->unit().order(one_thread),
        [unit = &native_->unit()](std::size_t file) { return unit->text(file); }, settings,
        std::clamp(at_once, 1u, most_at_once));
}

void NativeRun::note_not_kept(const std::string& note) {
    if (!note.empty() && !std::exchange(noted_, true))
        fmt::print(stderr, "note: native code is not kept: {}\n", shown_text(note));
}

/// Takes what was compiled; an empty text, or what went wrong.
std::string NativeRun::load(native::Compilers::Made& made) {
    Part& part = parts_[made.file];
    part.seconds = made.compiled.seconds;
    part.kept = made.compiled.kept;
    std::string problem = made.compiled.problem;
    part.live =
        made.compiled.object && native_->load(made.file, std::move(made.compiled.object), problem);
    if (!part.live)
        return problem;
    ++live_;
    note_not_kept(made.compiled.note);
    return {};
}

/// Lets what was loaded step the processes. Measuring all anew costs time, so it is done when there
/// is twice as much native code as the last time, and with the last file.
void NativeRun::attach() {
    native_->attach_to(engine_);
    if (live_ >= 2 * decided_with_ || !compilers_ || compilers_->done()) {
        engine_.decide_anew();
        decided_with_ = live_;
    }
    pace_ = {Clock::now(), engine_.cycle()};
}

int NativeRun::prepare() {
    pace_ = {begin_ = Clock::now(), engine_.cycle()};
    if (!options_.emit_c.empty()) {
        write();
        if (const int failed = write_c(options_.emit_c); failed != exit_code::fine)
            return failed;
    }
    if (options_.execution == Execution::interpreted)
        why_ = "as --engine says";
    else if (options_.execution == Execution::automatic && options_.validate)
        why_ = "the judge looks at each step";
    return options_.execution == Execution::native ? compile_first() : exit_code::fine;
}

/// Why nothing can be compiled; empty: it can.
std::string NativeRun::missing() const {
    return options_.compile ? session::missing_compiler()
                            : "native code needs a C compiler, which --no-compile forbids to start";
}

/// The only file, without the cost of a thread; an empty text, or what went wrong.
std::string NativeRun::compile_one() {
    native::CompilerSettings settings = session::system_compiler();
    settings.unwanted = &interrupted();
    native::Compilers::Made made{0, native::compile(native_->unit().text(0), settings)};
    return load(made);
}

/// All files, by all CPUs; an empty text, or what went wrong.
std::string NativeRun::compile_all() {
    constexpr std::chrono::milliseconds between_looks{20};
    std::string problem;
    try {
        start_compilers(options_.run.threads == 1, engine::usable_cpus(), 0);
    } catch (const std::system_error& error) {
        return fmt::format("there is no thread to compile on: {}", error.code().message());
    }
    while (!compilers_->done() && problem.empty()) {
        for (native::Compilers::Made& made : compilers_->take(between_looks))
            if (problem.empty())
                problem = load(made);
        if (interrupted())
            compilers_->stop();
    }
    compilers_->stop();
    return problem;
}

/// All of it, before the run.
int NativeRun::compile_first() {
    if (const std::string why = missing(); !why.empty()) {
        complain(Code::compiler_missing, why);
        return exit_code::building;
    }
    write();
    std::string problem = parts_.size() == 1 ? compile_one() : compile_all();
    if (interrupted() && live_ < parts_.size())
        problem = "it was interrupted";
    if (problem.empty()) {
        attach();
        state_ = State::ended;
        return exit_code::fine;
    }
    complain(Code::native_failed, fmt::format("native code cannot be made: {}", problem));
    return interrupted() ? signal_exit_code() : exit_code::building;
}

/// How long `left` more cycles take as they run now; nothing when that is not known.
std::optional<double> NativeRun::rest_s(std::uint64_t left) const {
    const auto done = static_cast<double>(engine_.cycle() - pace_.cycle);
    const double s = std::chrono::duration<double>(Clock::now() - pace_.from).count();
    if (done == 0 || s < first_look_s)
        return std::nullopt;
    return s / done * static_cast<double>(left);
}

bool NativeRun::is_worth_it(std::uint64_t left, bool endless) const {
    return endless ? running_s() >= unknown_length_s : rest_s(left).value_or(0) > worth_s;
}

/// Native code wins back at most the rest of the run: a compiler that has taken longer than that is
/// stopped, and none is started for less than a rest that is worth it.
void NativeRun::lose_patience(std::uint64_t left) {
    const std::optional<double> rest = rest_s(left);
    if (!rest)
        return;
    if (*rest < worth_s)
        compilers_->begin_no_more();
    const double taken_s = compilers_->longest_s();
    if (taken_s < patience_s || taken_s < *rest)
        return;
    why_ = fmt::format("the compiler was given up: it had taken {:.1f} s, and the rest of the run "
                       "takes {:.1f} s without it",
                       taken_s, *rest);
    compilers_->stop_slow(std::max(patience_s, *rest)); // `take` hears of their end
}

void NativeRun::poll(std::uint64_t left, bool endless) {
    if (options_.execution != Execution::automatic || options_.validate)
        return;
    if (state_ == State::interpreted && is_worth_it(left, endless))
        begin();
    if (state_ != State::compiling)
        return;
    take(compilers_->take());
    if (compilers_->done())
        state_ = State::ended;
    else if (!endless)
        lose_patience(left);
}

void NativeRun::take(std::vector<native::Compilers::Made> made) {
    const std::size_t before = live_;
    for (native::Compilers::Made& one : made) {
        const std::string problem = load(one);
        Part& part = parts_[one.file];
        part.cycle = engine_.cycle();
        part.after_s = running_s();
        part.why = one.slow ? why_ : problem;
        if (part.live || one.slow)
            continue;
        if (parts_.size() == 1)
            give_up(problem);
        else if (!std::exchange(complained_, true))
            fmt::print(stderr, "note: part {} of {} of the native code is left out: {}\n",
                       one.file + 1, parts_.size(), shown_text(problem));
        why_ = problem;
    }
    if (live_ == before)
        return;
    attach();
    const std::size_t families = native_->families();
    for (const native::Compilers::Made& one : made)
        parts_[one.file].families = families;
}

void NativeRun::give_up(const std::string& why) {
    state_ = State::ended;
    why_ = why;
    if (options_.compile) // else the user knows
        fmt::print(stderr, "note: the run goes on interpreted: {}\n", shown_text(why));
}

/// Writes the C, and has it compiled by CPUs that the run leaves idle, at least one at a time.
void NativeRun::begin() {
    if (const std::string why = missing(); !why.empty())
        return give_up(why);
    write();
    why_ = "the run ended before native code was there";
    state_ = State::compiling;
    const unsigned cpus = engine::usable_cpus(), used = engine_.orchestrator().threads();
    try {
        start_compilers(used == 1, cpus > used ? cpus - used : 1, low_priority);
    } catch (const std::system_error& error) {
        give_up(fmt::format("there is no thread to compile native code on: {}",
                            error.code().message()));
    }
}

void NativeRun::stop() {
    if (compilers_)
        compilers_->stop();
}

/// Lines of several C files: those that are live in the order in which they went live, then what
/// kept others from it.
std::string NativeRun::part_stats() const {
    std::vector<std::pair<double, std::string>> live;
    std::map<std::string, std::vector<std::size_t>> left_out;
    for (std::size_t k = 0; k < parts_.size(); ++k) {
        const Part& part = parts_[k];
        if (!part.live) {
            left_out[part.why.empty() ? "the run ended before it was compiled" : part.why]
                .push_back(k + 1);
            continue;
        }
        const std::string when =
            options_.execution == Execution::native
                ? std::string{}
                : fmt::format("{} processes native from cycle {} on, {:.3f} s after the first; ",
                              part.families, part.cycle, part.after_s);
        live.emplace_back(part.after_s,
                          fmt::format("  C file {} of {}: {}{} in {:.4f} s\n", k + 1, parts_.size(),
                                      when, part.kept ? "taken from the cache" : "compiled",
                                      part.seconds));
    }
    std::stable_sort(live.begin(), live.end(),
                     [](const auto& one, const auto& other) { return one.first < other.first; });
    std::string made;
    for (const auto& [after_s, line] : live)
        made += line;
    for (const auto& [why, files] : left_out)
        made += fmt::format("  C file{} {} of {} left out: {}\n", files.size() == 1 ? "" : "s",
                            fmt::join(files, ", "), parts_.size(), shown_text(why));
    return made;
}

std::string NativeRun::stats() const {
    if (live_ == 0)
        return fmt::format("engine: interpreted; {}\n", why_);
    const native::Unit& unit = native_->unit();
    const Part* first = nullptr;
    bool kept = true;
    double compiling_s = 0;
    for (const Part& part : parts_) {
        compiling_s += part.seconds;
        if (!part.live)
            continue;
        kept = kept && part.kept;
        if (!first || part.after_s < first->after_s)
            first = &part;
    }
    const std::string when = options_.execution == Execution::native
                                 ? std::string{}
                                 : fmt::format(" from cycle {} on, {:.3f} s after the first",
                                               first->cycle, first->after_s);
    const std::string of = live_ == parts_.size() ? "" : fmt::format("{} of ", native_->families());
    const std::string files =
        parts_.size() == 1 ? "" : fmt::format(" in {} of {} C files", live_, parts_.size());
    const native::NativeLap* const lap = native_->lap();
    return fmt::format("engine: native{}; {}{} processes as {} functions{}, written in {:.4f} s, "
                       "{} in {:.4f} s; {} cycles in laps\n{}",
                       when, of, unit.families().size(), unit.functions(), files, writing_s_,
                       kept ? "taken from the cache" : "compiled", compiling_s,
                       lap ? lap->cycles() : 0, parts_.size() > 1 ? part_stats() : "");
}

} // namespace sme::cli
