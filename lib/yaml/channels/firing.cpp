// SPDX-License-Identifier: Apache-2.0
//
// Checks what `receive` and `take` may read.
#include "yaml/channels/firing.hpp"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "yaml/channels/actor.hpp"
#include "yaml/scope/network_scope.hpp"
#include "yaml/syntax/trees.hpp"

namespace sme::yaml {

using expr::Ast;
using expr::AstRef;
using expr::Rhs;

void ActorMaker::take_conditions(const std::vector<ChannelConditionSyntax>& section,
                                 const char* word, AstRef Input::*which) {
    for (const auto& [channel, condition] : section) {
        Input* const input = find(inputs_, channel.text);
        if (!input)
            fail(channel.where, fmt::format("'{}' names '{}', from which '{}' does not "
                                            "receive; it names channels under 'in'",
                                            word, channel.text, name_));
        else if (input->*which)
            fail(channel.where, fmt::format("'{}' names '{}' twice", word, channel.text));
        else
            input->*which = condition;
    }
}

void ActorMaker::find_needs(Input& input) {
    std::vector<const expr::LetText*> open;
    const Rewriter look{[&](const AstRef& tree) -> AstRef {
        if (Input* const asked = asked_end(*tree)) {
            need_end(input, *asked, tree->where, !open.empty());
            return tree;
        }
        if (is_random(*tree))
            fail(tree->where, "a random value is another one in each cycle, so 'receive' does "
                              "not look at it; keep it in a state");
        if (tree->kind != Ast::Kind::name)
            return nullptr;
        if (buses_.count(tree->text))
            fail(tree->where, fmt::format("'{}' is a bus, whose value depends on the cycle, so "
                                          "'receive' does not look at it; keep it in a state",
                                          tree->text));
        if (Input* const other = find(inputs_, tree->text))
            need_message(input, *other, tree->where);
        for (const expr::LetText& let : actor_.lets)
            if (let.name == tree->text && std::find(open.begin(), open.end(), &let) == open.end()) {
                open.push_back(&let);
                look_into_(let.rhs);
                open.pop_back();
            }
        return tree;
    }};
    look_into_ = [&](const Rhs& rhs) { look(rhs); };
    look(input.receive);
}

bool ActorMaker::is_random(const Ast& tree) {
    return tree.kind == Ast::Kind::call && tree.operands[0]->kind == Ast::Kind::name &&
           tree.operands[0]->text == "random";
}

void ActorMaker::need(Input& input, Input& other) {
    if (std::find(input.needs.begin(), input.needs.end(), &other) == input.needs.end())
        input.needs.push_back(&other);
}

void ActorMaker::need_end(Input& input, Input& asked, const Location& where, bool in_let) {
    if (&asked != &input)
        return need(input, asked);
    input.asks_end = true;
    if (in_let)
        fail(where, fmt::format("'receive' of '{0}' looks at this; write '{0}.ended' there "
                                "itself",
                                input.name()));
}

void ActorMaker::need_message(Input& input, Input& other, const Location& where) {
    if (&other == &input)
        fail(where, fmt::format("whether a firing receives from '{0}' cannot depend on the message "
                                "that it receives; to look at a message and leave it there, write "
                                "'take: {{{0}: condition}}'",
                                input.name()));
    else if (other.receive)
        fail(where, fmt::format("'{}' is not received in every firing, so what is received "
                                "from '{}' cannot depend on it; keep what decides in a state",
                                other.name(), input.name()));
    else
        need(input, other);
}

void ActorMaker::check_loops() {
    for (Input& first : inputs_) {
        std::set<const Input*> seen;
        std::vector<const Input*> waiting(first.needs.begin(), first.needs.end());
        while (!waiting.empty()) {
            const Input* const next = waiting.back();
            waiting.pop_back();
            if (next == &first)
                return fail(first.receive->where,
                            fmt::format("whether '{}' is received depends on itself, by way of "
                                        "'{}'",
                                        first.name(), first.needs[0]->name()));
            if (seen.insert(next).second)
                waiting.insert(waiting.end(), next->needs.begin(), next->needs.end());
        }
    }
}

using expr::Ast;
using expr::AstRef;
using expr::Rhs;
using expr::Statement;

namespace {

bool is_literal(const AstRef& condition, bool value) {
    return condition && condition->kind == Ast::Kind::boolean && (condition->value != 0) == value;
}

/// Returns a or b, for conditions that may be `true`.
AstRef any_of(AstRef a, AstRef b) {
    return is_literal(a, true) ? a : is_literal(b, true) ? b : or_tree(std::move(a), std::move(b));
}

} // namespace

/// Returns if c1 then v1 elif c2 then v2 else v3.
template <class Arms, class Of>
AstRef Sends::chosen(const Arms& arms, const Location& where, Of of) {
    std::vector<std::pair<AstRef, AstRef>> values;
    bool any = false;
    for (const auto& arm : arms) {
        if (is_literal(arm.condition, false))
            continue;
        const bool last = is_literal(arm.condition, true);
        AstRef value = of(arm);
        any = any || value;
        values.emplace_back(last ? nullptr : arm.condition,
                            value ? value : bool_tree(false, where));
        if (last)
            break;
    }
    if (!any)
        return nullptr;
    if (values.size() == 1 && !values[0].first)
        return values[0].second;
    if (values.back().first)
        values.emplace_back(nullptr, bool_tree(false, where));
    return choice_tree(values, where);
}

/// Adds a separate let with the arms of the match.
template <class Arms, class Of>
AstRef Sends::matched(const AstRef& subject, const Arms& arms, const Location& where, Of of) {
    Rhs match;
    match.kind = Rhs::Kind::match;
    match.where = where;
    match.value = subject;
    bool any = false;
    for (const auto& arm : arms) {
        AstRef value = of(arm);
        any = any || value;
        Rhs sends;
        sends.where = arm.where;
        sends.value = value ? value : bool_tree(false, arm.where);
        match.arms.push_back({nullptr, arm.patterns, arm.where, std::move(sends)});
    }
    if (!any)
        return nullptr;
    const std::string name = fmt::format("{}.sends.{}", output_, matches_++);
    lets_.push_back({name, std::move(match), where, {}, true});
    return name_tree(name, where);
}

AstRef Sends::has_value(const Rhs& rhs) {
    AstRef any;
    switch (rhs.kind) {
    case Rhs::Kind::expression:
        return !rhs.when                     ? bool_tree(true, rhs.where)
               : is_literal(rhs.when, false) ? nullptr
                                             : rhs.when;
    case Rhs::Kind::first:
        for (const Rhs& entry : rhs.list)
            any = any_of(any, has_value(entry));
        return any;
    case Rhs::Kind::fields:
        for (const Rhs::FieldRhs& field : rhs.fields)
            any = any_of(any, has_value(field.rhs));
        return any;
    case Rhs::Kind::choice:
        return chosen(rhs.arms, rhs.where, [&](const Rhs::Arm& arm) { return has_value(arm.rhs); });
    case Rhs::Kind::match:
        return matched(rhs.value, rhs.arms, rhs.where,
                       [&](const Rhs::Arm& arm) { return has_value(arm.rhs); });
    }
    return any;
}

AstRef Sends::of(const Statement& statement) {
    const auto inside = [&](const Statement::Arm& arm) { return when(arm.block); };
    switch (statement.kind) {
    case Statement::Kind::assign:
        return statement.target && base_of(*statement.target).text == output_
                   ? has_value(statement.rhs)
                   : nullptr;
    case Statement::Kind::choice: return chosen(statement.arms, statement.where, inside);
    case Statement::Kind::match:
        return matched(statement.subject, statement.arms, statement.where, inside);
    case Statement::Kind::assertion:
    case Statement::Kind::halt:
    case Statement::Kind::print: break;
    }
    return nullptr;
}

AstRef Sends::when(const expr::Block& block) {
    AstRef any;
    for (const Statement& statement : block.statements)
        any = any_of(any, of(statement));
    return any;
}

// The lets that determine whether an actor fires, ends or waits.

using expr::Ast;
using expr::AstRef;
using expr::Rhs;

AstRef ActorMaker::needs_known(const Input& input) const {
    AstRef all;
    for (const Input* need : input.needs)
        all = and_tree(all, known(*need));
    return all;
}

AstRef ActorMaker::known(const Input& input) const {
    if (!input.receive)
        return input.field("valid");
    const AstRef seen = or_tree(input.field("valid"), input.closed());
    return and_tree(needs_known(input), or_tree(not_tree(input.let("wanted")), seen));
}

AstRef ActorMaker::over(const Input& input, const Rewriter& rewrite) const {
    if (!input.port->closes)
        return nullptr;
    if (!input.receive)
        return and_tree(input.closed(), not_tree(input.field("valid")));
    AstRef needs = needs_known(input);
    if (input.asks_end)
        needs = and_tree(needs, rewrite(with_own_end(input, true)));
    return and_tree(needs, input.let("ended"));
}

AstRef ActorMaker::with_own_end(const Input& input, bool ended) const {
    return Rewriter{[&](const AstRef& tree) -> AstRef {
        return tree->kind == Ast::Kind::field && tree->text == "ended" &&
                       tree->operands[0]->kind == Ast::Kind::name &&
                       tree->operands[0]->text == input.name()
                   ? bool_tree(ended, tree->where)
                   : nullptr;
    }}(input.receive);
}

void ActorMaker::add_let(const std::string& name, AstRef value,
                         std::vector<expr::LetText>& lets) const {
    Rhs rhs;
    rhs.where = where_;
    rhs.value = value ? std::move(value) : bool_tree(true, where_);
    lets.push_back({name, std::move(rhs), where_, {}, true});
}

void ActorMaker::make_lets(const Rewriter& rewrite, std::vector<expr::LetText>& lets) {
    AstRef holds = can_end_ ? not_tree(own("done")) : nullptr;
    for (const Input& input : inputs_)
        holds = and_tree(holds, known(input));
    for (const Input& input : inputs_)
        if (const AstRef end = input.receive ? over(input, rewrite) : nullptr)
            holds = and_tree(holds, not_tree(end));
    for (const Input& input : inputs_)
        if (input.receive)
            add_input_lets(input, rewrite, lets);
    for (expr::LetText& let : own_lets_)
        lets.push_back(std::move(let));
    add_let("holds", holds, lets);
    AstRef fires = own("holds");
    for (const Output& output : outputs_) {
        if (output.sends)
            add_let(output.name() + ".sends", output.sends, lets);
        fires = and_tree(fires, has_room(output));
    }
    add_let("fires", fires, lets);
    add_waits(lets);
}

void ActorMaker::add_waits(std::vector<expr::LetText>& lets) const {
    for (const Input& input : inputs_) {
        AstRef waits = can_end_ ? not_tree(own("done")) : nullptr;
        waits = and_tree(waits, needs_known(input));
        waits = and_tree(waits, input.receive ? input.let("wanted") : nullptr);
        waits = and_tree(waits, not_tree(input.field("valid")));
        if (const AstRef closed = input.closed())
            waits = and_tree(waits, not_tree(closed));
        add_let(input.name() + ".waits", waits, lets);
    }
    for (const Output& output : outputs_)
        add_let(output.name() + ".waits", and_tree(own("holds"), not_tree(has_room(output))), lets);
    add_let("ends", ends_ ? ends_ : bool_tree(false, where_), lets);
}

void ActorMaker::add_input_lets(const Input& input, const Rewriter& rewrite,
                                std::vector<expr::LetText>& lets) const {
    add_let(input.name() + ".wanted", rewrite(with_own_end(input, false)), lets);
    const AstRef closed = input.closed();
    if (is_end_used(input))
        add_let(
            input.name() + ".ended",
            closed ? and_tree(and_tree(input.let("wanted"), closed), not_tree(input.field("valid")))
                   : bool_tree(false, where_),
            lets);
    if (!input.value_used)
        return;
    // zero if nothing is received: a struct with all its fields omitted
    const AstRef& type = input.port->message;
    const AstRef valid_of = call_tree(name_tree(valid_name, input.port->where), {type});
    const AstRef received = call_tree(valid_of, {named_tree("valid", bool_tree(true, where_)),
                                                 named_tree("data", input.field("data"))});
    const AstRef nothing = call_tree(valid_of, {named_tree("valid", bool_tree(false, where_))});
    const AstRef is_received = and_tree(input.let("wanted"), input.field("valid"));
    add_let(input.name() + ".value",
            field_tree(choice_tree({{is_received, received}, {nullptr, nothing}}, where_), "data"),
            lets);
}

bool ActorMaker::is_end_used(const Input& input) const {
    return input.port->closes || ends_asked_.count(input.name());
}

AstRef ActorMaker::has_room(const Output& output) const {
    const AstRef ready = field_tree(name_tree(output.name(), output.port->where), "ready");
    return output.sends ? or_tree(not_tree(sends(output)), ready) : ready;
}

AstRef ActorMaker::sends(const Output& output) const {
    return name_tree(output.name() + ".sends", output.sends->where);
}

} // namespace sme::yaml
