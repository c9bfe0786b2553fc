// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "expr/process/observe.hpp"
#include "sme/internal/kahn_descriptor.hpp"

namespace sme::cli {

/// The messages received from one channel.
struct History {
    std::string channel;
    std::uint64_t messages = 0;
    std::uint64_t digest = 0;
};

/// The table that --histories writes.
std::string histories_csv(const std::vector<History>& histories);

/// Records the messages received in a run with a clock. Leaves out channels of depth 0, whose
/// receptions are not observable.
class HistoryWatch {
public:
    void begin(std::shared_ptr<const expr::ActorNetwork> network) {
        network_ = std::move(network);
        seen_.assign(network_->channels.size(), {});
    }
    /// True if there is nothing to record.
    bool is_empty() const { return seen_.empty(); }
    /// Takes the results of the network's program in one cycle.
    void take(const std::vector<std::uint64_t>& results);
    std::vector<History> histories() const;

private:
    struct Seen {
        internal::ChannelHistory history;
        std::uint64_t messages = 0;
    };
    std::shared_ptr<const expr::ActorNetwork> network_; // null if there are no channels
    std::vector<Seen> seen_;                            // for each channel
};

} // namespace sme::cli
