// SPDX-License-Identifier: Apache-2.0
#include "native/emit/c_text.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

namespace sme::native {

using expr::Op;
using expr::Scalar;

CType Arithmetic::of(Scalar type) const {
    return {std::max(type.bytes(), least_bytes_), type.is_signed};
}

std::string Arithmetic::literal(Scalar type, std::uint64_t value) const {
    const CType in = of(type);
    if (!type.is_signed)
        return fmt::format("{}{}", value, in.bytes == 8 ? "ul" : in.bytes == 4 ? "u" : "");
    const auto number = static_cast<std::int64_t>(value);
    if (number == std::int64_t{1} << 63)
        return "(-9223372036854775807l - 1)";
    return number < 0 ? fmt::format("({}{})", number, in.bytes == 8 ? "l" : "")
                      : fmt::format("{}{}", number, in.bytes == 8 ? "l" : "");
}

std::string Arithmetic::narrowed(const std::string& text, Scalar type) const {
    const CType in = of(type);
    const unsigned bits = in.bytes * 8, spare = bits - type.width_bits;
    if (spare == 0)
        return fmt::format("({})({})", in.name(), text);
    if (!type.is_signed) {
        const std::uint64_t mask = ~std::uint64_t{0} >> (64 - type.width_bits);
        return fmt::format("({})(({}) & {:#x}{})", in.name(), text, mask,
                           in.bytes == 8 ? "ul" : "u");
    }
    return fmt::format("({0})(({0})(({1})({2}) << {3}) >> {3})", in.name(), computing(type), text,
                       spare);
}

/// Fills in a text of operations.def.
std::string Arithmetic::filled(const char* text, Op op, Scalar type,
                               const Operands& operands) const {
    const bool widens = expr::row_of(op).widens != expr::Widens::never;
    const std::string result =
        fmt::format(fmt::runtime(text), fmt::arg("a", operands.a), fmt::arg("b", operands.b),
                    fmt::arg("t", widens ? computing(type) : of(type).name()),
                    fmt::arg("spare", 64 - operands.a_type.width_bits));
    return widens ? narrowed(result, type) : result;
}

/// A division by zero gives zero; the smallest value by −1 wraps.
std::string Arithmetic::division(Op op, Scalar to, const Operands& operands) const {
    const bool quotient = op == Op::divide;
    const char* const symbol = quotient ? "/" : "%";
    const std::string type = of(to).name();
    if (operands.b_value == std::uint64_t{0})
        return "0";
    if (!operands.a_type.is_signed) {
        const std::string plain =
            fmt::format("({})({} {} {})", type, operands.a, symbol, operands.b);
        return operands.b_value ? plain : fmt::format("{} == 0 ? 0 : {}", operands.b, plain);
    }
    const std::string_view in = computing(to);
    const std::string by_minus_one = quotient ? fmt::format("0 - ({}){}", in, operands.a) : "0";
    std::string text = fmt::format("({})({} {} {})", in, operands.a, symbol, operands.b);
    if (operands.b_value == ~std::uint64_t{0})
        text = by_minus_one;
    else if (!operands.b_value)
        text = fmt::format("{0} == 0 ? 0 : {0} == -1 ? {1} : {2}", operands.b, by_minus_one, text);
    return narrowed(text, to);
}

/// A shift by the width or more removes all bits.
std::string Arithmetic::shift(Op op, Scalar type, const Operands& operands) const {
    const CType in = of(type);
    const unsigned bits = in.bytes * 8;
    const bool left = op == Op::shift_left;
    if (operands.b_value) {
        std::uint64_t count = *operands.b_value;
        if (count >= bits && (left || !in.is_signed))
            return "0";
        count = std::min<std::uint64_t>(count, bits - 1);
        if (left)
            return narrowed(fmt::format("({}){} << {}", computing(type), operands.a, count), type);
        return fmt::format("({})({} >> {})", in.name(), operands.a, count);
    }
    if (left)
        return fmt::format(
            "{} >= {} ? 0 : {}", operands.b, bits,
            narrowed(fmt::format("({}){} << {}", computing(type), operands.a, operands.b), type));
    if (in.is_signed)
        return fmt::format("({0})({1} >> ({2} >= {3} ? {4} : {2}))", in.name(), operands.a,
                           operands.b, bits, bits - 1);
    return fmt::format("{} >= {} ? 0 : ({})({} >> {})", operands.b, bits, in.name(), operands.a,
                       operands.b);
}

std::string Arithmetic::conversion(Scalar to, const Operands& operands) const {
    const Scalar from = operands.a_type;
    const bool keeps = from.is_signed == to.is_signed
                           ? from.width_bits <= to.width_bits
                           : !from.is_signed && from.width_bits < to.width_bits;
    if (keeps)
        return fmt::format("({}){}", of(to).name(), operands.a);
    return narrowed(fmt::format("({}){}", computing(to), operands.a), to);
}

std::string Arithmetic::operation(Op op, Scalar type, const Operands& operands) const {
// clang-format off
#define SME_C(text) filled(text, op, type, operands)
#define SME_C_BY(function) function(op, type, operands)
#define SME_OPERATION(name, count, types, sign, widens, work, neutral, c, value)                   \
    case Op::name: return c;
#define SME_LOGICAL_OPERATION(name, like)                                                  \
    case Op::name: return operation(Op::like, type, operands);
    // clang-format on
    switch (op) {
#include "expr/program/operations.def"
    case Op::select: return fmt::format("{} ? {} : {}", operands.a, operands.b, operands.c);
    case Op::convert: return conversion(type, operands);
#define SME_OTHER_OPERATION(name, ...) case Op::name:
#include "expr/program/operations.def"
        break;
    }
    return "0"; // these are written elsewhere
}

std::string_view prelude() {
    return R"(typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long u64;
typedef signed char i8;
typedef short i16;
typedef int i32;
typedef long i64;
/* several values in a slot, which is aligned for the largest of them */
typedef u16 __attribute__((aligned(1))) u16_slot;
typedef u32 __attribute__((aligned(1))) u32_slot;
typedef u64 __attribute__((aligned(1))) u64_slot;

/* a memory write that waits for the end of the cycle */
struct pending {
    u64 word;
    u64 value;
};

/* what observers wait for in a stretch of cycles */
struct guard {
    u64 active;
    u64 wanted;
    u64 held;
    u64 last;
};

/* where the instances lie that a function steps */
struct block {
    const u8 *read;
    u8 *write;
    u64 cycle;
    u64 random;
    u64 first;
    u64 count;
    const i64 *at;
    const i64 *const *table;
    u8 *const *data;
    struct pending *pending;
    u8 *wrote;
    const u8 *needed;
    u64 *changes;
    u64 fresh;
    u64 *counts;
};

/* where threads meet in a cycle: each has a line, with twice the number of its last meeting, plus one
   when it leaves there, and whether it is to leave at the next one */
struct meeting {
    u64 *lines;
    u64 thread;
    u64 threads;
    void (*wait)(const struct meeting *m, u64 looks);
    u64 (*load)(const u64 *word);
    void (*store)(u64 *word, u64 value);
};

#ifdef __TINYC__ /* it has no such functions */
#define __atomic_load_n(word, order) m->load(word)
#define __atomic_store_n(word, value, order) m->store(word, value)
static u64 swapped_bytes(u64 x)
{
    u64 result = 0;
    for (int k = 0; k < 8; ++k, x >>= 8)
        result = result << 8 | (x & 255);
    return result;
}

static int counted_bits(u64 x)
{
    int result = 0;
    for (; x != 0; x &= x - 1)
        ++result;
    return result;
}
#define __builtin_bswap64 swapped_bytes
#define __builtin_popcountll counted_bits
#endif

static inline void leave(const struct meeting *m, u64 number)
{
    __atomic_store_n(m->lines + m->thread * 16, number * 2 + 1, __ATOMIC_RELEASE);
}

/* waits for all; whether one of them leaves, as this one may */
static inline int meet(const struct meeting *m, u64 number, u64 leaves)
{
    u64 *own = m->lines + m->thread * 16;
    leaves |= own[1];
    __atomic_store_n(own, number * 2 + leaves, __ATOMIC_RELEASE);
    for (u64 k = 0; k < m->threads; ++k) {
        u64 seen, looks = 0;
        while ((seen = __atomic_load_n(m->lines + k * 16, __ATOMIC_ACQUIRE)) < number * 2)
            m->wait(m, ++looks);
        leaves |= seen == number * 2 + 1;
    }
    return leaves != 0;
}

static inline u64 upper_half(u64 a, u64 b)
{
#ifdef __SIZEOF_INT128__
    return (u64)((unsigned __int128)a * b >> 64);
#else
    u64 low = (a & 0xffffffff) * (b & 0xffffffff);
    u64 left = (a >> 32) * (b & 0xffffffff) + (low >> 32);
    u64 right = (a & 0xffffffff) * (b >> 32) + (left & 0xffffffff);
    return (a >> 32) * (b >> 32) + (left >> 32) + (right >> 32);
#endif
}

static inline u64 reversed(u64 x)
{
    x = (x >> 1 & 0x5555555555555555ul) | (x & 0x5555555555555555ul) << 1;
    x = (x >> 2 & 0x3333333333333333ul) | (x & 0x3333333333333333ul) << 2;
    x = (x >> 4 & 0x0f0f0f0f0f0f0f0ful) | (x & 0x0f0f0f0f0f0f0f0ful) << 4;
    return __builtin_bswap64(x);
}

static inline u64 mixed(u64 x)
{
    x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93ul;
    x = (x ^ (x >> 29)) * 0xa24baed4963ee407ul;
    return x ^ (x >> 32);
}

static inline u64 random_bits(u64 family, u64 instance, u64 site, u64 cycle)
{
    return mixed(mixed(mixed(family + instance) + site + 1) + cycle * 0x9e3779b97f4a7c15ul);
}
)";
}

} // namespace sme::native
