// SPDX-License-Identifier: Apache-2.0
#include "expr/lower/lowering.hpp"

#include <algorithm>
#include <cstdlib>

#include "bits/integer.hpp"

namespace sme::expr {

const Lowering::Leaves& Lowering::leaves(const BoundExpr& bound) {
    if (bound.leaves.empty())
        bound.leaves = made(bound);
    return bound.leaves;
}

Lowering::Leaves Lowering::made(const BoundExpr& bound) {
    using Kind = BoundExpr::Kind;
    switch (bound.kind) {
    case Kind::leaf: return leaf(bound);
    case Kind::unary: return unary(bound);
    case Kind::binary:
        return is_logical(bound.ast->op) ? logical(bound)
                                         : operation(bound.ast->op, bound.ast->where,
                                                     *bound.operands[0], *bound.operands[1]);
    case Kind::element: return element(bound);
    case Kind::slice: return slice(bound);
    case Kind::field: return field(bound);
    case Kind::choice: return choice(bound);
    case Kind::match: return match(bound);
    case Kind::fit: return leaves_as(*bound.operands[0], *bound.type);
    case Kind::cast: return cast(bound);
    case Kind::call: return call(bound);
    case Kind::construct:
    case Kind::record:
    case Kind::array: return construct(bound);
    case Kind::reduced: return reduced(bound);
    default: std::abort(); // its nodes were made when it was bound
    }
}

/// A name that is neither a constant nor a memory has nodes already.
Lowering::Leaves Lowering::leaf(const BoundExpr& bound) {
    if (bound.constants())
        return constants(*bound.constants());
    if (bound.memory())
        return loaded(*bound.memory(), words_of(bound), nullptr);
    if (bound.is_constant())
        return {number(bound, scalar_between(bound.low, bound.high).value_or(Scalar{64, true}))};
    return {b_.constant(Scalar::of(*bound.type), bound.known.value())};
}

Lowering::Leaves Lowering::constants(const ConstantArray& array) {
    Leaves result;
    const std::vector<Leaf> places = array.type->leaves();
    for (std::size_t k = 0; k < places.size(); ++k)
        result.push_back(b_.constant(Scalar::of(*places[k].type), array.leaves[k]));
    return result;
}

NodeId Lowering::number(const BoundExpr& bound, Scalar type) {
    return bound.is_constant() ? b_.constant(type, static_cast<std::uint64_t>(bound.low))
                               : b_.convert(type, leaves(bound)[0]);
}

NodeId Lowering::scalar_as(const BoundExpr& bound, const Type& type) {
    if (!bound.is_number())
        return leaves(bound)[0];
    return bound.is_exact() ? number(bound, Scalar::of(type))
                            : b_.constant(Scalar::of(type), bound.words()->front());
}

Lowering::Leaves Lowering::leaves_as(const BoundExpr& bound, const Type& type) {
    if (!bound.is_number())
        return leaves(bound);
    if (!type.is_wide())
        return {scalar_as(bound, type)};
    const auto width = static_cast<unsigned>(type.width_bits());
    WideBuilder wide{b_};
    if (!bound.is_exact())
        return wide.constant(width, *bound.words()).words;
    if (bound.is_constant())
        return wide.constant(width, integer_words(bound.low, width)).words;
    const NodeId node = leaves(bound)[0];
    return wide.resize(wide.of(node), width, b_.type(node).is_signed).words;
}

Lowering::Leaves Lowering::leaves_for(const BoundExpr& value, const BoundExpr& result) {
    return result.type ? leaves_as(value, *result.type)
                       : Leaves{number(value, *scalar_between(result.low, result.high))};
}

Bits Lowering::bits_of(const Leaves& leaves, const Type& type) {
    if (type.is_wide())
        return {static_cast<unsigned>(type.width_bits()), leaves};
    return WideBuilder{b_}.of(leaves[0]);
}

Lowering::Leaves Lowering::integer_of(const Bits& bits, const Type& type) {
    if (type.is_wide())
        return bits.words;
    return {b_.convert(Scalar::of(type), bits.words[0])};
}

Lowering::Leaves Lowering::select(NodeId condition, const Leaves& yes, const Leaves& no) {
    Leaves result;
    for (std::size_t k = 0; k < yes.size(); ++k)
        result.push_back(yes[k] == no[k] ? yes[k] : b_.select(condition, yes[k], no[k]));
    return result;
}

/// From the last arm to the first: each select contains the arms after it.
Lowering::Leaves Lowering::choice(const BoundExpr& bound) {
    Leaves result = leaves_for(*bound.operands.back(), bound);
    for (std::size_t k = bound.operands.size() - 1; k > 0; k -= 2)
        result = select(leaves(*bound.operands[k - 2])[0],
                        leaves_for(*bound.operands[k - 1], bound), result);
    return result;
}

} // namespace sme::expr
