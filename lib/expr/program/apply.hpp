// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "expr/program/operations.hpp"
#include "expr/program/program.hpp"

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

/// Evaluates an operation on canonical, sign-extended values. Used to fold constants and to test
/// the interpreter's loops. `operand` is the type of the operands. Only for operations on values
/// (not index, cycle, loads and reads).
std::uint64_t evaluate(Op op, Scalar result, Scalar operand, std::uint64_t a, std::uint64_t b,
                       std::uint64_t c);

// The values of operations.def, as functions of integers of any size, for constants, blocks and
// scalar code.

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

__extension__ typedef unsigned __int128 Double;

constexpr std::uint64_t upper_half(std::uint64_t x, std::uint64_t y) {
    return static_cast<std::uint64_t>(Double{x} * y >> 64);
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
