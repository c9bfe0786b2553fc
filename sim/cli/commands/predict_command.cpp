// SPDX-License-Identifier: Apache-2.0
//
// Predicts the time of a cycle with more threads than this machine has, from the cost of the
// network's chunks on one thread and the cost of a barrier.
#include <algorithm>
#include <array>
#include <memory>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "cli/command_table.hpp"
#include "cli/commands/predicted_ranks.hpp"
#include "cli/commands/ranks.hpp"
#include "cli/findings.hpp"
#include "engine/cycle/orchestrator.hpp"
#include "engine/engine.hpp"
#include "engine/threads/cpus.hpp"
#include "engine/threads/team.hpp"
#include "runtime/clock.hpp"

namespace sme::cli {

namespace {

constexpr double measure_ns = 300e6; // the duration of a measured run
constexpr std::array policies{"round-robin", "blocks", "optimize"};

/// Runs a network for a while and measures the nanoseconds per cycle, without the warm-up cycles.
class Measured {
public:
    Measured(const Loaded& loaded, const SimulatorOptions& run) : options_{options_of(run)} {
        run_ = std::make_unique<session::Run>(loaded.design.graph, loaded.analysis, options_,
                                              diagnostics_);
        if (run_->ok())
            ns_ = measured_cycle_ns(run_->engine(), loaded.design.cycles, measure_ns);
    }

    bool ran() const { return ns_ > 0; }
    double ns() const { return ns_; }
    engine::Orchestrator& work() { return run_->engine().orchestrator(); }
    const Diagnostics& diagnostics() const { return diagnostics_; }

private:
    static engine::Options options_of(const SimulatorOptions& run) {
        engine::Options result;
        result.run = run;
        result.measure = true;
        return result;
    }

    engine::Options options_;
    Diagnostics diagnostics_;
    std::unique_ptr<session::Run> run_;
    double ns_ = 0;
};

std::string table(const Loaded& loaded, const Options& options, Measured& one) {
    const unsigned here = engine::usable_cpus();
    const double barrier2 = engine::barrier_ns(2, options.run.wait);
    std::string text = fmt::format("{}: a cycle in ns, by measured costs of its processes\n",
                                   loaded.design.graph.name);
    text += fmt::format("  {:>7}", "threads");
    for (const char* policy : policies)
        text += fmt::format(" {:>12} {:>8}", policy, "speed-up");
    text += fmt::format(" {:>12}\n", "measured");
    for (const unsigned threads : options.counts) {
        // threads access the barrier's counter one at a time
        const double barrier = threads < 2 ? 0 : barrier2 * threads / 2;
        text += fmt::format("  {:>7}", threads);
        for (const char* policy : policies) {
            const double ns = one.work().predicted_ns(*make_policy(policy), threads, barrier);
            text += fmt::format(" {:>12.0f} {:>7.2f}x", ns, one.work().sequential_ns() / ns);
        }
        if (threads <= here) {
            SimulatorOptions run = options.run;
            run.threads = threads;
            Measured real{loaded, run};
            text += real.ran() ? fmt::format(" {:>12.0f}", real.ns()) : "";
        } else
            text += fmt::format(" {:>12}", "-");
        text += '\n';
    }
    text += fmt::format(
        "assumed: the costs stay as measured, in {:.1f} s on one thread; a level takes as long as "
        "its\nlongest thread, and {:.0f} ns for a barrier of 2 threads (measured), growing with "
        "their number;\nmemory and caches serve any number of threads as well as one.\n"
        "measured: {} CPUs may be used here; policy {}.\n",
        measure_ns / 1e9, barrier2, here, options.run.policy ? "as given" : "optimize");
    return text;
}

} // namespace

int predict_command(const Options& options) {
    int failed = exit_code::fine;
    const std::unique_ptr<mpi::Connection> ranks = connect_ranks(options, failed);
    if (failed != exit_code::fine)
        return failed;
    const RankLink link = ranks ? measured_link(*ranks) : RankLink{};
    if (ranks && ranks->rank() > 0)
        return exit_code::fine;
    using Purpose = VerilogModules::Purpose;
    const LoadResult result =
        load_network(options, options.compile_asked ? Purpose::run : Purpose::look);
    const std::optional<Loaded>& loaded = result.network;
    if (!loaded)
        return result.exit_code;
    if (loaded->modules->any() && !options.compile_asked) {
        report_error(Code::verilog_missing,
                     "the network has Verilog, which 'sme predict' builds and "
                     "runs only with --compile");
        return exit_code::building;
    }
    for (const auto& recording : loaded->recordings)
        recording->write_nothing();
    if (!options.rank_counts.empty())
        return predict_ranks(options, *loaded, link);
    SimulatorOptions single = options.run;
    single.threads = 1;
    Measured one{*loaded, single};
    if (one.diagnostics().has_errors()) {
        fmt::print(stderr, "{}", render(one.diagnostics()));
        return exit_code::usage;
    }
    if (!one.ran()) {
        report_error(Code::bad_cycles,
                     "the network ends in its first cycle, so there is nothing to "
                     "measure");
        return exit_code::usage;
    }
    fmt::print("{}", table(*loaded, options, one));
    return exit_code::fine;
}

} // namespace sme::cli
