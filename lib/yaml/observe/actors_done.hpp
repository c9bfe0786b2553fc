// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "yaml/scope/context.hpp"

namespace sme::yaml {

/// A network whose actors can all end halts when they are done, and what they sent to others has
/// been received.
void load_actors_done(Context& network);

} // namespace sme::yaml
