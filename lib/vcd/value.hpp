// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "vcd/declarations.hpp"

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

/// The value of a signal at a time. Bits are digits as in the file, most significant first; omitted
/// leading digits continue the first (IEEE 1364-2005, 18.2.1): x as x, z as z, others as zeros.
/// Without digits: no value yet, which is x. A real is the bytes of a double.
struct Value {
    Kind kind; // the kind of the signal, except `text` if a real has a text
    std::uint32_t width_bits;
    std::string_view text;

    double real() const; // NaN before the first value
};

/// Returns '0', '1', 'x' or 'z' for a digit of any simulator (including the nine values of IEEE
/// 1164: U, W and - are x, L is 0, H is 1); NUL for any other character.
char plain_digit(char digit);

/// Returns the digit at a place; 0 is the least significant. '0' beyond the width.
char digit_at(const Value& bits, std::uint64_t place);

/// The format of bits without x or z; those of more than 64 bits are always hexadecimal.
enum class Radix : std::uint8_t { hexadecimal, unsigned_decimal, signed_decimal };

/// Formats bits as a number ("0x1f") or, if some are x or z, as digits ("0b1x0z"); reals and texts
/// unchanged. Long values are shortened in the middle.
std::string value_text(const Value& value, Radix radix = Radix::hexadecimal);

} // namespace sme::vcd
