// SPDX-License-Identifier: Apache-2.0
//
// Indexing in brackets: bits of integers, elements of arrays, memories and families. A constant
// index is checked here; any other index becomes a node with a check.
#include <algorithm>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "expr/typing/elaborator.hpp"

namespace sme::expr {

bool Elaborator::check_index(const BoundExpr& value, std::int64_t low, std::uint64_t count,
                             const Location& where) {
    const Integer first = low;
    const Integer end = first + static_cast<Integer>(count);
    const auto refuse = [&](std::string message) {
        fail(Code::bad_index, where, std::move(message));
        return false;
    };
    if (value.form == Form::long_number ||
        (value.is_constant() && (value.low < first || value.low >= end)))
        return refuse(fmt::format("the index is {}, but must be {} to {}", number_text(value),
                                  to_string(first), to_string(end - 1)));
    if (value.is_exact())
        return true;
    if (value.form != Form::typed)
        return refuse(fmt::format("an index is an integer, but this is {}", describe_type(value)));
    const TypeKind kind = value.type->kind();
    return kind == TypeKind::unsigned_integer ||
           refuse(fmt::format("an index has an unsigned type, but this is {}{}", value.type->name(),
                              value.type->is_signed() || kind == TypeKind::enumeration
                                  ? fmt::format("; write u{}(...)", value.type->width_bits())
                                  : std::string{}));
}

BoundExpr Elaborator::element(const BoundExpr& base, const std::vector<BoundExpr>& indices,
                              const std::vector<Location>& where, const Location& all) {
    if (base.form == Form::family)
        return family_element(base, indices, where, all);
    if (base.form == Form::memory)
        return memory_element(base, indices, where, all);
    BoundExpr current; // the caller adds the expression of the whole
    current.form = base.form;
    current.type = base.type;
    current.what = base.what;
    current.declared = base.declared;
    for (std::size_t k = 0; k < indices.size(); ++k) {
        const bool is_array =
            current.form == Form::constants ||
            (current.form == Form::typed && current.type->kind() == TypeKind::array);
        if (is_array)
            current = array_element(current, indices[k], where[k]);
        else if (current.form == Form::typed && current.type->is_integer())
            current = bit(current, indices[k], where[k]);
        else
            return fail(Code::bad_index, all,
                        fmt::format("{} has nothing to index", describe_type(current)));
        if (!current.ok())
            return {};
    }
    return current;
}

BoundExpr Elaborator::bit(const BoundExpr& base, const BoundExpr& index, const Location& where) {
    return check_index(index, 0, base.type->width_bits(), where) ? BoundExpr::of(Type::boolean())
                                                                 : BoundExpr{};
}

BoundExpr Elaborator::array_element(const BoundExpr& base, const BoundExpr& value,
                                    const Location& where) {
    const bool constants = base.form == Form::constants;
    const Type& type = constants ? *base.constants()->type : *base.type;
    const TypeRef& element = type.element();
    if (!check_index(value, 0, type.count(), where))
        return {};
    if (!constants)
        return BoundExpr::of(element);
    // an index with a type may be constant too; out of range, it faults when used
    std::optional<std::uint64_t> at;
    if (!value.is_exact())
        at = known(value);
    else if (value.is_constant())
        at = static_cast<std::uint64_t>(value.low);
    if (!at || *at >= type.count()) {
        const bool fits = element->kind() != TypeKind::array || read(base, where).ok();
        return fits ? BoundExpr::of(element) : BoundExpr{};
    }
    const BoundExpr result{Form::constants, part_of(*base.constants(), *at)};
    return element->kind() == TypeKind::array ? result : read(result, where);
}

/// Returns the candidate that an index selects; all have types.
BoundExpr Elaborator::picked(const std::vector<BoundExpr>& candidates, const Index& at,
                             const Location& where) {
    std::vector<Lowering::Leaves> leaves;
    for (const BoundExpr& each : candidates) {
        if (!selected(std::nullopt, each, candidates[0], where).ok())
            return {};
        leaves.push_back(lowered(each).leaves);
    }
    return BoundExpr::of(candidates[0].type, lower_.pick(leaves, at, where));
}

/// Resolves the name after the dot in each member.
BoundExpr Elaborator::any_member(std::vector<BoundExpr> candidates, const Index& at) {
    const auto members = std::make_shared<Members>();
    members->find = [this, candidates = std::move(candidates), at](const std::string& name,
                                                                   const Location& place) {
        std::vector<BoundExpr> found;
        for (const BoundExpr& each : candidates) {
            BoundExpr value = loaded(each.members()->find(name, place), place);
            if (!value.ok())
                return BoundExpr{};
            if (value.form != Form::typed || (!found.empty() && !(*found[0].type == *value.type)))
                return fail(Code::bad_index, place,
                            value.form != Form::typed
                                ? fmt::format("'{}' is no value, so the index before it is a "
                                              "constant",
                                              name)
                                : fmt::format("'{}' is {} in one member and {} in another, so the "
                                              "index before it is a constant",
                                              name, found[0].type->name(), value.type->name()));
            if (!spend(100 * value.leaves.size(), place))
                return BoundExpr{};
            found.push_back(std::move(value));
        }
        return picked(found, at, place);
    };
    return {Form::members, members};
}

BoundExpr Elaborator::family_element(const BoundExpr& base, const std::vector<BoundExpr>& indices,
                                     const std::vector<Location>& where, const Location& all) {
    const Family& family = *base.family();
    if (indices.size() != family.counts.size())
        return fail(Code::bad_index, all,
                    fmt::format("this family has {} ind{}, but {} {} given", family.counts.size(),
                                family.counts.size() == 1 ? "ex" : "ices", indices.size(),
                                indices.size() == 1 ? "is" : "are"));
    std::uint64_t total = 1, flat = 0;
    bool constant = true;
    NodeId flat_node = builder_.constant({64, false}, 0);
    NodeId outside_node = builder_.boolean(false);
    for (std::size_t d = 0; d < indices.size(); ++d) {
        const std::optional<Index> at =
            index(indices[d], family.lows[d], family.counts[d], where[d]);
        if (!at)
            return {};
        total *= family.counts[d];
        constant = constant && at->constant.has_value();
        flat = flat * family.counts[d] + at->constant.value_or(0);
        const Scalar word{64, false};
        flat_node =
            builder_.operation(Op::add, word,
                               builder_.operation(Op::multiply, word, flat_node,
                                                  builder_.constant(word, family.counts[d])),
                               at->node);
        outside_node = builder_.any_of(outside_node, at->outside);
    }
    if (constant)
        return family.element(flat, all);
    constexpr std::uint64_t most = 4096;
    if (total > most)
        return fail(Code::too_large, all,
                    fmt::format("an index that is not constant chooses among at most {} {}s, but "
                                "there are {}",
                                most, family.what, total));
    std::vector<BoundExpr> candidates;
    for (std::uint64_t k = 0; k < total; ++k) {
        candidates.push_back(family.element(k, all));
        if (!candidates.back().ok() || !spend(100 * candidates.back().leaves.size(), all))
            return {};
    }
    Index at;
    at.node = flat_node;
    at.outside = outside_node;
    return candidates[0].form == Form::members ? any_member(std::move(candidates), at)
                                               : picked(candidates, at, all);
}

/// Returns all words of a memory or of a row, as one value.
BoundExpr Elaborator::loaded_words(const BoundExpr& base, const Location& where) {
    const MemoryRef& memory = *base.memory();
    std::uint64_t words = 1;
    TypeRef type = memory.element;
    for (std::size_t d = memory.dimensions.size(); d-- > 0;) {
        words *= memory.dimensions[d];
        type = Type::array(type, memory.dimensions[d]);
    }
    if (type->leaf_count() > max_leaves)
        return fail(Code::too_large, where,
                    fmt::format("this memory has {} scalars, but a value can have {}; index it",
                                type->leaf_count(), max_leaves));
    const Scalar word{64, false};
    const bool is_row = memory.row != no_node;
    const NodeId first =
        is_row ? builder_.operation(Op::multiply, word, memory.row, builder_.constant(word, words))
               : builder_.constant(word, 0);
    const std::vector<Leaf> places = memory.element->leaves();
    std::vector<NodeId> leaves;
    for (std::uint64_t k = 0; k < words; ++k) {
        const NodeId at = builder_.operation(Op::add, word, first, builder_.constant(word, k));
        for (const Leaf& leaf : places) {
            const NodeId read = builder_.leaf(
                {Op::memory_read, Scalar::of(*leaf.type), at, memory.memory, no_node, leaf.offset});
            leaves.push_back(
                is_row ? builder_.checked(read, memory.outside, index_fault(memory.rows, where))
                       : read);
        }
    }
    BoundExpr result = base;
    result.form = Form::typed;
    result.type = type;
    result.what = {};
    result.leaves = std::move(leaves);
    return result;
}

BoundExpr Elaborator::memory_element(const BoundExpr& base, const std::vector<BoundExpr>& indices,
                                     const std::vector<Location>& where, const Location& all) {
    const MemoryRef& memory = *base.memory();
    const Scalar word{64, false};
    const std::size_t given = std::min(indices.size(), memory.dimensions.size());
    const bool is_row = memory.row != no_node;
    NodeId flat = is_row ? memory.row : builder_.constant(word, 0);
    NodeId outside_node = is_row ? memory.outside : builder_.boolean(false);
    std::uint64_t words = memory.rows;
    for (std::size_t d = 0; d < given; ++d) {
        const std::optional<Index> at = index(indices[d], 0, memory.dimensions[d], where[d]);
        if (!at)
            return {};
        words *= memory.dimensions[d];
        flat = builder_.operation(Op::add, word,
                                  builder_.operation(Op::multiply, word, flat,
                                                     builder_.constant(word, memory.dimensions[d])),
                                  at->node);
        outside_node = builder_.any_of(outside_node, at->outside);
    }
    const auto used = static_cast<std::ptrdiff_t>(given);
    if (given < memory.dimensions.size()) {
        BoundExpr row = base;
        row.what = std::make_shared<const MemoryRef>(
            MemoryRef{memory.memory,
                      memory.element,
                      {memory.dimensions.begin() + used, memory.dimensions.end()},
                      flat,
                      outside_node,
                      words});
        return row;
    }
    std::vector<NodeId> leaves;
    for (const Leaf& leaf : memory.element->leaves())
        leaves.push_back(
            builder_.checked(builder_.leaf({Op::memory_read, Scalar::of(*leaf.type), flat,
                                            memory.memory, no_node, leaf.offset}),
                             outside_node, index_fault(words, all)));
    const std::vector<BoundExpr> rest{indices.begin() + used, indices.end()};
    const std::vector<Location> rest_where{where.begin() + used, where.end()};
    BoundExpr result = element(BoundExpr::of(memory.element), rest, rest_where, all);
    if (result.ok())
        result.leaves =
            lower_.elements(std::move(leaves), memory.element, operands_of_all(rest), rest_where);
    return result;
}

} // namespace sme::expr
