// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace bench {

/// The arguments of every peer: `NODES CYCLES`, both at least 1.
struct Arguments {
    int nodes;
    int cycles;
};

/// Reads `NODES CYCLES`; ends the program with code 2 if they are not two positive numbers.
inline Arguments parse_arguments(int count, char** words) {
    const Arguments arguments{count == 3 ? std::atoi(words[1]) : 0,
                              count == 3 ? std::atoi(words[2]) : 0};
    if (arguments.nodes < 1 || arguments.cycles < 1) {
        std::fprintf(stderr, "usage: %s NODES CYCLES\n", words[0]);
        std::exit(2);
    }
    return arguments;
}

/// The seconds that `cycles()` takes.
template <class Function> double seconds_of(Function cycles) {
    const auto start = std::chrono::steady_clock::now();
    cycles();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Prints the one line that `bench/ring/run` reads. Returns the exit code: 1 if the token of node 0
/// is not the number of cycles, as it must be in a ring where every node adds 1.
inline int report(const Arguments& arguments, double seconds, int token) {
    const double node_cycles = static_cast<double>(arguments.nodes) * arguments.cycles;
    std::printf("ns_per_node_cycle %.6f check %d\n", seconds * 1e9 / node_cycles, token);
    return token == arguments.cycles ? 0 : 1;
}

} // namespace bench
