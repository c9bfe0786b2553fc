// SPDX-License-Identifier: Apache-2.0
//
// Indexing in brackets: bits of integers, elements of arrays, memories and families. A constant
// index is checked here; any other index becomes a node with a check.
#include <algorithm>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "expr/typing/elaborator.hpp"

namespace sme::expr {

std::optional<Elaborator::Index> Elaborator::index(const Value& value, std::int64_t low,
                                                   std::uint64_t count, const Location& where) {
    const Integer first = low;
    const Integer end = first + static_cast<Integer>(count);
    Index found;
    if (value.kind == Value::Kind::long_number) {
        fail(Code::bad_index, where,
             fmt::format("the index is {}, but must be {} to {}", number_text(value),
                         to_string(first), to_string(end - 1)));
        return std::nullopt;
    }
    if (value.is_constant()) {
        if (value.low < first || value.low >= end) {
            fail(Code::bad_index, where,
                 fmt::format("the index is {}, but must be {} to {}", to_string(value.low),
                             to_string(first), to_string(end - 1)));
            return std::nullopt;
        }
        found.constant = static_cast<std::uint64_t>(value.low - first);
        found.node = builder_.constant({64, false}, *found.constant);
        found.outside = builder_.boolean(false);
        return found;
    }
    Integer lowest = value.low, highest = value.high;
    NodeId node = value.node;
    if (value.kind == Value::Kind::typed) {
        if (value.type->kind() != TypeKind::unsigned_integer) {
            fail(Code::bad_index, where,
                 fmt::format("an index has an unsigned type, but this is {}{}", value.type->name(),
                             value.type->is_signed() || value.type->kind() == TypeKind::enumeration
                                 ? fmt::format("; write u{}(...)", value.type->width_bits())
                                 : std::string{}));
            return std::nullopt;
        }
        node = value.type->is_wide() ? count_node(value) : value.leaves[0];
        lowest = 0;
        highest = largest(builder_.type(node).width_bits, false);
    } else if (!value.is_exact()) {
        fail(Code::bad_index, where,
             fmt::format("an index is an integer, but this is {}", describe_type(value)));
        return std::nullopt;
    }
    const Scalar word{64, true};
    NodeId wide = builder_.convert(word, node);
    found.outside = builder_.boolean(false);
    if (highest >= end || lowest < first) {
        // in unsigned arithmetic, values below the low end are large
        const Scalar bits{64, false};
        wide = builder_.operation(Op::subtract, bits, builder_.convert(bits, node),
                                  builder_.constant(bits, static_cast<std::uint64_t>(low)));
        found.outside =
            builder_.operation(Op::less_equal, {1, false}, builder_.constant(bits, count), wide);
    } else if (low != 0)
        wide = builder_.operation(Op::subtract, word, wide,
                                  builder_.constant(word, static_cast<std::uint64_t>(low)));
    found.node = builder_.convert({64, false}, wide);
    return found;
}

Value Elaborator::element(const Value& base, const std::vector<Value>& indices,
                          const std::vector<Location>& where, const Location& all) {
    if (base.kind == Value::Kind::family)
        return family_element(base, indices, where, all);
    if (base.kind == Value::Kind::memory)
        return memory_element(base, indices, where, all);
    Value current = base;
    for (std::size_t k = 0; k < indices.size(); ++k) {
        const bool is_array =
            current.kind == Value::Kind::constants ||
            (current.kind == Value::Kind::typed && current.type->kind() == TypeKind::array);
        if (is_array)
            current = array_element(current, indices[k], where[k]);
        else if (current.kind == Value::Kind::typed && current.type->is_integer())
            current = bit(current, indices[k], where[k]);
        else
            return fail(Code::bad_index, all,
                        fmt::format("{} has nothing to index", describe_type(current)));
        if (!current.ok())
            return {};
    }
    return current;
}

Value Elaborator::bit(const Value& base, const Value& value, const Location& where) {
    const std::optional<Index> at = index(value, 0, base.type->width_bits(), where);
    if (!at)
        return {};
    NodeId found = no_node;
    if (base.type->is_wide()) {
        found = WideBuilder{builder_}.bit(bits_of(base), at->node);
    } else {
        const Scalar raw{static_cast<std::uint8_t>(base.type->width_bits()), false};
        found = builder_.convert(
            {1, false}, builder_.operation(Op::shift_right, raw,
                                           builder_.convert(raw, base.leaves[0]), at->node));
    }
    return Value::of(Type::boolean(),
                     {builder_.checked(found, at->outside,
                                       {Code::index_fault, where,
                                        fmt::format("a bit outside {}", base.type->name())})});
}

namespace {

std::string outside(std::uint64_t count) {
    return fmt::format("the index is outside 0 to {}", count - 1);
}

} // namespace

Value Elaborator::array_element(const Value& base, const Value& value, const Location& where) {
    const bool constants = base.kind == Value::Kind::constants;
    const Type& type = constants ? *base.constants->type : *base.type;
    const TypeRef& element = type.element();
    const std::optional<Index> at = index(value, 0, type.count(), where);
    if (!at)
        return {};
    const auto each = static_cast<std::size_t>(element->leaf_count());
    if (constants) {
        const ConstantArray& array = *base.constants;
        // an index with a type may be constant too; out of range, it faults when used
        std::optional<std::uint64_t> known = builder_.constant_value(at->node);
        if (known >= type.count())
            known.reset();
        if (known || element->kind() == TypeKind::array) {
            if (!known)
                return array_element(loaded(base, where), value, where);
            auto part = std::make_shared<ConstantArray>();
            part->type = element;
            const auto begin = array.leaves.begin() + static_cast<std::ptrdiff_t>(*known * each);
            part->leaves.assign(begin, begin + static_cast<std::ptrdiff_t>(each));
            Value result;
            result.kind = Value::Kind::constants;
            result.constants = std::move(part);
            return element->kind() == TypeKind::array ? result : loaded(result, where);
        }
        std::vector<std::uint32_t>& tables = builder_.tables_of(base.constants);
        if (tables.empty()) {
            const std::vector<Leaf> places = element->leaves();
            for (std::size_t leaf = 0; leaf < each; ++leaf) {
                Table table{Scalar::of(*places[leaf].type), {}};
                for (std::size_t k = leaf; k < array.leaves.size(); k += each)
                    table.values.push_back(array.leaves[k]);
                tables.push_back(builder_.add_table(std::move(table)));
            }
        }
        std::vector<NodeId> leaves;
        const std::vector<Leaf> places = element->leaves();
        for (std::size_t leaf = 0; leaf < each; ++leaf)
            leaves.push_back(
                builder_.checked(builder_.leaf({Op::table_read, Scalar::of(*places[leaf].type),
                                                at->node, tables[leaf], no_node, 0}),
                                 at->outside, {Code::index_fault, where, outside(type.count())}));
        return Value::of(element, std::move(leaves));
    }
    std::vector<Value> elements;
    const std::uint64_t from = at->constant.value_or(0);
    const std::uint64_t to = at->constant ? from + 1 : type.count();
    for (std::uint64_t k = from; k < to; ++k) {
        const auto begin = base.leaves.begin() + static_cast<std::ptrdiff_t>(k * each);
        elements.push_back(Value::of(element, {begin, begin + static_cast<std::ptrdiff_t>(each)}));
    }
    return pick(elements, *at, where);
}

/// Returns the candidate that an index selects: a tree of selects over the bits of the index.
Value Elaborator::pick(const std::vector<Value>& candidates, const Index& at,
                       const Location& where) {
    if (at.constant)
        return candidates.size() == 1 ? candidates[0] : candidates[*at.constant];
    std::vector<Value> level = candidates;
    for (unsigned bit = 0; level.size() > 1; ++bit) {
        const NodeId shifted = builder_.operation(Op::shift_right, {64, false}, at.node,
                                                  builder_.constant({64, false}, bit));
        const NodeId odd = builder_.convert({1, false}, shifted);
        std::vector<Value> next;
        for (std::size_t k = 0; k < level.size(); k += 2)
            next.push_back(k + 1 < level.size() ? select(odd, level[k + 1], level[k], where)
                                                : level[k]);
        level = std::move(next);
    }
    Value found = level[0];
    if (found.kind != Value::Kind::typed)
        return found;
    for (NodeId& leaf : found.leaves)
        leaf = builder_.checked(leaf, at.outside,
                                {Code::index_fault, where, outside(candidates.size())});
    return found;
}

/// Resolves the name after the dot in each member.
Value Elaborator::any_member(std::vector<Value> candidates, const Index& at) {
    Value some;
    some.kind = Value::Kind::members;
    const auto members = std::make_shared<Members>();
    members->find = [this, candidates = std::move(candidates), at](const std::string& name,
                                                                   const Location& place) {
        std::vector<Value> found;
        for (const Value& each : candidates) {
            Value value = loaded(each.members->find(name, place), place);
            if (!value.ok())
                return Value{};
            if (value.kind != Value::Kind::typed ||
                (!found.empty() && !(*found[0].type == *value.type)))
                return fail(Code::bad_index, place,
                            value.kind != Value::Kind::typed
                                ? fmt::format("'{}' is no value, so the index before it is a "
                                              "constant",
                                              name)
                                : fmt::format("'{}' is {} in one member and {} in another, so the "
                                              "index before it is a constant",
                                              name, found[0].type->name(), value.type->name()));
            if (!spend(100 * value.leaves.size(), place))
                return Value{};
            found.push_back(std::move(value));
        }
        return pick(found, at, place);
    };
    some.members = members;
    return some;
}

Value Elaborator::family_element(const Value& base, const std::vector<Value>& indices,
                                 const std::vector<Location>& where, const Location& all) {
    const Family& family = *base.family;
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
    std::vector<Value> candidates;
    for (std::uint64_t k = 0; k < total; ++k) {
        candidates.push_back(family.element(k, all));
        if (!candidates.back().ok() || !spend(100 * candidates.back().leaves.size(), all))
            return {};
    }
    Index at;
    at.node = flat_node;
    at.outside = outside_node;
    return candidates[0].kind == Value::Kind::members ? any_member(std::move(candidates), at)
                                                      : pick(candidates, at, all);
}

/// Returns all words of a memory or of a row, as one value.
Value Elaborator::loaded_words(const Value& base, const Location& where) {
    const MemoryRef& memory = *base.memory;
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
                is_row ? builder_.checked(read, memory.outside,
                                          {Code::index_fault, where, outside(memory.rows)})
                       : read);
        }
    }
    Value result = Value::of(type, std::move(leaves));
    result.declared = base.declared;
    result.tree = base.tree;
    return result;
}

Value Elaborator::memory_element(const Value& base, const std::vector<Value>& indices,
                                 const std::vector<Location>& where, const Location& all) {
    const MemoryRef& memory = *base.memory;
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
        Value row = base;
        row.memory = std::make_shared<MemoryRef>(
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
                             outside_node, {Code::index_fault, all, outside(words)}));
    return element(Value::of(memory.element, std::move(leaves)),
                   {indices.begin() + used, indices.end()}, {where.begin() + used, where.end()},
                   all);
}

} // namespace sme::expr
