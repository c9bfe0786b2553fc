// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/compared_run.hpp"

#include <algorithm>
#include <cstdio>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/codes.hpp"
#include "base/shown_text.hpp"
#include "cli/commands.hpp"
#include "cli/commands/inputs_file.hpp"
#include "cli/commands/shrunk_run.hpp"
#include "cli/reports/findings.hpp"
#include "cli/signals.hpp"
#include "lockstep/fed_rows.hpp"
#include "lockstep/isolated.hpp"
#include "lockstep/random_values.hpp"

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

/// Checks that every rule concerns the inputs of some pair.
int check_rules(const Loaded& loaded, const std::vector<Pair>& pairs,
                const lockstep::RandomRules& rules) {
    std::size_t ranges = 0, handshakes = 0;
    std::set<std::string> assumptions;
    std::set<std::string> names;
    for (const Pair& pair : pairs) {
        Pair moved = pair;
        const Graph graph = lockstep::isolated(loaded.design.graph, moved);
        const std::vector<std::uint64_t> inputs = lockstep::open_inputs(graph);
        const lockstep::RandomRules used = lockstep::about(rules, inputs);
        ranges += used.ranges.size();
        handshakes += used.handshakes.size();
        for (const auto& assumption : used.assumptions)
            assumptions.insert(assumption.text);
        for (const std::uint64_t element : inputs)
            names.insert(graph.bus_name(element));
    }
    const auto refuse = [&](const std::string& what) {
        complain(Code::bad_option,
                 fmt::format("{} is about something that is no input of one pair; the inputs are "
                             "{}",
                             what, fmt::join(names, ", ")));
        return exit_code::usage;
    };
    if (ranges < rules.ranges.size())
        return refuse("a --range");
    if (handshakes < rules.handshakes.size())
        return refuse("a --handshake");
    for (const auto& assumption : rules.assumptions)
        if (assumption.needed && !assumptions.count(assumption.text))
            return refuse(fmt::format("--assume '{}'", assumption.text));
    return exit_code::fine;
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
              std::uint64_t cycles, const std::string& more,
              std::optional<std::uint64_t>* differs) {
    Loaded alone = loaded;
    alone.design.graph = std::move(graph);
    alone.design.checks = nullptr;
    alone.verdicts->clear();
    alone.recordings.clear();
    alone.design.trace.clear();
    alone.design.ends_by_itself = false;
    const Comparisons comparisons{lockstep::add_comparison(alone.design.graph, pair)};
    Diagnostics quiet; // buses of other pairs have neither readers nor writers here
    std::optional<Analysis> analysis = analyse(alone.design.graph, quiet);
    if (!analysis) {
        show(quiet);
        return exit_code::usage;
    }
    alone.analysis = std::move(*analysis);
    Options own = options;
    own.cycles = cycles;
    const int ended = run_compared(own, alone, comparisons, more);
    if (differs && comparisons[0]->difference)
        *differs = comparisons[0]->difference->cycle;
    return ended;
}

int run_random(const Options& options, const Loaded& loaded, const std::vector<Pair>& pairs,
               const lockstep::RandomRules& rules) {
    if (const int refused = check_rules(loaded, pairs, rules); refused != exit_code::fine)
        return refused;
    KeptInputs kept;
    catch_signals(); // must precede the creation of the file
    int worst = kept.open(options, *loaded.files);
    if (worst != exit_code::fine)
        return worst;
    for (const Pair& pair : pairs) {
        Pair moved = pair;
        const Graph alone = lockstep::isolated(loaded.design.graph, moved);
        Graph graph = alone;
        if (const auto problem = lockstep::add_random_values(graph, options.run.seed, rules)) {
            show(std::vector{*problem});
            return exit_code::model_failed;
        }
        std::optional<std::uint64_t> differs;
        worst = std::max(worst, run_alone(options, loaded, std::move(graph), moved, *options.random,
                                          {}, &differs));
        if (differs && worst == exit_code::model_failed)
            show_shrunk(options, alone, moved, rules, *differs, kept);
        if (worst > exit_code::model_failed)
            return worst;
    }
    return std::max(worst, kept.finish());
}

int run_fed(const Options& options, const Loaded& loaded, const std::vector<Pair>& pairs) {
    loaded.files->note_read(options.inputs);
    Diagnostics diagnostics;
    const auto file = InputsFile::read(options.inputs, diagnostics);
    int worst = exit_code::fine;
    std::size_t fed = 0;
    Diagnostics missing;
    for (const Pair& pair : pairs) {
        if (!file || worst > exit_code::model_failed)
            break;
        Pair moved = pair;
        Graph graph = lockstep::isolated(loaded.design.graph, moved);
        const std::vector<std::uint64_t> inputs = lockstep::open_inputs(graph);
        if (const std::string column = file->missing(graph, inputs); !column.empty()) {
            missing.add(
                Code::data_shape, file->where(),
                fmt::format("there is no column '{}', an input of '{}'", column, pair.name));
            continue;
        }
        auto rows = file->rows(graph, inputs, diagnostics);
        if (!rows)
            break;
        ++fed;
        const std::uint64_t cycles = options.cycles.value_or(rows->rows.size());
        const auto shared = std::make_shared<lockstep::FedRows>(std::move(*rows));
        lockstep::begin_with(*shared, graph);
        lockstep::add_feeder(graph, shared, {});
        worst = std::max(worst, run_alone(options, loaded, std::move(graph), moved, cycles));
    }
    if (fed == 0 && !diagnostics.has_errors())
        show(missing);
    for (const Diagnostic& each : missing.all())
        if (fed > 0)
            fmt::print("  {:<12} {}\n", "skipped", shown_text(each.message));
    show(diagnostics);
    return fed == 0 || diagnostics.has_errors() ? exit_code::usage : worst;
}

} // namespace sme::cli
