// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "expr/process/observe.hpp"
#include "sme/group.hpp"

namespace sme::interpret {

/// The observer that ends the run after the first cycle in which its condition holds.
std::shared_ptr<const GroupFactory> halt_factory(std::shared_ptr<const expr::HaltCondition> halt);

/// The observer that detects a deadlock: it ends the run with a fault that names the waiting
/// actors. It checks in cycles 4, 8, 16, ... 1024, and then in every 1024th: a deadlock never
/// resolves, so it is only found later. If a channel has a delay, it checks on for that long.
std::shared_ptr<const GroupFactory>
deadlock_factory(std::shared_ptr<const expr::ActorNetwork> network);

} // namespace sme::interpret
