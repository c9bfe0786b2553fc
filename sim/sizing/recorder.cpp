// SPDX-License-Identifier: Apache-2.0
#include "sizing/recorder.hpp"

#include <algorithm>

namespace sme::sizing {

using expr::ActorNetwork;
using Kind = History::Need::Kind;

Recorder::Recorder(std::shared_ptr<const ActorNetwork> network)
    : network_{std::move(network)}, ends_(network_->actors.size()) {
    for (const ActorNetwork::Actor& actor : network_->actors)
        history_.processes.push_back({actor.name});
    for (const ActorNetwork::End& end : network_->ends)
        ends_[end.actor].push_back(&end);
    std::map<std::pair<const Source*, std::uint32_t>, std::uint32_t> declared;
    const auto file_at = [&](std::uint32_t& end, std::vector<std::uint32_t>& files,
                             std::string name) {
        files.push_back(History::none);
        if (end != ActorNetwork::none)
            return;
        end = files.back() = static_cast<std::uint32_t>(history_.processes.size());
        history_.processes.push_back({std::move(name), true});
    };
    for (const ActorNetwork::Channel& channel : network_->channels) {
        const auto [at, added] =
            declared.emplace(std::pair{channel.declared.source.get(), channel.declared.begin},
                             static_cast<std::uint32_t>(history_.declarations.size()));
        if (added)
            history_.declarations.push_back(
                {channel.name, channel.declared, channel.depth, channel.bits, 0});
        else
            history_.declarations[at->second].bits += channel.bits;
        ++history_.declarations[at->second].channels;
        History::Channel result{channel.name,   at->second,
                                channel.bits,   static_cast<Time>(channel.latency),
                                channel.sender, channel.receiver};
        file_at(result.sender, sources_, "the input of '" + channel.name + "'");
        file_at(result.receiver, sinks_, "the output of '" + channel.name + "'");
        history_.channels.push_back(std::move(result));
    }
    known_.resize(history_.processes.size());
}

void Recorder::step(std::uint32_t number, const Pattern& pattern, std::uint64_t cycle) {
    std::vector<std::pair<std::uint8_t, std::uint32_t>> key;
    for (const History::Need& need : pattern)
        key.emplace_back(static_cast<std::uint8_t>(need.kind), need.channel);
    History::Process& process = history_.processes[number];
    const auto [at, added] =
        known_[number].emplace(std::move(key), static_cast<std::uint32_t>(process.patterns.size()));
    if (added)
        process.patterns.push_back(pattern);
    if (process.is_file && process.steps.empty() && !process.patterns[0].empty() &&
        process.patterns[0][0].kind == Kind::room)
        process.start = static_cast<Time>(cycle); // the channel was empty, so nothing delayed it
    process.steps.push_back(at->second);
    process.times.push_back(static_cast<Time>(cycle));
    for (const History::Need& need : process.patterns[at->second])
        if (need.kind == Kind::room)
            ++history_.channels[need.channel].messages;
    ++steps_;
}

void Recorder::take(std::uint64_t cycle, const std::vector<std::uint64_t>& results) {
    if (is_full())
        return;
    const auto is = [&](std::uint32_t result) {
        return result != ActorNetwork::none && results[result] != 0;
    };
    full_.clear();
    all_done_ = std::all_of(network_->actors.begin(), network_->actors.end(),
                            [&](const ActorNetwork::Actor& actor) { return is(actor.done); });
    for (std::uint32_t a = 0; a < network_->actors.size(); ++a) {
        const bool fires = is(network_->actors[a].fires), ends = is(network_->actors[a].ends);
        Pattern pattern, any_end, all_ends;
        for (const ActorNetwork::End* end : ends_[a]) {
            const ActorNetwork::Channel& channel = network_->channels[end->channel];
            if (end->sends) {
                if (is(end->waits))
                    full_.push_back(history_.channels[end->channel].declaration);
                if (fires && is(channel.pushed))
                    pattern.push_back({Kind::room, end->channel});
                continue;
            }
            const bool always = end->wanted == ActorNetwork::none;
            if ((!fires && !ends) || (!always && !is(end->wanted)))
                continue;
            if (is(channel.offered)) {
                if (fires)
                    pattern.push_back({is(channel.popped) ? Kind::take : Kind::look, end->channel});
                continue;
            }
            const bool closed = !is(end->waits);
            if (closed)
                history_.processes[history_.channels[end->channel].sender].closes = true;
            if (fires)
                pattern.push_back({Kind::end, end->channel});
            else if (always)
                any_end.push_back({Kind::some_end, end->channel});
            else if (closed)
                all_ends.push_back({Kind::end, end->channel});
        }
        // an unconditional input ends the actor by itself; a conditional input may have required
        // the ends of several
        if (fires || ends)
            step(a, fires ? pattern : any_end.empty() ? all_ends : any_end, cycle);
        if (is(network_->actors[a].done))
            history_.processes[a].closes = true;
    }
    for (std::uint32_t c = 0; c < network_->channels.size(); ++c) {
        if (sources_[c] != History::none && is(network_->channels[c].pushed))
            step(sources_[c], {{Kind::room, c}}, cycle);
        if (sinks_[c] != History::none && is(network_->channels[c].popped))
            step(sinks_[c], {{Kind::take, c}}, cycle);
    }
}

History Recorder::history(bool ended) const {
    History result = history_;
    result.ended = ended;
    if (ended)
        return result;
    // among endless processes, only those that send nothing count
    std::vector<bool> sends(result.processes.size(), false);
    for (const History::Channel& channel : result.channels)
        sends[channel.sender] = true;
    if (std::find(sends.begin(), sends.end(), false) != sends.end())
        for (std::size_t p = 0; p < sends.size(); ++p)
            result.processes[p].counts = !sends[p];
    return result;
}

} // namespace sme::sizing
