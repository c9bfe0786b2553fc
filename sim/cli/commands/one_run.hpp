// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "cli/commands/run_files.hpp"
#include "cli/loading.hpp"
#include "cli/options.hpp"
#include "cli/output_files.hpp"
#include "cli/reports/graph_file.hpp"
#include "cli/reports/run_page.hpp"
#include "cli/reports/run_reports.hpp"
#include "cli/reports/watch.hpp"
#include "cli/reports/waveform_report.hpp"
#include "cli/terminal.hpp"
#include "engine/engine.hpp"
#include "judge/invariant_checker.hpp"
#include "mpi/connection.hpp"
#include "session/native_run.hpp"

namespace sme::cli {

/// One run of the command.
class Run {
public:
    using Clock = std::chrono::steady_clock;

    Run(const Options& options, const Loaded& loaded, Clock::duration loading,
        RunCheckpoints& checkpoints, std::string partition, mpi::Connection* ranks)
        : options_{options}, loaded_{loaded}, loading_{loading}, checkpoints_{checkpoints},
          partition_{std::move(partition)}, ranks_{ranks},
          judge_{options.validate ? std::make_shared<validator::InvariantChecker>() : nullptr},
          page_{options, loaded} {}

    /// Returns the exit code.
    int carry_out();

    /// True if other ranks end by themselves.
    bool has_finished() const { return finished_; }
    /// The number of cycles that began.
    std::uint64_t ran() const { return ran_; }

private:
    void run_cycles(session::Run& run);

    /// Calls `use` for each file that grows during the run.
    template <class Use> void for_each_stream(Use use) const;

    bool can_write() const;

    /// Handles memory exhaustion: the cycle is incomplete, so all output up to it stays in `.part`
    /// files.
    int out_of_memory(const engine::Engine& engine) const;

    engine::Options engine_options();

    int write_partition(const engine::Engine& engine) const;

    bool choose_cycles();

    /// Opens all output files. Returns `fine`, or the exit code after reporting the error.
    int open_files(engine::Engine& engine);

    /// Writes the C code for --emit-c, and compiles it for `--engine native`. Returns `fine`, or
    /// the exit code after reporting the error.
    int prepare_native(session::Run& run);

    /// The path of the waveform. A resumed run gets a path of its own, to keep the waveform of the
    /// earlier run.
    std::string trace_path() const;

    void finish_recordings(const session::Outcome& outcome);

    void print_stats(engine::Engine& engine, Clock::duration building,
                     Clock::duration running) const;

    /// True if the run was interrupted while a module hung.
    static bool is_cut_short(const session::Outcome& outcome);

    int report(const engine::Engine& engine, const session::Outcome& outcome);

    const Options& options_;
    const Loaded& loaded_;
    Clock::duration loading_;
    RunCheckpoints& checkpoints_;
    std::string partition_;  // of an earlier run; empty without one
    mpi::Connection* ranks_; // null: there are no others
    bool finished_ = false;
    std::shared_ptr<validator::InvariantChecker> judge_; // null: no judge
    RunTrace trace_;
    WaveformReport waveform_;
    std::uint64_t cycles_ = 0, ran_ = 0;
    bool endless_ = false;
    StandardOutput output_;
    Watch watch_{output_};
    RunReports reports_;
    session::NativeRun* native_ = nullptr; // of the run
    MeasuredFiles measured_;
    std::string measured_problem_; // why the measured files could not be written
    RunGraph graph_;
    RunPage page_;
    std::string page_problem_; // why the page could not be written
    /// Released when memory is exhausted, so that the code that ends the run can allocate.
    std::unique_ptr<char[]> reserve_ = std::make_unique_for_overwrite<char[]>(256 * 1024);
};

} // namespace sme::cli
