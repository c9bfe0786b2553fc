// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <compare>
#include <concepts>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

#include "sme/values.hpp"

namespace sme {

/// An integer of 65 to 4096 bits: `u128` of the language is `sme::Unsigned<128>`. As there, it
/// supports moving, slicing, joining, shifting, comparing, adding and subtracting, all modulo
/// 2^Bits, but not multiplication or division.
template <unsigned Bits>
requires detail::WideWidth<Bits>
class Unsigned<Bits> {
public:
    static constexpr std::size_t word_count = (Bits + 63) / 64;
    /// The lowest word first; unused high bits are zero.
    using Words = std::array<std::uint64_t, word_count>;

    constexpr Unsigned() = default;
    /// A negative number is taken modulo 2^Bits.
    template <std::integral I> constexpr Unsigned(I value) {
        if constexpr (std::is_signed_v<I>)
            if (value < 0)
                words_.fill(~std::uint64_t{0});
        words_[0] = static_cast<std::uint64_t>(value);
        trim();
    }
    constexpr explicit Unsigned(const Words& words) : words_{words} { trim(); }
    /// Zero-extends, or keeps the low bits.
    template <unsigned Other>
    requires(Other != Bits) constexpr explicit Unsigned(const Unsigned<Other>& other) {
        if constexpr (Other <= 64)
            words_[0] = other;
        else
            for (std::size_t k = 0; k < std::min(word_count, other.words().size()); ++k)
                words_[k] = other.words()[k];
        trim();
    }
    /// Converts hexadecimal digits, with optional "_" between them. Throws std::invalid_argument
    /// for any other text, and if the number has more than Bits bits.
    static constexpr Unsigned from_hex(std::string_view text) {
        Unsigned result;
        for (const char digit : text)
            if (digit != '_') {
                if (result.slice_of(Bits - 4, 4) != 0)
                    throw std::invalid_argument{"more bits than the type has"};
                result = (result << 4) | Unsigned{value_of(digit)};
            }
        return result;
    }

    constexpr const Words& words() const { return words_; }
    /// Returns bit `k`; 0 is the lowest. False beyond the width.
    constexpr bool bit(unsigned k) const { return k < Bits && ((words_[k / 64] >> k % 64) & 1U); }
    /// Returns bits [High:Low], as in the language.
    template <unsigned High, unsigned Low>
    requires(High < Bits && Low <= High) constexpr Unsigned<High - Low + 1> slice() const {
        constexpr unsigned width = High - Low + 1;
        if constexpr (width <= 64)
            return Unsigned<width>{slice_of(Low, width)};
        else
            return Unsigned<width>{*this >> Low};
    }
    /// Returns all digits of the width: "00ff...".
    std::string hex() const {
        std::string text;
        for (unsigned k = (Bits + 3) / 4; k-- > 0;)
            text += "0123456789abcdef"[slice_of(4 * k, 4)];
        return text;
    }

    friend constexpr bool operator==(const Unsigned&, const Unsigned&) = default;
    friend constexpr std::strong_ordering operator<=>(const Unsigned& a, const Unsigned& b) {
        for (std::size_t k = word_count; k-- > 0;)
            if (a.words_[k] != b.words_[k])
                return a.words_[k] <=> b.words_[k];
        return std::strong_ordering::equal;
    }
    friend constexpr Unsigned operator&(Unsigned a, const Unsigned& b) {
        for (std::size_t k = 0; k < word_count; ++k)
            a.words_[k] &= b.words_[k];
        return a;
    }
    friend constexpr Unsigned operator|(Unsigned a, const Unsigned& b) {
        for (std::size_t k = 0; k < word_count; ++k)
            a.words_[k] |= b.words_[k];
        return a;
    }
    friend constexpr Unsigned operator^(Unsigned a, const Unsigned& b) {
        for (std::size_t k = 0; k < word_count; ++k)
            a.words_[k] ^= b.words_[k];
        return a;
    }
    constexpr Unsigned operator~() const {
        return *this ^ Unsigned { -1 };
    }
    friend constexpr Unsigned operator+(Unsigned a, const Unsigned& b) {
        std::uint64_t carry = 0;
        for (std::size_t k = 0; k < word_count; ++k) {
            const std::uint64_t sum = a.words_[k] + b.words_[k];
            const std::uint64_t with_carry = sum + carry;
            carry = (sum < b.words_[k]) | (with_carry < sum);
            a.words_[k] = with_carry;
        }
        a.trim();
        return a;
    }
    friend constexpr Unsigned operator-(const Unsigned& a, const Unsigned& b) {
        return a + ~b + Unsigned{1};
    }
    /// A shift by the width or more leaves 0.
    friend constexpr Unsigned operator<<(const Unsigned& a, unsigned by) {
        Unsigned result;
        for (std::size_t k = by / 64; k < word_count; ++k) {
            const std::size_t from = k - by / 64;
            result.words_[k] = a.words_[from] << by % 64;
            if (by % 64 != 0 && from > 0)
                result.words_[k] |= a.words_[from - 1] >> (64 - by % 64);
        }
        result.trim();
        return result;
    }
    friend constexpr Unsigned operator>>(const Unsigned& a, unsigned by) {
        Unsigned result;
        for (std::size_t from = by / 64; from < word_count; ++from) {
            const std::size_t k = from - by / 64;
            result.words_[k] = a.words_[from] >> by % 64;
            if (by % 64 != 0 && from + 1 < word_count)
                result.words_[k] |= a.words_[from + 1] << (64 - by % 64);
        }
        return result;
    }

private:
    constexpr void trim() {
        if constexpr (Bits % 64 != 0)
            words_.back() &= (std::uint64_t{1} << Bits % 64) - 1;
    }
    /// Returns up to 64 bits from bit `low` on.
    constexpr std::uint64_t slice_of(unsigned low, unsigned width) const {
        const std::size_t word = low / 64;
        std::uint64_t bits = words_[word] >> low % 64;
        if (low % 64 != 0 && word + 1 < word_count)
            bits |= words_[word + 1] << (64 - low % 64);
        return width == 64 ? bits : bits & ((std::uint64_t{1} << width) - 1);
    }
    static constexpr int value_of(char digit) {
        if (digit >= '0' && digit <= '9')
            return digit - '0';
        if (digit >= 'a' && digit <= 'f')
            return digit - 'a' + 10;
        if (digit >= 'A' && digit <= 'F')
            return digit - 'A' + 10;
        throw std::invalid_argument{"not a hexadecimal digit"};
    }

    Words words_{};
};

/// Joins two values, the first leftmost, like `cat` of the language.
template <unsigned High, unsigned Low>
constexpr Unsigned<High + Low> cat(const Unsigned<High>& high, const Unsigned<Low>& low) {
    if constexpr (High + Low <= 64)
        return (std::uint64_t{high} << Low) | std::uint64_t{low};
    else
        return (Unsigned<High + Low>{high} << Low) | Unsigned<High + Low>{low};
}

} // namespace sme
