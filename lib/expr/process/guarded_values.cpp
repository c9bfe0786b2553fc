// SPDX-License-Identifier: Apache-2.0
//
// The values that a right-hand side offers to a target: for each scalar a value and an enable
// condition.
#include "expr/process/assignments.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "expr/lower/match.hpp"
#include "expr/typing/rhs_value.hpp"

namespace sme::expr {

namespace {

TypeRef field_type(const Type& type, const std::string& name) {
    const int field = type.find_field(name);
    return field < 0 ? nullptr : type.fields()[static_cast<std::size_t>(field)].type;
}

} // namespace

std::vector<Assignments::GuardedValue> Assignments::nothing(const TypeRef& type) {
    std::vector<GuardedValue> result;
    for (const Leaf& leaf : type->leaves())
        result.push_back({b_.constant(Scalar::of(*leaf.type), 0), b_.boolean(false)});
    return result;
}

std::vector<Assignments::GuardedValue> Assignments::chosen(NodeId condition,
                                                           const std::vector<GuardedValue>& yes,
                                                           const std::vector<GuardedValue>& no) {
    std::vector<GuardedValue> result;
    for (std::size_t k = 0; k < yes.size(); ++k) {
        const bool never = b_.constant_value(no[k].enabled) == std::uint64_t{0};
        const bool always = b_.constant_value(yes[k].enabled) == std::uint64_t{1};
        // a conditional offer needs no select: the assignment has one
        result.push_back(
            {never ? yes[k].value : b_.select(condition, yes[k].value, no[k].value),
             never && always ? condition : b_.select(condition, yes[k].enabled, no[k].enabled)});
    }
    return result;
}

/// Reports "y <= a" as the value of y: '<=' is an assignment in other languages.
bool Assignments::is_foreign_assignment(const Ast& value, const Target& target,
                                        const TypeRef& type) {
    if (value.kind != Ast::Kind::binary || value.op != Operator::less_equal ||
        type->kind() == TypeKind::boolean || value.operands[0]->kind != Ast::Kind::name ||
        value.operands[0]->text != target.name)
        return false;
    e_.fail(Code::type_mismatch, value.where,
            fmt::format("'<=' compares here, and this line assigns '{0}' already; write only the "
                        "part after '{0} <='",
                        target.name));
    return true;
}

/// Restricts offers to the condition after 'when'.
std::vector<Assignments::GuardedValue>
Assignments::offered_when(const Rhs& rhs, std::vector<GuardedValue> offers, BoundRhs& bound) {
    const auto condition = when(rhs, bound.when);
    if (!condition)
        return {};
    for (GuardedValue& offer : offers)
        offer.enabled = b_.operation(Op::logical_and, {1, false}, offer.enabled, *condition);
    return offers;
}

/// Returns the offer of a right-hand side to each scalar of a type; empty if broken.
std::vector<Assignments::GuardedValue> Assignments::offers(const Rhs& rhs, const Target& target,
                                                           const TypeRef& type, BoundRhs& bound) {
    bound.kind = rhs.kind;
    switch (rhs.kind) {
    case Rhs::Kind::expression: {
        if (!rhs.value || is_foreign_assignment(*rhs.value, target, type))
            return {};
        if (rhs.value->kind == Ast::Kind::fields)
            return offered_when(rhs, offers(fields_of(*rhs.value), target, type, bound), bound);
        const BoundExpr value =
            e_.evaluate_as(*rhs.value, type, fmt::format("'{}'", target.name), target.declared);
        const auto condition = when(rhs, bound.when);
        if (!value.ok() || !condition)
            return {};
        bound.value = kept(value);
        std::vector<GuardedValue> result;
        for (const NodeId leaf : value.leaves)
            result.push_back({leaf, *condition});
        return result;
    }
    case Rhs::Kind::first: return offered_first(rhs, target, type, bound);
    case Rhs::Kind::choice: return offered_by_choice(rhs, target, type, bound);
    case Rhs::Kind::match: return matched(rhs, target, type, bound);
    case Rhs::Kind::fields: break;
    }
    return offered_fields(rhs, target, type, bound);
}

/// Takes the first entry of a list that has a value.
std::vector<Assignments::GuardedValue> Assignments::offered_first(const Rhs& rhs,
                                                                  const Target& target,
                                                                  const TypeRef& type,
                                                                  BoundRhs& bound) {
    std::vector<GuardedValue> result = nothing(type);
    bound.entries.resize(rhs.list.size());
    CoverChain chain{e_.cover()};
    for (std::size_t k = rhs.list.size(); k-- > 0;) {
        const Rhs& entry = rhs.list[k];
        Rhs unconditional = entry;
        unconditional.when = nullptr;
        BoundRhs::Entry& bound_entry = bound.entries[k];
        const auto condition =
            this->condition(entry.when, "what follows 'when'", bound_entry.condition);
        chain.open();
        const std::vector<GuardedValue> own = offers(unconditional, target, type, bound_entry.rhs);
        if (own.empty() || !condition)
            return {};
        chain.close(entry.where, entry.when ? entry.when->where : entry.where, *condition);
        result = chosen(*condition, own, result);
    }
    chain.finish(true);
    return result;
}

/// Takes the first arm of if, elif and else whose condition holds.
std::vector<Assignments::GuardedValue> Assignments::offered_by_choice(const Rhs& rhs,
                                                                      const Target& target,
                                                                      const TypeRef& type,
                                                                      BoundRhs& bound) {
    std::vector<GuardedValue> result = nothing(type);
    bound.entries.resize(rhs.arms.size());
    CoverChain chain{e_.cover()};
    for (std::size_t k = rhs.arms.size(); k-- > 0;) {
        const AstRef& test = rhs.arms[k].condition;
        chain.open();
        BoundRhs::Entry& bound_arm = bound.entries[k];
        const std::vector<GuardedValue> own = offers(rhs.arms[k].rhs, target, type, bound_arm.rhs);
        const auto condition = this->condition(test, "a condition", bound_arm.condition);
        if (own.empty() || !condition)
            return {};
        chain.close(rhs.arms[k].where, test ? test->where : rhs.arms[k].where, *condition);
        result = chosen(*condition, own, result);
    }
    chain.finish(true);
    return result;
}

/// Takes the fields given in a map.
std::vector<Assignments::GuardedValue> Assignments::offered_fields(const Rhs& rhs,
                                                                   const Target& target,
                                                                   const TypeRef& type,
                                                                   BoundRhs& bound) {
    if (rhs.fields.empty())
        return nothing(type);
    if (type->kind() != TypeKind::structure) {
        e_.fail(Code::type_mismatch, rhs.where,
                fmt::format("'{}' is {}, which has no fields", target.name, type->name()));
        return {};
    }
    std::vector<GuardedValue> result = nothing(type);
    for (const auto& [name, where, field] : rhs.fields) {
        const TypeRef own_type = field_type(*type, name);
        if (!own_type) {
            e_.fail(Code::unknown_field, where, e_.no_field(*type, name));
            return {};
        }
        Target inner = target;
        inner.name += "." + name;
        BoundRhs::Entry& bound_field = bound.entries.emplace_back();
        bound_field.field = name;
        const std::vector<GuardedValue> own = offers(field, inner, own_type, bound_field.rhs);
        if (own.empty())
            return {};
        std::size_t first = 0;
        for (const Field& before : type->fields()) {
            if (before.name == name)
                break;
            first += before.type->leaf_count();
        }
        std::copy(own.begin(), own.end(), result.begin() + static_cast<std::ptrdiff_t>(first));
    }
    return result;
}

/// Records an arm of a match for coverage, with its line.
void Assignments::note_arm(const Location& where) {
    if (!e_.cover())
        return;
    e_.cover()->line(where);
    e_.cover()->arm(where);
}

std::vector<Assignments::GuardedValue> Assignments::matched(const Rhs& rhs, const Target& target,
                                                            const TypeRef& type, BoundRhs& bound) {
    const std::shared_ptr<const BoundMatch> match = match_of(rhs, e_);
    if (!match)
        return {};
    MatchLowering lowered{e_.lowering(), *match};
    std::vector<std::vector<GuardedValue>> arms;
    bound.value = match->subject;
    for (std::size_t k = 0; k < rhs.arms.size(); ++k) {
        CoverFrame frame{e_.cover()};
        note_arm(rhs.arms[k].where);
        BoundRhs::Entry& bound_arm = bound.entries.emplace_back();
        bound_arm.possible = match->is_possible(k);
        if (e_.bindings())
            bound_arm.patterns = match->arms[k];
        arms.push_back(bound_arm.possible ? offers(rhs.arms[k].rhs, target, type, bound_arm.rhs)
                                          : nothing(type));
        if (arms.back().empty())
            return {};
        if (e_.cover() && match->is_possible(k))
            frame.close(lowered.condition(k));
    }
    std::vector<GuardedValue> result;
    for (std::size_t leaf = 0; leaf < arms[0].size(); ++leaf) {
        std::vector<NodeId> values, enables;
        for (const std::vector<GuardedValue>& arm : arms) {
            const bool never = b_.constant_value(arm[leaf].enabled) == std::uint64_t{0};
            values.push_back(never ? no_node : arm[leaf].value);
            enables.push_back(arm[leaf].enabled);
        }
        const NodeId value = lowered.choose(values);
        result.push_back({value == no_node ? arms[0][leaf].value : value, lowered.choose(enables)});
    }
    return result;
}

} // namespace sme::expr
