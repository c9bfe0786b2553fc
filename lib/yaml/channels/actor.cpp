// SPDX-License-Identifier: Apache-2.0
//
// The step of an actor, with messages in place of channels, and the outputs it drives on them.
#include "yaml/channels/actor.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "network/graph.hpp"
#include "yaml/channels/firing.hpp"
#include "yaml/syntax/trees.hpp"

namespace sme::yaml {

using expr::Ast;
using expr::AstRef;
using expr::Block;
using expr::Rhs;
using expr::Statement;

BodySyntax ActorMaker::run(const std::vector<ActorPort>& ports) {
    const std::size_t errors = diagnostics_.errors();
    for (const ActorPort& port : ports)
        if (port.output)
            outputs_.push_back({&port, {}});
        else
            inputs_.push_back({&port, {}, {}, {}, false, false});
    take_conditions(actor_.receive, "receive", &Input::receive);
    take_conditions(actor_.take, "take", &Input::take);
    check_own_names();
    for (Input& input : inputs_)
        if (input.receive)
            find_needs(input);
    check_loops();
    BodySyntax result = actor_;
    if (diagnostics_.errors() == errors)
        make(result);
    result.broken = result.broken || diagnostics_.errors() != errors;
    return result;
}

void ActorMaker::fail(const Location& where, std::string message) {
    if (reported_.insert(where.begin).second)
        diagnostics_.add(Code::bad_actor, where, std::move(message));
}

void ActorMaker::check_own_names() {
    const auto check = [&](const std::string& name, const Location& where) {
        for (const char* const own : {"done", "ends", "fires", "holds"})
            if (name == own)
                fail(where, fmt::format("an actor has a name '{}' of its own; give this another "
                                        "name",
                                        name));
    };
    for (const DeclarationSyntax& state : actor_.states)
        check(state.name.name, state.name.where);
    for (const expr::LetText& let : actor_.lets)
        check(let.name, let.declared);
    for (const Input& input : inputs_)
        check(input.name(), input.port->where);
    for (const Output& output : outputs_)
        check(output.name(), output.port->where);
}

ActorMaker::Input* ActorMaker::asked_end(const Ast& tree) {
    return tree.kind == Ast::Kind::field && tree.text == "ended" &&
                   tree.operands[0]->kind == Ast::Kind::name
               ? find(inputs_, tree.operands[0]->text)
               : nullptr;
}

void ActorMaker::make(BodySyntax& result) {
    const Rewriter rewrite{[&](const AstRef& tree) { return replaced(tree); }};
    result.lets.clear();
    for (expr::LetText let : actor_.lets) {
        let.rhs = rewrite(std::move(let.rhs));
        let.ranges = rewrite(std::move(let.ranges));
        own_lets_.push_back(std::move(let));
    }
    const Block step = actor_.step ? block(*actor_.step, rewrite) : Block{};
    find_sends(rewrite);
    const AstRef done = rewrite(actor_.done), reset = rewrite(actor_.reset);
    std::vector<AstRef> takes;
    for (const Input& input : inputs_)
        takes.push_back(rewrite(input.take));
    can_end_ = done || std::any_of(inputs_.begin(), inputs_.end(),
                                   [](const Input& input) { return input.port->closes; });
    AstRef ends;
    for (const Input& input : inputs_)
        ends = or_tree(ends, over(input, rewrite));
    ends_ = ends ? and_tree(not_tree(own("done")), ends) : nullptr;
    if (can_end_)
        result.states.push_back(state("done", "bool"));
    if (untimed_)
        result.states.push_back(state(firing_state, "u16"));
    if (reset) // not the `done` state of the last firing
        result.reset = and_tree(and_tree(own("fires"), reset), done ? not_tree(done) : nullptr);
    result.step = whole_step(step, takes, done);
    make_lets(rewrite, result.lets);
    result.names = std::make_shared<const expr::ActorNames>(names());
    result.receive.clear();
    result.take.clear();
    result.done = nullptr;
}

expr::ActorNames ActorMaker::names() const {
    expr::ActorNames result{"fires", "ends", can_end_ ? "done" : "", {}};
    for (const Input& input : inputs_)
        result.channels.push_back(
            {input.name(), input.name() + ".waits", input.receive ? input.name() + ".wanted" : ""});
    for (const Output& output : outputs_)
        result.channels.push_back({output.name(), output.name() + ".waits", ""});
    result.is_pure = buses_.empty() && !random_;
    return result;
}

AstRef ActorMaker::replaced(const AstRef& tree) {
    if (Input* const asked = asked_end(*tree)) {
        if (asked->receive) {
            ends_asked_.insert(asked->name());
            return asked->let("ended");
        }
        fail(tree->where,
             fmt::format("every firing receives from '{0}', so '{0}.ended' is never true in "
                         "one; for a firing without it, write 'receive: {{{0}: not "
                         "{0}.ended}}'",
                         asked->name()));
        return tree;
    }
    random_ = random_ || is_random(*tree);
    if (untimed_ && is_random(*tree))
        diagnostics_.add(Code::needs_clock, tree->where,
                         fmt::format("'{}' has random values, which depend on the cycle, so it "
                                     "runs with a clock only",
                                     name_));
    if (tree->kind != Ast::Kind::name)
        return nullptr;
    if (Input* const input = find(inputs_, tree->text)) {
        input->value_used = true;
        return input->receive ? name_tree(input->name() + ".value", tree->where)
                              : field_tree(tree, "data");
    }
    if (find(outputs_, tree->text))
        fail(tree->where, fmt::format("an actor does not look at what it sends to '{}'; name "
                                      "the value in 'let'",
                                      tree->text));
    return nullptr;
}

AstRef ActorMaker::target(const AstRef& tree, const Rewriter& rewrite) {
    if (tree->kind == Ast::Kind::name) {
        if (find(inputs_, tree->text))
            fail(tree->where,
                 fmt::format("'{}' is received from; an actor takes a message by firing",
                             tree->text));
        return find(outputs_, tree->text) ? field_tree(tree, "data") : tree;
    }
    auto result = std::make_shared<Ast>(*tree);
    if (!tree->operands.empty() && tree->kind != Ast::Kind::range)
        result->operands[0] = target(tree->operands[0], rewrite);
    for (std::size_t k = tree->kind == Ast::Kind::range ? 0 : 1; k < result->operands.size(); ++k)
        result->operands[k] = index(result->operands[k], rewrite);
    result->depth = tree->depth + 1;
    return result;
}

AstRef ActorMaker::index(const AstRef& tree, const Rewriter& rewrite) {
    if (tree->kind != Ast::Kind::range)
        return rewrite(tree);
    auto result = std::make_shared<Ast>(*tree);
    for (AstRef& operand : result->operands)
        operand = rewrite(operand);
    return result;
}

Block ActorMaker::block(const Block& written, const Rewriter& rewrite) {
    Block result;
    for (const Statement& each : written.statements)
        result.statements.push_back(statement(each, rewrite));
    return result;
}

Statement ActorMaker::statement(Statement result, const Rewriter& rewrite) {
    const bool sends = result.target && find(outputs_, base_of(*result.target).text);
    result.rhs = rewrite(std::move(result.rhs));
    if (result.target)
        result.target = target(result.target, rewrite);
    for (expr::PrintPiece& piece : result.pieces)
        piece.value = rewrite(piece.value);
    result.subject = rewrite(result.subject);
    for (Statement::Arm& arm : result.arms) {
        arm.condition = rewrite(arm.condition);
        arm.block = block(arm.block, rewrite);
    }
    const bool is_line =
        result.kind != Statement::Kind::choice && result.kind != Statement::Kind::match;
    if (is_line && !sends && !outputs_.empty())
        result.rhs = guarded(std::move(result.rhs), own("fires"));
    return result;
}

void ActorMaker::find_sends(const Rewriter& rewrite) {
    for (Output& output : outputs_) {
        std::vector<expr::LetText> lets;
        AstRef when = actor_.step ? Sends{output.name(), lets}.when(*actor_.step) : nullptr;
        if (!when)
            diagnostics_.add(Code::unused, output.port->where,
                             fmt::format("'{}' never sends to '{}'", name_, output.name()));
        for (expr::LetText& let : lets) {
            let.rhs = rewrite(std::move(let.rhs));
            own_lets_.push_back(std::move(let));
        }
        if (!when)
            output.sends = bool_tree(false, output.port->where);
        else if (when->kind != Ast::Kind::boolean) // `true` means always
            output.sends = rewrite(when);
    }
}

DeclarationSyntax ActorMaker::state(const char* name, const char* type) const {
    DeclarationSyntax result;
    result.name = {where_, name, {}};
    result.declaration.emplace();
    result.declaration->where = where_;
    result.declaration->generated = true;
    result.declaration->type = name_tree(type, where_);
    return result;
}

AstRef ActorMaker::firing() const {
    const auto number = [&](std::size_t value) {
        return number_tree(static_cast<Integer>(value), where_);
    };
    std::vector<std::pair<AstRef, AstRef>> arms{{own("fires"), number(Firing::fired)},
                                                {own("ends"), number(Firing::done)}};
    std::size_t next = Firing::waits;
    for (const Input& input : inputs_)
        arms.emplace_back(input.let("waits"), number(next++));
    for (const Output& output : outputs_)
        arms.emplace_back(name_tree(output.name() + ".waits", where_), number(next++));
    arms.emplace_back(nullptr, number(Firing::done));
    return choice_tree(arms, where_);
}

Statement ActorMaker::assign(AstRef to, AstRef value, AstRef when) const {
    Statement result;
    result.where = where_;
    result.target = std::move(to);
    result.rhs.where = where_;
    result.rhs.value = std::move(value);
    result.rhs.when = std::move(when);
    return result;
}

Block ActorMaker::whole_step(Block step, const std::vector<AstRef>& takes,
                             const AstRef& done) const {
    Block result;
    for (std::size_t k = 0; k < inputs_.size(); ++k) {
        const Input& input = inputs_[k];
        const AstRef wanted = input.receive ? input.let("wanted") : nullptr;
        result.statements.push_back(
            assign(input.field("ready"), and_tree(own("fires"), and_tree(wanted, takes[k]))));
    }
    for (const Output& output : outputs_) {
        AstRef offers = own("holds");
        if (output.sends)
            offers = and_tree(offers, sends(output));
        for (const Output& other : outputs_)
            if (&other != &output)
                offers = and_tree(offers, has_room(other));
        const AstRef port = name_tree(output.name(), output.port->where);
        result.statements.push_back(assign(field_tree(port, "valid"), offers));
        if (output.port->closes)
            result.statements.push_back(assign(name_tree(output.name() + ".closed", where_),
                                               can_end_ ? own("done") : bool_tree(false, where_)));
    }
    const AstRef last = done ? and_tree(own("fires"), done) : nullptr;
    if (const AstRef ends = or_tree(ends_ ? own("ends") : nullptr, last))
        result.statements.push_back(assign(own("done"), bool_tree(true, where_), ends));
    if (untimed_)
        result.statements.push_back(assign(own(firing_state), firing()));
    Statement fires;
    fires.kind = Statement::Kind::choice;
    fires.where = where_;
    fires.arms.push_back({own("holds"), {}, where_, std::move(step)});
    result.statements.push_back(std::move(fires));
    return result;
}

BodySyntax process_of_actor(const BodySyntax& actor, const std::string& name, const Location& where,
                            const std::vector<ActorPort>& ports, const std::set<std::string>& buses,
                            bool untimed, Diagnostics& diagnostics) {
    return ActorMaker{actor, name, where, buses, untimed, diagnostics}.run(ports);
}

} // namespace sme::yaml
