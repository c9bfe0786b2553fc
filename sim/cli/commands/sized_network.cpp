// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/sized_network.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "cli/command_table.hpp"
#include "cli/findings.hpp"
#include "cli/loading.hpp"
#include "cli/terminal.hpp"
#include "interpret/observers/actor_observers.hpp"

namespace sme::cli {

using sizing::Depths;

namespace {

constexpr std::uint64_t deepest = std::uint64_t{1} << 16;

bool is_at(const Location& a, const Location& b) {
    return a.begin == b.begin && a.source && b.source && a.source->path() == b.source->path();
}

} // namespace

std::size_t SizedNetwork::number_at(const Location& at) const {
    return static_cast<std::size_t>(
        std::find_if(channels_.begin(), channels_.end(),
                     [&](const SizedChannel& each) { return is_at(each.line.name, at); }) -
        channels_.begin());
}

std::optional<std::uint64_t> SizedNetwork::depth_at(const Depths& depths,
                                                    const Location& at) const {
    const std::size_t number = number_at(at);
    if (number == depths.size() || channels_[number].line.places == depths[number])
        return std::nullopt; // the depth as written
    return depths[number];
}

Depths SizedNetwork::written() const {
    Depths result;
    for (const SizedChannel& channel : channels_)
        result.push_back(channel.line.places);
    return result;
}

void SizedNetwork::take_channels(const Loaded& loaded) {
    name_ = loaded.design.graph.name;
    files_ = loaded.files;
    for (const yaml::ChannelLine& line : loaded.design.channels) {
        SizedChannel result{"", line, 0};
        std::uint64_t others = 0;
        for (const BusFamily& bus : loaded.design.graph.buses)
            if (bus.bundle && bus.channel.role == ChannelRole::received &&
                is_at(bus.declared, line.name)) {
                if (result.name.empty())
                    result.name = bus.name;
                else
                    ++others;
                result.bits += (bus.type->width_bits() - 1) * bus.count; // without `valid`
            }
        if (others > 0)
            result.name += fmt::format(" and {} more", others);
        if (!result.name.empty()) // empty for a component without instances
            channels_.push_back(std::move(result));
    }
}

SizedNetwork::Run SizedNetwork::run(const Depths& depths, bool records) {
    Run result;
    LoadSettings settings;
    settings.quiet = loaded_before_;
    settings.evaluates_checks = !loaded_before_; // checks may depend on the fill of a channel
    if (loaded_before_)
        settings.depth_of = [&](const Location& at) { return depth_at(depths, at); };
    if (records)
        settings.watch = [&](std::shared_ptr<const expr::ActorNetwork> actors) {
            result.recorder = std::make_shared<sizing::Recorder>(actors);
            result.actors = actors;
            return interpret::watch_factory(
                std::move(actors),
                [recorder = result.recorder](std::uint64_t cycle,
                                             const std::vector<std::uint64_t>& seen) {
                    recorder->take(cycle, seen);
                });
        };
    result.quiet = run_quietly(options_, std::move(settings), [&](const Loaded& loaded) {
        if (!std::exchange(loaded_before_, true))
            take_channels(loaded);
        std::optional<std::uint64_t> cycles = cycles_to_run(options_, loaded);
        if (cycles && limit_ > 0) // with other processes in the network, no deadlock is detected
            *cycles = std::min(*cycles, limit_);
        if (!cycles)
            report_error(Code::bad_cycles,
                         "nothing says how many cycles to run; give --cycles N, or "
                         "end the network with 'done' and inputs from files");
        return cycles;
    });
    return result;
}

std::string SizedNetwork::reason_to_run(const Run& first) const {
    if (!first.actors)
        return "no actors use the channels, or too many messages for a record";
    if (!first.actors->pure)
        return "there are processes beside actors, or actors that are no Kahn processes";
    for (const expr::ActorNetwork::Channel& channel : first.actors->channels)
        if (channel.depth == 0)
            return fmt::format("the channel '{}' has no places", channel.name);
    return first.recorder->is_full() ? "the run is long" : "";
}

int SizedNetwork::begin() {
    Run first = run({}, true);
    if (first.quiet.has_failed() && first.quiet.outcome.faults.empty() && channels_.empty())
        return first.quiet.exit_code;
    Depths depths = written();
    if (channels_.empty()) {
        report_error(Code::bad_channel, "the network has no channels, so there is nothing to size");
        return exit_code::usage;
    }
    while (first.quiet.outcome.is_deadlock()) {
        std::vector<bool> deeper(depths.size(), false);
        for (const std::uint32_t full : first.recorder->full())
            deeper[number_at(first.recorder->history(false).declarations[full].where)] = true;
        bool any = false;
        for (std::size_t k = 0; k < depths.size(); ++k)
            if (deeper[k] && depths[k] > 0 && depths[k] < deepest) {
                depths[k] *= 2;
                any = true;
            }
        if (!any) { // no depth resolves the deadlock
            show(first.quiet.outcome.faults);
            return exit_code::model_failed;
        }
        first = run(depths, true);
    }
    if (first.quiet.has_failed()) {
        show(first.quiet.outcome.faults);
        if (first.quiet.exit_code == exit_code::model_failed && first.quiet.outcome.faults.empty())
            report_error(Code::bad_channel,
                         "a check or an expected output fails; depths are found for "
                         "a network that does what it should: see 'sme run'");
        return first.quiet.exit_code;
    }
    ends_ = first.quiet.outcome.end == RunEnd::halted;
    constexpr std::uint64_t slower = 64, later = 10'000;
    if (ends_)
        limit_ = std::max(first.quiet.outcome.cycles * slower + later,
                          options_.within ? *options_.within + 1 : 0);
    why_runs_ = reason_to_run(first);
    if (why_runs_.empty())
        return take_history(first);
    if (!ends_) {
        report_error(Code::bad_cycles,
                     fmt::format("{}, so depths are found by running the network, and that needs a "
                                 "network that ends by itself: by 'done', 'halt' or its inputs",
                                 why_runs_));
        return exit_code::usage;
    }
    return find_enough_by_runs(std::move(depths), first.quiet.outcome.cycles);
}

int SizedNetwork::take_history(const Run& first) {
    history_ = std::make_unique<sizing::History>(
        first.recorder->history(ends_ && first.recorder->all_done()));
    schedule_ = std::make_unique<sizing::Schedule>(*history_);
    for (const sizing::History::Declaration& each : history_->declarations)
        numbers_.push_back(number_at(each.where));
    if (!schedule_->agrees()) {
        history_.reset();
        why_runs_ = "what the actors do cannot be computed";
        if (ends_)
            return find_enough_by_runs(written(), first.quiet.outcome.cycles);
        report_error(Code::bad_cycles,
                     "what the actors do cannot be computed, so depths are found by "
                     "running the network, and that needs a network that ends by "
                     "itself");
        return exit_code::usage;
    }
    Depths depths;
    for (const sizing::History::Declaration& each : history_->declarations)
        depths.push_back(each.depth);
    after_ = ends_ ? first.quiet.outcome.cycles - schedule_->run(depths).cycles : 0;
    enough_.assign(channels_.size(), 1);
    const Depths roomy = schedule_->roomy();
    for (std::size_t k = 0; k < roomy.size(); ++k)
        enough_[numbers_[k]] = roomy[k];
    return exit_code::fine;
}

int SizedNetwork::find_enough_by_runs(Depths depths, std::uint64_t cycles) {
    constexpr unsigned most_doublings = 8;
    enough_ = depths;
    for (unsigned k = 0; k < most_doublings; ++k) {
        for (std::uint64_t& depth : depths)
            depth = std::min(depth * 2, deepest); // 0, the depth of a wire, stays 0
        const sizing::Outcome outcome = evaluate(depths);
        if (failed_ != exit_code::fine)
            return failed_;
        if (!outcome.complete || outcome.cycles >= cycles)
            break;
        cycles = outcome.cycles;
        enough_ = depths;
    }
    return exit_code::fine;
}

sizing::Outcome SizedNetwork::evaluate(const Depths& depths) {
    if (!history_) {
        const Run result = run(depths, false);
        if (result.quiet.has_failed() && failed_ == exit_code::fine) {
            show(result.quiet.outcome.faults);
            failed_ = result.quiet.exit_code;
        }
        return {result.quiet.outcome.end == RunEnd::halted, result.quiet.outcome.cycles, {}};
    }
    Depths own;
    for (const std::size_t number : numbers_)
        own.push_back(depths[number]);
    sizing::Outcome outcome = schedule_->run(own);
    outcome.cycles += after_;
    for (std::uint32_t& each : outcome.critical)
        each = static_cast<std::uint32_t>(numbers_[each]);
    return outcome;
}

std::optional<std::uint64_t> SizedNetwork::run_again(const Depths& depths) {
    const Run result = run(depths, false);
    return result.quiet.outcome.end == RunEnd::halted ? std::optional{result.quiet.outcome.cycles}
                                                      : std::nullopt;
}

} // namespace sme::cli
