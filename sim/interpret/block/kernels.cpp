// SPDX-License-Identifier: Apache-2.0
//
// The loops. Each is written once as a function of elements and made for the element types it
// needs; the compiler turns them into vector code.
#include "interpret/block/kernels.hpp"

#include <bit>
#include <cstring>
#include <type_traits>

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

template <class T> T quotient(T x, T y) {
    if (y == 0)
        return 0;
    if constexpr (std::is_signed_v<T>)
        if (y == T(-1))
            return static_cast<T>(0 - static_cast<std::make_unsigned_t<T>>(x));
    return static_cast<T>(x / y);
}

template <class T> T rest(T x, T y) {
    if (y == 0)
        return 0;
    if constexpr (std::is_signed_v<T>)
        if (y == T(-1))
            return 0;
    return static_cast<T>(x % y);
}

template <class T> constexpr unsigned bits_of = sizeof(T) * 8;

template <class T> T shifted_left(T x, std::uint64_t count) {
    using U = std::make_unsigned_t<T>;
    return count >= bits_of<T>
               ? T{0}
               : static_cast<T>(static_cast<std::uint64_t>(static_cast<U>(x)) << count);
}

template <class T> T shifted_right(T x, std::uint64_t count) {
    if constexpr (std::is_signed_v<T>)
        return static_cast<T>(x >> (count >= bits_of<T> ? bits_of<T> - 1 : count));
    else
        return count >= bits_of<T> ? T{0} : static_cast<T>(x >> count);
}

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

/// As above, but unsigned: for operations that do not see the sign.
template <class F> auto with_bits(Scalar type, F f) {
    switch (type.bytes()) {
    case 1: return f(std::uint8_t{});
    case 2: return f(std::uint16_t{});
    case 4: return f(std::uint32_t{});
    default: return f(std::uint64_t{});
    }
}

template <class T, class F> Kernel binary(F) {
    return [](void* d, const void* a, const void* b, const void*, std::size_t n, std::uint64_t) {
        binary_loop<T, T, T>(d, a, b, n, F{});
    };
}

template <class T, class F> Kernel comparison(F) {
    return [](void* d, const void* a, const void* b, const void*, std::size_t n, std::uint64_t) {
        binary_loop<std::uint8_t, T, T>(d, a, b, n, F{});
    };
}

template <class T, class F> Kernel shift(F) {
    return [](void* d, const void* a, const void* b, const void*, std::size_t n, std::uint64_t) {
        binary_loop<T, T, std::uint64_t>(d, a, b, n, F{});
    };
}

template <class D, class A, class F> Kernel unary(F) {
    return [](void* d, const void* a, const void*, const void*, std::size_t n, std::uint64_t) {
        unary_loop<D, A>(d, a, n, F{});
    };
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

template <class T> Kernel reversal() {
    return
        [](void* d, const void* a, const void*, const void*, std::size_t n, std::uint64_t width) {
            unary_loop<T, T>(d, a, n, [width](T x) {
                std::uint64_t result = 0;
                for (unsigned k = 0; k < width; ++k)
                    result |= (std::uint64_t{x} >> k & 1) << (width - 1 - k);
                return result;
            });
        };
}

Kernel conversion(Scalar result, Scalar operand) {
    return with_type(operand, [&](auto from) {
        using A = decltype(from);
        return with_bits(result, [](auto to) {
            using D = decltype(to);
            return unary<D, A>([](A x) { return static_cast<D>(x); });
        });
    });
}

Kernel value_kernel(Op op, Scalar result) {
    return with_bits(result, [&](auto element) -> Kernel {
        using T = decltype(element);
        switch (op) {
        case Op::add: return binary<T>([](T x, T y) { return x + y; });
        case Op::subtract: return binary<T>([](T x, T y) { return x - y; });
        case Op::multiply:
            return binary<T>([](T x, T y) { return std::uint64_t{x} * std::uint64_t{y}; });
        case Op::logical_and:
        case Op::bit_and: return binary<T>([](T x, T y) { return x & y; });
        case Op::bit_xor: return binary<T>([](T x, T y) { return x ^ y; });
        case Op::logical_or:
        case Op::bit_or: return binary<T>([](T x, T y) { return x | y; });
        case Op::negate: return unary<T, T>([](T x) { return T{0} - x; });
        case Op::complement: return unary<T, T>([](T x) { return ~x; });
        case Op::select: return selection<T>();
        case Op::bit_reverse: return reversal<T>();
        default: return nullptr;
        }
    });
}

Kernel signed_kernel(Op op, Scalar operand) {
    return with_type(operand, [&](auto element) -> Kernel {
        using T = decltype(element);
        switch (op) {
        case Op::divide: return binary<T>([](T x, T y) { return quotient<T>(x, y); });
        case Op::remainder: return binary<T>([](T x, T y) { return rest<T>(x, y); });
        case Op::equal: return comparison<T>([](T x, T y) { return x == y; });
        case Op::not_equal: return comparison<T>([](T x, T y) { return x != y; });
        case Op::less: return comparison<T>([](T x, T y) { return x < y; });
        case Op::less_equal: return comparison<T>([](T x, T y) { return x <= y; });
        case Op::shift_left:
            return shift<T>([](T x, std::uint64_t n) { return shifted_left<T>(x, n); });
        case Op::shift_right:
            return shift<T>([](T x, std::uint64_t n) { return shifted_right<T>(x, n); });
        default: return nullptr;
        }
    });
}

Kernel population(Scalar operand) {
    return with_bits(operand, [](auto element) -> Kernel {
        using T = decltype(element);
        return [](void* d, const void* a, const void*, const void*, std::size_t n,
                  std::uint64_t width) {
            unary_loop<std::uint8_t, T>(
                d, a, n, [width](T x) { return std::popcount(std::uint64_t{x} << (64 - width)); });
        };
    });
}

} // namespace

Kernel kernel_of(Op op, Scalar result, Scalar operand) {
    if (op == Op::convert)
        return conversion(result, operand);
    if (op == Op::popcount)
        return population(operand);
    if (const Kernel found = value_kernel(op, result))
        return found;
    return signed_kernel(op, operand);
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
    switch (op) {
    case Op::add:
    case Op::subtract:
    case Op::multiply:
    case Op::negate:
    case Op::shift_left: return true;
    case Op::divide: return result.is_signed; // the smallest / −1
    case Op::complement: return !result.is_signed;
    case Op::convert:
        return result.width_bits < operand.width_bits || result.is_signed != operand.is_signed;
    default: return false;
    }
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
