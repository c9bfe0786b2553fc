// SPDX-License-Identifier: Apache-2.0
//
// In place of cpus.cpp in WebAssembly, where a run has one thread.
#include "engine/threads/cpus.hpp"

namespace sme::engine {

unsigned usable_cpus() {
    return 1;
}

int current_cpu() {
    return -1;
}

void move_away_from(int, unsigned) {}

} // namespace sme::engine
