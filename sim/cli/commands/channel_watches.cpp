// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/channel_watches.hpp"

#include "base/codes.hpp"
#include "cli/findings.hpp"
#include "interpret/observers/actor_observers.hpp"

namespace sme::cli {

ChannelWatches::ChannelWatches(const Options& options) {
    const bool saved = options.checkpoint_every > 0 || !options.resume.empty();
    if (!options.histories.empty())
        histories_ = std::make_shared<HistoryWatch>();
    if (options.stats && !saved && !histories_) // checkpoints do not hold wait counts
        waits_ = std::make_shared<interpret::WaitCounts>();
    if (!options.page.empty() && !saved)
        occupancy_ = std::make_shared<report::OccupancyWatch>();
}

LoadSettings ChannelWatches::settings() const {
    LoadSettings settings;
    settings.messages = histories_ || occupancy_;
    if (waits_ && !occupancy_) // works also when native code runs the cycles
        settings.watch = [waits = waits_](std::shared_ptr<const expr::ActorNetwork> network) {
            return interpret::waits_factory(std::move(network), waits);
        };
    else if (histories_ || occupancy_)
        settings.watch = [waits = waits_, histories = histories_, occupancy = occupancy_](
                             const std::shared_ptr<const expr::ActorNetwork>& network) {
            if (histories)
                histories->begin(network);
            if (occupancy)
                occupancy->begin(network);
            if (waits) {
                waits->network = network;
                waits->cycles.assign(network->ends.size(), 0);
            }
            return interpret::watch_factory(
                network, [=](std::uint64_t cycle, const std::vector<std::uint64_t>& results) {
                    if (histories)
                        histories->take(results);
                    if (occupancy)
                        occupancy->take(cycle, results);
                    for (std::size_t k = 0; waits && k < network->ends.size(); ++k)
                        waits->cycles[k] += results[network->ends[k].waits] != 0;
                });
        };
    return settings;
}

int ChannelWatches::give(Loaded& loaded) const {
    if (histories_ && histories_->is_empty()) {
        report_error(Code::bad_channel, "--histories: there are no channels, or more than 10,000");
        return exit_code::usage;
    }
    loaded.waits = waits_;
    loaded.histories = histories_;
    loaded.occupancy = occupancy_ && !occupancy_->occupancy().empty() ? occupancy_ : nullptr;
    return exit_code::fine;
}

} // namespace sme::cli
