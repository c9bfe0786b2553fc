// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "yaml/scope/context.hpp"

namespace sme::yaml {

/// Adds what looks at actors and channels: what finds deadlocks, to a network of actors and
/// channels alone (other processes may do something in any cycle), and what `GroupFactories::watch`
/// makes.
void load_actor_network(Context& network);

} // namespace sme::yaml
