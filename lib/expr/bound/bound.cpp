// SPDX-License-Identifier: Apache-2.0
#include "expr/bound/bound.hpp"

#include <algorithm>

namespace sme::expr {

namespace {

std::optional<Integer> shifted_left(Integer a, Integer b) {
    return b < 0 || b > 126 ? std::nullopt : exact_multiply(a, Integer{1} << b);
}

std::optional<Integer> shifted_right(Integer a, Integer b) {
    return b < 0 ? std::nullopt : std::optional{a >> std::min(b, Integer{127})};
}

/// Computes a power by squaring. An overflowing square matters only if the result needs it.
std::optional<Integer> powered(Integer a, Integer b) {
    std::optional<Integer> result = b < 0 ? std::nullopt : std::optional{Integer{1}};
    for (std::optional<Integer> square = a; result && b > 0; b /= 2) {
        if (!square)
            return std::nullopt;
        if (b % 2 != 0)
            result = exact_multiply(*result, *square);
        square = exact_multiply(*square, *square);
    }
    return result;
}

} // namespace

std::optional<Integer> compute(Operator op, Integer a, Integer b) {
#define SME_UNARY_OPERATOR(name, ...) case Operator::name:
#define SME_BINARY_OPERATOR(name, symbol, strength, kind, op, turned, verilog, exact)              \
    case Operator::name: return exact;
    switch (op) {
#include "expr/syntax/operators.def"
    }
    return std::nullopt;
}

namespace {

/// Returns the range of and, or and exclusive or.
Range compute_bits(Operator op, const Range& a, const Range& b) {
    const bool positive = a.low >= 0 && b.low >= 0;
    if (op == Operator::bit_and && (a.low >= 0 || b.low >= 0))
        return {0, positive ? std::min(a.high, b.high) : a.low >= 0 ? a.high : b.high};
    Integer power = 1; // of two, above all operands
    while (power <= std::max({a.high, b.high, -(a.low + 1), -(b.low + 1)}))
        power *= 2;
    return {positive ? 0 : -power, power - 1};
}

/// Returns the range of a quotient: its magnitude is at most that of the dividend.
Range compute_quotient(const Range& a, const Range& b) {
    const Integer most = std::max(a.high < 0 ? -a.high : a.high, a.low < 0 ? -a.low : a.low);
    return {a.low < 0 || b.low < 0 ? -most : 0, most};
}

/// Returns the range of a remainder: it has the sign of the dividend and is smaller than the
/// divisor.
Range compute_remainder(const Range& a, const Range& b) {
    const Integer most = std::max(b.high, -b.low) - 1;
    return {a.low < 0 ? std::max(a.low, -most) : 0, std::min(std::max(a.high, Integer{0}), most)};
}

} // namespace

std::optional<Range> compute(Operator op, const Range& a, const Range& b) {
    if (op == Operator::divide || op == Operator::remainder) {
        if (b.low == 0 && b.high == 0)
            return std::nullopt;
        return op == Operator::divide ? compute_quotient(a, b) : compute_remainder(a, b);
    }
    if (is_bitwise(op))
        return compute_bits(op, a, b);
    if (op == Operator::power && b.low != b.high)
        return std::nullopt;
    std::optional<Range> result; // the extremes lie at the ends of the ranges
    for (const Integer x : {a.low, a.high})
        for (const Integer y : {b.low, b.high}) {
            const std::optional<Integer> corner = compute(op, x, y);
            if (!corner)
                return std::nullopt;
            result = result ? Range{std::min(result->low, *corner), std::max(result->high, *corner)}
                            : Range{*corner, *corner};
        }
    if (op == Operator::power && a.low < 0 && a.high > 0) // an even power is smallest at 0
        result->low = std::min(result->low, Integer{0});
    return result;
}

/// Destroys what it names, one after the other: a chain of lets may be long.
void BoundExpr::release() {
    static thread_local std::vector<BoundRef> waiting;
    static thread_local bool is_busy = false;
    waiting.push_back(std::move(std::get<BoundRef>(what)));
    if (is_busy)
        return;
    is_busy = true;
    while (!waiting.empty()) {
        const BoundRef next = std::move(waiting.back());
        waiting.pop_back();
    }
    is_busy = false;
}

std::uint64_t canonical_of(const Type& type, std::uint64_t value) {
    const Scalar scalar = Scalar::of(type);
    return canonical(value, scalar.width_bits, scalar.is_signed);
}

std::shared_ptr<const ConstantArray> part_of(const ConstantArray& array, std::uint64_t index) {
    const TypeRef& element = array.type->element();
    const auto each = static_cast<std::ptrdiff_t>(element->leaf_count());
    const auto begin = array.leaves.begin() + static_cast<std::ptrdiff_t>(index) * each;
    return std::make_shared<const ConstantArray>(ConstantArray{element, {begin, begin + each}});
}

std::optional<bool> decided(Operator op, const Range& a, const Range& b) {
    const bool apart = a.high < b.low || b.high < a.low;
    const bool known = a.low == a.high && b.low == b.high;
    return apart || known ? std::optional{compares(op, a.low, b.low)} : std::nullopt;
}

} // namespace sme::expr
