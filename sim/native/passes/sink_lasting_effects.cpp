// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "native/passes/passes.hpp"

namespace sme::native {

void sink_lasting_effects(Routine& routine) {
    std::stable_partition(routine.body.begin(), routine.body.end(),
                          [&](Id id) { return !routine[id].lasts; });
}

} // namespace sme::native
