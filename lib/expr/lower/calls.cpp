// SPDX-License-Identifier: Apache-2.0
//
// Built-in functions and unrolled reducers.
#include <algorithm>

#include "expr/lower/lowering.hpp"

namespace sme::expr {

Lowering::Leaves Lowering::call(const BoundExpr& bound) {
    const std::string& name = bound.ast->operands[0]->text;
    const BoundExpr& x = *bound.operands[0];
    if (name == "abs")
        return absolute(x);
    if (name == "popcount")
        return bits_function(x, Op::popcount);
    if (name == "reverse")
        return bits_function(x, Op::bit_reverse);
    if (name == "rotl" || name == "rotr")
        return rotated(x, *bound.operands[1], name == "rotl");
    if (name == "stable")
        return {same(leaves(x), leaves(*bound.operands[1]))};
    if (name == "rose" || name == "fell") {
        const NodeId now = leaves(x)[0], before = leaves(*bound.operands[1])[0];
        return {name == "rose" ? b_.all_of(now, b_.logical_not(before))
                               : b_.all_of(before, b_.logical_not(now))};
    }
    std::vector<Bits> parts; // of cat
    for (const BoundRef& part : bound.operands)
        parts.push_back(packed(leaves(*part), *type_of(*part)));
    return integer_of(WideBuilder{b_}.joined(parts), *bound.type);
}

/// Compares two values of the same type, of any kind.
NodeId Lowering::same(const Leaves& a, const Leaves& b) {
    NodeId all = b_.boolean(true);
    for (std::size_t k = 0; k < a.size(); ++k)
        all = b_.all_of(all, b_.operation(Op::equal, {1, false}, a[k], b[k]));
    return all;
}

Lowering::Leaves Lowering::absolute(const BoundExpr& x) {
    const Type& of = *type_of(x);
    if (of.is_wide()) {
        WideBuilder wide{b_};
        const Bits bits = bits_of(leaves(x), of);
        return wide.select(wide.is_negative(bits), wide.negate(bits), bits).words;
    }
    const Scalar type = Scalar::of(of);
    const NodeId value = leaves(x)[0];
    const NodeId negative = b_.operation(Op::less, {1, false}, value, b_.constant(type, 0));
    return {b_.select(negative, b_.operation(Op::negate, type, value), value)};
}

Lowering::Leaves Lowering::rotated(const BoundExpr& x, const BoundExpr& by, bool left) {
    const Type& type = *type_of(x);
    const Leaves& value = leaves(x);
    const auto width = static_cast<unsigned>(type.width_bits());
    const Scalar word{64, false};
    NodeId count = by.is_constant()
                       ? b_.constant(word, static_cast<std::uint64_t>(by.low % width))
                       : b_.operation(Op::remainder, word, b_.convert(word, leaves(by)[0]),
                                      b_.constant(word, width));
    if (type.is_wide()) {
        if (!left)
            count = b_.operation(Op::remainder, word,
                                 b_.operation(Op::subtract, word, b_.constant(word, width), count),
                                 b_.constant(word, width));
        return WideBuilder{b_}.rotate_left(bits_of(value, type), count).words;
    }
    const Scalar raw{static_cast<std::uint8_t>(width), false};
    const NodeId bits = b_.convert(raw, value[0]);
    const NodeId rest = b_.operation(Op::subtract, word, b_.constant(word, width), count);
    const NodeId up = b_.operation(Op::shift_left, raw, bits, left ? count : rest);
    const NodeId down = b_.operation(Op::shift_right, raw, bits, left ? rest : count);
    return {b_.convert(Scalar::of(type), b_.operation(Op::bit_or, raw, up, down))};
}

Lowering::Leaves Lowering::bits_function(const BoundExpr& x, Op op) {
    const Type& type = *type_of(x);
    const bool population = op == Op::popcount;
    if (type.is_wide()) {
        WideBuilder wide{b_};
        const Bits bits = bits_of(leaves(x), type);
        return population ? Leaves{wide.popcount(bits)} : wide.bit_reverse(bits).words;
    }
    const NodeId value = leaves(x)[0];
    if (population)
        return {b_.operation(op, {8, false}, value)};
    const Scalar raw{static_cast<std::uint8_t>(type.width_bits()), false};
    return {b_.convert(Scalar::of(type), b_.operation(op, raw, b_.convert(raw, value)))};
}

Lowering::Leaves Lowering::reduced(const BoundExpr& bound) {
    const std::string& name = bound.ast->operands[0]->text;
    if (name == "any" || name == "all") {
        NodeId node = b_.boolean(name == "all");
        for (const BoundRef& term : bound.operands)
            node = name == "all" ? b_.all_of(node, leaves(*term)[0])
                                 : b_.any_of(node, leaves(*term)[0]);
        return {node};
    }
    if (name != "count" && name != "first")
        return combined(bound, name);
    const Scalar type = *scalar_between(bound.low, bound.high);
    const std::size_t count = bound.operands.size();
    const auto number = [&](std::size_t value) { return b_.constant(type, value); };
    if (name == "count") {
        NodeId node = number(0);
        for (const BoundRef& term : bound.operands)
            node = b_.operation(Op::add, type, node, b_.convert(type, leaves(*term)[0]));
        return {node};
    }
    NodeId node = number(count);
    for (std::size_t k = count; k-- > 0;)
        node = b_.select(leaves(*bound.operands[k])[0], number(k), node);
    return {node};
}

/// sum, xor, min and max, from the first term to the last.
Lowering::Leaves Lowering::combined(const BoundExpr& bound, const std::string& name) {
    BoundExpr sum = *bound.operands[0];
    sum.leaves = sum.is_literal() ? Leaves{} : leaves(*bound.operands[0]);
    for (std::size_t k = 1; k < bound.operands.size(); ++k)
        sum = joined(name, bound.ast->where, sum, *bound.operands[k]);
    return sum.is_constant() ? Leaves{number(sum, *scalar_between(sum.low, sum.high))} : sum.leaves;
}

/// Returns the sum, the exclusive or, the minimum or the maximum of two values, with its nodes.
BoundExpr Lowering::joined(const std::string& name, const Location& where, const BoundExpr& sum,
                           const BoundExpr& term) {
    BoundExpr next;
    next.type = type_of(sum.is_number() ? term : sum);
    next.form = next.type ? Form::typed : Form::exact;
    if (name == "sum" || name == "xor") {
        const Operator op = name == "sum" ? Operator::add : Operator::bit_xor;
        if (!next.type) {
            const Range range = *compute(op, Range{sum.low, sum.high}, Range{term.low, term.high});
            next.low = range.low;
            next.high = range.high;
        }
        if (!next.is_constant())
            next.leaves = operation(op, where, sum, term);
        return next;
    }
    const bool smaller_first = name == "min";
    const auto less = next.type
                          ? std::nullopt
                          : decided(Operator::less, {sum.low, sum.high}, {term.low, term.high});
    if (less) {
        const bool takes_sum = *less == smaller_first;
        next = takes_sum ? sum : term;
        next.leaves = next.is_constant() || takes_sum ? sum.leaves : leaves(term);
        return next;
    }
    const NodeId condition = operation(Operator::less, where, sum, term)[0];
    next.low = std::min(sum.low, term.low);
    next.high = std::max(sum.high, term.high);
    const Leaves a = leaves_for(sum, next), b = leaves_for(term, next);
    next.leaves = smaller_first ? select(condition, a, b) : select(condition, b, a);
    return next;
}

} // namespace sme::expr
