// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/runs.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "base/source.hpp"
#include "bits/scalar_text.hpp"
#include "cli/command_table.hpp"
#include "cli/findings.hpp"
#include "cli/reports/results.hpp"
#include "cli/terminal.hpp"
#include "engine/engine.hpp"
#include "interpret/observers/actor_observers.hpp"
#include "interpret/observers/recorder.hpp"
#include "session/run_loop.hpp"

namespace sme::cli {

QuietRun run_quietly(const Options& options, LoadSettings settings,
                     const std::function<std::optional<std::uint64_t>(const Loaded&)>& cycles) {
    QuietRun made;
    made.exit_code = exit_code::usage;
    const LoadResult result =
        load_network(options, VerilogModules::Purpose::run, std::move(settings));
    if (!result.network) {
        if (!result.library)
            made.exit_code = result.exit_code;
        return made;
    }
    const Loaded& loaded = *result.network;
    const std::optional<std::uint64_t> most = cycles(loaded);
    if (!most)
        return made;
    for (const auto& recording : loaded.recordings)
        recording->write_nothing();
    engine::Options how;
    how.run.seed = options.run.seed;
    how.run.threads = 1;
    Diagnostics diagnostics;
    session::Run run{loaded.design.graph, loaded.analysis, how, diagnostics};
    if (!run.ok()) {
        show(diagnostics);
        return made;
    }
    session::BetweenSlices between;
    between.look = [] { return !interrupted(); };
    if (!session::run_until(run, *most, between))
        run.engine().interrupt();
    made.outcome = run.finish();
    made.failures = failures_of(loaded);
    for (Diagnostic& unreached : strict_failures_of(loaded, made.outcome))
        made.failures.push_back(std::move(unreached));
    made.exit_code = exit_code_of(made.outcome);
    return made;
}

namespace {

constexpr unsigned rounds = 4;
/// How much longer a run may take with stalls.
constexpr std::uint64_t slower = 64, later = 10'000;

/// The messages received from each channel.
class Histories {
public:
    explicit Histories(std::shared_ptr<const expr::ActorNetwork> network)
        : network_{std::move(network)}, words_(network_->channels.size()) {}

    void take(const std::vector<std::uint64_t>& results) {
        all_done_ = !network_->actors.empty() &&
                    std::all_of(network_->actors.begin(), network_->actors.end(),
                                [&](const expr::ActorNetwork::Actor& actor) {
                                    return actor.done != expr::ActorNetwork::none &&
                                           results[actor.done] != 0;
                                });
        for (std::size_t c = 0; c < words_.size() && kept_ < max_words; ++c) {
            const expr::ActorNetwork::Channel& channel = network_->channels[c];
            if (channel.popped == expr::ActorNetwork::none || results[channel.popped] == 0)
                continue;
            for (std::size_t k = 0; k < width(c); ++k)
                words_[c].push_back(results[channel.message + k]);
            kept_ += width(c);
        }
    }

    struct Difference {
        std::string channel;
        std::uint64_t message; // its index, from 0
        std::string here, there;
    };
    /// Finds the first message of the first channel that differs between the two runs. With
    /// `whole`, a message in only one of them is a difference, too.
    std::optional<Difference> difference(const Histories& other, bool whole) const {
        std::map<std::string, std::size_t> numbers;
        for (std::size_t c = 0; c < other.words_.size(); ++c)
            numbers.emplace(other.network_->channels[c].name, c);
        for (std::size_t c = 0; c < words_.size(); ++c) {
            const auto found = numbers.find(network_->channels[c].name);
            if (found == numbers.end() || network_->channels[c].popped == expr::ActorNetwork::none)
                continue; // of depth 0, which does not stall
            const std::vector<std::uint64_t>& a = words_[c];
            const std::vector<std::uint64_t>& b = other.words_[found->second];
            const std::size_t common = std::min(a.size(), b.size());
            const auto same = static_cast<std::size_t>(
                std::mismatch(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(common), b.begin())
                    .first -
                a.begin());
            const std::uint64_t message = same / std::max<std::size_t>(width(c), 1);
            if (same < common || (whole && a.size() != b.size()))
                return Difference{network_->channels[c].name, message, text(c, message),
                                  other.text(found->second, message)};
        }
        return std::nullopt;
    }

    std::uint64_t messages() const {
        std::uint64_t sum = 0;
        for (std::size_t c = 0; c < words_.size(); ++c)
            sum += words_[c].size() / std::max<std::size_t>(width(c), 1);
        return sum;
    }
    /// True if no message is pending, so that any other run has the same number of messages.
    bool are_whole() const { return all_done_; }
    /// The number of channels with a depth above 0.
    std::uint64_t channels() const {
        const auto& all = network_->channels;
        return static_cast<std::uint64_t>(
            std::count_if(all.begin(), all.end(), [](const expr::ActorNetwork::Channel& channel) {
                return channel.popped != expr::ActorNetwork::none;
            }));
    }
    bool is_full() const { return kept_ >= max_words; }

private:
    static constexpr std::uint64_t max_words = 64 << 20;

    std::size_t width(std::size_t channel) const {
        return network_->channels[channel].type->leaf_count();
    }
    /// Formats an existing message: "3", or "{valid: true, ...}".
    std::string text(std::size_t channel, std::uint64_t message) const {
        const Type& type = *network_->channels[channel].type;
        const std::size_t first = message * width(channel);
        if (first >= words_[channel].size())
            return "nothing";
        const std::uint64_t* next = words_[channel].data() + first;
        std::string result;
        for (const Leaf& scalar : type.scalars()) {
            result += fmt::format("{}{}{}", result.empty() ? "" : ", ",
                                  scalar.path.empty() ? "" : scalar.path + " = ",
                                  scalar_text(*scalar.type, next));
            next += scalar.type->leaf_count();
        }
        return result;
    }

    std::shared_ptr<const expr::ActorNetwork> network_;
    std::vector<std::vector<std::uint64_t>> words_; // for each channel
    std::uint64_t kept_ = 0;
    bool all_done_ = false;
};

class StalledRuns {
public:
    explicit StalledRuns(const Options& options) : options_{options} {}

    int carry_out() {
        QuietRun plain = run({}, [&](const Loaded& loaded) {
            const auto cycles = cycles_to_run(options_, loaded);
            if (!cycles)
                report_error(Code::bad_cycles,
                             "nothing says how many cycles to run; give --cycles N");
            return cycles;
        });
        if (plain.has_failed() || plain.outcome.is_deadlock()) {
            show(plain.outcome.faults);
            return plain.has_failed() ? plain.exit_code : exit_code::model_failed;
        }
        if (!seen_) {
            report_error(Code::bad_channel, "the network has no channels, so there is nothing to "
                                            "stall; declare some under 'channels'");
            return exit_code::usage;
        }
        const std::shared_ptr<Histories> wanted = seen_;
        for (unsigned round = 0; round < rounds; ++round)
            if (const int differs = compare(round, plain, *wanted); differs != exit_code::fine)
                return differs;
        fmt::print("  {:<12} {} with stalls: {} on {}{}\n", "same", counted(rounds, "run", "runs"),
                   counted(wanted->messages(), "message", "messages"),
                   counted(wanted->channels(), "channel", "channels"),
                   wanted->is_full() ? "; the run is too long to compare all" : "");
        return exit_code::fine;
    }

private:
    template <class Cycles> QuietRun run(std::optional<std::uint64_t> stalls, Cycles cycles) {
        LoadSettings settings;
        settings.quiet = true;
        settings.evaluates_checks = settings.compares_outputs = false; // may depend on the cycle
        settings.stalls = stalls;
        settings.messages = true;
        seen_ = nullptr;
        settings.watch = [&](const std::shared_ptr<const expr::ActorNetwork>& network) {
            seen_ = std::make_shared<Histories>(network);
            return interpret::watch_factory(
                network, [seen = seen_](std::uint64_t, const std::vector<std::uint64_t>& results) {
                    seen->take(results);
                });
        };
        return run_quietly(options_, std::move(settings), cycles);
    }

    int compare(unsigned round, const QuietRun& plain, const Histories& wanted) {
        const bool ends = plain.outcome.end == RunEnd::halted;
        const QuietRun stalled = run(*options_.stalls + round, [&](const Loaded&) {
            return std::optional{ends ? plain.outcome.cycles * slower + later
                                      : plain.outcome.cycles};
        });
        const std::string which = fmt::format("run {} of {}", round + 1, rounds);
        if (stalled.has_failed() && interrupted())
            return signal_exit_code();
        const auto difference = seen_ ? wanted.difference(*seen_, false) : std::nullopt;
        if (difference)
            return differ(fmt::format("{}: message {} of '{}' is {}, but {} when nothing stalls",
                                      which, difference->message, difference->channel,
                                      difference->there, difference->here));
        if (stalled.has_failed()) {
            show(stalled.outcome.faults);
            return differ(fmt::format("{}: it fails in cycle {}", which, stalled.outcome.cycles));
        }
        if (!ends)
            return exit_code::fine;
        if (stalled.outcome.end != RunEnd::halted)
            return differ(fmt::format("{}: it does not end within {}, but after {} when nothing "
                                      "stalls",
                                      which, counted(stalled.outcome.cycles, "cycle", "cycles"),
                                      plain.outcome.cycles));
        if (const auto rest = wanted.difference(*seen_, wanted.are_whole()))
            return differ(fmt::format("{}: message {} of '{}' is {}, but {} when nothing stalls",
                                      which, rest->message, rest->channel, rest->there,
                                      rest->here));
        return exit_code::fine;
    }

    static int differ(const std::string& what) {
        fmt::print("  {:<12} with stalls, {}\n", "DIFFER", shown_text(what));
        return exit_code::model_failed;
    }

    const Options& options_;
    std::shared_ptr<Histories> seen_; // of the last run
};

} // namespace

int compare_stalled_runs(const Options& options) {
    return StalledRuns{options}.carry_out();
}

namespace {

constexpr unsigned metastable_rounds = 8;

/// Runs the network once, with this seed.
QuietRun run_with(std::uint64_t seed, const Options& options) {
    Options own = options;
    *own.metastability = seed;
    own.run.seed = seed;
    LoadSettings settings;
    settings.quiet = true;
    return run_quietly(own, std::move(settings), [&](const Loaded& loaded) {
        std::optional<std::uint64_t> cycles;
        if (loaded.design.sampled_inputs == 0)
            report_error(Code::bad_domain,
                         "the network has no input that says 'crosses: {x: sampled}', "
                         "so nothing can be metastable; std/synchroniser.yaml and the "
                         "other crossings of the standard library have one");
        else if (cycles = cycles_to_run(options, loaded); !cycles)
            report_error(Code::bad_cycles, "nothing says how many cycles to run; give --cycles N");
        return cycles;
    });
}

} // namespace

int judge_metastable_runs(const Options& options) {
    for (unsigned round = 0; round < metastable_rounds; ++round) {
        const std::uint64_t seed = *options.metastability + round;
        const QuietRun result = run_with(seed, options);
        std::vector<Diagnostic> found = result.outcome.faults;
        found.insert(found.end(), result.failures.begin(), result.failures.end());
        if (result.has_failed() && (found.empty() || interrupted()))
            return interrupted() ? signal_exit_code() : result.exit_code;
        if (!found.empty()) {
            show(found);
            fmt::print("  {:<12} with metastable inputs, run {} of {}: it fails after {} cycles; "
                       "'sme run --metastability {}' shows it\n",
                       "FAILED", round + 1, metastable_rounds, result.outcome.cycles, seed);
            return exit_code::model_failed;
        }
    }
    fmt::print("  {:<12} {} with metastable inputs\n", "passed",
               counted(metastable_rounds, "run", "runs"));
    return exit_code::fine;
}

} // namespace sme::cli
