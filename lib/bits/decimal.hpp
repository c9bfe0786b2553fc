// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "bits/integer.hpp"
#include "sme/type.hpp"

namespace sme {

/// A decimal number as written: digits / 10^places.
struct Decimal {
    bool negative = false;
    Words digits{0};
    unsigned places = 0;
};

/// Parses "12", "-0.125" or "1_000.5"; `nullopt` for any other text, and if the digits without the
/// point are a number of more than 16384 bits.
std::optional<Decimal> parse_decimal(std::string_view text);

/// How a number between two multiples of a unit becomes one of them: the lower one; the nearest,
/// and of two as near the higher one, or the even one; the one nearer to zero.
enum class Rounding : std::uint8_t { floor, nearest, even, zero };
/// Returns the mode with this name, or `nullopt`.
std::optional<Rounding> rounding_named(std::string_view name);

/// A number as a multiple of 2^-fraction, and whether it was one before it was rounded.
struct Scaled {
    bool negative = false;
    Words units{0}; // without the sign
    bool exact = true;
};
Scaled scaled(const Decimal& number, unsigned fraction, Rounding rounding = Rounding::floor);

/// Returns the words of a multiple of 2^-fraction as a value of a fixed-point type with that many
/// fraction bits, canonical; `nullopt` if it does not fit.
std::optional<Words> words_of(const Scaled& number, const Type& type);

/// Returns the value of an integer type as a decimal.
std::string integer_text(const Type& type, const std::uint64_t* words);
/// Returns the value of a fixed-point type as an exact decimal: "-0.125", "3.0". `words` are its
/// leaves.
std::string fixed_text(const Type& type, const std::uint64_t* words);

} // namespace sme
