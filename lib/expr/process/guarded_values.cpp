// SPDX-License-Identifier: Apache-2.0
//
// The values that a right-hand side offers to a target: for each scalar a value and an enable
// condition.
#include "expr/process/step_lowering.hpp"

#include <algorithm>

#include "expr/typing/structs.hpp"

namespace sme::expr {

StepLowering::GuardedValues StepLowering::nothing(const TypeRef& type) {
    GuardedValues result;
    for (const Leaf& leaf : type->leaves())
        result.push_back({b_.constant(Scalar::of(*leaf.type), 0), b_.boolean(false)});
    return result;
}

StepLowering::GuardedValues StepLowering::chosen(NodeId condition, const GuardedValues& yes,
                                                 const GuardedValues& no) {
    GuardedValues result;
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

/// Returns the offer of a right-hand side to each scalar of a type.
StepLowering::GuardedValues StepLowering::offers(const BoundRhs& rhs, const TypeRef& type) {
    switch (rhs.kind) {
    case Rhs::Kind::expression: {
        const Lowering::Leaves leaves = lower_.leaves_as(*rhs.value, *type);
        const NodeId condition = when(rhs.when);
        GuardedValues result;
        for (const NodeId leaf : leaves)
            result.push_back({leaf, condition});
        return result;
    }
    case Rhs::Kind::first:
    case Rhs::Kind::choice: return offered_first(rhs, type);
    case Rhs::Kind::match: return matched(rhs, type);
    case Rhs::Kind::fields: break;
    }
    return offered_fields(rhs, type);
}

/// Takes the first entry whose condition holds.
StepLowering::GuardedValues StepLowering::offered_first(const BoundRhs& rhs, const TypeRef& type) {
    GuardedValues result = nothing(type);
    CoverChain chain{e_.cover()};
    for (std::size_t k = rhs.entries.size(); k-- > 0;) {
        const BoundRhs::Entry& entry = rhs.entries[k];
        const NodeId condition = this->condition(entry.condition);
        chain.open();
        const GuardedValues own = offers(entry.rhs, type);
        chain.close(entry.where, entry.condition.value ? entry.condition.where : entry.where,
                    condition);
        result = chosen(condition, own, result);
    }
    chain.finish(true);
    return result;
}

/// Takes the fields given in a map.
StepLowering::GuardedValues StepLowering::offered_fields(const BoundRhs& rhs, const TypeRef& type) {
    GuardedValues result = nothing(type);
    for (const BoundRhs::Entry& entry : rhs.entries) {
        const auto field = static_cast<std::size_t>(type->find_field(entry.field));
        const GuardedValues own = offers(entry.rhs, type->fields()[field].type);
        std::copy(own.begin(), own.end(),
                  result.begin() + static_cast<std::ptrdiff_t>(first_leaf(*type, field)));
    }
    if (rhs.when.value) {
        const NodeId condition = when(rhs.when);
        for (GuardedValue& offer : result)
            offer.enabled = b_.operation(Op::logical_and, {1, false}, offer.enabled, condition);
    }
    return result;
}

StepLowering::GuardedValues StepLowering::matched(const BoundRhs& rhs, const TypeRef& type) {
    MatchLowering lowered{lower_, *rhs.match};
    std::vector<GuardedValues> arms;
    for (std::size_t k = 0; k < rhs.entries.size(); ++k) {
        const BoundRhs::Entry& entry = rhs.entries[k];
        CoverFrame frame{e_.cover()};
        note_arm(entry.where);
        arms.push_back(entry.possible ? offers(entry.rhs, type) : nothing(type));
        if (e_.cover() && entry.possible)
            frame.close(lowered.condition(k));
    }
    GuardedValues result;
    for (std::size_t leaf = 0; leaf < arms[0].size(); ++leaf) {
        std::vector<NodeId> values, enables;
        for (const GuardedValues& arm : arms) {
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
