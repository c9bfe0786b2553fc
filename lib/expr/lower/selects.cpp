// SPDX-License-Identifier: Apache-2.0
//
// Parts of values: elements, bits, slices and fields. An index that is not constant has a check.
#include <algorithm>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "bits/integer.hpp"
#include "expr/lower/lowering.hpp"

namespace sme::expr {

FaultSite index_fault(std::uint64_t count, const Location& where) {
    return {Code::index_fault, where, fmt::format("the index is outside 0 to {}", count - 1)};
}

Lowering::Index Lowering::index(const BoundExpr& value, std::int64_t low, std::uint64_t count) {
    Index found;
    found.outside = b_.boolean(false);
    if (value.is_constant()) {
        found.constant = static_cast<std::uint64_t>(value.low - low);
        found.node = b_.constant({64, false}, *found.constant);
        return found;
    }
    const bool is_wide = !value.is_exact() && type_of(value)->is_wide();
    const NodeId node = is_wide ? this->count(value) : leaves(value)[0];
    const Integer first = low, end = first + static_cast<Integer>(count);
    const Integer lowest = value.is_exact() ? value.low : 0;
    const Integer highest =
        value.is_exact() ? value.high : largest(b_.type(node).width_bits, false);
    const Scalar word{64, true}, bits{64, false};
    NodeId wide = b_.convert(word, node);
    if (highest >= end || lowest < first) {
        // in unsigned arithmetic, values below the low end are large
        wide = b_.operation(Op::subtract, bits, b_.convert(bits, node),
                            b_.constant(bits, static_cast<std::uint64_t>(low)));
        found.outside = b_.operation(Op::less_equal, {1, false}, b_.constant(bits, count), wide);
    } else if (low != 0)
        wide = b_.operation(Op::subtract, word, wide,
                            b_.constant(word, static_cast<std::uint64_t>(low)));
    found.node = b_.convert(bits, wide);
    return found;
}

/// Returns the flat index without any dimension.
Lowering::Index Lowering::flat_start() {
    return {b_.constant({64, false}, 0), b_.boolean(false), {}};
}

/// Returns the flat index of `inner`, one of `count`, within `outer`.
Lowering::Index Lowering::nested(const Index& outer, const Index& inner, std::uint64_t count) {
    const Scalar word{64, false};
    const NodeId first = b_.operation(Op::multiply, word, outer.node, b_.constant(word, count));
    return {b_.operation(Op::add, word, first, inner.node),
            b_.any_of(outer.outside, inner.outside),
            {}};
}

/// Returns the rows of a memory that an expression names: all words, unless it is an element.
Lowering::Words Lowering::words_of(const BoundExpr& memory) {
    if (memory.kind != BoundExpr::Kind::element)
        return {flat_start()};
    return words_at(*memory.operands[0], std::span{memory.operands}.subspan(1));
}

/// Returns the row or the word at indices, of which there may be more than dimensions.
Lowering::Words Lowering::words_at(const BoundExpr& memory, std::span<const BoundRef> indices) {
    const std::vector<std::uint64_t>& dimensions = memory.memory()->dimensions;
    Words result = words_of(memory);
    for (std::size_t d = 0; d < std::min(indices.size(), dimensions.size()); ++d) {
        result.at = nested(result.at, index(*indices[d], 0, dimensions[d]), dimensions[d]);
        result.of *= dimensions[d];
    }
    return result;
}

/// Returns all words of a memory, or of a row, with checks if `where` is not null.
Lowering::Leaves Lowering::loaded(const MemoryRef& memory, const Words& from,
                                  const Location* where) {
    if (where && b_.constant_value(from.at.outside) == std::uint64_t{0})
        where = nullptr;
    const Scalar word{64, false};
    std::uint64_t count = 1;
    for (const std::uint64_t dimension : memory.dimensions)
        count *= dimension;
    const NodeId first = b_.operation(Op::multiply, word, from.at.node, b_.constant(word, count));
    const std::vector<Leaf> places = memory.element->leaves();
    Leaves result;
    for (std::uint64_t k = 0; k < count; ++k) {
        const NodeId at = b_.operation(Op::add, word, first, b_.constant(word, k));
        for (const Leaf& leaf : places) {
            const NodeId read = b_.leaf(
                {Op::memory_read, Scalar::of(*leaf.type), at, memory.memory, no_node, leaf.offset});
            result.push_back(where ? b_.checked(read, from.at.outside, index_fault(from.of, *where))
                                   : read);
        }
    }
    return result;
}

/// Returns the flat index of a member of a family.
Lowering::Index Lowering::family_index(const BoundExpr& element) {
    const Family& family = *element.operands[0]->family();
    Index result = flat_start();
    for (std::size_t d = 0; d < family.counts.size(); ++d)
        result = nested(result, index(*element.operands[d + 1], family.lows[d], family.counts[d]),
                        family.counts[d]);
    return result;
}

/// Returns the candidate for the selected member of a family.
Lowering::Leaves Lowering::candidate(const BoundExpr& bound) {
    std::vector<Leaves> candidates;
    for (const BoundRef& each : bound.details->candidates)
        candidates.push_back(leaves(*each));
    return pick(candidates, family_index(*bound.details->member), bound.ast->where);
}

Lowering::Leaves Lowering::element(const BoundExpr& bound) {
    const Location& where = bound.ast->where;
    if (!bound.more().candidates.empty())
        return candidate(bound);
    if (bound.memory()) // a row
        return loaded(*bound.memory(), words_of(bound), &where);
    const BoundExpr& base = *bound.operands[0];
    const Indices indices{std::span{bound.operands}.subspan(1),
                          std::span{bound.ast->operands}.subspan(1)};
    if (base.form == Form::constants) {
        std::size_t used = 0;
        TypeRef type;
        const Leaves part = constant_element(base.constants(), indices, used, type);
        return elements(part, type, indices.from(used));
    }
    if (base.form == Form::memory) {
        const MemoryRef word{base.memory()->memory, base.memory()->element, {}};
        const Leaves part = loaded(word, words_at(base, indices.values), &where);
        return elements(part, word.element, indices.from(base.memory()->dimensions.size()));
    }
    return elements(leaves(base), base.type, indices);
}

Lowering::Leaves Lowering::elements(std::span<const NodeId> base, TypeRef type,
                                    const Indices& indices) {
    if (indices.size() == 0)
        return {base.begin(), base.end()};
    Leaves result; // of the last index
    for (std::size_t k = 0; k < indices.size(); ++k) {
        const bool is_array = type->kind() == TypeKind::array;
        const Location& where = indices.texts[k]->where;
        const Index at =
            index(*indices.values[k], 0, is_array ? type->count() : type->width_bits());
        result =
            is_array ? array_element(base, *type, at, where) : Leaves{bit(base, *type, at, where)};
        base = result;
        type = is_array ? type->element() : Type::boolean();
    }
    return result;
}

NodeId Lowering::bit(std::span<const NodeId> base, const Type& type, const Index& at,
                     const Location& where) {
    NodeId found = no_node;
    if (type.is_wide())
        found = WideBuilder{b_}.bit(bits_of({base.begin(), base.end()}, type), at.node);
    else {
        const Scalar raw{static_cast<std::uint8_t>(type.width_bits()), false};
        found = b_.convert({1, false},
                           b_.operation(Op::shift_right, raw, b_.convert(raw, base[0]), at.node));
    }
    if (b_.constant_value(at.outside) == std::uint64_t{0}) // it never faults
        return found;
    return b_.checked(found, at.outside,
                      {Code::index_fault, where, fmt::format("a bit outside {}", type.name())});
}

Lowering::Leaves Lowering::array_element(std::span<const NodeId> base, const Type& type,
                                         const Index& at, const Location& where) {
    const auto each = static_cast<std::size_t>(type.element()->leaf_count());
    const auto candidate = [&](std::uint64_t k) {
        const std::span<const NodeId> part = base.subspan(static_cast<std::size_t>(k) * each, each);
        return Leaves{part.begin(), part.end()};
    };
    if (at.constant)
        return candidate(*at.constant);
    std::vector<Leaves> candidates;
    for (std::uint64_t k = 0; k < type.count(); ++k)
        candidates.push_back(candidate(k));
    return pick(candidates, at, where);
}

/// Uses indices up to the first one that is not known, for which it reads tables, one for each
/// scalar of an element. Returns the number of used indices and the type of the result.
Lowering::Leaves Lowering::constant_element(std::shared_ptr<const ConstantArray> array,
                                            const Indices& indices, std::size_t& used,
                                            TypeRef& type) {
    Index at;
    bool known = true;
    while (known && used < indices.size() && array->type->kind() == TypeKind::array) {
        at = index(*indices.values[used], 0, array->type->count());
        // an index with a type may be constant too; out of range, it faults when used
        const auto constant = b_.constant_value(at.node);
        known = constant && *constant < array->type->count();
        if (known) {
            array = part_of(*array, *constant);
            ++used;
        }
    }
    type = array->type;
    if (known || type->element()->kind() == TypeKind::array)
        return constants(*array);
    const std::vector<Leaf> places = type->element()->leaves();
    std::vector<std::uint32_t>& tables = b_.tables_of(array);
    for (std::size_t leaf = tables.size(); leaf < places.size(); ++leaf) {
        Table table{Scalar::of(*places[leaf].type), {}};
        for (std::size_t k = leaf; k < array->leaves.size(); k += places.size())
            table.values.push_back(array->leaves[k]);
        tables.push_back(b_.add_table(std::move(table)));
    }
    Leaves result;
    for (std::size_t leaf = 0; leaf < places.size(); ++leaf)
        result.push_back(b_.checked(b_.leaf({Op::table_read, Scalar::of(*places[leaf].type),
                                             at.node, tables[leaf], no_node, 0}),
                                    at.outside,
                                    index_fault(type->count(), indices.texts[used]->where)));
    ++used;
    type = type->element();
    return result;
}

/// A tree of selects over the bits of the index.
Lowering::Leaves Lowering::pick(const std::vector<Leaves>& candidates, const Index& at,
                                const Location& where) {
    std::vector<Leaves> level = candidates;
    const Scalar word{64, false};
    for (unsigned bit = 0; level.size() > 1; ++bit) {
        const NodeId odd = b_.convert(
            {1, false}, b_.operation(Op::shift_right, word, at.node, b_.constant(word, bit)));
        std::vector<Leaves> next;
        for (std::size_t k = 0; k < level.size(); k += 2)
            next.push_back(k + 1 < level.size() ? select(odd, level[k + 1], level[k]) : level[k]);
        level = std::move(next);
    }
    for (NodeId& leaf : level[0])
        leaf = b_.checked(leaf, at.outside, index_fault(candidates.size(), where));
    return level[0];
}

Lowering::Leaves Lowering::field(const BoundExpr& bound) {
    const BoundExpr& base = *bound.operands[0];
    if (!bound.more().candidates.empty())
        return candidate(bound);
    const Type& type = *type_of(base);
    std::size_t first = 0;
    const auto position = static_cast<std::size_t>(type.find_field(bound.ast->text));
    for (std::size_t k = 0; k < position; ++k)
        first += type.fields()[k].type->leaf_count();
    const auto begin = leaves(base).begin() + static_cast<std::ptrdiff_t>(first);
    return {begin, begin + static_cast<std::ptrdiff_t>(type.fields()[position].type->leaf_count())};
}

Lowering::Leaves Lowering::slice(const BoundExpr& bound) {
    const BoundExpr& base = *bound.operands[0];
    const auto low = static_cast<unsigned>(bound.operands[2]->low);
    return integer_of(WideBuilder{b_}.slice(bits_of(leaves(base), *type_of(base)), low,
                                            static_cast<unsigned>(bound.type->width_bits())),
                      *bound.type);
}

} // namespace sme::expr
