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
#include "native/toolchain/compilers.hpp"
#include "runtime/clock.hpp"

namespace sme::session {

struct NativeSettings {
    /// Whether the run has one thread for certain: what that alone needs is compiled first then.
    bool one_thread = false;
    /// Why no compiler may be started. Empty: it may.
    std::string forbidden = {};
    /// Ends `compile` when it becomes true. May be null.
    const std::atomic<bool>* interrupt = nullptr;
    /// Takes what the user should know of a run that goes on. Null: the texts are dropped.
    std::function<void(const std::string& text)> note = {};
};

/// The native code of one run: made before it (`compile`), or beside it while it goes on
/// interpreted (`poll`). Each C file of it goes live as soon as it is compiled. The engine uses
/// what is live: this must outlive its last cycle.
class NativeRun {
public:
    /// What became of one C file.
    struct Part {
        bool live = false;
        bool kept = false;        // it was compiled before
        double seconds = 0;       // that compiling took
        bool failed = false;      // to compile
        std::string why;          // it is not live
        std::size_t families = 0; // that are native with it
        std::uint64_t cycle = 0;  // the first one
        double after_s = 0;       // the first of the run
    };

    /// When all observers are attached. Both are used by every member but the destructor, which
    /// may come after their end.
    NativeRun(const Graph& graph, engine::Engine& engine, NativeSettings settings)
        : graph_{graph}, engine_{engine}, settings_{std::move(settings)} {}
    ~NativeRun() { stop(); }
    NativeRun(const NativeRun&) = delete;
    NativeRun& operator=(const NativeRun&) = delete;

    /// Why nothing can be compiled; empty: it can.
    std::string missing() const;
    /// Writes the C, once.
    const native::CModule& write();
    /// Compiles all that is not live yet on all CPUs and attaches it, unless something is
    /// `missing`. Returns why that failed, or empty; nothing is attached then.
    std::string compile();

    /// The run goes on after a pause, and others hear of it. What was not compiled because the end
    /// of the run before was near may be compiled now.
    void go_on(std::function<void(const std::string& text)> note);

    /// Between cycles of a run that has `left` more of them (nothing: unknown): begins to compile
    /// at low priority when that is worth it, and attaches what was compiled.
    void poll(std::optional<std::uint64_t> left);
    /// Nothing is compiled any more.
    void stop();

    /// Null before `write`.
    const native::Native* native() const { return native_.get(); }
    /// Of each C file, in their order.
    const std::vector<Part>& parts() const { return parts_; }
    /// How many of them are live.
    std::size_t live() const { return live_; }
    double writing_s() const { return writing_s_; }
    /// Why the run is not native.
    const std::string& why() const { return why_; }

private:
    using Clock = std::chrono::steady_clock;
    enum class State : std::uint8_t { interpreted, compiling, ended };

    /// Since when the run goes on as it does.
    struct Pace {
        Clock::time_point from;
        std::uint64_t cycle;
    };

    double running_s() const { return seconds_of(Clock::now() - begin_); }
    bool is_interrupted() const { return settings_.interrupt && *settings_.interrupt; }
    std::optional<double> rest_s(std::uint64_t left) const;
    void lose_patience(std::uint64_t left);
    bool is_unfinished() const;
    bool is_worth_it(std::optional<std::uint64_t> left) const;
    void begin();
    void give_up(const std::string& why);
    std::string compile_one();
    std::string compile_all();
    void start_compilers(bool one_thread, unsigned at_once, int niceness);
    void take(std::vector<native::Compilers::Made> made);
    std::string load(native::Compilers::Made& made);
    void attach();
    void note(const std::string& text) const;

    const Graph& graph_;
    engine::Engine& engine_;
    NativeSettings settings_;
    std::unique_ptr<native::Native> native_;
    State state_ = State::interpreted;
    bool given_up_ = false; // for good
    bool again_ = false;    // what the run before left out is tried once more
    const Clock::time_point begin_ = Clock::now();
    Pace pace_{begin_, engine_.cycle()};
    double writing_s_ = 0;
    std::string why_ = "the run was too short to compile anything";
    bool noted_ = false;                           // that nothing is kept
    bool complained_ = false;                      // of a part that failed
    std::vector<Part> parts_;                      // of each C file
    std::size_t live_ = 0;                         // files
    std::size_t decided_with_ = 0;                 // so many files
    std::unique_ptr<native::Compilers> compilers_; // uses what stands above
};

} // namespace sme::session
