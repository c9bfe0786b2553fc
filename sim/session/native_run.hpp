// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/engine.hpp"
#include "native/native.hpp"
#include "native/toolchain/c_compiler.hpp"
#include "runtime/clock.hpp"
#include "session/run/run.hpp"

namespace sme::session {

/// The C compiler in $CC, or cc, with the user's cache; `compiler` is empty if it does not exist.
native::CompilerSettings system_compiler();

/// Why there is no C compiler; empty if there is one.
std::string missing_compiler();

struct NativeSettings {
    /// True if the run certainly has one thread, so that code for one thread is compiled first.
    bool one_thread = false;
    /// Why no compiler may be started; empty if permitted.
    std::string forbidden = {};
    /// Ends `compile` when it becomes true. May be null.
    const std::atomic<bool>* interrupt = nullptr;
    /// Receives notes for the user; the run continues. Null: drops them.
    std::function<void(const std::string& text)> note = {};
};

/// The native code of one run: compiled before it (`compile`), or in parallel with it while it is
/// interpreted (`poll`). Each C file takes over as soon as it is compiled. The engine uses the
/// code: this must outlive its last cycle.
class NativeRun {
public:
    /// The state of one C file.
    struct Part {
        bool live = false;
        bool kept = false;        // found in the cache
        double seconds = 0;       // compile time
        bool failed = false;      // to compile
        std::string why;          // why it is not live
        std::size_t families = 0; // number of families that are native because of it
        std::uint64_t cycle = 0;  // its first native cycle
        double after_s = 0;       // time from the start of the run to its first native cycle
    };

    /// Call after all observers are attached. `run` must outlive all calls except the destructor.
    NativeRun(Run& run, NativeSettings settings)
        : graph_{run.graph()}, engine_{run.engine()}, settings_{std::move(settings)} {}
    ~NativeRun() { stop(); }
    NativeRun(const NativeRun&) = delete;
    NativeRun& operator=(const NativeRun&) = delete;

    /// Why compilation is impossible; empty if it is possible.
    std::string missing() const;
    /// Writes the C code on the first call.
    const native::CModule& write();
    /// Compiles all files that are not yet live, on all CPUs, and attaches them, unless compilation
    /// is impossible (`missing`). Returns the error message, or empty; on an error, attaches
    /// nothing.
    std::string compile();

    /// Resumes after a pause, with another receiver of notes. Files skipped because the previous
    /// run was about to end are considered again.
    void go_on(std::function<void(const std::string& text)> note);

    /// Call between cycles of a run with `left` more cycles (`nullopt`: unknown). Starts compilers
    /// at low priority if that pays off, and attaches compiled code.
    void poll(std::optional<std::uint64_t> left);
    /// Stops all compilation.
    void stop();

    /// Null before `write`.
    const native::Native* native() const { return native_.get(); }
    /// Code of single processes that runs until native code replaces it, from a compiler that takes
    /// a fraction of the time.
    struct Quick {
        std::size_t families = 0; // 0: it never ran
        std::uint64_t cycle = 0;  // its first one
        double seconds = 0;       // to write and to compile it
    };
    const Quick& quick() const { return quick_; }
    /// The parts, one per C file, in order.
    const std::vector<Part>& parts() const { return parts_; }
    /// The number of live parts.
    std::size_t live() const { return live_; }
    double writing_s() const { return writing_s_; }
    /// Why the run is not native.
    const std::string& why() const { return why_; }

private:
    using Clock = std::chrono::steady_clock;
    enum class State : std::uint8_t { interpreted, compiling_quickly, compiling, ended };

    /// The start of the current pace of the run.
    struct Pace {
        Clock::time_point from;
        std::uint64_t cycle;
    };

    double running_s() const { return seconds_of(Clock::now() - begin_); }
    bool is_interrupted() const { return settings_.interrupt && *settings_.interrupt; }
    std::optional<double> rest_s(std::uint64_t left) const;
    void lose_patience(std::uint64_t left);
    bool is_unfinished() const;
    bool is_worth_it(std::optional<std::uint64_t> left, double at_least_s) const;
    void begin_quickly();
    void take_quick();
    void begin();
    void give_up(const std::string& why);
    std::string compile_one();
    std::string compile_all();
    void start_compilers(bool one_thread, unsigned at_once, int niceness);
    void take(std::vector<native::Compilers::Made> result);
    std::string load(native::Compilers::Made& result);
    void attach();
    void note(const std::string& text) const;

    const Graph& graph_;
    engine::Engine& engine_;
    NativeSettings settings_;
    std::unique_ptr<native::Native> quick_code_; // null before `begin_quickly`
    std::size_t quick_files_ = 0;                // of it that are loaded
    Quick quick_;
    std::unique_ptr<native::Native> native_;
    State state_ = State::interpreted;
    bool given_up_ = false; // permanently
    bool again_ = false;    // reconsider the parts that the previous run skipped
    const Clock::time_point begin_ = Clock::now();
    Pace pace_{begin_, engine_.cycle()};
    double writing_s_ = 0;
    std::string why_ = "the run was too short to compile anything";
    bool noted_ = false;                           // noted that nothing is cached
    bool complained_ = false;                      // reported a failed part
    std::vector<Part> parts_;                      // one per C file
    std::size_t live_ = 0;                         // number of files
    std::size_t decided_with_ = 0;                 // number of files at the last measurement
    std::unique_ptr<native::Compilers> compilers_; // uses the members above
};

/// Returns the native code of a run, which keeps it. The settings count on the first call.
NativeRun& native_of(Run& run, NativeSettings settings);

} // namespace sme::session
