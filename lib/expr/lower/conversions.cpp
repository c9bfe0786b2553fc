// SPDX-License-Identifier: Apache-2.0
//
// Conversions from one type to another, structs and arrays from their parts.
#include <algorithm>

#include "expr/lower/lowering.hpp"

namespace sme::expr {

namespace {

/// Calls visit(scalar type, number of its first leaf) for each scalar from the leftmost to the
/// rightmost: the first field leftmost, element 0 rightmost.
template <class Visit> void from_left(const Type& type, std::size_t first, Visit& visit) {
    if (type.is_scalar())
        return visit(type, first);
    if (type.kind() == TypeKind::structure)
        for (const Field& field : type.fields()) {
            from_left(*field.type, first, visit);
            first += field.type->leaf_count();
        }
    else
        for (std::uint64_t k = type.count(); k-- > 0;)
            from_left(*type.element(), first + k * type.element()->leaf_count(), visit);
}

} // namespace

Bits Lowering::packed(const Leaves& leaves, const Type& type) {
    WideBuilder wide{b_};
    std::vector<Bits> parts;
    const auto collect = [&](const Type& scalar, std::size_t first) {
        const auto begin = leaves.begin() + static_cast<std::ptrdiff_t>(first);
        parts.push_back(
            scalar.is_wide()
                ? Bits{static_cast<unsigned>(scalar.width_bits()),
                       {begin, begin + static_cast<std::ptrdiff_t>(scalar.leaf_count())}}
                : wide.of(*begin));
    };
    from_left(type, 0, collect);
    return wide.joined(parts);
}

Lowering::Leaves Lowering::unpacked(const Bits& bits, const Type& type) {
    WideBuilder wide{b_};
    Leaves leaves(type.leaf_count());
    unsigned at = bits.width;
    const auto cut = [&](const Type& part, std::size_t first) {
        const auto width = static_cast<unsigned>(part.width_bits());
        at -= width;
        const Bits found = wide.slice(bits, at, width);
        for (std::size_t k = 0; k < found.words.size(); ++k)
            leaves[first + k] =
                part.is_wide() ? found.words[k] : b_.convert(Scalar::of(part), found.words[k]);
    };
    from_left(type, 0, cut);
    return leaves;
}

Lowering::Leaves Lowering::cast(const BoundExpr& bound) {
    const BoundExpr& of = *bound.operands[0];
    const Type& type = *bound.type;
    if (of.is_number())
        return leaves_as(of, type);
    const Type& from = *type_of(of);
    const Leaves& value = leaves(of);
    if (!type.is_numeric() || !from.is_scalar() || from.kind() == TypeKind::enumeration)
        return unpacked(packed(value, from), type);
    if (!type.is_wide() && !from.is_wide())
        return {b_.convert(Scalar::of(type), value[0])};
    return integer_of(WideBuilder{b_}.resize(bits_of(value, from),
                                             static_cast<unsigned>(type.width_bits()),
                                             from.is_signed()),
                      type);
}

namespace {

/// Returns the type of the numbers in an array, which may have several dimensions.
const Type& element_of(const Type& array) {
    const Type* type = &array;
    while (type->kind() == TypeKind::array)
        type = type->element().get();
    return *type;
}

} // namespace

/// A struct or an array from its parts; a missing field is unchanged, or zero.
Lowering::Leaves Lowering::construct(const BoundExpr& bound) {
    Leaves result;
    const bool changes = bound.kind == BoundExpr::Kind::construct;
    const auto zeros = [&](const Type& type) {
        for (const Leaf& leaf : type.leaves())
            result.push_back(b_.constant(Scalar::of(*leaf.type), 0));
    };
    const bool is_struct = bound.kind != BoundExpr::Kind::array;
    const Type& element = element_of(*bound.type);
    const BoundRef changed = changes ? bound.operands[0] : nullptr;
    const std::size_t first = changes ? 1 : 0;
    std::size_t at = 0; // the first scalar of a field
    for (std::size_t k = first; k < bound.operands.size(); ++k) {
        const Type& type = is_struct ? *bound.type->fields()[k - first].type : element;
        if (const BoundRef& part = bound.operands[k]) {
            const Leaves leaves = leaves_as(*part, type);
            result.insert(result.end(), leaves.begin(), leaves.end());
        } else if (changed) {
            const auto begin = leaves(*changed).begin() + static_cast<std::ptrdiff_t>(at);
            result.insert(result.end(), begin,
                          begin + static_cast<std::ptrdiff_t>(type.leaf_count()));
        } else
            zeros(type);
        at += static_cast<std::size_t>(type.leaf_count());
    }
    return result;
}

} // namespace sme::expr
