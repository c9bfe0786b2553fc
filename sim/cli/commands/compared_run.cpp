// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/compared_run.hpp"

#include <cstdio>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "base/shown_text.hpp"
#include "cli/commands.hpp"
#include "cli/reports/findings.hpp"

namespace sme::cli {

namespace {

using lockstep::Comparison;

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

} // namespace

int run_compared(const Options& options, const Loaded& loaded, const Comparisons& comparisons,
                 const std::string& more) {
    const int ended = run_loaded(options, loaded, {});
    if (ended != exit_code::fine && ended != exit_code::model_failed)
        return ended;
    std::vector<Diagnostic> differences;
    for (const auto& comparison : comparisons) {
        fmt::print("{}{}", shown_text(report_of(*comparison)), shown_text(more));
        if (comparison->difference)
            differences.push_back(difference_of(*comparison));
    }
    std::fflush(stdout);
    show(differences);
    return differences.empty() ? ended : exit_code::model_failed;
}

int run_alone(const Options& options, const Loaded& loaded, Graph graph, const Pair& pair,
              std::uint64_t cycles, const std::string& more) {
    Loaded alone = loaded;
    alone.design.graph = std::move(graph);
    alone.design.checks = nullptr;
    alone.verdicts->clear();
    alone.recordings.clear();
    alone.design.trace.clear();
    alone.design.ends_by_itself = false;
    const Comparisons comparisons{lockstep::add_comparison(alone.design.graph, pair)};
    Diagnostics quiet; // buses of others have neither readers nor writers here
    std::optional<Analysis> analysis = analyse(alone.design.graph, quiet);
    if (!analysis) {
        show(quiet);
        return exit_code::usage;
    }
    alone.analysis = std::move(*analysis);
    Options own = options;
    own.cycles = cycles;
    return run_compared(own, alone, comparisons, more);
}

} // namespace sme::cli
