// SPDX-License-Identifier: Apache-2.0
//
// The lets that determine whether an actor fires, ends or waits.
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "yaml/channels/actor_maker.hpp"
#include "yaml/scope/streams.hpp"

namespace sme::yaml {

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
