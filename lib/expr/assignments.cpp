// SPDX-License-Identifier: Apache-2.0
#include "expr/assignments.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "expr/rhs_value.hpp"

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

namespace {

TypeRef field_type(const Type& type, const std::string& name) {
    const int field = type.find_field(name);
    return field < 0 ? nullptr : type.fields()[static_cast<std::size_t>(field)].type;
}

} // namespace

Assignments::Assignments(const ProcessText& text, Elaborator& elaborator)
    : text_{text}, e_{elaborator}, b_{elaborator.builder()} {
    for (const PortText& port : text.outputs) {
        outputs_[port.name] = &port;
        output_ports_[port.write_port] = &port;
    }
    for (const StateText& state : text.states) {
        states_[state.name] = &state;
        (state.is_memory ? memories_[state.memory] : state_ports_[state.write_port]) = &state;
    }
}

std::vector<Assignments::Offer> Assignments::nothing(const TypeRef& type) {
    std::vector<Offer> made;
    for (const Leaf& leaf : type->leaves())
        made.push_back({b_.constant(Scalar::of(*leaf.type), 0), b_.boolean(false)});
    return made;
}

std::vector<Assignments::Offer> Assignments::chosen(NodeId condition, const std::vector<Offer>& yes,
                                                    const std::vector<Offer>& no) {
    std::vector<Offer> made;
    for (std::size_t k = 0; k < yes.size(); ++k) {
        const bool never = b_.constant_value(no[k].enabled) == std::uint64_t{0};
        const bool always = b_.constant_value(yes[k].enabled) == std::uint64_t{1};
        // what is offered only under a condition needs no select: the assignment has one
        made.push_back(
            {never ? yes[k].value : b_.select(condition, yes[k].value, no[k].value),
             never && always ? condition : b_.select(condition, yes[k].enabled, no[k].enabled)});
    }
    return made;
}

/// What a right-hand side offers to each scalar of a type; empty when it is broken.
std::vector<Assignments::Offer> Assignments::offers(const Rhs& rhs, const Target& target,
                                                    const TypeRef& type) {
    switch (rhs.kind) {
    case Rhs::Kind::expression: {
        if (!rhs.value)
            return {};
        const Value value =
            e_.evaluate_as(*rhs.value, type, fmt::format("'{}'", target.name), target.declared);
        const auto condition =
            rhs.when ? e_.condition(*rhs.when, "what follows 'when'") : b_.boolean(true);
        if (!value.ok() || !condition)
            return {};
        std::vector<Offer> made;
        for (const NodeId leaf : value.leaves)
            made.push_back({leaf, *condition});
        return made;
    }
    case Rhs::Kind::first: {
        std::vector<Offer> result = nothing(type);
        for (std::size_t k = rhs.list.size(); k-- > 0;) {
            const Rhs& entry = rhs.list[k];
            Rhs unconditional = entry;
            unconditional.when = nullptr;
            const auto condition =
                entry.when ? e_.condition(*entry.when, "what follows 'when'") : b_.boolean(true);
            const std::vector<Offer> own = offers(unconditional, target, type);
            if (own.empty() || !condition)
                return {};
            result = chosen(*condition, own, result);
        }
        return result;
    }
    case Rhs::Kind::choice: {
        std::vector<Offer> result = nothing(type);
        for (std::size_t k = rhs.arms.size(); k-- > 0;) {
            const AstRef& test = rhs.arms[k].condition;
            const std::vector<Offer> own = offers(rhs.arms[k].rhs, target, type);
            const auto condition = test ? e_.condition(*test, "a condition") : b_.boolean(true);
            if (own.empty() || !condition)
                return {};
            result = chosen(*condition, own, result);
        }
        return result;
    }
    case Rhs::Kind::match: return matched(rhs, target, type);
    case Rhs::Kind::fields: break;
    }
    if (rhs.fields.empty())
        return nothing(type);
    if (type->kind() != TypeKind::structure) {
        e_.fail(Code::type_mismatch, rhs.where,
                fmt::format("'{}' is {}, which has no fields", target.name, type->name()));
        return {};
    }
    std::vector<Offer> result = nothing(type);
    for (const auto& [name, where, field] : rhs.fields) {
        const TypeRef own_type = field_type(*type, name);
        if (!own_type) {
            e_.fail(Code::unknown_field, where, e_.no_field(*type, name));
            return {};
        }
        Target inner = target;
        inner.name += "." + name;
        const std::vector<Offer> own = offers(field, inner, own_type);
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

std::vector<Assignments::Offer> Assignments::matched(const Rhs& rhs, const Target& target,
                                                     const TypeRef& type) {
    std::optional<Match> match = match_of(rhs, e_);
    if (!match)
        return {};
    std::vector<std::vector<Offer>> arms;
    for (std::size_t k = 0; k < rhs.arms.size(); ++k) {
        arms.push_back(match->is_possible(k) ? offers(rhs.arms[k].rhs, target, type)
                                             : nothing(type));
        if (arms.back().empty())
            return {};
    }
    std::vector<Offer> made;
    for (std::size_t leaf = 0; leaf < arms[0].size(); ++leaf) {
        std::vector<NodeId> values, enables;
        for (const std::vector<Offer>& arm : arms) {
            const bool never = b_.constant_value(arm[leaf].enabled) == std::uint64_t{0};
            values.push_back(never ? no_node : arm[leaf].value);
            enables.push_back(arm[leaf].enabled);
        }
        const NodeId value = match->choose(values);
        made.push_back({value == no_node ? arms[0][leaf].value : value, match->choose(enables)});
    }
    return made;
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
    if (port.rule == Rule::hold) // what was written, not what a delay lets readers see
        return load(key.place, leaf);
    return b_.constant(Scalar::of(*leaf.type), 0);
}

Assigned Assignments::current(const Targets& targets, const TargetKey& key) const {
    const auto found = targets.find(key);
    return found != targets.end() ? found->second : Assigned{fallback(key), b_.boolean(false)};
}

void Assignments::run(const Block& step) {
    Written written;
    block(step, b_.boolean(true), targets_, written);
}

void Assignments::block(const Block& block, NodeId path, Targets& targets, Written& written) {
    for (const Statement& statement : block.statements)
        switch (statement.kind) {
        case Statement::Kind::assign: assign(statement, targets, written); break;
        case Statement::Kind::assertion: assertion(statement, path); break;
        case Statement::Kind::halt: halt(statement, path); break;
        case Statement::Kind::choice:
        case Statement::Kind::match: break;
        }
    Written by_siblings;
    for (const Statement& statement : block.statements) {
        Written here;
        if (statement.kind == Statement::Kind::choice)
            choice(statement, path, targets, here);
        else if (statement.kind == Statement::Kind::match)
            match(statement, path, targets, here);
        for (const TargetKey& key : here)
            if (!by_siblings.insert(key).second) {
                two_writes(statement.where, key);
                break;
            }
    }
    written.insert(by_siblings.begin(), by_siblings.end());
}

void Assignments::two_writes(const Location& where, const TargetKey& key) {
    const auto state = state_ports_.find(key.place);
    const std::string& name = key.is_memory ? memories_.at(key.place)->name
                              : state != state_ports_.end()
                                  ? state->second->name
                                  : std::prev(output_ports_.upper_bound(key.place))->second->name;
    e_.diagnostics()
        .add(Code::two_writes, where,
             fmt::format("'{}' is written in this block and in an earlier one, and nothing says "
                         "which of the two counts; make it one block, with elif or else",
                         name))
        .note(places_[key], "it is written here, too");
}

void Assignments::assign(const Statement& statement, Targets& targets, Written& written) {
    if (!statement.target)
        return;
    const std::optional<Target> target = this->target(*statement.target);
    if (!target)
        return;
    const std::vector<Offer> values = offers(statement.rhs, *target, target->type);
    std::uint64_t places = 0;
    for (const auto& leaf : target->leaves)
        places += leaf.size();
    if (values.empty() || !e_.spend(200 * places, statement.where))
        return;
    for (const auto& leaf : target->leaves)
        for (const Place& place : leaf)
            if (b_.constant_value(place.guard) != std::uint64_t{0} &&
                !written.insert(place.key).second) {
                e_.diagnostics()
                    .add(Code::two_writes, statement.where,
                         fmt::format("'{}' is written twice in this block", target->name))
                    .note(places_[place.key], "it is written here, too");
                return;
            } else
                places_.try_emplace(place.key, statement.where);
    for (std::size_t k = 0; k < values.size(); ++k)
        for (const Place& place : target->leaves[k]) {
            const Assigned before = current(targets, place.key);
            // an index is looked at only where the line is chosen
            const NodeId enabled =
                b_.operation(Op::both, {1, false}, values[k].enabled, place.guard);
            targets[place.key] = {b_.select(enabled, values[k].value, before.value),
                                  b_.any_of(enabled, before.written)};
        }
}

void Assignments::choice(const Statement& statement, NodeId path, Targets& targets,
                         Written& written) {
    std::vector<std::pair<NodeId, Targets>> arms;
    NodeId rest = path; // on which no arm so far was taken
    for (const Statement::Arm& arm : statement.arms) {
        const AstRef& test = arm.condition;
        const auto condition = test ? e_.condition(*test, "a condition") : b_.boolean(true);
        if (!condition)
            continue;
        if (b_.constant_value(*condition) == std::uint64_t{0})
            continue;
        if (!e_.spend(300 * (targets.size() + 1), statement.where))
            return;
        Targets own = targets;
        Written by_arm;
        block(arm.block, b_.operation(Op::both, {1, false}, rest, *condition), own, by_arm);
        written.insert(by_arm.begin(), by_arm.end());
        arms.emplace_back(*condition, std::move(own));
        if (b_.constant_value(*condition) == std::uint64_t{1})
            break;
        rest = b_.operation(Op::both, {1, false}, rest, b_.logical_not(*condition));
    }
    merge(arms, targets);
}

/// The first arm whose condition holds decides every target; when none does, all stay.
void Assignments::merge(const std::vector<std::pair<NodeId, Targets>>& arms, Targets& targets) {
    Written keys;
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
        return; // reported when it was read
    std::optional<Match> match = Match::of(*statement.subject, statement.where, texts, e_);
    if (!match)
        return;
    std::vector<Targets> arms;
    Written keys;
    for (std::size_t k = 0; k < statement.arms.size(); ++k) {
        arms.push_back(targets);
        if (!match->is_possible(k))
            continue;
        if (!e_.spend(300 * (targets.size() + 1), statement.where))
            return;
        Written by_arm;
        block(statement.arms[k].block,
              b_.operation(Op::both, {1, false}, path, match->condition(k)), arms.back(), by_arm);
        keys.insert(by_arm.begin(), by_arm.end());
    }
    written.insert(keys.begin(), keys.end());
    Targets merged = targets;
    for (const TargetKey& key : keys) {
        std::vector<NodeId> values, enables;
        for (const Targets& arm : arms) {
            const Assigned own = current(arm, key);
            // what a word of a memory would get does not matter where it is not written
            const bool open = key.is_memory && b_.constant_value(own.written) == std::uint64_t{0};
            values.push_back(open ? no_node : own.value);
            enables.push_back(own.written);
        }
        merged[key] = {match->choose(values), match->choose(enables)};
    }
    targets = std::move(merged);
}

void Assignments::assertion(const Statement& statement, NodeId path) {
    const Rhs& rhs = statement.rhs;
    if (rhs.kind != Rhs::Kind::expression || !rhs.value) {
        e_.fail(Code::wrong_shape, statement.where, "an assert is one condition");
        return;
    }
    const auto holds = e_.condition(*rhs.value, "an assert");
    const auto when = rhs.when ? e_.condition(*rhs.when, "what follows 'when'") : b_.boolean(true);
    if (!holds || !when)
        return;
    const NodeId ok = b_.boolean(true);
    const NodeId checked =
        b_.checked(ok, b_.logical_not(*holds),
                   {Code::assert_failed, rhs.value->where, "the assert does not hold"});
    assertions_.push_back(b_.select(path, b_.select(*when, checked, ok), ok));
}

void Assignments::halt(const Statement& statement, NodeId path) {
    Target target{Type::boolean(), "halt", {}, {}};
    const std::vector<Offer> values = offers(statement.rhs, target, target.type);
    if (values.empty())
        return;
    const NodeId wanted = b_.operation(Op::both, {1, false}, values[0].enabled, values[0].value);
    halts_.push_back(b_.operation(Op::both, {1, false}, path, wanted));
}

} // namespace sme::expr
