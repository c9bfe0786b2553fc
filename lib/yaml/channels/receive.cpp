// SPDX-License-Identifier: Apache-2.0
//
// Checks what `receive` and `take` may read.
#include <algorithm>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "yaml/channels/actor_maker.hpp"

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

} // namespace sme::yaml
