// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/findings.hpp"
#include "cli/loading.hpp"
#include "lockstep/comparison.hpp"
#include "lockstep/isolated.hpp"

namespace sme::cli {

namespace {

using lockstep::Comparison;
using Comparisons = std::vector<std::shared_ptr<const Comparison>>;

/// The graph with its pairs compared; with --random only the pairs.
void add_comparisons(const Options& options, yaml::Design& design, Comparisons& into) {
    if (options.random) {
        design.graph = lockstep::isolated(design.graph, design.pairs, options.run.seed);
        design.checks = nullptr;
        design.recordings.clear();
        design.trace.clear();
        design.cycles = *options.random;
        design.ends_by_itself = false;
    }
    for (const Pair& pair : design.pairs)
        into.push_back(lockstep::add_comparison(design.graph, pair));
}

Diagnostic difference_of(const Comparison& comparison) {
    const Comparison::Difference& found = *comparison.difference;
    Diagnostic made{Code::implementations_differ,
                    Severity::fault,
                    comparison.pair.where,
                    fmt::format("in cycle {}, '{}' is {} by '{}', but {} by {}", found.cycle,
                                found.bus, found.first, comparison.pair.name, found.second,
                                comparison.pair.other),
                    {}};
    for (const auto& [cycle, inputs] : found.inputs) {
        std::string line;
        for (const Comparison::Seen& seen : inputs)
            line += fmt::format("{}{} = {}", line.empty() ? "" : ", ", seen.bus, seen.value);
        if (!line.empty())
            made.note({}, fmt::format("inputs in cycle {}: {}", cycle, line));
    }
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

} // namespace

int cosim_command(const Options& options) {
    const auto begin = std::chrono::steady_clock::now();
    Comparisons comparisons;
    Options paired = options;
    paired.against = true;
    const LoadResult result = load_network(
        paired, verilator::Modules::Purpose::run,
        {.change = [&](yaml::Design& design) { add_comparisons(options, design, comparisons); }});
    if (!result.network)
        return result.exit_code;
    if (comparisons.empty()) {
        complain(Code::bad_option, "no process has a second implementation; write 'against: {use: "
                                   "component}' or 'against: {verilog: ...}' in one");
        return exit_code::usage;
    }
    const int ended =
        run_loaded(options, *result.network, std::chrono::steady_clock::now() - begin);
    if (ended != exit_code::fine && ended != exit_code::model_failed)
        return ended;
    std::vector<Diagnostic> differences;
    for (const auto& comparison : comparisons) {
        fmt::print("{}", report_of(*comparison));
        if (comparison->difference)
            differences.push_back(difference_of(*comparison));
    }
    show(differences);
    return differences.empty() ? ended : exit_code::model_failed;
}

} // namespace sme::cli
