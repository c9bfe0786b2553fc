// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "expr/process/observe.hpp"
#include "sme/internal/group.hpp"

namespace sme::interpret {

/// The observer that ends the run after the first cycle in which its condition holds.
std::shared_ptr<const GroupFactory> halt_factory(std::shared_ptr<const expr::HaltCondition> halt);

/// The observer that detects a deadlock: it ends the run with a fault that names the waiting
/// actors. It checks in cycles 4, 8, 16, ... 1024, and then in every 1024th: a deadlock never
/// resolves, so it is only found later. If a channel has a delay, it checks on for that long.
std::shared_ptr<const GroupFactory>
deadlock_factory(std::shared_ptr<const expr::ActorNetwork> network);

/// The number of cycles in which actors waited at each end of a channel.
struct WaitCounts {
    std::shared_ptr<const expr::ActorNetwork> network;
    std::vector<std::uint64_t> cycles; // by end in the network
};

/// The observer that counts these cycles, also when native code runs many cycles in one call.
std::shared_ptr<const GroupFactory> waits_factory(std::shared_ptr<const expr::ActorNetwork> network,
                                                  std::shared_ptr<WaitCounts> counts);

/// A callback that receives the results of the program of an ActorNetwork in every cycle of a run.
using ActorWatcher =
    std::function<void(std::uint64_t cycle, const std::vector<std::uint64_t>& results)>;

/// The observer that evaluates these results.
std::shared_ptr<const GroupFactory> watch_factory(std::shared_ptr<const expr::ActorNetwork> network,
                                                  ActorWatcher watcher);

} // namespace sme::interpret
