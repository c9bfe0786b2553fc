// SPDX-License-Identifier: Apache-2.0
#include "expr/process/step_lowering.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "expr/process/operands.hpp"
#include "expr/typing/loop_frame.hpp"

namespace sme::expr {

StepLowering::StepLowering(const ProcessView& text, Elaborator& elaborator)
    : e_{elaborator}, b_{elaborator.builder()}, lower_{elaborator.lowering()}, words_{b_} {
    for (const PortText& port : text.outputs)
        output_ports_[port.write_port] = &port;
    for (const StateText& state : text.states)
        (state.is_memory ? memories_[state.memory] : state_ports_[state.write_port]) = &state;
}

NodeId StepLowering::fallback(const TargetKey& key) const {
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

Assigned StepLowering::current(const Targets& targets, const TargetKey& key) const {
    const auto found = targets.find(key);
    return found != targets.end() ? found->second : Assigned{fallback(key), b_.boolean(false)};
}

void StepLowering::run(const BoundBlock& step) {
    Writes written;
    block(step, b_.boolean(true), targets_, written);
    for (const Assert& each : asserts_)
        add_assertion(each);
    for (auto& [step_node, sites] : loop_sites_) // these checks come after all lines
        sites.push_back(b_.next_site());
    check_conflicts();
}

void StepLowering::block(const BoundBlock& block, NodeId path, Targets& targets, Writes& written) {
    Writes by_siblings;
    for (const BoundStatement& statement : block) {
        CoverFrame frame{e_.cover()};
        if (e_.cover() && statement.kind != Statement::Kind::choice) // arms are lines
            e_.cover()->line(statement.where);
        switch (statement.kind) {
        case Statement::Kind::assign: assign(statement, path, targets, written); break;
        case Statement::Kind::assertion: assertion(statement, path); break;
        case Statement::Kind::halt: halt(statement, path); break;
        case Statement::Kind::print: print(statement, path); break;
        case Statement::Kind::choice:
        case Statement::Kind::match: break;
        }
        frame.close(path);
        Writes here;
        if (statement.kind == Statement::Kind::choice)
            choice(statement, path, targets, here);
        else if (statement.kind == Statement::Kind::match)
            match(statement, path, targets, here);
        for (const auto& [key, writes] : here)
            for (const Write& write : writes)
                if (!check_write(key, write, by_siblings[key], name_of(key), &statement.where) ||
                    !check_words(key, write, by_siblings, name_of(key), &statement.where))
                    return;
        add(here, by_siblings);
    }
    add(by_siblings, written);
}

void StepLowering::add(const Writes& from, Writes& to) {
    for (const auto& [key, writes] : from)
        to[key].insert(to[key].end(), writes.begin(), writes.end());
}

void StepLowering::assign(const BoundStatement& statement, NodeId path, Targets& targets,
                          Writes& written) {
    if (!statement.loop) {
        for (const BoundLine& line : statement.lines)
            if (!assign_one(line, statement.where, path, targets, written))
                return;
        return;
    }
    if (statement.lines.empty())
        return; // already reported
    looped_.insert(statement.lines[0].target.state->memory);
    const std::size_t nodes_before = b_.size();
    const Loop loop = lower_.begin_loop(*statement.loop);
    loop_sites_[loop.step].push_back(loop.sites[0]);
    if (e_.cover())
        e_.cover()->open();
    const bool fine = assign_one(statement.lines[0], statement.where, path, targets, written);
    if (e_.cover())
        e_.cover()->give_each(e_.cover()->take(), loop);
    if (fine)
        lower_.charge(*statement.loop, nodes_before, LoopFrame::writing_weight);
}

bool StepLowering::assign_one(const BoundLine& line, const Location& where, NodeId path,
                              Targets& targets, Writes& written) {
    const BoundTarget& target = line.target;
    const Places places = places_of(target);
    const GuardedValues values = offers(line.rhs, target.type);
    std::uint64_t count = 0;
    for (const auto& leaf : places)
        count += leaf.size();
    if (!e_.spend(200 * count, where))
        return false;
    for (std::size_t k = 0; k < places.size(); ++k)
        for (const Place& place : places[k]) {
            if (b_.constant_value(place.guard) == std::uint64_t{0})
                continue;
            const NodeId offered = values[target.sliced ? 0 : k].enabled;
            const Write write{place.bits, path, offered, place.guard, where};
            std::vector<Write>& before = written[place.key];
            if (!check_write(place.key, write, before, target.name, nullptr) ||
                !check_words(place.key, write, written, target.name, nullptr))
                return false;
            note_applied(place.key);
            before.push_back(write);
            places_.try_emplace(place.key, where);
        }
    for (std::size_t k = 0; k < places.size(); ++k)
        for (const Place& place : places[k]) {
            const Assigned before = current(targets, place.key);
            const GuardedValue& offer = values[target.sliced ? 0 : k];
            // an index is checked only if the line is chosen
            const NodeId enabled =
                b_.operation(Op::logical_and, {1, false}, offer.enabled, place.guard);
            const NodeId value = target.sliced ? inserted(place, targets, values) : offer.value;
            targets[place.key] = {b_.select(enabled, value, before.value),
                                  b_.any_of(enabled, before.written)};
        }
    return true;
}

NodeId StepLowering::condition(const BoundCondition& bound) {
    return bound.value ? lower_.leaves(*bound.value)[0] : b_.boolean(true);
}

/// Returns the condition after 'when'.
NodeId StepLowering::when(const BoundCondition& bound) {
    const NodeId found = condition(bound);
    if (bound.value && e_.cover())
        e_.cover()->condition(bound.where, found);
    return found;
}

void StepLowering::assertion(const BoundStatement& statement, NodeId path) {
    const NodeId holds = lower_.leaves(*statement.effect.value)[0];
    const NodeId when = this->when(statement.effect.when);
    asserts_.push_back({statement, holds, when, path});
}

/// Faults of values come before those of asserts, wherever these are written.
void StepLowering::add_assertion(const Assert& assert) {
    const BoundStatement& statement = assert.statement;
    const NodeId ok = b_.boolean(true);
    const NodeId checked =
        b_.checked(ok, b_.logical_not(assert.holds),
                   {Code::assert_failed, statement.effect.where, "the assert does not hold",
                    lowered(statement.operands, lower_)});
    assertions_.push_back(b_.select(assert.path, b_.select(assert.when, checked, ok), ok));
}

void StepLowering::halt(const BoundStatement& statement, NodeId path) {
    const GuardedValue value = offers(statement.effect, Type::boolean())[0];
    const NodeId wanted = b_.operation(Op::logical_and, {1, false}, value.enabled, value.value);
    halts_.push_back(b_.operation(Op::logical_and, {1, false}, path, wanted));
}

/// A line with values, which are evaluated only when it is printed.
void StepLowering::print(const BoundStatement& statement, NodeId path) {
    Print result;
    const NodeId when = this->when(statement.effect.when);
    auto piece = statement.line.pieces.begin();
    for (const BoundRef& value : statement.printed) {
        piece = std::find_if(piece, statement.line.pieces.end(),
                             [](const auto& each) { return each.type != nullptr; });
        const Lowering::Leaves leaves = lower_.leaves_as(*value, *piece->type);
        result.values.insert(result.values.end(), leaves.begin(), leaves.end());
        ++piece;
    }
    if (!e_.spend(100 * (result.values.size() + 1), statement.where))
        return;
    result.enable = b_.operation(Op::logical_and, {1, false}, path, when);
    result.line = static_cast<std::uint32_t>(b_.program().lines.size());
    b_.program().lines.push_back(statement.line);
    prints_.push_back(std::move(result));
}

// if and match in a step: each arm starts from the targets of the enclosing lines, and one arm
// takes effect.

void StepLowering::choice(const BoundStatement& statement, NodeId path, Targets& targets,
                          Writes& written) {
    std::vector<std::pair<NodeId, Targets>> arms;
    NodeId rest = path; // no earlier arm was taken
    for (const BoundStatement::Arm& arm : statement.arms) {
        const NodeId condition = this->condition(arm.condition);
        if (CoverNotes* const notes = e_.cover()) {
            CoverFrame frame{notes};
            notes->line(arm.where);
            notes->condition(arm.condition.value ? arm.condition.where : arm.where, condition);
            frame.close(rest);
        }
        if (!e_.spend(300 * (targets.size() + 1), statement.where))
            return;
        Targets own = targets;
        Writes by_arm;
        block(arm.block, b_.operation(Op::logical_and, {1, false}, rest, condition), own, by_arm);
        add(by_arm, written);
        arms.emplace_back(condition, std::move(own));
        rest = b_.operation(Op::logical_and, {1, false}, rest, b_.logical_not(condition));
    }
    merge(arms, targets);
}

/// Takes every target from the first arm whose condition holds; without one, targets keep their
/// values.
void StepLowering::merge(const std::vector<std::pair<NodeId, Targets>>& arms, Targets& targets) {
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

/// Records an arm of a match for coverage, with its line.
void StepLowering::note_arm(const Location& where) {
    if (!e_.cover())
        return;
    e_.cover()->line(where);
    e_.cover()->arm(where);
}

void StepLowering::match(const BoundStatement& statement, NodeId path, Targets& targets,
                         Writes& written) {
    MatchLowering lowered{lower_, *statement.match};
    std::vector<Targets> arms;
    Writes here;
    for (std::size_t k = 0; k < statement.arms.size(); ++k) {
        const BoundStatement::Arm& arm = statement.arms[k];
        arms.push_back(targets);
        if (!arm.possible)
            continue;
        if (!e_.spend(300 * (targets.size() + 1), statement.where))
            return;
        Writes by_arm;
        const NodeId chosen = b_.operation(Op::logical_and, {1, false}, path, lowered.condition(k));
        CoverFrame frame{e_.cover()};
        note_arm(arm.where);
        frame.close(chosen);
        block(arm.block, chosen, arms.back(), by_arm);
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
