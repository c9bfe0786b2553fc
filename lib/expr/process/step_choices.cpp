// SPDX-License-Identifier: Apache-2.0
//
// if and match in a step: each arm starts from the targets of the enclosing lines, and one arm
// takes effect.
#include <set>

#include "expr/process/assignments.hpp"
#include "expr/typing/match.hpp"

namespace sme::expr {

void Assignments::choice(const Statement& statement, NodeId path, Targets& targets,
                         Written& written) {
    std::vector<std::pair<NodeId, Targets>> arms;
    NodeId rest = path; // no earlier arm was taken
    for (const Statement::Arm& arm : statement.arms) {
        const AstRef& test = arm.condition;
        const auto condition = test ? e_.condition(*test, "a condition") : b_.boolean(true);
        if (!condition)
            continue;
        if (b_.constant_value(*condition) == std::uint64_t{0})
            continue;
        if (CoverNotes* const notes = e_.cover()) {
            CoverFrame frame{notes};
            notes->line(arm.where);
            notes->condition(test ? test->where : arm.where, *condition);
            frame.close(rest);
        }
        if (!e_.spend(300 * (targets.size() + 1), statement.where))
            return;
        Targets own = targets;
        Written by_arm;
        block(arm.block, b_.operation(Op::logical_and, {1, false}, rest, *condition), own, by_arm);
        add(by_arm, written);
        arms.emplace_back(*condition, std::move(own));
        if (b_.constant_value(*condition) == std::uint64_t{1})
            break;
        rest = b_.operation(Op::logical_and, {1, false}, rest, b_.logical_not(*condition));
    }
    merge(arms, targets);
}

/// Takes every target from the first arm whose condition holds; without one, targets keep their
/// values.
void Assignments::merge(const std::vector<std::pair<NodeId, Targets>>& arms, Targets& targets) {
    if (arms.empty()) // every condition is known to be false
        return;
    std::set<TargetKey> keys;
    for (const auto& [condition, own] : arms)
        for (const auto& [key, assigned] : own)
            keys.insert(key);
    Targets merged;
    for (const TargetKey& key : keys) {
        Assigned result = current(targets, key);
        for (std::size_t k = arms.size(); k-- > 0;) {
            const Assigned own = current(arms[k].second, key);
            if (own.value != result.value)
                result.value = b_.select(arms[k].first, own.value, result.value);
            if (own.written != result.written)
                result.written = b_.select(arms[k].first, own.written, result.written);
        }
        merged[key] = result;
    }
    targets = std::move(merged);
}

void Assignments::match(const Statement& statement, NodeId path, Targets& targets,
                        Written& written) {
    std::vector<Match::Arm> texts;
    for (const Statement::Arm& arm : statement.arms)
        texts.push_back({&arm.patterns, arm.where});
    if (!statement.subject || texts.empty())
        return; // already reported
    std::optional<Match> match = Match::of(*statement.subject, statement.where, texts, e_);
    if (!match)
        return;
    std::vector<Targets> arms;
    Written here;
    for (std::size_t k = 0; k < statement.arms.size(); ++k) {
        arms.push_back(targets);
        if (!match->is_possible(k))
            continue;
        if (!e_.spend(300 * (targets.size() + 1), statement.where))
            return;
        Written by_arm;
        const NodeId chosen = b_.operation(Op::logical_and, {1, false}, path, match->condition(k));
        CoverFrame frame{e_.cover()};
        note_arm(statement.arms[k].where);
        frame.close(chosen);
        block(statement.arms[k].block, chosen, arms.back(), by_arm);
        add(by_arm, here);
    }
    add(here, written);
    Targets merged = targets;
    for (const auto& [key, writes] : here) {
        std::vector<NodeId> values, enables;
        for (const Targets& arm : arms) {
            const Assigned own = current(arm, key);
            // a memory word that is not written may have any value
            const bool open = key.is_memory && b_.constant_value(own.written) == std::uint64_t{0};
            values.push_back(open ? no_node : own.value);
            enables.push_back(own.written);
        }
        const NodeId value = match->choose(values);
        merged[key] = {value == no_node ? current(targets, key).value : value,
                       match->choose(enables)};
    }
    targets = std::move(merged);
}

} // namespace sme::expr
