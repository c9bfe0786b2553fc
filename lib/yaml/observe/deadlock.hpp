// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "yaml/scope/context.hpp"

namespace sme::yaml {

/// Adds what finds deadlocks to a network of actors and channels alone. Where other processes take
/// part, they may do something in any cycle, and nothing is added.
void load_deadlock_check(Context& network);

} // namespace sme::yaml
