// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "yaml/scope/context.hpp"

namespace sme::yaml {

/// Adds a signal for each clock that does not rise in every cycle, for waveforms: "slow.clock".
void add_clock_signals(Context& context);

} // namespace sme::yaml
