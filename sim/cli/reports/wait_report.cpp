// SPDX-License-Identifier: Apache-2.0
#include "cli/reports/wait_report.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include <fmt/format.h>

#include "base/shown_text.hpp"
#include "cli/reports/counted.hpp"

namespace sme::cli {

std::string wait_report(const interpret::WaitCounts& counts, std::uint64_t cycles) {
    constexpr std::size_t most = 10;
    if (!counts.network || cycles == 0)
        return {};
    const expr::ActorNetwork& network = *counts.network;
    std::vector<std::size_t> order(counts.cycles.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return counts.cycles[a] > counts.cycles[b];
    });
    std::string text;
    order.resize(std::min(order.size(), most));
    for (const std::size_t k : order) {
        const expr::ActorNetwork::End& end = network.ends[k];
        const std::uint64_t waited = counts.cycles[k];
        if (waited == 0)
            break;
        const std::uint32_t other = network.other(end);
        text += fmt::format("channels: '{}' waits for {} '{}' in {} ({:.0f} %), {} {}\n",
                            network.actors[end.actor].name, end.sends ? "room in" : "a message in",
                            network.channels[end.channel].name, counted(waited, "cycle", "cycles"),
                            100.0 * static_cast<double>(waited) / static_cast<double>(cycles),
                            end.sends ? "received by" : "sent by",
                            other == expr::ActorNetwork::none
                                ? "a file or another process"
                                : fmt::format("'{}'", network.actors[other].name));
    }
    return shown_text(text.empty() ? "channels: no actor waits\n" : text);
}

} // namespace sme::cli
