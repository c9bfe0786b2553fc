// SPDX-License-Identifier: Apache-2.0

// A separate file, as in the library that the thesis describes: this code does not know the classes
// of the processes, so `step` is a virtual call.

#include "thesis.hpp"

namespace thesis {

void Network::run(int cycles) {
    for (int cycle = 0; cycle < cycles; ++cycle) {
        // 1. Execution: every process once.
        for (Process* process : queue_)
            process->step();
        // 2. Propagation: every bus once.
        for (Bus* bus : buses_)
            bus->sync();
    }
}

} // namespace thesis
