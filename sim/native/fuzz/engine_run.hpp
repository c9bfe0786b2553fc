// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/test/scratch.hpp"
#include "engine/engine.hpp"
#include "engine/placement/schedule_file.hpp"
#include "native/fuzz/case.hpp"
#include "native/fuzz/slots.hpp"
#include "native/native.hpp"
#include "session/run_loop.hpp"

namespace sme::fuzz {

/// One way to run a case.
struct Mode {
    std::string name;
    std::vector<std::uint64_t> calls; // of the engine, in cycles; each is followed by a snapshot
    bool native = false;
    std::uint64_t native_from = 0; // takes over before this cycle, at the beginning of a call
    std::size_t file_bytes = 0;    // of C: one file goes live per call; 0: all at once
    bool quick = false;            // quick code runs before the first of these files
    bool watched = true;           // an observer reads every cycle
    bool traps = false;            // undefined behaviour in C ends the program
    bool two_threads = false;
    unsigned kernel_threads = 1; // how many threads may run whole cycles, besides one
    QueueKind queue = QueueKind::fixed;
    bool skips = false;           // idle instances, always; otherwise never
    std::uint64_t loops_from = 0; // ranges of this many steps become loops; 0: all are unrolled
};

/// The state of an engine between two cycles.
struct Snapshot {
    std::string slots;
    std::map<std::string, std::string> records; // of its checkpoint
};

/// All visible results of a run.
struct Seen {
    std::vector<Watcher::Cycle> cycles;                       // of a watched run
    std::map<std::uint64_t, Snapshot> snapshots;              // by the number of completed cycles
    std::vector<std::pair<std::string, std::string>> results; // title and text of every report
    RunEnd ending = RunEnd::completed;
    bool ran_native = false;
    bool ran_quick = false;
    unsigned threads = 1;
    std::uint64_t in_cycle_kernels = 0;  // cycles
    std::uint64_t in_shared_kernels = 0; // by two threads
    std::size_t files = 0;               // that went live one by one
    engine::Activity::Steps steps;
};

/// The loaded network of a case, and one run of it.
class EngineRun {
public:
    /// `folder` holds the files of the network, and receives the files that it writes.
    EngineRun(const Case& given, const Mode& mode, const native::CompilerSettings& settings,
              const test::Scratch& folder);
    ~EngineRun();
    EngineRun(const EngineRun&) = delete;
    EngineRun& operator=(const EngineRun&) = delete;

    /// Why it did not run; empty if it ran.
    const std::string& problem() const { return problem_; }
    const Seen& seen() const { return seen_; }
    const Graph& graph() const { return design_->graph; }

private:
    class Printed;
    bool load(const Case& given);
    engine::Engine& engine() const { return run_->engine(); }
    engine::SavedSchedule two_threads() const;
    void run();
    bool go_native();
    bool go_quick();
    bool go_on_native();
    bool ended_in_other_levels() const;
    void take_snapshot();
    void take_results();

    const Mode& mode_;
    native::CompilerSettings settings_;
    const test::Scratch& folder_;
    std::string problem_;
    Seen seen_;
    session::Observed observed_;
    std::unique_ptr<Printed> printed_;
    std::optional<yaml::Design> design_;
    Watcher watcher_;
    std::unique_ptr<session::Run> run_;
    std::unique_ptr<native::Native> quick_, native_;
    std::vector<std::size_t> waiting_files_; // the next one is last
};

/// The first difference between two runs of a network, or empty. Compares the cycles that both
/// recorded.
std::string difference(const Graph& graph, const Seen& found, const Seen& expected);

} // namespace sme::fuzz
