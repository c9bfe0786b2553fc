// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "base/shown_text.hpp"
#include "cli/commands.hpp"
#include "cli/commands/self_pair.hpp"
#include "cli/loading.hpp"
#include "cli/reports/findings.hpp"
#include "export/export.hpp"
#include "lockstep/comparison.hpp"
#include "lockstep/isolated.hpp"

namespace sme::cli {

namespace {

using lockstep::Comparison;
using Comparisons = std::vector<std::shared_ptr<const Comparison>>;

Diagnostic difference_of(const Comparison& comparison) {
    const Comparison::Difference& found = *comparison.difference;
    Diagnostic made{Code::implementations_differ,
                    Severity::fault,
                    comparison.pair.where,
                    fmt::format("in cycle {}, '{}' is {} by '{}', but {} by {}", found.cycle,
                                found.bus, found.first, comparison.pair.name, found.second,
                                comparison.pair.other),
                    {}};
    for (const auto& [cycle, inputs] : found.inputs)
        if (!inputs.empty())
            made.note({},
                      fmt::format("inputs in cycle {}: {}", cycle, Comparison::text_of(inputs)));
    return made;
}

std::string report_of(const Comparison& comparison) {
    const std::string who = fmt::format("{} and {}", comparison.pair.name, comparison.pair.other);
    if (comparison.difference)
        return fmt::format("  {:<12} {}: '{}' in cycle {}\n", "DIFFER", who,
                           comparison.difference->bus, comparison.difference->cycle);
    std::string still;
    std::size_t moved = 0;
    for (std::size_t k = 0; k < comparison.outputs.size(); ++k)
        if (comparison.moved[k])
            ++moved;
        else
            still += fmt::format("{}{}", still.empty() ? "" : ", ", comparison.outputs[k]);
    return fmt::format("  {:<12} {}: {} cycles, {} of {} outputs moved{}\n", "agree", who,
                       comparison.cycles, moved, comparison.outputs.size(),
                       still.empty() ? "" : "; not " + still);
}

/// Runs what is loaded with its comparisons; prints what became of them. The exit code.
int run_compared(const Options& options, const Loaded& loaded, const Comparisons& comparisons) {
    const int ended = run_loaded(options, loaded, {});
    if (ended != exit_code::fine && ended != exit_code::model_failed)
        return ended;
    std::vector<Diagnostic> differences;
    for (const auto& comparison : comparisons) {
        fmt::print("{}", shown_text(report_of(*comparison)));
        if (comparison->difference)
            differences.push_back(difference_of(*comparison));
    }
    std::fflush(stdout);
    show(differences);
    return differences.empty() ? ended : exit_code::model_failed;
}

/// Each pair alone, one after another, with random values. The worst exit code.
int run_random(const Options& options, const Loaded& loaded) {
    int worst = exit_code::fine;
    for (const Pair& pair : loaded.design.pairs) {
        Loaded alone = loaded;
        Pair moved = pair;
        alone.design.graph = lockstep::isolated(loaded.design.graph, moved, options.run.seed);
        alone.design.checks = nullptr;
        alone.verdicts->clear();
        alone.recordings.clear();
        alone.design.trace.clear();
        const Comparisons comparisons{lockstep::add_comparison(alone.design.graph, moved)};
        Diagnostics quiet; // buses of others have neither readers nor writers here
        std::optional<Analysis> analysis = analyse(alone.design.graph, quiet);
        if (!analysis) {
            show(quiet);
            return exit_code::usage;
        }
        alone.analysis = std::move(*analysis);
        Options own = options;
        own.cycles = options.random;
        worst = std::max(worst, run_compared(own, alone, comparisons));
        if (worst > exit_code::model_failed)
            break;
    }
    return worst;
}

} // namespace

int cosim_command(const Options& options) {
    Comparisons comparisons;
    Options paired = options;
    paired.against = !options.self;
    hdl::Exported exported;
    Diagnostics not_written;
    const auto write = [&](const yaml::Written& network, const Graph& graph) {
        exported = hdl::export_network(network.describe(), graph, not_written, {{}, {}, true});
    };
    const auto compare = [&](yaml::Design& design, verilator::Modules& modules,
                             Diagnostics& diagnostics) {
        if (options.self) {
            for (const Diagnostic& found : not_written.all())
                diagnostics.add(found.code, found.where, found.message);
            design.pairs.clear();
            if (not_written.has_errors() || !add_self(exported, design, modules, diagnostics))
                return;
        }
        for (const Pair& pair : design.pairs)
            comparisons.push_back(lockstep::add_comparison(design.graph, pair));
    };
    LoadHooks hooks;
    hooks.change = compare;
    if (options.self)
        hooks.look = write;
    const LoadResult result =
        load_network(paired, verilator::Modules::Purpose::run, std::move(hooks));
    if (!result.network)
        return result.exit_code;
    if (result.network->design.pairs.empty()) {
        complain(Code::bad_option, "no process has a second implementation; write 'against: {use: "
                                   "component}' or 'against: {verilog: ...}' in one");
        return exit_code::usage;
    }
    return options.random ? run_random(options, *result.network)
                          : run_compared(options, *result.network, comparisons);
}

} // namespace sme::cli
