// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/loading.hpp"
#include "cli/options.hpp"
#include "engine/engine.hpp"
#include "native/native.hpp"
#include "native/toolchain/compilers.hpp"

namespace sme::cli {

/// The native code of one run: made before it, or beside it while it goes on interpreted. Each C
/// file of it goes live as soon as it is compiled.
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
    void poll(std::uint64_t left, bool endless);
    /// Nothing is compiled any more.
    void stop();

    /// What ran, for --stats: lines.
    std::string stats() const;

private:
    std::string missing() const;
    using Clock = std::chrono::steady_clock;
    enum class State : std::uint8_t { interpreted, compiling, ended };

    /// What became of one C file.
    struct Part {
        bool live = false;
        bool kept = false;        // it was compiled before
        double seconds = 0;       // that compiling took
        std::string why;          // it is not live
        std::size_t families = 0; // that are native with it
        std::uint64_t cycle = 0;  // the first one
        double after_s = 0;       // the first of the run
    };
    /// Since when the run goes on as it does.
    struct Pace {
        Clock::time_point from = Clock::now();
        std::uint64_t cycle = 0;
    };

    double running_s() const {
        return std::chrono::duration<double>(Clock::now() - begin_).count();
    }
    std::optional<double> rest_s(std::uint64_t left) const;
    void lose_patience(std::uint64_t left);
    bool is_worth_it(std::uint64_t left, bool endless) const;
    void begin();
    void give_up(const std::string& why);
    void write();
    int write_c(const std::string& folder) const;
    int compile_first();
    std::string compile_one();
    std::string compile_all();
    void start_compilers(bool one_thread, unsigned at_once, int niceness);
    void take(std::vector<native::Compilers::Made> made);
    std::string load(native::Compilers::Made& made);
    void attach();
    void note_not_kept(const std::string& note);
    std::string part_stats() const;

    const Options& options_;
    const Loaded& loaded_;
    engine::Engine& engine_;
    std::unique_ptr<native::Native> native_;
    State state_ = State::interpreted;
    Clock::time_point begin_ = Clock::now();
    Pace pace_;
    double writing_s_ = 0;
    std::string why_ = "the run was too short to compile anything"; // it is not native
    bool noted_ = false;                                            // that nothing is kept
    bool complained_ = false;                                       // of a part that failed
    std::vector<Part> parts_;                                       // of each C file
    std::size_t live_ = 0;                                          // files
    std::size_t decided_with_ = 0;                                  // so many files
    std::unique_ptr<native::Compilers> compilers_;                  // uses what stands above
};

} // namespace sme::cli
