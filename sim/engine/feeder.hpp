// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "network/graph.hpp"
#include "sme/internal/group.hpp"

namespace sme::engine {

/// A kind with one instance and one output port for each element of the fed family; all have the
/// same type. A registered bus must start with row 0 as its initial value.
std::shared_ptr<const GroupFactory> feeder(std::shared_ptr<const InputRows> rows);

} // namespace sme::engine
