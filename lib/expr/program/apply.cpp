// SPDX-License-Identifier: Apache-2.0
#include "expr/program/apply.hpp"

#include <cstdlib>

#include "bits/integer.hpp"

namespace sme::expr {

namespace {

std::uint64_t raw(Op op, Scalar operand, std::uint64_t a, std::uint64_t b, std::uint64_t c) {
    switch (op) {
// clang-format off
#define SME_OPERATION(name, ...)                                                                   \
    case Op::name:                                                                                 \
        return operand.is_signed ? apply_extended<Op::name, true>(a, b, operand.width_bits)        \
                                 : apply_extended<Op::name, false>(a, b, operand.width_bits);
#define SME_LOGICAL_OPERATION(name, like)                                                          \
    case Op::name: return raw(Op::like, operand, a, b, c);
#include "expr/program/operations.def"
        // clang-format on
    case Op::select: return a != 0 ? b : c;
    case Op::convert: return a;
#define SME_OTHER_OPERATION(name, ...) case Op::name:
#include "expr/program/operations.def"
        break;
    }
    std::abort(); // not an operation on values
}

} // namespace

std::uint64_t evaluate(Op op, Scalar result, Scalar operand, std::uint64_t a, std::uint64_t b,
                       std::uint64_t c) {
    return canonical(raw(op, operand, a, b, c), result.width_bits, result.is_signed);
}

} // namespace sme::expr
