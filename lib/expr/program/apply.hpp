// SPDX-License-Identifier: Apache-2.0
//
// The values of operations.def, as functions of integers of any size, for constants, blocks and
// scalar code.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

#include "expr/program/operations.hpp"

namespace sme::expr {

namespace rows {

/// Divides; the smallest value divided by −1 wraps.
template <class T> constexpr T quotient(T x, T y) {
    if (y == 0)
        return 0;
    if constexpr (std::is_signed_v<T>)
        if (y == T(-1))
            return static_cast<T>(0 - static_cast<std::make_unsigned_t<T>>(x));
    return static_cast<T>(x / y);
}

template <class T> constexpr T rest(T x, T y) {
    if (y == 0)
        return 0;
    if constexpr (std::is_signed_v<T>)
        if (y == T(-1))
            return 0;
    return static_cast<T>(x % y);
}

template <class T> inline constexpr unsigned bits_of = sizeof(T) * 8;

template <class T> constexpr T shifted_left(T x, std::uint64_t count) {
    return count >= bits_of<T> ? T{0} : static_cast<T>(std::uint64_t{x} << count);
}

template <class T> constexpr T shifted_right(T x, std::uint64_t count) {
    if constexpr (std::is_signed_v<T>)
        return static_cast<T>(x >> (count >= bits_of<T> ? bits_of<T> - 1 : count));
    else
        return count >= bits_of<T> ? T{0} : static_cast<T>(x >> count);
}

constexpr std::uint64_t reversed(std::uint64_t x, unsigned width) {
    std::uint64_t result = 0;
    for (unsigned k = 0; k < width; ++k)
        result |= (x >> k & 1) << (width - 1 - k);
    return result;
}

/// Computes an operation's row on x and y, without narrowing.
template <Op op> struct Value;

#define SME_OPERATION(name, operands, types, sign, widens, work, neutral, c, ...)                  \
    template <> struct Value<Op::name> {                                                           \
        template <class T, class Y>                                                                \
        static constexpr auto of([[maybe_unused]] T x, [[maybe_unused]] Y y,                       \
                                 [[maybe_unused]] unsigned width) {                                \
            return __VA_ARGS__;                                                                    \
        }                                                                                          \
    };
#include "expr/program/operations.def"

} // namespace rows

/// Computes an operation that has a row for all engines, on operands of `width` bits, zero- or
/// sign-extended to T. `y` has type T, or 64 bits for a shift. If the operation widens, bits beyond
/// the width of the result may be set.
template <Op op, class T, class Y> constexpr auto apply(T x, Y y, unsigned width) {
    return rows::Value<op>::of(x, y, width);
}

/// Computes the same on operands extended to 64 bits.
template <Op op, bool is_signed>
constexpr std::uint64_t apply_extended(std::uint64_t x, std::uint64_t y, unsigned width) {
    using T = std::conditional_t<is_signed && row_of(op).sees_sign, std::int64_t, std::uint64_t>;
    using Y = std::conditional_t<is_shift(op), std::uint64_t, T>;
    return static_cast<std::uint64_t>(apply<op>(static_cast<T>(x), static_cast<Y>(y), width));
}

} // namespace sme::expr
