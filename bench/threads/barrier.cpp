// SPDX-License-Identifier: Apache-2.0
//
// Measures one barrier of threads: THREADS spin|auto|block
// Prints `ns X`.
#include <cstdio>
#include <cstdlib>
#include <string>

#include "engine/threads/team.hpp"

int main(int argc, char** argv) {
    const std::string wait = argc == 3 ? argv[2] : "";
    if (wait != "spin" && wait != "auto" && wait != "block") {
        std::fprintf(stderr, "usage: %s THREADS spin|auto|block\n", argv[0]);
        return 2;
    }
    const double ns = sme::engine::barrier_ns(static_cast<unsigned>(std::atoi(argv[1])),
                                              wait == "spin"    ? sme::Wait::spin
                                              : wait == "block" ? sme::Wait::block
                                                                : sme::Wait::automatic);
    std::printf("ns %.1f\n", ns);
    return 0;
}
