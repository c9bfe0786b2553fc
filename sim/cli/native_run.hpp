// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>

#include "cli/loading.hpp"
#include "cli/options.hpp"
#include "engine/engine.hpp"
#include "native/native.hpp"

namespace sme::cli {

/// The native code of one run: made before it, or beside it while it goes on interpreted.
class NativeRun {
public:
    NativeRun(const Options& options, const Loaded& loaded, engine::Engine& engine)
        : options_{options}, loaded_{loaded}, engine_{engine} {}
    ~NativeRun() { stop(); }
    NativeRun(const NativeRun&) = delete;
    NativeRun& operator=(const NativeRun&) = delete;

    /// Writes the C that is asked for; with `--engine native`, compiles and attaches it. The exit
    /// code that the run ends with here, or fine. Before the first cycle.
    int prepare();

    /// Between cycles of a run that has `left` more of them, `endless` when nobody knows: begins to
    /// compile when that is worth it, and attaches what was compiled.
    void tend(std::uint64_t left, bool endless);
    /// Nothing is compiled any more.
    void stop();

    /// What ran, for --stats: lines.
    std::string stats() const;

private:
    using Clock = std::chrono::steady_clock;
    enum class State : std::uint8_t { interpreted, compiling, native, given_up };

    double running_s() const {
        return std::chrono::duration<double>(Clock::now() - begin_).count();
    }
    double rest_s(std::uint64_t left) const;
    void lose_patience(std::uint64_t left);
    bool is_worth_it(std::uint64_t left, bool endless) const;
    void begin();
    void give_up(const std::string& why);
    void write();
    int write_c(const std::string& folder) const;
    std::string missing() const;
    native::CompilerSettings settings(const std::atomic<bool>& unwanted) const;
    std::string attach();

    const Options& options_;
    const Loaded& loaded_;
    engine::Engine& engine_;
    std::unique_ptr<native::Native> native_;
    State state_ = State::interpreted;
    Clock::time_point begin_ = Clock::now();
    std::uint64_t first_cycle_ = 0;
    double writing_s_ = 0;
    double compiling_from_s_ = 0;                                   // after the first cycle
    std::string why_ = "the run was too short to compile anything"; // it is not native

    std::thread compiler_;
    native::Compiled compiled_;      // by that thread, until `ready_`
    std::atomic<bool> ready_{false}; // it is done
    std::atomic<bool> unwanted_{false};

    std::uint64_t native_from_ = 0; // the first cycle
    double native_after_s_ = 0;
};

} // namespace sme::cli
