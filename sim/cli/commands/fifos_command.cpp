// SPDX-License-Identifier: Apache-2.0
//
// 1. run the network once as written, and record what its actors do
// 2. search for depths; compute their outcome from the record, or run the network
// 3. confirm the result with one more run
// 4. write the table and the files
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "base/source.hpp"
#include "cli/command_table.hpp"
#include "cli/commands/sized_network.hpp"
#include "cli/findings.hpp"
#include "cli/output_files.hpp"
#include "cli/reports/run_reports.hpp"
#include "cli/terminal.hpp"

namespace sme::cli {

namespace {

using sizing::Depths;
using sizing::Search;

constexpr std::size_t front_points = 24;
constexpr std::size_t most_waits = 5;

std::string cycles_text(std::uint64_t cycles) {
    return counted(cycles, "cycle", "cycles");
}

/// "186 cycles", or "a deadlock".
std::string text_of(const sizing::Outcome& outcome) {
    return outcome.complete ? cycles_text(outcome.cycles) : "a deadlock";
}

class Fifos {
public:
    explicit Fifos(const Options& options)
        : options_{options}, network_{options}, search_{{}, {}, {}} {}

    int run() {
        if (const int refused = check_options(); refused != exit_code::fine)
            return refused;
        if (const int failed = network_.begin(); failed != exit_code::fine)
            return failed;
        if (const int refused = claim(); refused != exit_code::fine)
            return refused;
        std::vector<std::uint64_t> price;
        for (const SizedChannel& channel : network_.channels())
            price.push_back(channel.bits);
        search_ = Search{std::move(price),
                         [&](const Depths& depths) { return network_.evaluate(depths); },
                         [&] { return !interrupted() && network_.failed() == exit_code::fine; }};
        searching_ = Clock::now();
        fastest_ = network_.evaluate(network_.enough());
        written_ = network_.evaluate(network_.written());
        if (network_.history() && written_.complete)
            slow_ = network_.slowness();
        if (const int failed = find(); failed != exit_code::fine)
            return failed;
        report();
        if (const int failed = write_files(); failed != exit_code::fine)
            return failed;
        if (options_.stats)
            print_stats();
        return std::fflush(stdout) == 0 ? exit_code::fine : output_failed(errno);
    }

private:
    int check_options() const {
        const auto is = [&](const char* ending) { return options_.pareto.ends_with(ending); };
        if (!options_.pareto.empty() && !is(".csv") && !is(".svg")) {
            report_error(
                Code::bad_option,
                fmt::format("--pareto writes a table FILE.csv or a plot FILE.svg, but this is "
                            "'{}'",
                            options_.pareto));
            return exit_code::usage;
        }
        return exit_code::fine;
    }

    int claim() const {
        for (const FileAccess::WriteRequest& wish :
             {front_file(options_.pareto), patch_file(options_.patch)})
            if (!wish.path.empty())
                if (const int refused = claim_output(network_.files(), wish);
                    refused != exit_code::fine)
                    return refused;
        return exit_code::fine;
    }

    int find() {
        most_ = fastest_.cycles;
        if (options_.within) {
            if (*options_.within < most_) {
                report_error(Code::bad_option,
                             fmt::format("--within {}: no depths take fewer than {}",
                                         *options_.within, cycles_text(most_)));
                return exit_code::usage;
            }
            most_ = *options_.within;
        }
        if (options_.minimize && !network_.history()) {
            report_error(
                Code::bad_option,
                fmt::format("--minimize is for networks of actors alone: {}", network_.why_runs()));
            return exit_code::usage;
        }
        if (options_.minimize) {
            const Search::Least least = search_.least(network_.enough(), most_);
            found_ = least.depths;
            proven_ = least.proven;
        } else
            found_ = search_.reduced(network_.enough(), most_);
        if (interrupted() && !options_.minimize)
            return signal_exit_code();
        outcome_ = network_.evaluate(found_);
        if (network_.failed() != exit_code::fine)
            return network_.failed();
        if (network_.history() && network_.ends() && !interrupted()) {
            again_ = network_.run_again(found_);
            if (again_ != outcome_.cycles) {
                report_error(
                    Code::bad_channel,
                    fmt::format("a run with the depths that were found takes {}, but {} were "
                                "computed; please report this",
                                again_ ? cycles_text(*again_) : "no end", outcome_.cycles));
                return exit_code::model_failed;
            }
        }
        return exit_code::fine;
    }

    void report() {
        const std::vector<SizedChannel>& channels = network_.channels();
        fmt::print("{}: {}, {} written\n", network_.name(),
                   counted(channels.size(), "channel", "channels"),
                   counted(search_.bits(network_.written()), "bit", "bits"));
        fmt::print("  as written   {}\n", text_of(written_));
        fmt::print("  at best      {}\n", cycles_text(fastest_.cycles));
        print_found();
        print_table();
        print_slowness();
        if (!network_.history())
            fmt::print("  each set of depths was run, {} in all: {}\n",
                       counted(search_.evaluations(), "run", "runs"), network_.why_runs());
        if (!network_.ends())
            fmt::print("  the network does not end by itself: cycles are those after which it has "
                       "done what it does in the run as written\n");
    }

    void print_stats() const {
        const double evaluations = static_cast<double>(search_.evaluations());
        const double ms =
            std::chrono::duration<double, std::milli>(Clock::now() - searching_).count();
        fmt::print(stderr, "sets of depths: {}, {:.3f} ms each", search_.evaluations(),
                   ms / std::max(1.0, evaluations));
        if (network_.history())
            fmt::print(stderr, ", for {} steps of actors", network_.history()->steps());
        fmt::print(stderr, "\n");
    }

    void print_found() {
        std::string text = fmt::format("  found        {} with {}", cycles_text(outcome_.cycles),
                                       counted(search_.bits(found_), "bit", "bits"));
        if (options_.minimize)
            text +=
                proven_
                    ? "; proven: no depths with fewer bits do"
                    : "; not proven: there are too many depths to look at, or the search was ended";
        else
            text += "; one place less anywhere costs cycles";
        if (again_)
            text += "; a run takes as many";
        fmt::print("{}\n", text);
    }

    void print_table() {
        std::size_t width = 7;
        for (const SizedChannel& channel : network_.channels())
            width = std::max(width, channel.name.size());
        fmt::print("  {:<{}}  bits  written  found  one place less\n", "channel", width);
        for (std::size_t k = 0; k < found_.size(); ++k) {
            const SizedChannel& channel = network_.channels()[k];
            fmt::print("  {:<{}} {:>5} {:>8} {:>6}  {}\n", shown_text(channel.name), width,
                       channel.bits, channel.line.places, found_[k], one_less(k));
        }
    }

    std::string one_less(std::size_t k) {
        if (found_[k] <= 1)
            return "-";
        Depths less = found_;
        --less[k];
        const sizing::Outcome outcome = network_.evaluate(less);
        if (!outcome.complete)
            return "a deadlock";
        return fmt::format("{} ({:+})", cycles_text(outcome.cycles),
                           static_cast<std::int64_t>(outcome.cycles - outcome_.cycles));
    }

    void print_slowness() {
        const sizing::History* const history = network_.history();
        if (!history)
            return;
        network_.evaluate(found_);
        const sizing::Slowness now = network_.slowness();
        const auto name_of = [&](std::uint32_t process) {
            const auto& found = history->processes[process];
            return found.is_file ? found.name : fmt::format("'{}'", shown_text(found.name));
        };
        if (2 * now.bottleneck_cycles >= outcome_.cycles)
            fmt::print("  bottleneck   {}: the run waits for its steps in {} of {}\n",
                       name_of(now.bottleneck), now.bottleneck_cycles,
                       cycles_text(outcome_.cycles));
        else
            fmt::print("  bottleneck   none: the run waits for many in turn, most for {}, in {} of "
                       "{}\n",
                       name_of(now.bottleneck), now.bottleneck_cycles,
                       cycles_text(outcome_.cycles));
        if (slow_.drained)
            fmt::print("  note         the input is at its end before the first result: it is too "
                       "short to show what frames that overlap need\n");
        if (!written_.complete || slow_.waits.empty())
            return;
        fmt::print("  as written, these wait longest:\n");
        for (std::size_t k = 0; k < std::min(most_waits, slow_.waits.size()); ++k) {
            const sizing::Wait& wait = slow_.waits[k];
            const sizing::History::Channel& channel = history->channels[wait.channel];
            const std::uint32_t other = wait.for_room ? channel.receiver : channel.sender;
            fmt::print("    {}: {} for {} '{}', {} {}\n", name_of(wait.process),
                       cycles_text(wait.cycles), wait.for_room ? "room in" : "a message in",
                       shown_text(channel.name), wait.for_room ? "received by" : "sent by",
                       name_of(other));
        }
    }

    int write_files() {
        if (!options_.pareto.empty()) {
            const std::vector<Search::Point> front = search_.front(network_.enough(), front_points);
            if (interrupted())
                return signal_exit_code();
            if (network_.failed() != exit_code::fine)
                return network_.failed();
            print_front(front);
            if (const int failed = write_front(options_.pareto, network_, front);
                failed != exit_code::fine)
                return failed;
        }
        return options_.patch.empty() ? exit_code::fine
                                      : write_patch(options_.patch, network_, found_);
    }

    static void print_front(const std::vector<Search::Point>& front) {
        const std::size_t bend = sizing::knee(front);
        fmt::print("  cycles against bits:\n");
        for (std::size_t k = 0; k < front.size(); ++k)
            fmt::print("    {:>10} {:>10}{}\n", front[k].cycles, front[k].bits,
                       k == bend ? "  the knee" : "");
    }

    const Options& options_;
    SizedNetwork network_;
    Search search_;
    using Clock = std::chrono::steady_clock;
    Clock::time_point searching_;
    sizing::Outcome fastest_, written_, outcome_;
    sizing::Slowness slow_; // with the depths as written
    std::uint64_t most_ = 0;
    Depths found_;
    bool proven_ = false;
    std::optional<std::uint64_t> again_; // cycles of the confirming run
};

} // namespace

int fifos_command(const Options& options) {
    catch_signals();
    return Fifos{options}.run();
}

} // namespace sme::cli
