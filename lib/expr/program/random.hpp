// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace sme::expr {

/// The numbers of random(T), the same for every engine and thread count: 64 bits that depend on the
/// seed, the process, its instance in source order, the index of the call in the process, and the
/// cycle. A mixing function of a counter (multiply, fold the high half down, twice) makes any cycle
/// computable on its own.
constexpr std::uint64_t mixed(std::uint64_t x) {
    x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93u;
    x = (x ^ (x >> 29)) * 0xa24baed4963ee407u;
    return x ^ (x >> 32);
}

/// The value that all calls in a family of processes share.
constexpr std::uint64_t random_family(std::uint64_t seed, std::string_view process) {
    std::uint64_t key = mixed(seed + 0x9e3779b97f4a7c15u);
    for (const char c : process)
        key = mixed(key + static_cast<unsigned char>(c) + 1);
    return key;
}

/// The stream of one call in one instance.
constexpr std::uint64_t random_stream(std::uint64_t family, std::uint64_t instance,
                                      std::uint64_t site) {
    return mixed(mixed(family + instance) + site + 1);
}

/// The bits of a stream in one cycle.
constexpr std::uint64_t random_bits(std::uint64_t stream, std::uint64_t cycle) {
    return mixed(stream + cycle * 0x9e3779b97f4a7c15u);
}

} // namespace sme::expr
