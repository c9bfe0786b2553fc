// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/shrunk_run.hpp"

#include <chrono>
#include <cstdio>

#include <fmt/format.h>

#include "base/shown_text.hpp"
#include "bits/scalar_text.hpp"
#include "cli/reports/counted.hpp"
#include "cli/reports/findings.hpp"
#include "cli/signals.hpp"
#include "engine/engine.hpp"
#include "lockstep/fed_rows.hpp"
#include "lockstep/isolated.hpp"
#include "lockstep/random_rows.hpp"
#include "lockstep/random_values.hpp"
#include "lockstep/shrink.hpp"
#include "network/checks/check.hpp"

namespace sme::cli {

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
        engine::Engine engine{graph_, *analysis_, how, quiet};
        if (quiet.has_errors())
            return false;
        engine.run(cycles);
        engine.finish();
        return engine.faults().empty() && comparison_->difference;
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
                                                             rules, lockstep::open_inputs(graph))},
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
        lockstep::add_feeder(fed, rows_, rules_.handshakes);
        Trial trial{options_, std::move(fed), pair_};
        lockstep::Shrink shrink;
        const auto begin = std::chrono::steady_clock::now();
        shrink.differs = [&](const std::vector<lockstep::Shrink::Row>& rows) {
            return differs(trial, rows);
        };
        shrink.allowed = [&](const lockstep::Shrink::Row& row) { return layout_.allows(row); };
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
