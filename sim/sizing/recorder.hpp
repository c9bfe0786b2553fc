// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "expr/process/observe.hpp"
#include "sizing/history.hpp"

namespace sme::sizing {

/// Records the steps of the actors of a network in a run.
class Recorder {
public:
    /// The network must consist only of actors and channels with places.
    explicit Recorder(std::shared_ptr<const expr::ActorNetwork> network);

    /// Records a cycle from the results of the network's program.
    void take(std::uint64_t cycle, const std::vector<std::uint64_t>& results);

    /// True if the history exceeded the memory limit.
    bool is_full() const { return steps_ > max_steps; }

    /// Channels on which an actor waited for room in the last cycle, by declaration.
    const std::vector<std::uint32_t>& full() const { return full_; }

    /// True if all actors were done in the last cycle; all sent messages must then be received.
    bool all_done() const { return all_done_; }
    /// `ended`: the run continued until all actors were done.
    History history(bool ended) const;

    static constexpr std::uint64_t max_steps = 30'000'000;

private:
    using Pattern = std::vector<History::Need>;

    void step(std::uint32_t process, const Pattern& pattern, std::uint64_t cycle);

    std::shared_ptr<const expr::ActorNetwork> network_;
    History history_;
    std::vector<std::vector<const expr::ActorNetwork::End*>> ends_; // by actor
    std::vector<std::map<std::vector<std::pair<std::uint8_t, std::uint32_t>>, std::uint32_t>>
        known_;                                  // by process: its patterns
    std::vector<std::uint32_t> sources_, sinks_; // files of channels, by channel
    std::vector<std::uint32_t> full_;
    std::uint64_t steps_ = 0;
    bool all_done_ = false;
};

} // namespace sme::sizing
