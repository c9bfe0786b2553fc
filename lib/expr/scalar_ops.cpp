// SPDX-License-Identifier: Apache-2.0
#include "expr/scalar_ops.hpp"

#include <bit>

#include "bits/integer.hpp"

namespace sme::expr {

namespace {

std::uint64_t divide(Scalar type, std::uint64_t a, std::uint64_t b, bool remainder) {
    if (b == 0)
        return 0;
    if (!type.is_signed)
        return remainder ? a % b : a / b;
    const auto x = static_cast<std::int64_t>(a);
    const auto y = static_cast<std::int64_t>(b);
    if (y == -1) // the most negative number has no opposite
        return remainder ? 0 : 0 - a;
    return static_cast<std::uint64_t>(remainder ? x % y : x / y);
}

std::uint64_t shift(Op op, Scalar type, std::uint64_t a, std::uint64_t count) {
    if (op == Op::shift_left)
        return count >= type.width_bits ? 0 : a << count;
    if (type.is_signed)
        return static_cast<std::uint64_t>(static_cast<std::int64_t>(a) >>
                                          (count > 63 ? 63 : count));
    return count >= type.width_bits ? 0 : a >> count;
}

bool less(Scalar type, std::uint64_t a, std::uint64_t b) {
    return type.is_signed ? static_cast<std::int64_t>(a) < static_cast<std::int64_t>(b) : a < b;
}

std::uint64_t reversed(std::uint64_t bits, unsigned width) {
    std::uint64_t result = 0;
    for (unsigned k = 0; k < width; ++k)
        result |= (bits >> k & 1) << (width - 1 - k);
    return result;
}

std::uint64_t raw(Op op, Scalar result, Scalar operand, std::uint64_t a, std::uint64_t b,
                  std::uint64_t c) {
    switch (op) {
    case Op::add: return a + b;
    case Op::subtract: return a - b;
    case Op::multiply: return a * b;
    case Op::divide: return divide(operand, a, b, false);
    case Op::remainder: return divide(operand, a, b, true);
    case Op::negate: return 0 - a;
    case Op::complement: return ~a;
    case Op::bit_and: return a & b;
    case Op::bit_xor: return a ^ b;
    case Op::bit_or: return a | b;
    case Op::shift_left:
    case Op::shift_right: return shift(op, result, a, b);
    case Op::equal: return a == b;
    case Op::not_equal: return a != b;
    case Op::less: return less(operand, a, b);
    case Op::less_equal: return !less(operand, b, a);
    case Op::logical_and: return a & b;
    case Op::logical_or: return a | b;
    case Op::select: return a ? b : c;
    case Op::popcount:
        return static_cast<std::uint64_t>(std::popcount(canonical(a, operand.width_bits, false)));
    case Op::bit_reverse: return reversed(a, operand.width_bits);
    default: return a; // convert, checked
    }
}

} // namespace

std::uint64_t evaluate(Op op, Scalar result, Scalar operand, std::uint64_t a, std::uint64_t b,
                       std::uint64_t c) {
    return canonical(raw(op, result, operand, a, b, c), result.width_bits, result.is_signed);
}

} // namespace sme::expr
