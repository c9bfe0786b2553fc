// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

namespace sme::vcd {

/// Loads eight bytes of text as a number, the first one lowest.
inline std::uint64_t load_eight(const char* text) {
    std::uint64_t word = 0;
    std::memcpy(&word, text, sizeof word);
    if constexpr (std::endian::native == std::endian::big)
        word = __builtin_bswap64(word);
    return word;
}

/// Returns the number of bytes of `word` before the first blank or control character; 8 if there is
/// no such character.
inline unsigned bytes_before_blank(std::uint64_t word) {
    constexpr std::uint64_t ones = 0x0101010101010101;
    const std::uint64_t below = (word - 0x21 * ones) & ~word & 0x80 * ones;
    return below == 0 ? 8 : static_cast<unsigned>(std::countr_zero(below)) / 8;
}

} // namespace sme::vcd
