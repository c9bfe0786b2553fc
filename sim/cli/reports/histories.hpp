// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "expr/process/observe.hpp"
#include "sme/kahn_digest.hpp"

namespace sme::cli {

/// What was received from one channel.
struct History {
    std::string channel;
    std::uint64_t messages = 0;
    std::uint64_t digest = 0;
};

/// The table that --histories writes.
std::string histories_csv(const std::vector<History>& histories);

/// Takes down what is received in a run with a clock. Channels without places are left out: nobody
/// sees when something is received from them.
class HistoryWatch {
public:
    void begin(std::shared_ptr<const expr::ActorNetwork> network) {
        network_ = std::move(network);
        seen_.assign(network_->channels.size(), {});
    }
    /// There is nothing to take down.
    bool is_empty() const { return seen_.empty(); }
    /// The results of the network's program in one cycle.
    void take(const std::vector<std::uint64_t>& results);
    std::vector<History> histories() const;

private:
    struct Seen {
        detail::ChannelHistory history;
        std::uint64_t messages = 0;
    };
    std::shared_ptr<const expr::ActorNetwork> network_; // null: there are no channels
    std::vector<Seen> seen_;                            // of each channel
};

} // namespace sme::cli
