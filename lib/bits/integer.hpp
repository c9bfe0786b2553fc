// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sme {

/// A natural number in 64-bit words, the lowest first.
using Words = std::vector<std::uint64_t>;

/// Parses what parse_integer accepts, up to `max_bits`; returns the fewest words that hold it, at
/// least one.
std::optional<Words> parse_words(std::string_view text, unsigned max_bits);

/// Computes words * factor + addend, with more words if it needs them.
void multiply_add(Words& words, unsigned factor, unsigned addend);

/// Returns the number of significant bits; 0 for 0.
unsigned width_of(const Words& words);

/// Returns "0x00ff": all digits of `width_bits`.
std::string hexadecimal(std::span<const std::uint64_t> words, unsigned width_bits);

/// The exact integers of the language: literals, parameters and indices. 128 bits hold every
/// product of two 63-bit numbers; overflow is an error, never a wrap.
__extension__ typedef __int128 Integer;

std::string to_string(Integer value);

/// Returns a number modulo 2^`width_bits` in the fewest words of that width; unused bits of the
/// last word continue the sign.
Words integer_words(Integer value, std::uint64_t width_bits);

/// The digits of "12", "1_000", "0x1f" or "0b1010", and their base. `digits_of` returns `nullopt`
/// if the text begins differently; it does not check that each digit is below `base`.
struct Digits {
    unsigned base;
    std::string_view text; // with '_' between digits
};
std::optional<Digits> digits_of(std::string_view text);
/// Returns the value of a hexadecimal digit; 99 for any other character.
unsigned digit_value(char c);

/// Parses "12", "1_000", "0x1f" or "0b1010", without a sign. `nullopt` for any other text and for
/// values of more than 126 bits. Rejects a leading zero ("010"), which is octal in other languages.
std::optional<Integer> parse_integer(std::string_view text);

/// Exact arithmetic; `nullopt` on overflow or division by zero. Division truncates toward zero.
std::optional<Integer> exact_add(Integer a, Integer b);
std::optional<Integer> exact_subtract(Integer a, Integer b);
std::optional<Integer> exact_multiply(Integer a, Integer b);
std::optional<Integer> exact_divide(Integer a, Integer b);
std::optional<Integer> exact_remainder(Integer a, Integer b);

/// Returns the number of bits that distinguish `count` things: 0 for 0 and 1, otherwise the width
/// of count − 1.
unsigned ceil_log2(Integer count);

/// The smallest and the largest value of an integer of `width_bits` (1 to 64).
Integer smallest(unsigned width_bits, bool is_signed);
Integer largest(unsigned width_bits, bool is_signed);

/// Makes a 64-bit pattern canonical: unused high bits become zero, or copies of the sign.
constexpr std::uint64_t canonical(std::uint64_t bits, unsigned width_bits, bool is_signed) {
    const unsigned spare = 64 - width_bits;
    const std::uint64_t high = bits << spare;
    return is_signed ? static_cast<std::uint64_t>(static_cast<std::int64_t>(high) >> spare)
                     : high >> spare;
}

} // namespace sme
