// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cerrno>
#include <cstdio>

#include <fmt/format.h>

#include "cli/command_table.hpp"
#include "cli/commands/runs.hpp"
#include "cli/findings.hpp"
#include "cli/loading.hpp"
#include "cli/reports/watch.hpp"
#include "cli/terminal.hpp"
#include "orders/orders.hpp"

namespace sme::cli {

namespace {

/// The limit for one order, unless --cycles is given.
constexpr std::uint64_t max_steps = 1'000'000;

/// Runs the network in other orders, for no more cycles than the first run; returns the exit code.
int run_orders(const Options& options, const Loaded& loaded, std::uint64_t ran) {
    orders::Wishes wishes;
    wishes.cycles = std::max(ran, std::uint64_t{1});
    if (!options.cycles) // each order takes a whole run
        wishes.cycles = std::min(
            wishes.cycles,
            std::max(max_steps / std::max<std::uint64_t>(loaded.design.graph.process_count(), 1),
                     std::uint64_t{1}));
    wishes.orders = static_cast<unsigned>(options.orders);
    wishes.seed = options.run.seed;
    wishes.threads = options.threads_given ? options.run.threads : 0;
    wishes.interrupt = &interrupted();
    orders::Report report;
    {
        StatusLine line;
        wishes.progress = [&](unsigned order, std::uint64_t cycle) {
            if (line.is_due())
                line.show(fmt::format("order {} of {}, cycle {} of {}", order + 1,
                                      options.orders.value, cycle, wishes.cycles));
        };
        report = orders::compare(loaded.design.graph, wishes);
    }
    if (report.difference)
        fmt::print("  {:<12} order {} of {}: {}\n", "DIFFER", report.difference->order + 1,
                   options.orders.value, shown_text(report.difference->text));
    else if (report.orders > 0)
        fmt::print(
            "  {:<12} {} on {}: {} in each of {}\n", "same",
            counted(report.orders, "order", "orders"),
            report.threads == 1 ? "1 thread" : fmt::format("up to {} threads", report.threads),
            counted(report.buses, "bus", "buses"), counted(report.cycles, "cycle", "cycles"));
    if (report.difference)
        return exit_code::model_failed;
    return interrupted() ? signal_exit_code() : exit_code::fine;
}

} // namespace

int validate_command(const Options& options) {
    catch_signals();
    Options judged = options;
    judged.validate = true;
    judged.metastability.reset();
    judged.run.threads = 1;
    const LoadResult result = load_network(judged, VerilogModules::Purpose::run);
    if (!result.network)
        return result.exit_code;
    std::uint64_t ran = 0;
    const int ended = run_loaded(judged, *result.network, {}, &ran);
    if ((ended != exit_code::fine && ended != exit_code::model_failed) ||
        (options.orders == 0 && !options.stalls && !options.metastability))
        return ended;
    int compared =
        options.orders == 0 ? exit_code::fine : run_orders(options, *result.network, ran);
    if (compared == exit_code::fine && options.stalls)
        compared = compare_stalled_runs(options);
    if (compared == exit_code::fine && options.metastability)
        compared = judge_metastable_runs(options);
    const int failed = std::fflush(stdout) == 0 ? exit_code::fine : output_failed(errno);
    if (ended != exit_code::fine)
        return ended;
    return failed == exit_code::fine ? compared : failed;
}

} // namespace sme::cli
