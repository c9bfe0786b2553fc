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
        fills_ = std::make_shared<report::FillWatch>();
}

LoadHooks ChannelWatches::hooks() const {
    LoadHooks hooks;
    hooks.messages = histories_ || fills_;
    if (waits_ && !fills_) // works also when native code runs the cycles
        hooks.watch = [waits = waits_](std::shared_ptr<const expr::ActorNetwork> network) {
            return interpret::waits_factory(std::move(network), waits);
        };
    else if (histories_ || fills_)
        hooks.watch = [waits = waits_, histories = histories_,
                       fills = fills_](const std::shared_ptr<const expr::ActorNetwork>& network) {
            if (histories)
                histories->begin(network);
            if (fills)
                fills->begin(network);
            if (waits) {
                waits->network = network;
                waits->cycles.assign(network->ends.size(), 0);
            }
            return interpret::watch_factory(
                network, [=](std::uint64_t cycle, const std::vector<std::uint64_t>& results) {
                    if (histories)
                        histories->take(results);
                    if (fills)
                        fills->take(cycle, results);
                    for (std::size_t k = 0; waits && k < network->ends.size(); ++k)
                        waits->cycles[k] += results[network->ends[k].waits] != 0;
                });
        };
    return hooks;
}

int ChannelWatches::give(Loaded& loaded) const {
    if (histories_ && histories_->is_empty()) {
        complain(Code::bad_channel, "--histories: there are no channels, or more than 10,000");
        return exit_code::usage;
    }
    loaded.waits = waits_;
    loaded.histories = histories_;
    loaded.fills = fills_ && !fills_->fills().empty() ? fills_ : nullptr;
    return exit_code::fine;
}

} // namespace sme::cli
