// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "expr/process/observe.hpp"
#include "sme/group.hpp"

namespace sme::interpret {

/// The observer that ends a run in which nothing moves any more with a fault that says who waits
/// for whom. It looks in cycles 4, 8, 16, ... 1024, and then in every 1024th: what does not move
/// then never will, so it only finds it later. Where a channel has a delay, it looks on as long.
std::shared_ptr<const GroupFactory>
deadlock_factory(std::shared_ptr<const expr::ActorNetwork> network);

} // namespace sme::interpret
