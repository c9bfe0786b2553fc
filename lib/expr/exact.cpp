// SPDX-License-Identifier: Apache-2.0
#include "expr/exact.hpp"

#include <algorithm>

namespace sme::expr {

bool is_comparison(Operator op) {
    return op >= Operator::equal && op <= Operator::greater_equal;
}

std::optional<Integer> compute(Operator op, Integer a, Integer b) {
    switch (op) {
    case Operator::add: return exact_add(a, b);
    case Operator::subtract: return exact_subtract(a, b);
    case Operator::multiply: return exact_multiply(a, b);
    case Operator::divide: return exact_divide(a, b);
    case Operator::remainder: return exact_remainder(a, b);
    case Operator::bit_and: return a & b;
    case Operator::bit_xor: return a ^ b;
    case Operator::bit_or: return a | b;
    case Operator::shift_left:
        if (b < 0 || b > 126)
            return std::nullopt;
        return exact_multiply(a, Integer{1} << b);
    case Operator::shift_right:
        if (b < 0)
            return std::nullopt;
        return a >> std::min(b, Integer{127});
    default: return std::nullopt;
    }
}

bool compares(Operator op, Integer a, Integer b) {
    switch (op) {
    case Operator::equal: return a == b;
    case Operator::not_equal: return a != b;
    case Operator::less: return a < b;
    case Operator::less_equal: return a <= b;
    case Operator::greater: return a > b;
    default: return a >= b;
    }
}

} // namespace sme::expr
