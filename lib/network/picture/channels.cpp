// SPDX-License-Identifier: Apache-2.0
#include "network/picture/channels.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace sme {

void BusActivity::add(const BusActivity& other) {
    stream |= other.stream;
    active += other.active;
    most += other.most;
}

double BusActivity::share() const {
    return most == 0 ? 0.0 : static_cast<double>(active) / static_cast<double>(most);
}

std::string share_text(double share) {
    if (share <= 0)
        return "0 %";
    return share >= 1 ? "100 %" : fmt::format("{:.1f} %", std::clamp(share * 100, 0.1, 99.9));
}

std::string activity_text(const std::string& name, const BusActivity& activity) {
    const std::string_view unit = activity.stream ? "item" : "change";
    return fmt::format("{}: {} {}{}, at most {}", name, activity.active, unit,
                       activity.active == 1 ? "" : "s", activity.most);
}

namespace {

using NameParts = std::vector<std::string>;

/// Returns "link[0..63]" for "link" and "in[0..63]".
NameParts channel_of(NameParts part) {
    const std::string last = std::move(part.back());
    part.pop_back();
    if (const std::size_t bracket = last.find('['); bracket != std::string::npos)
        part.back() += last.substr(bracket);
    return part;
}

} // namespace

ChannelParts::ChannelParts(const Graph& graph, const Folds& folds)
    : messages(folds.buses.size()), hidden(folds.buses.size()) {
    constexpr std::size_t none = ~std::size_t{0};
    std::map<std::uint32_t, NameParts> names; // of channels; folded families share a name
    std::map<NameParts, std::size_t> node_of; // by name
    for (std::size_t f = 0; f < graph.buses.size(); ++f) {
        const BusFamily& bus = graph.buses[f];
        const ChannelRole role = bus.channel.role;
        if (!bus.reverse_field.empty() ||
            (role != ChannelRole::sent && role != ChannelRole::rows && role != ChannelRole::closed))
            continue;
        const std::size_t b = folds.bus_of[f];
        const NameParts name = channel_of(folds.buses[b].segments());
        names.emplace(bus.channel.channel, name);
        node_of.emplace(name, none);
        hidden[b] = role == ChannelRole::closed; // a wire beside the messages
        if (!hidden[b])
            messages[b] = name;
    }
    for (const ChannelRole role : // the first is drawn as the channel
         {ChannelRole::queue, ChannelRole::feeder, ChannelRole::recorder})
        for (std::size_t f = 0; f < graph.processes.size(); ++f) {
            const ChannelPart& part = graph.processes[f].channel;
            const auto name = part.role == role ? names.find(part.channel) : names.end();
            if (name == names.end())
                continue;
            std::size_t& node = node_of.at(name->second);
            for (const FoldedSpan& span : folds.spans[f]) {
                if (node == none) {
                    node = span.node;
                    nodes.emplace(node, name->second);
                } else if (node != span.node)
                    merged.emplace(span.node, node);
            }
        }
}

void ChannelParts::merge(Connections& connections) {
    if (merged.empty())
        return;
    const auto place = [&](std::size_t node) {
        const auto found = merged.find(node);
        return found == merged.end() ? node : found->second;
    };
    for (std::size_t b = 0; b < connections.of_bus.size(); ++b) {
        auto& pairs = connections.of_bus[b];
        std::map<Connections::Pair, Connection> result;
        for (const auto& [pair, connection] : pairs) {
            const std::int64_t writer =
                pair.first < 0
                    ? pair.first
                    : static_cast<std::int64_t>(place(static_cast<std::size_t>(pair.first)));
            const std::size_t reader = place(pair.second);
            const bool inside = writer == static_cast<std::int64_t>(reader) &&
                                Connections::Pair{writer, reader} != pair;
            if (!inside)
                result.emplace(Connections::Pair{writer, reader}, connection);
        }
        hidden[b] = hidden[b] || (result.empty() && !pairs.empty());
        pairs = std::move(result);
    }
    for (auto& writers : connections.writers)
        std::transform(writers.begin(), writers.end(), writers.begin(), place);
}

} // namespace sme
