// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sme {

/// The exact integers of the language: literals, parameters and indices. 128 bits hold every
/// product of two 63-bit numbers; what leaves them is an error, never a wrap.
__extension__ typedef __int128 Integer;

std::string to_string(Integer value);

/// The digits of "12", "1_000", "0x1f" or "0b1010", and what they count in. Nothing when the text
/// begins otherwise; each digit must still be below `base`.
struct Digits {
    unsigned base;
    std::string_view text; // with '_' between digits
};
std::optional<Digits> digits_of(std::string_view text);
/// Of a hexadecimal digit; 99 for anything else.
unsigned digit_value(char c);

/// Reads "12", "1_000", "0x1f" or "0b1010" (no sign). Nothing when the text is none of these or
/// the value needs more than 126 bits. A leading zero ("010") is refused: it means eight elsewhere.
std::optional<Integer> parse_integer(std::string_view text);

/// Exact arithmetic; nothing on overflow, or on division by zero. Division truncates toward zero.
std::optional<Integer> exact_add(Integer a, Integer b);
std::optional<Integer> exact_subtract(Integer a, Integer b);
std::optional<Integer> exact_multiply(Integer a, Integer b);
std::optional<Integer> exact_divide(Integer a, Integer b);
std::optional<Integer> exact_remainder(Integer a, Integer b);

/// The fewest bits that number `count` things: 0 for 0 and 1, else the width of count − 1.
unsigned ceil_log2(Integer count);

/// The smallest and largest value of an integer of `width_bits` (1 to 64).
Integer smallest(unsigned width_bits, bool is_signed);
Integer largest(unsigned width_bits, bool is_signed);

/// A 64-bit pattern made canonical: unused high bits zero, or copies of the sign.
constexpr std::uint64_t canonical(std::uint64_t bits, unsigned width_bits, bool is_signed) {
    const unsigned spare = 64 - width_bits;
    const std::uint64_t high = bits << spare;
    return is_signed ? static_cast<std::uint64_t>(static_cast<std::int64_t>(high) >> spare)
                     : high >> spare;
}

} // namespace sme
