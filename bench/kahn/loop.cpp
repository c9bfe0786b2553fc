// SPDX-License-Identifier: Apache-2.0
// The tokens of models/token_ring without processes: one loop moves each token. It does the work of
// the actors without waiting and without passing messages.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

int main(int count, char** words) {
    if (count != 4)
        return 2;
    const auto word = [&](int k) { return std::strtoul(words[k], nullptr, 10); };
    const std::uint64_t n = word(1), tokens = word(2), trips = word(3);
    // The places of the ring: the holder of a token adds one and puts it into the next place.
    std::vector<std::uint32_t> place(n * tokens, 0);
    const auto start = std::chrono::steady_clock::now();
    for (std::uint64_t k = 0; k < tokens; ++k)
        place[k] = static_cast<std::uint32_t>(k + 1);
    for (std::uint64_t trip = 0; trip < trips + 1; ++trip) {
        for (std::uint64_t element = 1; element < n; ++element)
            for (std::uint64_t k = 0; k < tokens; ++k)
                place[element * tokens + k] = place[(element - 1) * tokens + k] + 1;
        for (std::uint64_t k = 0; k < tokens; ++k)
            place[k] = place[(n - 1) * tokens + k] + (trip == trips ? 0 : 1);
    }
    std::uint64_t sum = 0;
    for (std::uint64_t k = 0; k < tokens; ++k)
        sum += place[k];
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const std::uint64_t expected =
        tokens * (tokens + 1) / 2 + tokens * ((n - 1) * (trips + 1) + trips);
    std::printf("ns_per_communication %.3f check %d\n",
                seconds * 1e9 / static_cast<double>(tokens * (n * (trips + 1) + 1)),
                sum == expected ? 1 : 0);
    return sum == expected ? 0 : 1;
}
