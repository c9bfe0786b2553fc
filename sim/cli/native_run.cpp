// SPDX-License-Identifier: Apache-2.0
#include "cli/native_run.hpp"

#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <new>
#include <sstream>
#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

#include "base/codes.hpp"
#include "base/files.hpp"
#include "base/find_program.hpp"
#include "base/shown_text.hpp"
#include "cli/reports/findings.hpp"
#include "cli/signals.hpp"

namespace sme::cli {

namespace {

constexpr double first_look_s = 0.02;    // before the length of a run is guessed
constexpr double worth_s = 0.3;          // a shorter rest of a run is not worth a compiler
constexpr double patience_s = 0.25;      // a compiler is given so long in any case
constexpr double unknown_length_s = 0.2; // a run that may end at any time has lasted so long

/// What is asked for as the C compiler: $CC, or cc.
std::string wanted_compiler() {
    const char* const wanted = std::getenv("CC");
    return wanted && *wanted ? wanted : "cc";
}

/// The path of a program, which may be given already. Empty: there is none.
std::string path_of(const std::string& name) {
    return name.find('/') != std::string::npos ? name : find_program(name).value_or("");
}

/// The program, and the arguments that stand behind it, as in "ccache gcc"; the first of these may
/// be a program, too. Without a program: empty.
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

void NativeRun::write() {
    if (native_)
        return;
    const Clock::time_point begin = Clock::now();
    native_ = native::Native::of(loaded_.design.graph, engine_);
    writing_s_ = std::chrono::duration<double>(Clock::now() - begin).count();
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

/// Why nothing can be compiled; empty: it can.
std::string NativeRun::missing() const {
    if (!options_.compile)
        return "native code needs a C compiler, which --no-compile forbids to start";
    if (c_compiler().empty())
        return wanted_compiler() == "cc"
                   ? "native code needs a C compiler, but there is no cc in PATH; on Debian: "
                     "apt-get install gcc"
                   : fmt::format("native code needs a C compiler, but CC is '{}', whose first word "
                                 "is no program in PATH",
                                 wanted_compiler());
    return {};
}

native::CompilerSettings NativeRun::settings(const std::atomic<bool>& unwanted) const {
    native::CompilerSettings made;
    std::vector<std::string> words = c_compiler();
    if (!words.empty()) {
        made.compiler = words[0];
        made.first.assign(words.begin() + 1, words.end());
    }
    made.folder = native_folder();
    made.unwanted = &unwanted;
    return made;
}

/// Lets what was compiled step the processes; an empty text, or what went wrong.
std::string NativeRun::attach() {
    std::string problem = compiled_.problem;
    if (compiled_.object && !native_->load(compiled_.object, problem))
        compiled_.object = nullptr;
    if (!compiled_.object)
        return problem;
    native_->attach_to(engine_);
    engine_.decide_anew();
    state_ = State::native;
    native_from_ = engine_.cycle();
    native_after_s_ = running_s();
    return {};
}

int NativeRun::prepare() {
    begin_ = Clock::now();
    first_cycle_ = engine_.cycle();
    if (!options_.emit_c.empty()) {
        write();
        if (const int failed = write_c(options_.emit_c); failed != exit_code::fine)
            return failed;
    }
    if (options_.execution == Execution::interpreted)
        why_ = "as --engine says";
    else if (options_.execution == Execution::automatic && options_.validate)
        why_ = "the judge looks at each step";
    if (options_.execution != Execution::native)
        return exit_code::fine;
    if (const std::string why = missing(); !why.empty()) {
        complain(Code::compiler_missing, why);
        return exit_code::building;
    }
    write();
    compiled_ = native::compile(native_->unit().text(), settings(interrupted()));
    if (!compiled_.note.empty())
        fmt::print(stderr, "note: native code is not kept: {}\n", shown_text(compiled_.note));
    const std::string problem = attach();
    if (problem.empty())
        return exit_code::fine;
    complain(Code::native_failed, fmt::format("native code cannot be made: {}", problem));
    return interrupted() ? signal_exit_code() : exit_code::building;
}

/// How long `left` more cycles take as they run now; 0 when that is not known.
double NativeRun::rest_s(std::uint64_t left) const {
    const auto done = static_cast<double>(engine_.cycle() - first_cycle_);
    return done > 0 ? running_s() / done * static_cast<double>(left) : 0;
}

bool NativeRun::is_worth_it(std::uint64_t left, bool endless) const {
    const double s = running_s();
    if (endless || s < first_look_s)
        return endless && s >= unknown_length_s;
    return rest_s(left) > worth_s;
}

/// Native code wins back at most the rest of the run: a compiler that has taken longer than that is
/// stopped.
void NativeRun::lose_patience(std::uint64_t left) {
    const double taken_s = running_s() - compiling_from_s_, rest = rest_s(left);
    if (taken_s < patience_s || taken_s < rest)
        return;
    unwanted_ = true; // `stop` waits for its end
    state_ = State::given_up;
    why_ = fmt::format("the compiler was given up: it had taken {:.1f} s, and the rest of the run "
                       "takes {:.1f} s without it",
                       taken_s, rest);
}

void NativeRun::tend(std::uint64_t left, bool endless) {
    if (options_.execution != Execution::automatic || options_.validate)
        return;
    if (state_ == State::interpreted && is_worth_it(left, endless))
        begin();
    if (state_ != State::compiling)
        return;
    if (!ready_.load(std::memory_order_acquire)) {
        if (!endless)
            lose_patience(left);
        return;
    }
    compiler_.join();
    if (const std::string problem = attach(); !problem.empty())
        give_up(problem);
    else if (!compiled_.note.empty())
        fmt::print(stderr, "note: native code is not kept: {}\n", shown_text(compiled_.note));
}

void NativeRun::give_up(const std::string& why) {
    state_ = State::given_up;
    why_ = why;
    if (options_.compile) // else the user knows
        fmt::print(stderr, "note: the run goes on interpreted: {}\n", shown_text(why));
}

/// Writes the C, and compiles it on a thread of its own.
void NativeRun::begin() {
    if (const std::string why = missing(); !why.empty())
        return give_up(why);
    write();
    why_ = "the run ended before native code was there";
    state_ = State::compiling;
    compiling_from_s_ = running_s();
    try {
        compiler_ = std::thread{[this] {
            constexpr int low_priority = 10;
            try {
                native::CompilerSettings wanted = settings(unwanted_);
                wanted.niceness = low_priority;
                compiled_ = native::compile(native_->unit().text(), wanted);
            } catch (const std::bad_alloc&) {
                compiled_.problem = "there is not enough memory to compile native code";
            }
            ready_.store(true, std::memory_order_release); // acquire: in `tend`
        }};
    } catch (const std::system_error& error) {
        give_up(fmt::format("there is no thread to compile native code on: {}",
                            error.code().message()));
    }
}

void NativeRun::stop() {
    unwanted_ = true;
    if (compiler_.joinable())
        compiler_.join();
}

std::string NativeRun::stats() const {
    if (state_ != State::native)
        return fmt::format("engine: interpreted; {}\n", why_);
    const std::string when = options_.execution == Execution::native
                                 ? std::string{}
                                 : fmt::format(" from cycle {} on, {:.3f} s after the first",
                                               native_from_, native_after_s_);
    const native::NativeLap* const lap = native_->lap();
    return fmt::format("engine: native{}; {} processes as {} functions, written in {:.4f} s, {} in "
                       "{:.4f} s; {} cycles in laps\n",
                       when, native_->unit().families().size(), native_->unit().functions(),
                       writing_s_, compiled_.kept ? "taken from the cache" : "compiled",
                       compiled_.seconds, lap ? lap->cycles() : 0);
}

} // namespace sme::cli
