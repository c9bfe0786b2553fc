// SPDX-License-Identifier: Apache-2.0
#include "session/native_run.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <new>
#include <sstream>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "base/program.hpp"
#include "engine/cycle/orchestrator.hpp"
#include "engine/threads/cpus.hpp"
#include "runtime/clock.hpp"
#include "session/loading.hpp"

namespace sme::session {

namespace {

/// The requested C compiler: $CC, or cc.
std::string wanted_compiler() {
    const char* const wanted = std::getenv("CC");
    return wanted && *wanted ? wanted : "cc";
}

/// The path of a program, given by name or path; empty if it does not exist.
std::string path_of(const std::string& name) {
    return name.find('/') != std::string::npos ? name : find_program(name).value_or("");
}

/// The compiler and its leading arguments, as in "ccache gcc", whose first argument may be a
/// program, too. Empty if the program does not exist.
std::vector<std::string> c_compiler() {
    const std::string wanted = wanted_compiler();
    if (const std::string whole = path_of(wanted); ::access(whole.c_str(), X_OK) == 0)
        return {whole};
    std::istringstream words{wanted};
    std::vector<std::string> found{std::istream_iterator<std::string>{words}, {}};
    if (found.empty())
        return {};
    found[0] = path_of(found[0]);
    if (found[0].empty())
        return {};
    if (found.size() > 1)
        if (const auto behind = find_program(found[1]))
            found[1] = *behind;
    return found;
}

} // namespace

native::CompilerSettings system_compiler() {
    native::CompilerSettings result;
    std::vector<std::string> words = c_compiler();
    if (!words.empty()) {
        result.compiler = words[0];
        result.first.assign(words.begin() + 1, words.end());
    }
    result.folder = cache_folder("native");
    return result;
}

std::string missing_compiler() {
    if (c_compiler().empty())
        return wanted_compiler() == "cc"
                   ? "native code needs a C compiler, but there is no cc in PATH; on Debian: "
                     "apt-get install gcc"
                   : fmt::format("native code needs a C compiler, but CC is '{}', whose first word "
                                 "is no program in PATH",
                                 wanted_compiler());
    return {};
}

namespace {

constexpr double first_look_s = 0.02;    // before the first estimate of the run's length
constexpr double worth_s = 0.3;          // a shorter rest of a run does not justify a compiler
constexpr double worth_quickly_s = 0.1;  // nor one that takes a fraction of the time
constexpr double patience_s = 0.25;      // minimum time for a compiler
constexpr double unknown_length_s = 0.2; // a run of unknown length is compiled after this
constexpr unsigned max_at_once = 8;      // limits memory, as each compiler needs its own
constexpr int low_priority = 10;

} // namespace

void NativeRun::note(const std::string& text) const {
    if (settings_.note)
        settings_.note(text);
}

const native::CModule& NativeRun::write() {
    if (!native_) {
        const Clock::time_point begin = Clock::now();
        std::unique_ptr<native::Native> written = native::Native::of(graph_, engine_);
        parts_.resize(written->c_module().files().size());
        native_ = std::move(written);
        writing_s_ = seconds_of(Clock::now() - begin);
    }
    return native_->c_module();
}

void NativeRun::start_compilers(bool one_thread, unsigned at_once, int niceness) {
    native::CompilerSettings settings = system_compiler();
    settings.niceness = niceness;
    std::vector<std::size_t> files = native_->c_module().order(one_thread);
    std::erase_if(files,
                  [this](std::size_t file) { return parts_[file].live || parts_[file].failed; });
    compilers_ = std::make_unique<native::Compilers>(
        std::move(files),
        [c_module = &native_->c_module()](std::size_t file) { return c_module->text(file); },
        settings, std::clamp(at_once, 1u, max_at_once));
}

/// Loads compiled code. Returns the error message, or empty.
std::string NativeRun::load(native::Compilers::Made& result) {
    Part& part = parts_[result.file];
    part.seconds = result.compiled.seconds;
    part.kept = result.compiled.kept;
    std::string problem = result.compiled.problem;
    part.live = result.compiled.object &&
                native_->load(result.file, std::move(result.compiled.object), problem);
    if (!part.live)
        return problem;
    ++live_;
    if (!result.compiled.note.empty() && !std::exchange(noted_, true))
        note(fmt::format("native code is not kept: {}", result.compiled.note));
    return {};
}

/// Lets loaded code step the processes. A new measurement costs time, so it is made only when the
/// amount of native code has doubled, and after the last file.
void NativeRun::attach() {
    native_->attach_to(engine_, quick_.families > 0 ? quick_code_.get() : nullptr);
    if (live_ >= 2 * decided_with_ || !compilers_ || compilers_->done()) {
        engine_.decide_anew();
        decided_with_ = live_;
    }
    pace_ = {Clock::now(), engine_.cycle()};
}

std::string NativeRun::missing() const {
    return settings_.forbidden.empty() ? missing_compiler() : settings_.forbidden;
}

/// Compiles the only file without starting a thread. Returns the error message, or empty.
std::string NativeRun::compile_one() {
    native::CompilerSettings settings = system_compiler();
    settings.unwanted = settings_.interrupt;
    native::Compilers::Made result{0, native::compile(native_->c_module().text(0), settings)};
    return load(result);
}

/// Compiles all files on all CPUs. Returns the error message, or empty.
std::string NativeRun::compile_all() {
    constexpr std::chrono::milliseconds between_looks{20};
    std::string problem;
    try {
        start_compilers(settings_.one_thread, engine::usable_cpus(), 0);
    } catch (const std::system_error& error) {
        return fmt::format("there is no thread to compile on: {}", error.code().message());
    }
    while (!compilers_->done() && problem.empty()) {
        for (native::Compilers::Made& result : compilers_->take(between_looks))
            if (problem.empty())
                problem = load(result);
        if (is_interrupted())
            compilers_->stop();
    }
    compilers_->stop();
    return problem;
}

std::string NativeRun::compile() {
    write();
    if (live_ == parts_.size())
        return {};
    stop();
    for (Part& part : parts_)
        part.failed = false;
    std::string problem = parts_.size() == 1 ? compile_one() : compile_all();
    if (is_interrupted() && live_ < parts_.size())
        problem = "it was interrupted";
    if (problem.empty()) {
        attach();
        state_ = State::ended;
    }
    return problem;
}

/// Estimates the time for `left` more cycles at the current speed; `nullopt` if unknown.
std::optional<double> NativeRun::rest_s(std::uint64_t left) const {
    const auto done = static_cast<double>(engine_.cycle() - pace_.cycle);
    const double s = seconds_of(Clock::now() - pace_.from);
    if (done == 0 || s < first_look_s)
        return std::nullopt;
    return s / done * static_cast<double>(left);
}

bool NativeRun::is_worth_it(std::optional<std::uint64_t> left, double at_least_s) const {
    return left ? rest_s(*left).value_or(0) > at_least_s : running_s() >= unknown_length_s;
}

/// Stops a compiler that has taken longer than the rest of the run, which is the most that native
/// code can save; starts no compiler for a shorter rest than `worth_s`.
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
    compilers_->stop_slow(std::max(patience_s, *rest)); // `take` handles their end
}

void NativeRun::go_on(std::function<void(const std::string& text)> note) {
    settings_.note = std::move(note);
    pace_ = {Clock::now(), engine_.cycle()};
    again_ = state_ != State::interpreted;
}

/// True if parts remain that could be compiled.
bool NativeRun::is_unfinished() const {
    return !given_up_ && std::any_of(parts_.begin(), parts_.end(),
                                     [](const Part& part) { return !part.live && !part.failed; });
}

void NativeRun::poll(std::optional<std::uint64_t> left) {
    if (state_ == State::ended && std::exchange(again_, false) && is_unfinished())
        state_ = State::interpreted;
    const bool quickly = state_ == State::interpreted && !quick_code_;
    if (state_ == State::compiling_quickly)
        take_quick();
    try {
        if (quickly && is_worth_it(left, worth_quickly_s))
            begin_quickly();
        if (state_ == State::interpreted && is_worth_it(left, worth_s))
            begin();
    } catch (const std::bad_alloc&) { // the run itself may have enough
        give_up("there is not enough memory for native code");
    }
    if (state_ != State::compiling)
        return;
    take(compilers_->take());
    if (compilers_->done())
        state_ = State::ended;
    else if (left)
        lose_patience(*left);
}

void NativeRun::take(std::vector<native::Compilers::Made> result) {
    const std::size_t before = live_;
    for (native::Compilers::Made& one : result) {
        const std::string problem = load(one);
        Part& part = parts_[one.file];
        part.cycle = engine_.cycle();
        part.after_s = running_s();
        part.failed = !part.live && !one.slow;
        part.why = one.slow ? why_ : problem;
        if (part.live || one.slow)
            continue;
        if (parts_.size() == 1)
            give_up(problem);
        else if (!std::exchange(complained_, true))
            note(fmt::format("part {} of {} of the native code is left out: {}", one.file + 1,
                             parts_.size(), problem));
        why_ = problem;
    }
    if (live_ == before)
        return;
    attach();
    const std::size_t families = native_->families();
    for (const native::Compilers::Made& one : result)
        parts_[one.file].families = families;
}

void NativeRun::give_up(const std::string& why) {
    state_ = State::ended;
    given_up_ = true;
    why_ = why;
    if (settings_.forbidden.empty()) // otherwise the user has chosen this
        note(fmt::format("the run goes on interpreted: {}", why));
}

/// Writes the C code, and compiles it on CPUs that the run leaves idle, at least on one.
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

/// Starts the Tiny C Compiler, which does not optimise: single processes run several times as fast
/// with it as interpreted. Not if there is nothing to compile, or if the user chose a compiler.
void NativeRun::begin_quickly() {
    const auto tcc = find_program("tcc");
    if (!tcc || !missing().empty() || std::getenv("CC"))
        return;
    const Clock::time_point begin = Clock::now();
    quick_code_ = native::Native::of(graph_, engine_, true, {.quick = true});
    quick_.seconds = seconds_of(Clock::now() - begin);
    const native::CModule& code = quick_code_->c_module();
    if (code.families().empty())
        return;
    native::CompilerSettings settings = system_compiler();
    settings.compiler = *tcc;
    settings.first.clear();
    try {
        compilers_ = std::make_unique<native::Compilers>(
            code.order(settings_.one_thread), [&code](std::size_t file) { return code.text(file); },
            settings, 1);
    } catch (const std::system_error&) {
        return;
    }
    state_ = State::compiling_quickly;
}

/// Uses quick code when all of it is there. Its failures need no note: it is only for the time
/// before native code.
void NativeRun::take_quick() {
    for (native::Compilers::Made& result : compilers_->take()) {
        std::string problem;
        quick_.seconds += result.compiled.seconds;
        if (!result.compiled.object ||
            !quick_code_->load(result.file, std::move(result.compiled.object), problem))
            compilers_->stop();
        else
            ++quick_files_;
    }
    if (!compilers_->done())
        return;
    state_ = State::interpreted;
    if (quick_files_ < quick_code_->c_module().files().size())
        return;
    quick_.families = quick_code_->families();
    quick_.cycle = engine_.cycle();
    quick_code_->attach_to(engine_);
    engine_.decide_anew();
    pace_ = {Clock::now(), engine_.cycle()};
}

void NativeRun::stop() {
    if (compilers_)
        compilers_->stop();
}

NativeRun& native_of(Run& run, NativeSettings settings) {
    if (!run.used())
        run.used() = std::make_shared<NativeRun>(run, std::move(settings));
    return *static_cast<NativeRun*>(run.used().get());
}

} // namespace sme::session
