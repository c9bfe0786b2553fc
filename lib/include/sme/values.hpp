// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "sme/internal/declare.hpp"
#include "sme/internal/slot.hpp"
#include "sme/internal/width.hpp"
#include "sme/type.hpp"

namespace sme {

/// An integer of 1 to 64 bits: `u5` of the language is `sme::Unsigned<5>`. It computes like its
/// `Value`, with C++'s promotions; a stored value is taken modulo 2^Bits. Integers of 65 to 4096
/// bits follow below.
template <unsigned Bits>
requires internal::AnyWidth<Bits>
class Unsigned {
public:
    using Value = internal::Storage<Bits, false>;
    constexpr Unsigned() = default;
    template <std::integral I>
    constexpr Unsigned(I value) : value_{internal::canonical<Bits>(static_cast<Value>(value))} {}
    constexpr operator Value() const { return value_; }

private:
    Value value_ = 0;
};

/// An integer of 65 to 4096 bits: `u128` of the language is `sme::Unsigned<128>`. As there, it
/// supports moving, slicing, joining, shifting, comparing, adding and subtracting, all modulo
/// 2^Bits, but not multiplication or division.
template <unsigned Bits>
requires internal::WideWidth<Bits>
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

/// A signed two's-complement integer of 1 to 64 bits: `i12` is `sme::Signed<12>`.
template <unsigned Bits>
requires(Bits >= 1 && Bits <= 64) class Signed {
public:
    using Value = internal::Storage<Bits, true>;
    constexpr Signed() = default;
    template <std::integral I>
    constexpr Signed(I value) : value_{internal::canonical<Bits>(static_cast<Value>(value))} {}
    constexpr operator Value() const { return value_; }

private:
    Value value_ = 0;
};

/// Maps a C++ type to its type on a bus. Specialised for `bool`, the integers, `Unsigned`,
/// `Signed`, enumerations, `std::array` of these, and by `SME_STRUCT` and `SME_ENUM`.
template <class T> struct TypeOf;

template <> struct TypeOf<bool> {
    static TypeRef get() { return Type::boolean(); }
};
template <std::integral T> struct TypeOf<T> {
    static TypeRef get() {
        constexpr unsigned bits = sizeof(T) * 8;
        return std::is_signed_v<T> ? Type::signed_integer(bits) : Type::unsigned_integer(bits);
    }
};
template <unsigned Bits> struct TypeOf<Unsigned<Bits>> {
    static TypeRef get() { return Type::unsigned_integer(Bits); }
};
template <unsigned Bits> struct TypeOf<Signed<Bits>> {
    static TypeRef get() { return Type::signed_integer(Bits); }
};
/// An enumeration without `SME_ENUM` is its underlying integer.
template <class T>
requires std::is_enum_v<T>
struct TypeOf<T> {
    static TypeRef get() { return TypeOf<std::underlying_type_t<T>>::get(); }
};
template <class T, std::size_t N> struct TypeOf<std::array<T, N>> {
    static TypeRef get() { return Type::array(TypeOf<T>::get(), N); }
};

/// Returns the bus type of the C++ type `T`.
template <class T> TypeRef type_of() {
    return TypeOf<T>::get();
}

} // namespace sme

/// Lets an enumeration travel on buses. Traces, messages and recordings show the names of its
/// members. `SME_ENUM(Phase, idle, run, done)` belongs at namespace scope, outside every namespace,
/// and lists all members. The enumeration is as wide as its largest member needs and must be stored
/// in the bytes of that width: `enum class Phase : std::uint8_t` for up to 8 bits. With larger
/// storage it gets the smallest width that needs this storage (9, 17 or 33 bits). One member must
/// be 0, because an unwritten bus reads as 0; members must not be negative or equal. Otherwise the
/// first use throws std::logic_error.
#define SME_ENUM(E, ...)                                                                           \
    template <> struct sme::TypeOf<E> {                                                            \
        static ::sme::TypeRef get() {                                                              \
            using enum E;                                                                          \
            return ::sme::internal::enumeration_of<E>(#E, #__VA_ARGS__, {__VA_ARGS__});            \
        }                                                                                          \
    };

/// Lets a plain struct travel on buses: `SME_STRUCT(Sample, valid, value)` at namespace scope,
/// outside every namespace, with all fields in order. If the layout differs from that of a slot,
/// the first use of the type throws std::logic_error.
#define SME_STRUCT(S, ...)                                                                         \
    template <> struct sme::TypeOf<S> {                                                            \
        static ::sme::TypeRef get() {                                                              \
            std::vector<::sme::Field> fields;                                                      \
            SME_EACH(SME_STRUCT_FIELD, S, __VA_ARGS__)                                             \
            return ::sme::internal::checked_structure(#S, std::move(fields), sizeof(S));           \
        }                                                                                          \
        static constexpr std::size_t leaves() {                                                    \
            std::size_t count = 0;                                                                 \
            SME_EACH(SME_STRUCT_LEAVES, S, __VA_ARGS__)                                            \
            return count;                                                                          \
        }                                                                                          \
        template <class Value, class Visit> static void each(Value& value, Visit visit) {          \
            SME_EACH(SME_STRUCT_VISIT, S, __VA_ARGS__)                                             \
        }                                                                                          \
    };
