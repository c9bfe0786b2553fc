// SPDX-License-Identifier: Apache-2.0
//
// A cycle takes as long as its slowest rank: a share of the work, as the cut estimates it, of a
// measured cycle on one thread; and the messages of that rank.
#include "cli/commands/predicted_ranks.hpp"

#include <algorithm>
#include <memory>
#include <vector>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "cli/findings.hpp"
#include "engine/engine.hpp"
#include "engine/ranks/rank_slots.hpp"
#include "runtime/clock.hpp"
#include "session/native_run.hpp"

namespace sme::cli {

namespace {

constexpr double measured_ns = 1e9;
constexpr double message_ns = 500; // of CPU time, for each neighbour
constexpr std::size_t most_lines = 16;

/// The median time of an exchange of `bytes` bytes in both directions, between the first two ranks.
double exchange_ns(Transport& ranks, std::size_t bytes, unsigned times) {
    std::vector<std::byte> out(bytes), in(bytes);
    const unsigned other = 1 - ranks.rank();
    const Transport::Sent sent{other, out};
    const Transport::Received received{other, in};
    std::vector<std::uint64_t> each;
    for (unsigned k = 0; k < times; ++k) {
        const std::uint64_t begin = now_ns();
        ranks.exchange({&sent, 1}, {&received, 1});
        each.push_back(now_ns() - begin);
    }
    std::nth_element(each.begin(), each.begin() + times / 2, each.end());
    return static_cast<double>(each[times / 2]);
}

/// A cycle of a network on one thread.
class OneRank {
public:
    OneRank(const Options& options, const Loaded& loaded, Diagnostics& diagnostics)
        : run_{loaded.design.graph, loaded.analysis, options_of(options), diagnostics} {
        if (!run_.ok())
            return;
        session::NativeRun& native = session::native_of(run_, {.one_thread = true});
        if (!options.compile)
            execution_ = "interpreted, because --no-compile was given";
        else if (const std::string why = native.compile();
                 !why.empty() || !native.missing().empty())
            execution_ = "interpreted, because there is no native code here";
        ns_ = measured_cycle_ns(run_.engine(), loaded.design.cycles, measured_ns);
    }

    double ns() const { return ns_; }
    const std::string& execution() const { return execution_; }
    const engine::Layout& layout() const { return run_.engine().layout(); }

private:
    static engine::Options options_of(const Options& options) {
        engine::Options result;
        result.run = options.run;
        result.run.threads = 1;
        result.run.skipping = Skipping::never; // as on ranks
        return result;
    }

    session::Run run_;
    std::string execution_ = "native";
    double ns_ = 0;
};

/// One division of a network.
struct Division {
    Division(const Loaded& loaded, const engine::Layout& layout, unsigned ranks)
        : shares{engine::RankShares::of(loaded.design.graph, loaded.analysis.writers, layout.cut,
                                        {}, ranks)},
          loads{engine::RankSlots{loaded.design.graph, loaded.analysis.writers, layout, shares}
                    .loads()} {}

    double ns(double one, const RankLink& link) const {
        double slowest = 0;
        for (std::size_t rank = 0; rank < loads.size(); ++rank) {
            double ns = shares.work()[rank] * one;
            const double messages = loads[rank].messages;
            const double cpu = std::min(link.cpu_ns, link.latency_ns);
            // the interior runs meanwhile, unless one message holds several cycles
            const double hidden = messages < 1 ? 0 : std::min(ns, link.latency_ns - cpu);
            ns += std::min(messages, 1.0) * (link.latency_ns - hidden) +
                  std::max(messages - 1, 0.0) * std::min(message_ns, cpu) +
                  static_cast<double>(loads[rank].bytes) / link.bytes_per_ns;
            slowest = std::max(slowest, ns);
        }
        return slowest;
    }
    double largest_share() const {
        return *std::max_element(shares.work().begin(), shares.work().end());
    }

    engine::RankShares shares;
    std::vector<engine::RankSlots::Load> loads;
};

/// Where a division cuts the families.
std::string pieces_of(const Graph& graph, const Division& division) {
    std::string text;
    std::size_t lines = 0;
    for (std::uint32_t f = 0; f < graph.processes.size(); ++f) {
        const ProcessFamily& family = graph.processes[f];
        division.shares.for_each_piece(f, {0, family.count}, [&](Range range, unsigned rank) {
            if (++lines > most_lines)
                return;
            const std::string first = family.instance_name(range.first);
            text += fmt::format("  rank {}: {}", rank, first);
            if (range.count > 1)
                text += fmt::format(" to {}", family.instance_name(range.first + range.count - 1));
            text += '\n';
        });
    }
    if (lines > most_lines)
        text += fmt::format("  and {} more pieces\n", lines - most_lines);
    return text;
}

} // namespace

double measured_cycle_ns(engine::Engine& engine, std::optional<std::uint64_t> cycles,
                         double spend_ns) {
    const std::uint64_t most = cycles.value_or(std::uint64_t{1} << 62);
    std::vector<double> slices;
    std::uint64_t next = 1;
    for (double spent = 0; spent < spend_ns && engine.cycle() < most;) {
        const std::uint64_t before = engine.cycle(), begin = now_ns();
        if (engine.run(std::min(next, most - before)) != RunEnd::completed)
            break;
        const auto ns = static_cast<double>(now_ns() - begin);
        slices.push_back(ns / static_cast<double>(engine.cycle() - before));
        spent += ns;
        if (ns < spend_ns / 30)
            next *= 2;
    }
    if (slices.empty())
        return 0;
    const auto late = slices.begin() + static_cast<std::ptrdiff_t>(slices.size() / 2);
    std::sort(late, slices.end());
    return late[(slices.end() - late) / 2];
}

RankLink measured_link(Transport& ranks) {
    RankLink result{0, 1, "measured between two ranks"};
    if (ranks.rank() > 1)
        return result;
    constexpr std::size_t many = std::size_t{1} << 20;
    exchange_ns(ranks, 8, 1000); // connects
    result.latency_ns = result.cpu_ns = exchange_ns(ranks, 8, 2001);
    const double large = exchange_ns(ranks, many, 51);
    result.bytes_per_ns = static_cast<double>(many) / std::max(large - result.latency_ns, 1.0);
    return result;
}

int predict_ranks(const Options& options, const Loaded& loaded, RankLink link) {
    if (options.latency > 0)
        link.latency_ns = static_cast<double>(options.latency), link.cpu_ns = message_ns,
        link.origin = "as given";
    if (options.bandwidth > 0)
        link.bytes_per_ns = static_cast<double>(options.bandwidth) / 8000, link.origin = "as given";
    const Graph& graph = loaded.design.graph;
    Diagnostics diagnostics;
    const OneRank one{options, loaded, diagnostics};
    show(diagnostics);
    if (diagnostics.has_errors())
        return exit_code::usage;
    if (one.ns() == 0) {
        report_error(Code::bad_cycles, "the network ends in its first cycle, so there is nothing "
                                       "to measure");
        return exit_code::usage;
    }
    std::string text = fmt::format("{}: a cycle takes {:.0f} ns on one rank ({}, one thread)\n"
                                   "  {:>6} {:>13} {:>10} {:>10} {:>12} {:>9}\n",
                                   graph.name, one.ns(), one.execution(), "ranks", "largest share",
                                   "neighbours", "bytes", "ns", "speed-up");
    std::string pieces, together;
    for (const unsigned ranks : options.rank_counts) {
        if (ranks > graph.process_count()) {
            text += fmt::format("  {:>6} more than there are processes\n", ranks);
            continue;
        }
        const Division division{loaded, one.layout(), ranks};
        std::uint64_t neighbours = 0, bytes = 0;
        for (const engine::RankSlots::Load& load : division.loads) {
            neighbours = std::max(neighbours, load.neighbours);
            bytes = std::max(bytes, load.bytes);
        }
        const double ns = division.ns(one.ns(), link);
        text += fmt::format("  {:>6} {:>12.4f}% {:>10} {:>10} {:>12.0f} {:>8.2f}x\n", ranks,
                            division.largest_share() * 100, neighbours, bytes, ns, one.ns() / ns);
        if (together.empty() && !division.shares.together().empty())
            together = fmt::format("on {} ranks, {}\n", ranks, division.shares.together());
        if (pieces.empty())
            pieces = fmt::format("cut for {} ranks:\n{}", ranks, pieces_of(graph, division));
    }
    fmt::print("{}{}assumed: a rank takes its share of the cycle, by the operations of its "
               "processes, with caches\nas on one rank, and exchanges messages: {:.0f} ns and "
               "{:.2f} Gbit/s ({}), {:.0f} ns for each\nfurther neighbour. Of the latency, {:.0f} "
               "ns are CPU time; in the rest the rank runs processes whose\nvalues do not cross. "
               "Nothing is traced or checked. 'neighbours' and 'bytes' are the most of one "
               "rank.\n{}",
               text, pieces, link.latency_ns, link.bytes_per_ns * 8, link.origin,
               std::min(message_ns, link.latency_ns), std::min(link.cpu_ns, link.latency_ns),
               together);
    return exit_code::fine;
}

} // namespace sme::cli
