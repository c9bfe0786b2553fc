// SPDX-License-Identifier: Apache-2.0
//
// The loops. Each applies an element function (most come from operations.def) and is instantiated
// for the element types that it needs; the compiler vectorises them.
#include "interpret/block/kernels.hpp"

#include <bit>
#include <cstring>
#include <type_traits>

#include "expr/program/apply.hpp"

namespace sme::interpret {

namespace {

using expr::Op;
using expr::Scalar;

template <class D, class A, class F> void unary_loop(void* d, const void* a, std::size_t n, F f) {
    D* const to = static_cast<D*>(d);
    const A* const from = static_cast<const A*>(a);
    for (std::size_t k = 0; k < n; ++k)
        to[k] = static_cast<D>(f(from[k]));
}

template <class D, class A, class B, class F>
void binary_loop(void* __restrict d, const void* a, const void* b, std::size_t n, F f) {
    D* const __restrict to = static_cast<D*>(d);
    const A* const x = static_cast<const A*>(a);
    const B* const y = static_cast<const B*>(b);
    for (std::size_t k = 0; k < n; ++k)
        to[k] = static_cast<D>(f(x[k], y[k]));
}

using expr::rows::bits_of;

/// Calls f with a value of the element type that a scalar type has in a column.
template <class F> auto with_type(Scalar type, F f) {
    switch (type.bytes() * 2 + (type.is_signed ? 1 : 0)) {
    case 2: return f(std::uint8_t{});
    case 3: return f(std::int8_t{});
    case 4: return f(std::uint16_t{});
    case 5: return f(std::int16_t{});
    case 8: return f(std::uint32_t{});
    case 9: return f(std::int32_t{});
    case 16: return f(std::uint64_t{});
    default: return f(std::int64_t{});
    }
}

/// The same with unsigned types: for operations that ignore the sign.
template <class F> auto with_bits(Scalar type, F f) {
    switch (type.bytes()) {
    case 1: return f(std::uint8_t{});
    case 2: return f(std::uint16_t{});
    case 4: return f(std::uint32_t{});
    default: return f(std::uint64_t{});
    }
}

/// The loop of an operation shared by all engines; the immediate is the width of its operands.
template <Op op> Kernel loop_of(Scalar operand) {
    const auto result = [](auto element) -> Kernel {
        using T = decltype(element);
        using Y = std::conditional_t<expr::is_shift(op), std::uint64_t, T>;
        using D = std::conditional_t<expr::gives_byte(op), std::uint8_t, T>;
        return [](void* d, const void* a, const void* b, const void*, std::size_t n,
                  std::uint64_t immediate) {
            const auto width = static_cast<unsigned>(immediate);
            if constexpr (expr::row_of(op).operands == 1)
                unary_loop<D, T>(d, a, n, [width](T x) { return expr::apply<op>(x, T{0}, width); });
            else
                binary_loop<D, T, Y>(d, a, b, n,
                                     [width](T x, Y y) { return expr::apply<op>(x, y, width); });
        };
    };
    if constexpr (expr::row_of(op).sees_sign)
        return with_type(operand, result);
    else
        return with_bits(operand, result);
}

template <class T> Kernel selection() {
    return [](void* d, const void* a, const void* b, const void* c, std::size_t n, std::uint64_t) {
        T* const __restrict to = static_cast<T*>(d);
        const auto* const test = static_cast<const std::uint8_t*>(a);
        const T* const yes = static_cast<const T*>(b);
        const T* const no = static_cast<const T*>(c);
        for (std::size_t k = 0; k < n; ++k) {
            const T mask = static_cast<T>(T{0} - static_cast<T>(test[k]));
            to[k] = static_cast<T>((yes[k] & mask) | (no[k] & static_cast<T>(~mask)));
        }
    };
}

Kernel conversion(Scalar result, Scalar operand) {
    return with_type(operand, [&](auto from) {
        using A = decltype(from);
        return with_bits(result, [](auto to) -> Kernel {
            using D = decltype(to);
            return
                [](void* d, const void* a, const void*, const void*, std::size_t n, std::uint64_t) {
                    unary_loop<D, A>(d, a, n, [](A x) { return static_cast<D>(x); });
                };
        });
    });
}

} // namespace

Kernel kernel_of(Op op, Scalar result, Scalar operand) {
// clang-format off
#define SME_OPERATION(name, ...)                                                                   \
    case Op::name: return loop_of<Op::name>(operand);
#define SME_LOGICAL_OPERATION(name, like)                                                  \
    case Op::name: return loop_of<Op::like>(operand);
    // clang-format on
    switch (op) {
#include "expr/program/operations.def"
    case Op::select:
        return with_bits(result, [](auto element) { return selection<decltype(element)>(); });
    case Op::convert: return conversion(result, operand);
#define SME_OTHER_OPERATION(name, ...) case Op::name:
#include "expr/program/operations.def"
        break;
    }
    return nullptr;
}

Kernel shift_by_constant(Op op, Scalar type) {
    return with_type(type, [&](auto element) -> Kernel {
        using T = decltype(element);
        if (op == Op::shift_left)
            return [](void* d, const void* a, const void*, const void*, std::size_t n,
                      std::uint64_t count) {
                if (count >= bits_of<T>)
                    return unary_loop<T, T>(d, a, n, [](T) { return T{0}; });
                unary_loop<T, T>(d, a, n, [count](T x) {
                    return static_cast<std::make_unsigned_t<T>>(x) << static_cast<int>(count);
                });
            };
        return [](void* d, const void* a, const void*, const void*, std::size_t n,
                  std::uint64_t count) {
            if (count >= bits_of<T>)
                return unary_loop<T, T>(d, a, n, [](T x) { return x < 0 ? T(-1) : T{0}; });
            unary_loop<T, T>(d, a, n, [count](T x) { return x >> static_cast<int>(count); });
        };
    });
}

Kernel narrow(Scalar type) {
    return with_type(type, [](auto element) -> Kernel {
        using T = decltype(element);
        return [](void* d, const void* a, const void*, const void*, std::size_t n,
                  std::uint64_t width) {
            using U = std::make_unsigned_t<T>;
            const int spare = static_cast<int>(bits_of<T> - width);
            if constexpr (std::is_signed_v<T>)
                unary_loop<T, T>(d, a, n, [spare](T x) {
                    return static_cast<T>(static_cast<U>(static_cast<U>(x) << spare)) >> spare;
                });
            else {
                const U mask = static_cast<U>(static_cast<U>(~U{0}) >> spare);
                unary_loop<T, T>(d, a, n, [mask](T x) { return x & mask; });
            }
        };
    });
}

bool needs_narrow(Op op, Scalar result, Scalar operand) {
    if (result.width_bits == result.bytes() * 8)
        return false;
    if (op == Op::convert)
        return result.width_bits < operand.width_bits || result.is_signed != operand.is_signed;
    return expr::widens(op, result.is_signed);
}

bool is_same_column(Scalar from, Scalar to) {
    if (from.bytes() != to.bytes())
        return false;
    if (from.is_signed == to.is_signed)
        return from.width_bits <= to.width_bits;
    if (!from.is_signed)
        return from.width_bits < to.width_bits || to.width_bits == to.bytes() * 8;
    return to.width_bits == to.bytes() * 8;
}

std::uint64_t count_true(const std::byte* column, std::size_t n) {
    std::uint64_t count = 0;
    std::size_t k = 0;
    for (; k + 8 <= n; k += 8) { // a byte is 0 or 1
        std::uint64_t word;
        std::memcpy(&word, column + k, sizeof word);
        count += static_cast<std::uint64_t>(std::popcount(word));
    }
    for (; k < n; ++k)
        count += std::to_integer<std::uint64_t>(column[k]);
    return count;
}

bool any_both(const std::uint8_t* a, const std::uint8_t* b, std::size_t n) {
    std::uint8_t found = 0;
    for (std::size_t k = 0; k < n; ++k)
        found = static_cast<std::uint8_t>(found | (a[k] & b[k]));
    return found != 0;
}

} // namespace sme::interpret
