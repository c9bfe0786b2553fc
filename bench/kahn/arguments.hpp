// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>

/// The arguments of the ring's peers: processes tokens trips depth runners [bytes [placement
/// [owned]]].
struct Arguments {
    Arguments(int count, char** words) {
        const auto word = [&](int k, std::uint32_t otherwise) {
            return k < count ? static_cast<std::uint32_t>(std::strtoul(words[k], nullptr, 10))
                             : otherwise;
        };
        processes = word(1, 256), tokens = word(2, 1), trips = word(3, 1024);
        depth = word(4, 1), runners = word(5, 1), bytes = word(6, 4), placement = word(7, 0);
        owned = word(8, 0) != 0;
    }
    std::uint32_t processes, tokens, trips, depth, runners;
    std::uint32_t bytes;     ///< of a message
    bool owned;              ///< a message is a pointer to its bytes, and the pointer moves
    std::uint32_t placement; ///< 0: free; 1: good, a block per runner; 2: bad, round robin

    /// The sum of the tokens at the end.
    std::uint64_t expected() const {
        const std::uint64_t t = tokens, c = trips, elements = processes - 1;
        return t * (t + 1) / 2 + t * (elements * (c + 1) + c);
    }
    /// Prints the result and returns the exit code of the program.
    int report(double seconds, std::uint64_t sum) const {
        std::printf("ns_per_communication %.3f check %d\n",
                    seconds * 1e9 / processes / tokens / trips, sum == expected() ? 1 : 0);
        return sum == expected() ? 0 : 1;
    }
};
