// SPDX-License-Identifier: Apache-2.0
#include "cli/histories.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace sme::cli {

std::string histories_csv(const std::vector<History>& histories) {
    std::vector<const History*> sorted;
    for (const History& history : histories)
        sorted.push_back(&history);
    std::sort(sorted.begin(), sorted.end(),
              [](const History* a, const History* b) { return a->channel < b->channel; });
    std::string text = "channel,messages,digest\n";
    for (const History* const history : sorted)
        text += history->channel.find(',') == std::string::npos
                    ? fmt::format("{},{},{:016x}\n", history->channel, history->messages,
                                  history->digest)
                    : fmt::format("\"{}\",{},{:016x}\n", history->channel, history->messages,
                                  history->digest);
    return text;
}

void HistoryWatch::take(const std::vector<std::uint64_t>& results) {
    for (std::size_t k = 0; k < seen_.size(); ++k) {
        const expr::ActorNetwork::Channel& channel = network_->channels[k];
        if (channel.popped == expr::ActorNetwork::none || results[channel.popped] == 0)
            continue;
        ++seen_[k].messages;
        for (std::uint64_t word = 0; word < channel.type->leaf_count(); ++word)
            seen_[k].history.add(results[channel.message + word]);
    }
}

std::vector<History> HistoryWatch::histories() const {
    std::vector<History> result;
    for (std::size_t k = 0; k < seen_.size(); ++k)
        if (network_->channels[k].popped != expr::ActorNetwork::none)
            result.push_back(
                {network_->channels[k].name, seen_[k].messages, seen_[k].history.digest});
    return result;
}

} // namespace sme::cli
