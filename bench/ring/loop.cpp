// SPDX-License-Identifier: Apache-2.0

// The lower bound: code written by hand for this ring alone.

#include "arguments.hpp"

#include <cstddef>
#include <utility>
#include <vector>

int main(int argc, char** argv) {
    const auto arguments = bench::parse_arguments(argc, argv);
    const auto nodes = static_cast<std::size_t>(arguments.nodes);
    std::vector<int> now(nodes);
    std::vector<int> next(nodes);

    const double seconds = bench::seconds_of([&] {
        for (int cycle = 0; cycle < arguments.cycles; ++cycle) {
            const int* read = now.data();
            int* write = next.data();
            write[0] = read[nodes - 1] + 1;
            for (std::size_t k = 1; k < nodes; ++k)
                write[k] = read[k - 1] + 1;
            std::swap(now, next);
        }
    });
    return bench::report(arguments, seconds, now[0]);
}
