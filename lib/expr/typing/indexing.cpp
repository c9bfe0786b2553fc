// SPDX-License-Identifier: Apache-2.0
//
// Indexing in brackets: bits of integers, elements of arrays, memories and families. A constant
// index is checked here; any other index is checked in each cycle.
#include <algorithm>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "expr/typing/elaborator.hpp"

namespace sme::expr {

std::string bits_advice(const BoundExpr& value) {
    return value.form == Form::typed && value.type->is_fixed()
               ? fmt::format("; write u{}(...)[...] for its bits", value.type->width_bits())
               : std::string{};
}

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
    return (value.type->is_integer() && !value.type->is_signed()) ||
           refuse(fmt::format("an index has an unsigned type, but this is {}{}", value.type->name(),
                              value.type->is_numeric() || kind == TypeKind::enumeration
                                  ? fmt::format("; write u{}(...)", value.type->width_bits())
                                  : std::string{}));
}

BoundExpr Elaborator::element(const BoundExpr& base, const std::vector<BoundExpr>& indices,
                              const std::vector<Location>& where, const Location& all) {
    if (base.form == Form::family)
        return family_element(base, indices, where, all);
    if (base.form == Form::memory)
        return memory_element(base, indices, where);
    BoundExpr current; // the caller adds the expression of the whole
    current.form = base.form;
    current.type = base.type;
    current.what = base.what;
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
                        fmt::format("{} has nothing to index{}", describe_type(current),
                                    bits_advice(current)));
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

/// Returns the candidate for the selected member of a family; all have types.
BoundExpr Elaborator::picked(std::vector<BoundExpr> candidates, BoundRef member,
                             const Location& where) {
    for (const BoundExpr& each : candidates)
        if (!selected(std::nullopt, each, candidates[0], where).ok())
            return {};
    BoundExpr result = BoundExpr::of(candidates[0].type);
    BoundDetails details;
    details.candidates = operands_of_all(std::move(candidates));
    details.member = std::move(member);
    result.details = std::make_shared<const BoundDetails>(std::move(details));
    return result;
}

/// Resolves the name after the dot in each member.
BoundExpr Elaborator::any_member(std::vector<BoundExpr> candidates, BoundRef member) {
    const auto members = std::make_shared<Members>();
    members->find = [this, candidates = std::move(candidates),
                     member = std::move(member)](const std::string& name, const Location& place) {
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
            if (!spend(100 * value.type->leaf_count(), place))
                return BoundExpr{};
            found.push_back(std::move(value));
        }
        return picked(std::move(found), member, place);
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
    for (std::size_t d = 0; d < indices.size(); ++d) {
        if (!check_index(indices[d], family.lows[d], family.counts[d], where[d]))
            return {};
        total *= family.counts[d];
        constant = constant && indices[d].is_constant();
        if (constant)
            flat = flat * family.counts[d] +
                   static_cast<std::uint64_t>(indices[d].low - Integer{family.lows[d]});
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
        const TypeRef& type = candidates.back().type;
        if (!candidates.back().ok() || !spend(type ? 100 * type->leaf_count() : 0, all))
            return {};
    }
    BoundExpr element;
    element.kind = BoundExpr::Kind::element;
    element.operands = operands_of_all(indices);
    element.operands.insert(element.operands.begin(), operand(base));
    const auto member = std::make_shared<const BoundExpr>(std::move(element));
    return candidates[0].form == Form::members ? any_member(std::move(candidates), member)
                                               : picked(std::move(candidates), member, all);
}

/// Returns all words of a memory or of a row, as one value.
BoundExpr Elaborator::loaded_words(BoundExpr base, const Location& where) {
    const MemoryRef& memory = *base.memory();
    TypeRef type = memory.element;
    for (std::size_t d = memory.dimensions.size(); d-- > 0;)
        type = Type::array(type, memory.dimensions[d]);
    if (type->leaf_count() > max_leaves)
        return fail(Code::too_large, where,
                    fmt::format("this memory has {} scalars, but a value can have {}; index it",
                                type->leaf_count(), max_leaves));
    base.form = Form::typed;
    base.type = type;
    return base;
}

BoundExpr Elaborator::memory_element(const BoundExpr& base, const std::vector<BoundExpr>& indices,
                                     const std::vector<Location>& where) {
    const MemoryRef& memory = *base.memory();
    const std::size_t given = std::min(indices.size(), memory.dimensions.size());
    for (std::size_t d = 0; d < given; ++d)
        if (!check_index(indices[d], 0, memory.dimensions[d], where[d]))
            return {};
    const auto used = static_cast<std::ptrdiff_t>(given);
    if (given == memory.dimensions.size())
        return element(BoundExpr::of(memory.element), {indices.begin() + used, indices.end()},
                       {where.begin() + used, where.end()}, where.back());
    BoundExpr row = base;
    row.what = std::make_shared<const MemoryRef>(
        MemoryRef{memory.memory,
                  memory.element,
                  {memory.dimensions.begin() + used, memory.dimensions.end()}});
    return row;
}

} // namespace sme::expr
