// SPDX-License-Identifier: Apache-2.0
//
// Channels that files feed or record, and their view in checks.
#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "yaml/channels/expansion_maker.hpp"

namespace sme::yaml {

using expr::Ast;
using expr::AstRef;

void Expansion::feed(InputSyntax& input, Channel& channel) {
    channel.sent = true;
    const std::string& name = channel.name.name;
    if (!channel.name.ranges.empty()) {
        fail(input.bus.where, name,
             fmt::format("a file feeds one channel, but '{}' is a family", name));
        return;
    }
    if (!channel.actor_receives) {
        input.bus.text = sending_end(channel);
        return;
    }
    channel.actor_sends = true;
    if (is_untimed())
        return;
    input.bus.text = name + ".file";
    add_bus(channel, input.bus.text, stream_of(channel), false);
    const Location& where = input.bus.where;
    ProcessSyntax made = pass(name + ".feed", where);
    made.domain = channel.domain;
    bind(made.in, "x", name + ".file", where);
    bind(made.out, "y", sending_end(channel), where);
    bind(made.out, "closed", closing_end(channel), where);
    const AstRef x = name_tree("x", where), y = name_tree("y", where);
    assign(made, field_tree(x, "ready"), field_tree(y, "ready"));
    assign(made, field_tree(y, "valid"), field_tree(x, "valid"));
    assign(made, field_tree(y, "data"), field_tree(x, "data"));
    assign(made, name_tree("closed", where), not_tree(field_tree(x, "valid")));
    queues_.push_back(std::move(made));
}

void Expansion::record(OutputSyntax& output) {
    const AstRef end = recorded_end(output.record.ast);
    if (!end)
        return;
    Channel* const channel = find(bus_name(end)->text);
    const Location& where = output.record.where;
    output.record.ast = messages(output.record.ast);
    output.when = and_tree(and_tree(field_tree(end, "valid"), field_tree(end, "ready")),
                           output.when ? messages(output.when) : nullptr);
    if (!output.domain)
        output.domain = channel->domain;
    if (channel->received)
        return;
    channel->received = true;
    if (!channel->name.ranges.empty()) {
        fail(where, channel->name.name,
             fmt::format("a file receives from one channel, but '{}' is a family; receive from its "
                         "members in processes",
                         channel->name.name));
        return;
    }
    if (is_untimed())
        return;
    ProcessSyntax made = pass(channel->name.name + ".record", where);
    made.domain = channel->domain;
    bind(made.in, "x", channel->name.name, where);
    assign(made, field_tree(name_tree("x", where), "ready"), bool_tree(true, where));
    queues_.push_back(std::move(made));
}

/// Returns true for "x.valid" and other fields of an end except its message.
bool Expansion::is_of_end(const Ast& tree) {
    if (tree.kind != Ast::Kind::field)
        return false;
    const Ast* const name = bus_name(tree.operands[0]);
    return name && find(name->text) &&
           (tree.text == "valid" || tree.text == "data" || tree.text == "ready" ||
            tree.text == "ended" || tree.text == "count");
}

/// Returns the channel whose message, or a part of it, is recorded; null for anything else.
AstRef Expansion::recorded_end(const AstRef& record) {
    for (AstRef tree = record; tree && !is_of_end(*tree); tree = tree->operands[0]) {
        if (const Ast* const name = bus_name(tree))
            return find(name->text) ? tree : nullptr;
        if (tree->kind != Ast::Kind::field && tree->kind != Ast::Kind::index &&
            tree->kind != Ast::Kind::slice)
            break;
    }
    return nullptr;
}

AstRef Expansion::messages(const AstRef& condition) {
    return Rewriter{[&](const AstRef& tree) -> AstRef {
        if (is_of_end(*tree))
            return tree;
        const Ast* const name = bus_name(tree);
        return name && find(name->text) ? field_tree(tree, "data") : nullptr;
    }}(condition);
}

ProcessSyntax Expansion::pass(std::string name, const Location& where) {
    ProcessSyntax made;
    made.name = {where, std::move(name), {}};
    made.where = where;
    made.body.step.emplace();
    return made;
}

void Expansion::bind(std::optional<BindingsSyntax>& section, const char* port,
                     const std::string& bus, const Location& where) {
    if (!section)
        section.emplace();
    section->ports.push_back(
        {expr::FamilyName{where, port, {}}, ValueSyntax{name_tree(bus, where), where, true, {}}});
}

void Expansion::assign(ProcessSyntax& process, AstRef target, AstRef value) {
    expr::Statement line;
    line.where = process.where;
    line.target = std::move(target);
    line.rhs.where = process.where;
    line.rhs.value = std::move(value);
    process.body.step->statements.push_back(std::move(line));
}

void Expansion::leave_out_checks() {
    if (made_.body.checks)
        context_.design.checks_left_out += made_.body.checks->checks.size();
    made_.body.checks.reset();
    for (ProcessSyntax& process : made_.processes) {
        if (process.body.checks)
            context_.design.checks_left_out += process.body.checks->checks.size();
        process.body.checks.reset();
    }
}

void Expansion::expand_observers() {
    const Rewriter rewrite{[&](const AstRef& tree) { return observed(tree); }};
    const auto change = [&](AstRef& tree) { tree = rewrite(tree); };
    if (made_.body.checks)
        for (CheckSyntax& check : made_.body.checks->checks)
            for (AstRef* tree : {&check.property.first, &check.property.then, &check.property.from,
                                 &check.property.to})
                change(*tree);
    for (OutputSyntax& output : made_.run.outputs) {
        change(output.record.ast);
        change(output.when);
    }
}

AstRef Expansion::observed(const AstRef& tree) {
    if (tree->kind != Ast::Kind::field)
        return nullptr;
    const Ast* const name = bus_name(tree->operands[0]);
    const Channel* const channel = name ? find(name->text) : nullptr;
    const std::string& field = tree->text;
    if (!channel || (field != "ended" && field != "count"))
        return nullptr;
    if (field == "ended") {
        const AstRef end = tree->operands[0];
        return channel->closes() ? and_tree(renamed(end, channel->name.name + ".closed"),
                                            not_tree(field_tree(end, "valid")))
                                 : bool_tree(false, tree->where);
    }
    if (!channel->has_queue)
        return nullptr;
    auto made = std::make_shared<Ast>(*tree);
    made->operands[0] = renamed(tree->operands[0], channel->name.name + ".queue");
    return made;
}

} // namespace sme::yaml
