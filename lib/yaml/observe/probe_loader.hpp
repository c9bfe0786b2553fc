// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "yaml/scope/context.hpp"

namespace sme::yaml {

/// Halts a network in which all actors can end, when they are done and the messages they sent to
/// other processes have been received.
void load_actors_done(Context& network);

} // namespace sme::yaml
