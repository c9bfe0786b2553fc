// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "expr/process/observe.hpp"
#include "trace/waveform/waveform.hpp"

namespace sme::report {

/// The fill level of a channel during a run.
struct ChannelOccupancy {
    std::string name;
    Location declared;
    std::uint64_t depth = 0; // in messages; 0: wires
    std::uint64_t latency = 0;
    std::uint64_t bits = 0; // per message
    std::string type;
    std::string sender, receiver; // names of actors; or empty

    std::uint64_t sent = 0; // messages in the observed cycles
    std::uint64_t most = 0; // maximum number of messages in it
    std::uint64_t sum = 0;  // of the messages in it, over all cycles
    std::uint64_t full = 0, empty = 0, cycles = 0;
    trace::Changes messages{1}; // fill level
};

/// Records the fill levels of channels from the results of their network's program.
class OccupancyWatch {
public:
    /// The approximate number of changes to keep; drops the oldest first.
    static constexpr std::size_t max_changes = 1'000'000;

    /// Call before the first cycle. Omits channels of depth 0.
    void begin(std::shared_ptr<const expr::ActorNetwork> network);
    /// Takes the results of one cycle.
    void take(std::uint64_t cycle, const std::vector<std::uint64_t>& results);

    const std::vector<ChannelOccupancy>& occupancy() const { return occupancy_; }
    /// The first cycle from which all changes are kept.
    std::uint64_t first() const { return first_; }

private:
    void forget_half(std::uint64_t cycle);

    std::shared_ptr<const expr::ActorNetwork> network_; // null without channels
    std::vector<std::size_t> channel_of_;               // the network's channel of each fill
    std::vector<ChannelOccupancy> occupancy_;
    std::size_t changes_ = 0;
    std::uint64_t first_ = 0;
};

} // namespace sme::report
