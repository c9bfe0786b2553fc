// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "expr/process/observe.hpp"
#include "sme/group.hpp"

namespace sme::interpret {

/// In how many cycles of a run actors waited at each end of a channel.
struct WaitCounts {
    std::shared_ptr<const expr::ActorNetwork> network;
    std::vector<std::uint64_t> cycles; // by the ends of the network
};

/// The observer that counts them, also where cycles run as one piece of native code.
std::shared_ptr<const GroupFactory> waits_factory(std::shared_ptr<const expr::ActorNetwork> network,
                                                  std::shared_ptr<WaitCounts> counts);

} // namespace sme::interpret
