// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "yaml/scope/context.hpp"

namespace sme::yaml {

/// Adds the observers of actors and channels: the deadlock detector, for a network of only actors
/// and channels (other processes may act in any cycle), and the observer of
/// `GroupFactories::watch`.
void load_actor_network(Context& network);

} // namespace sme::yaml
