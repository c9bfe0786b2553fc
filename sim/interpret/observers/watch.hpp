// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "expr/process/observe.hpp"
#include "sme/group.hpp"

namespace sme::interpret {

/// A callback that receives the results of the program of an ActorNetwork in every cycle of a run.
using ActorWatcher =
    std::function<void(std::uint64_t cycle, const std::vector<std::uint64_t>& results)>;

/// The observer that evaluates these results.
std::shared_ptr<const GroupFactory> watch_factory(std::shared_ptr<const expr::ActorNetwork> network,
                                                  ActorWatcher watcher);

} // namespace sme::interpret
