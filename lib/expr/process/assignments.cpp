// SPDX-License-Identifier: Apache-2.0
#include "expr/process/assignments.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "expr/lower/match.hpp"
#include "expr/process/operands.hpp"
#include "expr/typing/match.hpp"
#include "expr/typing/ranges.hpp"

namespace sme::expr {

Leaf leaf_at(const Type& type, std::uint64_t number) {
    Leaf found{{}, 0, &type, 0};
    while (!found.type->is_scalar() || found.type->is_wide())
        if (found.type->is_wide()) {
            const Leaf word = found.type->leaves()[number];
            found.offset += word.offset;
            found.type = word.type;
        } else if (found.type->kind() == TypeKind::array) {
            const Type& element = *found.type->element();
            found.offset +=
                static_cast<std::uint32_t>(number / element.leaf_count() * element.size());
            number %= element.leaf_count();
            found.type = &element;
        } else {
            auto field = found.type->fields().begin();
            for (; number >= field->type->leaf_count(); ++field)
                number -= field->type->leaf_count();
            found.offset += field->offset;
            found.type = field->type.get();
        }
    return found;
}

Assignments::Assignments(const ProcessView& text, Elaborator& elaborator)
    : text_{text}, e_{elaborator}, b_{elaborator.builder()}, words_{b_} {
    for (const PortText& port : text.outputs) {
        outputs_[port.name] = &port;
        output_ports_[port.write_port] = &port;
    }
    for (const StateText& state : text.states) {
        states_[state.name] = &state;
        (state.is_memory ? memories_[state.memory] : state_ports_[state.write_port]) = &state;
    }
}

NodeId Assignments::fallback(const TargetKey& key) const {
    const auto load = [&](std::uint32_t port, const Leaf& leaf) {
        return b_.leaf({Op::load, Scalar::of(*leaf.type), port, no_node, no_node, leaf.offset});
    };
    if (key.is_memory)
        return b_.constant(Scalar::of(*leaf_at(*memories_.at(key.place)->type, key.leaf).type), 0);
    if (const auto state = state_ports_.find(key.place); state != state_ports_.end())
        return load(state->second->read_port, leaf_at(*state->second->type, key.leaf));
    const PortText& port = *std::prev(output_ports_.upper_bound(key.place))->second;
    const Leaf leaf = leaf_at(*port.type, key.leaf);
    if (port.unwritten == Unwritten::hold) // the written value, not the delayed one of readers
        return load(key.place, leaf);
    return b_.constant(Scalar::of(*leaf.type), 0);
}

Assigned Assignments::current(const Targets& targets, const TargetKey& key) const {
    const auto found = targets.find(key);
    return found != targets.end() ? found->second : Assigned{fallback(key), b_.boolean(false)};
}

void Assignments::run(const Block& step) {
    Writes written;
    block(step, b_.boolean(true), targets_, written, step_);
}

void Assignments::block(const Block& block, NodeId path, Targets& targets, Writes& written,
                        BoundBlock& bound) {
    const auto bound_of = [](const Statement& statement) {
        BoundStatement result;
        result.kind = statement.kind;
        result.where = statement.where;
        return result;
    };
    for (const Statement& statement : block.statements) {
        CoverFrame frame{e_.cover()};
        BoundStatement result = bound_of(statement);
        if (e_.cover() && statement.kind != Statement::Kind::choice) // arms are lines
            e_.cover()->line(statement.where);
        switch (statement.kind) {
        case Statement::Kind::assign: assign(statement, path, targets, written, result); break;
        case Statement::Kind::assertion: assertion(statement, path, result); break;
        case Statement::Kind::halt: halt(statement, path, result); break;
        case Statement::Kind::print: print(statement, path, result); break;
        case Statement::Kind::choice:
        case Statement::Kind::match: break;
        }
        frame.close(path);
        if (e_.bindings() && statement.arms.empty())
            bound.push_back(std::move(result));
    }
    Writes by_siblings;
    for (const Statement& statement : block.statements) {
        Writes here;
        BoundStatement result = bound_of(statement);
        if (statement.kind == Statement::Kind::choice)
            choice(statement, path, targets, here, result);
        else if (statement.kind == Statement::Kind::match)
            match(statement, path, targets, here, result);
        else
            continue;
        if (e_.bindings())
            bound.push_back(std::move(result));
        for (const auto& [key, writes] : here)
            for (const Write& write : writes)
                if (!check_write(key, write, by_siblings[key], name_of(key), &statement.where) ||
                    !check_words(key, write, by_siblings, name_of(key), &statement.where))
                    return;
        add(here, by_siblings);
    }
    add(by_siblings, written);
}

void Assignments::add(const Writes& from, Writes& to) {
    for (const auto& [key, writes] : from)
        to[key].insert(to[key].end(), writes.begin(), writes.end());
}

void Assignments::assign(const Statement& statement, NodeId path, Targets& targets, Writes& written,
                         BoundStatement& bound) {
    if (!statement.target)
        return;
    const std::vector<RangeText> texts = ranges_in(*statement.target);
    if (texts.empty()) {
        const std::optional<Statement> words = word_by_word(statement);
        if (!words)
            assign_one(statement, path, targets, written, bound);
        else if (Bindings* const bindings = e_.bindings())
            assign(*bindings->rewritten.emplace_back(std::make_shared<const Statement>(*words)),
                   path, targets, written, bound);
        else
            assign(*words, path, targets, written, bound);
        return;
    }
    const bool may_loop = b_.loops().from > 0 && is_memory(*statement.target);
    const std::optional<Unrolled> ranges =
        may_loop ? Unrolled::of(texts, e_, Integer{1} << 62) : Unrolled::of(texts, e_);
    if (!ranges)
        return;
    if (may_loop && LoopFrame::is_wanted(e_, static_cast<Integer>(ranges->total())) &&
        assign_in_loop(statement, ranges->indices(), path, targets, written, bound))
        return;
    ranges->for_each(e_, [&] { return assign_one(statement, path, targets, written, bound); });
}

bool Assignments::assign_one(const Statement& statement, NodeId path, Targets& targets,
                             Writes& written, BoundStatement& bound) {
    const std::optional<Target> target = this->target(*statement.target);
    if (!target)
        return false;
    BoundLine line{target->tree, {}};
    const std::vector<GuardedValue> values = offers(statement.rhs, *target, target->type, line.rhs);
    if (e_.bindings())
        bound.lines.push_back(std::move(line));
    std::uint64_t places = 0;
    for (const auto& leaf : target->leaves)
        places += leaf.size();
    if (values.empty() || !e_.spend(200 * places, statement.where))
        return false;
    for (std::size_t k = 0; k < target->leaves.size(); ++k)
        for (const Place& place : target->leaves[k]) {
            if (b_.constant_value(place.guard) == std::uint64_t{0})
                continue;
            const NodeId offered = values[target->sliced ? 0 : k].enabled;
            const Write write{place.bits, path, offered, place.guard, statement.where};
            std::vector<Write>& before = written[place.key];
            if (!check_write(place.key, write, before, target->name, nullptr) ||
                !check_words(place.key, write, written, target->name, nullptr))
                return false;
            note_applied(place.key);
            before.push_back(write);
            places_.try_emplace(place.key, statement.where);
        }
    for (std::size_t k = 0; k < target->leaves.size(); ++k)
        for (const Place& place : target->leaves[k]) {
            const Assigned before = current(targets, place.key);
            const GuardedValue& offer = values[target->sliced ? 0 : k];
            // an index is checked only if the line is chosen
            const NodeId enabled =
                b_.operation(Op::logical_and, {1, false}, offer.enabled, place.guard);
            const NodeId value = target->sliced ? inserted(place, targets, values) : offer.value;
            targets[place.key] = {b_.select(enabled, value, before.value),
                                  b_.any_of(enabled, before.written)};
        }
    return true;
}

/// Returns a condition; true if absent.
std::optional<NodeId> Assignments::condition(const AstRef& ast, const char* what,
                                             BoundCondition& bound) {
    if (!ast)
        return b_.boolean(true);
    const BoundExpr found = e_.truth(*ast, what);
    if (!found.ok())
        return std::nullopt;
    const auto known = b_.constant_value(found.leaves[0]);
    bound = {kept(found), known ? std::optional{*known != 0} : std::nullopt};
    return found.leaves[0];
}

/// Returns the condition after 'when'; true if absent.
std::optional<NodeId> Assignments::when(const Rhs& rhs, BoundCondition& bound) {
    const auto found = condition(rhs.when, "what follows 'when'", bound);
    if (!rhs.when)
        return found;
    if (found && e_.cover())
        e_.cover()->condition(rhs.when->where, *found);
    return found;
}

void Assignments::assertion(const Statement& statement, NodeId path, BoundStatement& bound) {
    const Rhs& rhs = statement.rhs;
    if (rhs.kind != Rhs::Kind::expression || !rhs.value) {
        e_.fail(Code::wrong_shape, statement.where, "an assert is one condition");
        return;
    }
    const BoundExpr asserted = e_.truth(*rhs.value, "an assert");
    bound.effect.value = kept(asserted);
    const auto when = this->when(rhs, bound.effect.when);
    if (!asserted.ok() || !when)
        return;
    const NodeId holds = asserted.leaves[0];
    Operands operands{b_, e_.scope(), [&](const std::string& name) {
                          const auto& all = text_.shape.dimensions;
                          return std::any_of(all.begin(), all.end(),
                                             [&](const auto& each) { return each.index == name; });
                      }};
    operands.add(*rhs.value);
    const NodeId ok = b_.boolean(true);
    const NodeId checked = b_.checked(
        ok, b_.logical_not(holds),
        {Code::assert_failed, rhs.value->where, "the assert does not hold", operands.take()});
    assertions_.push_back(b_.select(path, b_.select(*when, checked, ok), ok));
}

void Assignments::halt(const Statement& statement, NodeId path, BoundStatement& bound) {
    Target target{Type::boolean(), "halt", {}, {}, false};
    const std::vector<GuardedValue> values =
        offers(statement.rhs, target, target.type, bound.effect);
    if (values.empty())
        return;
    const NodeId wanted =
        b_.operation(Op::logical_and, {1, false}, values[0].enabled, values[0].value);
    halts_.push_back(b_.operation(Op::logical_and, {1, false}, path, wanted));
}

// if and match in a step: each arm starts from the targets of the enclosing lines, and one arm
// takes effect.

void Assignments::choice(const Statement& statement, NodeId path, Targets& targets, Writes& written,
                         BoundStatement& bound) {
    std::vector<std::pair<NodeId, Targets>> arms;
    NodeId rest = path; // no earlier arm was taken
    for (const Statement::Arm& arm : statement.arms) {
        const AstRef& test = arm.condition;
        BoundStatement::Arm bound_arm;
        const auto condition = this->condition(test, "a condition", bound_arm.condition);
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
        Writes by_arm;
        block(arm.block, b_.operation(Op::logical_and, {1, false}, rest, *condition), own, by_arm,
              bound_arm.block);
        add(by_arm, written);
        bound.arms.push_back(std::move(bound_arm));
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

void Assignments::match(const Statement& statement, NodeId path, Targets& targets, Writes& written,
                        BoundStatement& bound) {
    std::vector<ArmText> texts;
    for (const Statement::Arm& arm : statement.arms)
        texts.push_back({&arm.patterns, arm.where});
    if (!statement.subject || texts.empty())
        return; // already reported
    const auto match = bound_match(*statement.subject, statement.where, texts, e_);
    if (!match)
        return;
    MatchLowering lowered{e_.lowering(), *match};
    std::vector<Targets> arms;
    Writes here;
    bound.subject = match->subject;
    for (std::size_t k = 0; k < statement.arms.size(); ++k) {
        arms.push_back(targets);
        BoundStatement::Arm& bound_arm = bound.arms.emplace_back();
        bound_arm.possible = match->is_possible(k);
        if (e_.bindings())
            bound_arm.patterns = match->arms[k];
        if (!bound_arm.possible)
            continue;
        if (!e_.spend(300 * (targets.size() + 1), statement.where))
            return;
        Writes by_arm;
        const NodeId chosen = b_.operation(Op::logical_and, {1, false}, path, lowered.condition(k));
        CoverFrame frame{e_.cover()};
        note_arm(statement.arms[k].where);
        frame.close(chosen);
        block(statement.arms[k].block, chosen, arms.back(), by_arm, bound_arm.block);
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
        const NodeId value = lowered.choose(values);
        merged[key] = {value == no_node ? current(targets, key).value : value,
                       lowered.choose(enables)};
    }
    targets = std::move(merged);
}

} // namespace sme::expr
