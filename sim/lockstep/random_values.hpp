// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "sme/group.hpp"

namespace sme::lockstep {

/// Writes values to each of its ports in every cycle: any value of the type, the smallest and the
/// largest more often. The same for the same seed, port and cycle.
std::shared_ptr<const GroupFactory> random_values(std::uint64_t seed);

} // namespace sme::lockstep
