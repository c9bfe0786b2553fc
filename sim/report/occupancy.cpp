// SPDX-License-Identifier: Apache-2.0
#include "report/occupancy.hpp"

#include <algorithm>
#include <array>

namespace sme::report {

namespace {

std::string name_of(const expr::ActorNetwork& network, std::uint32_t actor) {
    return actor == expr::ActorNetwork::none ? std::string{} : network.actors[actor].name;
}

} // namespace

void OccupancyWatch::begin(std::shared_ptr<const expr::ActorNetwork> network) {
    network_ = std::move(network);
    for (std::size_t k = 0; k < network_->channels.size(); ++k) {
        const expr::ActorNetwork::Channel& channel = network_->channels[k];
        if (channel.count == expr::ActorNetwork::none)
            continue;
        channel_of_.push_back(k);
        ChannelOccupancy& fill = occupancy_.emplace_back();
        fill.name = channel.name;
        fill.declared = channel.declared;
        fill.depth = channel.depth;
        fill.latency = channel.latency;
        fill.bits = channel.bits;
        fill.type = channel.type ? channel.type->name() : std::string{};
        fill.sender = name_of(*network_, channel.sender);
        fill.receiver = name_of(*network_, channel.receiver);
    }
}

void OccupancyWatch::take(std::uint64_t cycle, const std::vector<std::uint64_t>& results) {
    for (std::size_t k = 0; k < occupancy_.size(); ++k) {
        const expr::ActorNetwork::Channel& channel = network_->channels[channel_of_[k]];
        ChannelOccupancy& fill = occupancy_[k];
        const std::uint64_t messages = results[channel.count];
        ++fill.cycles;
        fill.sum += messages;
        fill.most = std::max(fill.most, messages);
        fill.full += messages >= fill.depth;
        fill.empty += messages == 0;
        if (channel.pushed != expr::ActorNetwork::none)
            fill.sent += results[channel.pushed] != 0;
        const std::size_t last = fill.messages.size();
        if (last > 0 && fill.messages.value(last - 1)[0] == messages)
            continue;
        fill.messages.add(cycle, std::array{messages});
        ++changes_;
    }
    if (changes_ > max_changes)
        forget_half(cycle);
}

/// Drops the older half of the cycles; with evenly distributed messages, half of the changes.
void OccupancyWatch::forget_half(std::uint64_t cycle) {
    first_ = first_ + (cycle - first_ + 1) / 2;
    changes_ = 0;
    for (ChannelOccupancy& fill : occupancy_) {
        fill.messages.forget_before(first_);
        changes_ += fill.messages.size();
    }
}

} // namespace sme::report
