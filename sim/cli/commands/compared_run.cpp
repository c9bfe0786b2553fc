// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/compared_run.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/codes.hpp"
#include "base/source.hpp"
#include "bits/scalar_text.hpp"
#include "cli/command_table.hpp"
#include "cli/commands/inputs_file.hpp"
#include "cli/findings.hpp"
#include "cli/terminal.hpp"
#include "engine/engine.hpp"
#include "lockstep/comparison.hpp"
#include "lockstep/random_rows.hpp"
#include "network/checks/check.hpp"

namespace sme::cli {

namespace {

using lockstep::Comparison;

Diagnostic difference_of(const Comparison& comparison) {
    const Comparison::Difference& found = *comparison.difference;
    Diagnostic result{Code::implementations_differ,
                      Severity::fault,
                      comparison.pair.where,
                      fmt::format("in cycle {}, '{}' is {} by '{}', but {} by {}", found.cycle,
                                  found.bus, found.first, comparison.pair.name, found.second,
                                  comparison.pair.other),
                      {}};
    for (const auto& [cycle, inputs] : found.inputs)
        if (!inputs.empty())
            result.note({},
                        fmt::format("inputs in cycle {}: {}", cycle, Comparison::text_of(inputs)));
    return result;
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
    const auto needed = [](const std::vector<lockstep::RandomRules::Range>& all) {
        return std::count_if(all.begin(), all.end(), [](const auto& each) { return each.needed; });
    };
    std::ptrdiff_t ranges = 0;
    std::size_t handshakes = 0;
    std::set<std::string> assumptions;
    std::set<std::string> names;
    for (const Pair& pair : pairs) {
        Pair moved = pair;
        const Graph graph = lockstep::isolated(loaded.design.graph, moved);
        const std::vector<std::uint64_t> inputs = lockstep::open_inputs(graph);
        const lockstep::RandomRules used = lockstep::about(rules, inputs, graph);
        ranges += needed(used.ranges);
        handshakes += used.handshakes.size();
        for (const auto& assumption : used.assumptions)
            assumptions.insert(assumption.text);
        for (const std::uint64_t element : inputs)
            names.insert(graph.bus_name(element));
    }
    const auto refuse = [&](const std::string& what) {
        report_error(
            Code::bad_option,
            fmt::format("{} is about something that is no input of one pair; the inputs are "
                        "{}",
                        what, fmt::join(names, ", ")));
        return exit_code::usage;
    };
    if (ranges < needed(rules.ranges))
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

namespace {

using lockstep::Comparison;

constexpr std::chrono::seconds longest{2};
constexpr std::size_t most_bytes = std::size_t{64} << 20; // of all rows together
constexpr std::size_t rows_shown = 16;

/// A network that runs repeatedly.
class Trial {
public:
    Trial(const Options& options, Graph graph, const Pair& pair)
        : options_{options}, graph_{std::move(graph)}, comparison_{
                                                           lockstep::add_comparison(graph_, pair)} {
        Diagnostics quiet;
        analysis_ = analyse(graph_, quiet);
    }

    /// True if the run shows a difference and does not fail otherwise.
    bool differs(std::uint64_t cycles) {
        engine::Options how;
        how.run.seed = options_.run.seed;
        how.run.threads = 1;
        Diagnostics quiet;
        if (!analysis_)
            return false;
        session::Run run{graph_, *analysis_, how, quiet};
        if (!run.ok())
            return false;
        run.engine().run(cycles);
        return run.finish().faults.empty() && comparison_->difference;
    }

    Graph& graph() { return graph_; }
    const Comparison::Difference& difference() const { return *comparison_->difference; }

private:
    const Options& options_;
    Graph graph_;
    std::shared_ptr<const Comparison> comparison_;
    std::optional<Analysis> analysis_;
};

std::string text_of(const lockstep::FedRows& rows, std::size_t row, const Graph& graph) {
    std::vector<Comparison::Seen> seen;
    for (std::size_t p = 0; p < rows.elements.size(); ++p)
        seen.push_back({graph.bus_name(rows.elements[p]),
                        value_text(*graph.family_of(rows.elements[p]).type,
                                   rows.rows[row].data() + rows.offsets[p])});
    return Comparison::text_of(seen);
}

class Shrinker {
public:
    Shrinker(const Options& options, const Graph& graph, const Pair& pair,
             const lockstep::RandomRules& rules)
        : options_{options}, graph_{graph}, pair_{pair}, rules_{lockstep::about(
                                                             rules, lockstep::open_inputs(graph),
                                                             graph)},
          layout_{graph, lockstep::open_inputs(graph), rules_, 0},
          rows_{std::make_shared<lockstep::FedRows>()} {
        rows_->elements = lockstep::open_inputs(graph);
        for (std::size_t p = 0; p < rows_->elements.size(); ++p)
            rows_->offsets.push_back(layout_.offset(p));
    }

    /// Searches for fewer inputs. Returns why it found none; empty on success.
    std::string run(std::uint64_t cycle, KeptInputs& kept) {
        if (rows_->elements.empty())
            return "there are no inputs";
        if (cycle >= most_bytes / layout_.row_bytes())
            return "the difference comes too late";
        if (!record(cycle))
            return "the difference did not come again";
        Graph fed = graph_;
        lockstep::add_feeder(fed, rows_, rules_);
        Trial trial{options_, std::move(fed), pair_};
        lockstep::Shrink shrink;
        const auto begin = std::chrono::steady_clock::now();
        shrink.differs = [&](const std::vector<lockstep::Shrink::Row>& rows) {
            return differs(trial, rows);
        };
        shrink.allowed = [&](const lockstep::Shrink::Row& row) {
            // a rule that looks back is kept by the run, which says if it was broken
            return !layout_.lookback().elements().empty() || layout_.allows(row);
        };
        shrink.give_up = [&] {
            return interrupted() || std::chrono::steady_clock::now() - begin > longest;
        };
        shrink.idle = layout_.idle(graph_, rows_->elements);
        shrink.scalars = layout_.scalars();
        const std::vector<lockstep::Shrink::Row> before = rows_->rows;
        if (!differs(trial, before))
            return "the difference depends on more than inputs";
        const auto after = shrink.run(before);
        if (!differs(trial, after))
            return "the difference did not come again";
        report(shrink, before, after, trial.difference());
        rows_->rows = after;
        kept.keep(*rows_, graph_);
        return {};
    }

private:
    /// Records the inputs of the run that shows the difference.
    bool record(std::uint64_t cycle) {
        Graph recorded = graph_;
        if (lockstep::add_random_values(recorded, options_.run.seed, rules_))
            return false;
        lockstep::add_recorder(recorded, rows_);
        return Trial{options_, std::move(recorded), pair_}.differs(cycle + 1) &&
               !rows_->rows.empty();
    }

    std::optional<std::uint64_t> differs(Trial& trial,
                                         const std::vector<lockstep::Shrink::Row>& rows) {
        rows_->rows = rows;
        lockstep::begin_with(*rows_, trial.graph());
        if (!trial.differs(rows.size()) || rows_->broke)
            return std::nullopt;
        return trial.difference().cycle;
    }

    void report(const lockstep::Shrink& shrink, const std::vector<lockstep::Shrink::Row>& before,
                const std::vector<lockstep::Shrink::Row>& after,
                const Comparison::Difference& difference) const {
        const std::string text = fmt::format(
            "  {:<12} {}: {} of inputs to {}, in which {} of {} values are not idle{}\n", "shrunk",
            pair_.name, counted(before.size(), "cycle", "cycles"), after.size(),
            shrink.active(after), after.size() * shrink.scalars.size(),
            shrink.stopped ? "; it may go further" : "");
        std::fputs(shown_text(text).c_str(), stdout);
        std::fflush(stdout);
        std::string lines = fmt::format("with fewer inputs: in cycle {}, '{}' is {} by '{}', but "
                                        "{} by {}\n",
                                        difference.cycle, difference.bus, difference.first,
                                        pair_.name, difference.second, pair_.other);
        for (std::size_t r = 0; r < after.size() && r < rows_shown; ++r)
            lines += fmt::format("  inputs in cycle {}: {}\n", r, text_of(*rows_, r, graph_));
        if (after.size() > rows_shown)
            lines += fmt::format("  and {} more\n", after.size() - rows_shown);
        std::fputs(shown_text(lines).c_str(), stderr);
    }

    const Options& options_;
    const Graph& graph_;
    const Pair& pair_;
    const lockstep::RandomRules rules_;
    lockstep::RandomRows layout_;
    std::shared_ptr<lockstep::FedRows> rows_;
};

} // namespace

void show_shrunk(const Options& options, const Graph& graph, const Pair& pair,
                 const lockstep::RandomRules& rules, std::uint64_t cycle, KeptInputs& kept) {
    std::string why_not = Shrinker{options, graph, pair, rules}.run(cycle, kept);
    if (!why_not.empty())
        kept.cannot_keep(std::move(why_not));
}

} // namespace sme::cli
