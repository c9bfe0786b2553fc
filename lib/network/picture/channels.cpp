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

/// Returns "in" for "in[0..63]".
std::string_view plain(const std::string& segment) {
    return std::string_view{segment}.substr(0, segment.find('['));
}

/// Returns "link[0..63]" for "link" and "in[0..63]".
NameParts channel_of(NameParts part) {
    const std::string last = std::move(part.back());
    part.pop_back();
    if (const std::size_t bracket = last.find('['); bracket != std::string::npos)
        part.back() += last.substr(bracket);
    return part;
}

} // namespace

ChannelParts::ChannelParts(const Graph& graph, const Folds& folds,
                           const std::vector<std::size_t>& family_of_bus)
    : messages(folds.buses.size()), hidden(folds.buses.size()) {
    std::map<NameParts, std::size_t> known; // channels and their nodes
    constexpr std::size_t none = ~std::size_t{0};
    for (std::size_t b = 0; b < folds.buses.size(); ++b) {
        const NameParts name = folds.buses[b].segments();
        const std::string_view end = plain(name.back());
        if (!graph.buses[family_of_bus[b]].made || name.size() < 2 ||
            (end != "in" && end != "file" && end != "closed"))
            continue;
        known.emplace(channel_of(name), none);
        hidden[b] = end == "closed"; // a wire beside the messages
        if (!hidden[b])
            messages[b] = channel_of(name);
    }
    for (const char* const role : {"queue", "feed", "record"}) // the first is drawn as the channel
        for (std::size_t n = 0; n < folds.processes.size(); ++n) {
            const NameParts name = folds.processes[n].segments();
            const auto found = name.size() > 1 && plain(name.back()) == role
                                   ? known.find(channel_of(name))
                                   : known.end();
            if (found == known.end())
                continue;
            if (found->second == none) {
                found->second = n;
                nodes.emplace(n, found->first);
            } else
                merged.emplace(n, found->second);
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
        std::map<Connections::Pair, Connection> made;
        for (const auto& [pair, connection] : pairs) {
            const std::int64_t writer =
                pair.first < 0
                    ? pair.first
                    : static_cast<std::int64_t>(place(static_cast<std::size_t>(pair.first)));
            const std::size_t reader = place(pair.second);
            const bool inside = writer == static_cast<std::int64_t>(reader) &&
                                Connections::Pair{writer, reader} != pair;
            if (!inside)
                made.emplace(Connections::Pair{writer, reader}, connection);
        }
        hidden[b] = hidden[b] || (made.empty() && !pairs.empty());
        pairs = std::move(made);
    }
    for (auto& writers : connections.writers)
        std::transform(writers.begin(), writers.end(), writers.begin(), place);
}

} // namespace sme
