// SPDX-License-Identifier: Apache-2.0
//
// Facts about a bound expression without its nodes: whether it depends on the run or on a loop,
// whether it may fault, and its value if a part of it decides that.
#include <utility>

#include "expr/typing/elaborator.hpp"

namespace sme::expr {

/// Notes what a value depends on, and whether it may fault.
void Elaborator::note_dependence(BoundExpr& value) const {
    if (value.kind == BoundExpr::Kind::leaf) {
        if (value.named())
            value.depend_on(*value.named());
        value.may_fault = value.may_fault || (value.slot() && value.slot()->is_marked);
        value.in_run = value.in_run || value.slot() || value.index() || value.cycle() ||
                       value.memory() || value.family() || value.members();
        if (value.loop_value())
            value.loops |= loop_bit(*value.loop_value()->loop);
        for (const NodeId leaf : value.leaves) {
            value.in_run = value.in_run || !builder_.constant_value(leaf);
            value.may_fault = value.may_fault || builder_.may_fault(leaf);
        }
        return;
    }
    value.in_run = value.may_fault = false;
    value.loops = 0;
    const BoundDetails& more = value.more();
    if (more.body_here)
        value.depend_on(*more.body_here->value);
    else
        for (const BoundRef& operand : value.operands)
            if (operand)
                value.depend_on(*operand);
    for (const BoundRef& candidate : more.candidates)
        value.depend_on(*candidate);
    if (more.loop) { // its steps are not run before the run
        value.in_run = true;
        value.loops &= ~loop_bit(*more.loop);
    }
    value.may_fault = value.may_fault || faults(value);
}

/// A known value depends on nothing.
void Elaborator::settle(BoundExpr& value) {
    if (!value.known && !value.is_constant())
        return;
    value.in_run = value.may_fault = false;
    value.loops = 0;
}

namespace {

/// Returns true if an index is certainly one of `count` from `low` on.
bool is_within(const BoundExpr& index, Integer low, std::uint64_t count) {
    const Integer end = low + static_cast<Integer>(count);
    if (index.is_exact())
        return index.low >= low && index.high < end;
    if (index.known)
        return static_cast<Integer>(*index.known) >= low &&
               static_cast<Integer>(*index.known) < end;
    const TypeRef& type = type_of(index);
    if (!type || type->is_wide() || !type->is_integer())
        return false;
    const Scalar scalar = Scalar::of(*type);
    return smallest(scalar.width_bits, scalar.is_signed) >= low &&
           largest(scalar.width_bits, scalar.is_signed) < end;
}

/// Returns true if the index of an element or a bit may be out of range.
bool may_miss(const BoundExpr& element) {
    const BoundExpr& base = *element.operands[0];
    std::vector<std::pair<Integer, std::uint64_t>> ranges; // low end and length
    TypeRef type = type_of(base);
    if (const auto& family = base.family())
        for (std::size_t d = 0; d < family->counts.size(); ++d)
            ranges.emplace_back(family->lows[d], family->counts[d]);
    else if (const auto& memory = base.memory(); memory && base.form == Form::memory) {
        for (const std::uint64_t dimension : memory->dimensions)
            ranges.emplace_back(0, dimension);
        type = memory->element;
    }
    for (std::size_t k = 1; k < element.operands.size(); ++k) {
        if (ranges.size() < k) {
            if (!type)
                return true;
            const bool is_array = type->kind() == TypeKind::array;
            ranges.emplace_back(0, is_array ? type->count() : type->width_bits());
            type = is_array ? type->element() : Type::boolean();
        }
        if (!is_within(*element.operands[k], ranges[k - 1].first, ranges[k - 1].second))
            return true;
    }
    return false;
}

} // namespace

/// Returns true if the operation of a value, apart from its operands, may fault.
bool Elaborator::faults(const BoundExpr& value) {
    switch (value.kind) {
    case BoundExpr::Kind::binary: {
        if (value.ast->op != Operator::divide && value.ast->op != Operator::remainder)
            return false;
        const BoundExpr& divisor = *value.operands[1];
        return divisor.is_exact() ? divisor.low <= 0 && divisor.high >= 0
                                  : divisor.known.value_or(0) == 0;
    }
    case BoundExpr::Kind::element: return may_miss(value);
    case BoundExpr::Kind::field: return value.more().member && may_miss(*value.more().member);
    default: return false;
    }
}

namespace {

/// Returns the value of an operand as a scalar of a type, if it is known.
std::optional<std::uint64_t> known_as(const BoundExpr& value, const Type& type) {
    return value.is_constant()
               ? std::optional{canonical_of(type, static_cast<std::uint64_t>(value.low))}
               : value.known;
}

/// Returns the value of a bool, or of an integer of one bit, that one operand decides.
std::optional<std::uint64_t> by_one_operand(const BoundExpr& value) {
    const Operator op = value.ast->op;
    const bool is_and = op == Operator::logical_and || op == Operator::bit_and;
    if (value.type->width_bits() != 1 || value.type->is_signed() ||
        (!is_logical(op) && !is_and && op != Operator::bit_or))
        return std::nullopt;
    const BoundExpr &a = *value.operands[0], &b = *value.operands[1];
    const std::uint64_t deciding = canonical_of(*value.type, is_and ? 0 : 1);
    if (known_as(b, *value.type) == deciding && !a.may_fault)
        return deciding;
    if (!is_logical(op) && known_as(a, *value.type) == deciding && !b.may_fault)
        return deciding;
    return std::nullopt;
}

/// Returns the value that all arms of a choice or a match have.
std::optional<std::uint64_t> by_arms(const BoundExpr& value) {
    const bool is_choice = value.kind == BoundExpr::Kind::choice;
    std::optional<std::uint64_t> all;
    for (std::size_t k = 0; k < value.operands.size(); ++k) {
        if (!value.operands[k])
            continue;
        const BoundExpr& each = *value.operands[k];
        if (is_choice ? k % 2 == 0 && k + 1 < value.operands.size() : k == 0)
            continue; // a condition, or the subject
        const auto known = known_as(each, *value.type);
        if (!known || (all && *all != *known))
            return std::nullopt;
        all = known;
    }
    return all;
}

/// Returns the value that one term of `any` or `all` decides, if no other may fault.
std::optional<std::uint64_t> by_one_term(const BoundExpr& value) {
    const std::string& name = value.ast->operands[0]->text;
    const std::uint64_t deciding = name == "any" ? 1 : 0;
    bool decides = false;
    for (const BoundRef& term : value.operands) {
        decides = decides || term->known == deciding;
        if (term->may_fault)
            return std::nullopt;
    }
    return decides && (name == "any" || name == "all") ? std::optional{deciding} : std::nullopt;
}

} // namespace

/// Names are resolved. Choices are not looked into, and neither are long chains of changes.
const BoundExpr* source_of(const BoundExpr& value, int depth) {
    using Kind = BoundExpr::Kind;
    if (depth == 0 || value.operands.empty())
        return nullptr;
    const BoundExpr* base = &value_of(*value.operands[0]);
    for (; depth > 0; --depth) {
        if (base->kind == Kind::field || base->kind == Kind::element) {
            base = source_of(*base, depth - 1);
            if (!base)
                return nullptr;
            continue;
        }
        if (value.kind == Kind::element) {
            const bool is_one = base->kind == Kind::array && value.operands.size() == 2 &&
                                value.operands[1]->is_constant() &&
                                base->operands.size() == base->type->count();
            return is_one ? &value_of(
                                *base->operands[static_cast<std::size_t>(value.operands[1]->low)])
                          : nullptr;
        }
        if (base->kind != Kind::construct && base->kind != Kind::record)
            return nullptr;
        const auto at = static_cast<std::size_t>(base->type->find_field(value.ast->text));
        const BoundRef& field = base->operands[base->kind == Kind::record ? at : at + 1];
        if (field)
            return &value_of(*field);
        static const BoundExpr zero = BoundExpr::number(0);
        if (!base->operands[0])
            return &zero;
        base = &value_of(*base->operands[0]); // unchanged
    }
    return nullptr;
}

/// Returns the value of a scalar that its parts determine, although not all of them are known.
std::optional<std::uint64_t> Elaborator::by_part(const BoundExpr& value) {
    using Kind = BoundExpr::Kind;
    if (!value.type->is_scalar() || value.type->is_wide())
        return std::nullopt;
    switch (value.kind) {
    case Kind::binary: return by_one_operand(value);
    case Kind::reduced: return by_one_term(value);
    case Kind::choice:
    case Kind::match: return by_arms(value);
    case Kind::field:
    case Kind::element: {
        const BoundExpr* const part = source_of(value);
        return part ? known_as(*part, *value.type) : std::nullopt;
    }
    default: return std::nullopt;
    }
}

} // namespace sme::expr
