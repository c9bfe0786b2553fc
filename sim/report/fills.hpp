// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "expr/process/observe.hpp"
#include "trace/waveform/waveform.hpp"

namespace sme::report {

/// How full a channel was.
struct ChannelFill {
    std::string name;
    Location declared;
    std::uint64_t depth = 0; // places; 0: wires
    std::uint64_t latency = 0;
    std::uint64_t bits = 0; // of a message
    std::string type;
    std::string sender, receiver; // actors; or empty

    std::uint64_t sent = 0; // messages, in the cycles that were seen
    std::uint64_t most = 0; // in it at once
    std::uint64_t sum = 0;  // over all cycles
    std::uint64_t full = 0, empty = 0, cycles = 0;
    trace::Changes messages{1}; // in it
};

/// Follows how full channels are, from the results of their network's program.
class FillWatch {
public:
    /// Keeps about so many changes; the oldest go first.
    static constexpr std::size_t max_changes = 1'000'000;

    /// Before the first cycle. Channels without places are left out.
    void begin(std::shared_ptr<const expr::ActorNetwork> network);
    /// The results in one cycle.
    void take(std::uint64_t cycle, const std::vector<std::uint64_t>& results);

    const std::vector<ChannelFill>& fills() const { return fills_; }
    /// The first cycle whose changes are all kept.
    std::uint64_t first() const { return first_; }

private:
    void forget_half(std::uint64_t cycle);

    std::shared_ptr<const expr::ActorNetwork> network_; // null: there are no channels
    std::vector<std::size_t> channel_of_;               // of each fill: in the network
    std::vector<ChannelFill> fills_;
    std::size_t changes_ = 0;
    std::uint64_t first_ = 0;
};

} // namespace sme::report
