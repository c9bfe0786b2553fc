// SPDX-License-Identifier: Apache-2.0
//
// The buses and the queue of a channel.
#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "base/digest.hpp"
#include "yaml/channels/expansion.hpp"

namespace sme::yaml {

using expr::Ast;
using expr::AstRef;

namespace {

constexpr const char* queue_component = ".channel";
constexpr const char* delayed_component = ".delayed_channel";
constexpr const char* stalling_component = ".stalling_channel";

// The names in these components.
constexpr expr::QueueNames queue_names{"push", "pop", "count", nullptr, nullptr};
constexpr expr::QueueNames delayed_names{"push", "pop", "count", "there", "latency"};

} // namespace

BindingSyntax Expansion::closing(const BindingSyntax& binding, const Channel& channel,
                                 const AstRef& written, bool sends) {
    BindingSyntax result = binding;
    result.closes = result.port->name;
    result.port->name += ".closed";
    result.value.ast =
        renamed(written, sends ? closing_end(channel) : name_of(channel, ChannelRole::closed));
    return result;
}

std::string Expansion::closing_end(const Channel& channel) {
    return name_of(channel, channel.stalls ? ChannelRole::closing : ChannelRole::closed);
}

void Expansion::add_opener(const ProcessSyntax& process, const AstRef& written,
                           const Channel& channel) {
    ProcessSyntax result;
    result.channel = {ChannelRole::opener, channel.number};
    result.where = process.where;
    result.body.step.emplace();
    result.members = process.members;
    result.domain = process.domain;
    result.name = process.name; // a family like the sender
    result.name.name = fmt::format("{}.{}.open", process.name.name, channel.name.name);
    const bool whole = !channel.name.ranges.empty() && written->kind == Ast::Kind::name;
    BindingSyntax binding;
    binding.port = expr::FamilyName{process.where, "closed", {}};
    binding.value = {renamed(written, closing_end(channel)), process.where, true, {}};
    result.out.emplace().ports.push_back(std::move(binding));
    AstRef target = name_tree("closed", process.where);
    if (whole)
        target = each_of(target, channel.name.ranges);
    assign(result, std::move(target), bool_tree(false, process.where));
    queues_.push_back(std::move(result));
}

AstRef Expansion::each_of(const AstRef& name, const std::vector<expr::RangeText>& ranges) {
    std::vector<AstRef> places;
    for (const expr::RangeText& range : ranges) {
        auto each = std::make_shared<Ast>();
        each->kind = Ast::Kind::range;
        each->where = name->where;
        each->text = range.index;
        each->operands.push_back(range.end);
        if (range.low)
            each->operands.push_back(range.low);
        places.push_back(std::move(each));
    }
    return index_tree(name, std::move(places));
}

void Expansion::add(const Channel& channel) {
    const std::string& name = channel.name.name;
    if (channel.is_port)
        return;
    if (!channel.sent || !channel.received) {
        diagnostics_.add(Code::bad_channel, channel.name.where,
                         fmt::format("no process {} channel '{}'; a channel has one sender and "
                                     "one receiver",
                                     channel.sent ? "receives from" : "sends to", name));
        context_.broken.insert(name);
    }
    add_bus(channel, ChannelRole::received);
    if (channel.has_queue) {
        add_bus(channel, ChannelRole::sent);
        add_queue(channel);
    }
    if (!channel.actor_receives)
        context_.open_channels.push_back(
            channel.has_queue ? Context::OpenChannel{name, name_of(channel, ChannelRole::queue),
                                                     name_of(channel, ChannelRole::sent)}
                              : Context::OpenChannel{name, "", ""});
    if (channel.stalls)
        add_bus(channel, ChannelRole::empty);
    if (channel.closes())
        add_bus(channel, ChannelRole::closed);
    if (channel.closes() && channel.stalls) {
        add_bus(channel, ChannelRole::closing);
        add_closing(channel);
    }
}

void Expansion::add_closing(const Channel& channel) {
    const Location& where = channel.name.where;
    ProcessSyntax result = pass(channel, ChannelRole::closer, where);
    result.name.ranges = channel.name.ranges;
    const auto bus = [&](const char* port, ChannelRole role) {
        return bound(port, channel.name, name_of(channel, role));
    };
    result.in = bus("closing", ChannelRole::closing);
    result.in->ports.push_back(bus("empty", ChannelRole::empty).ports[0]);
    result.out = bus("closed", ChannelRole::closed);
    assign(result, name_tree("closed", where),
           and_tree(name_tree("closing", where), name_tree("empty", where)));
    queues_.push_back(std::move(result));
}

/// Returns a seed that differs between channels; members of large families may share a seed.
AstRef Expansion::seed_of(const Channel& channel) const {
    constexpr std::uint64_t prime = 0x9e37'79b9'7f4a'7c15;
    constexpr int alike = 16;
    const std::uint64_t seed = Digest{}
                                   .add(*context_.loading.options.stalls)
                                   .add(context_.prefix)
                                   .add(channel.name.name)
                                   .value();
    const Location& where = channel.name.where;
    AstRef result = number_tree(static_cast<Integer>(seed * prime >> 32), where);
    for (const expr::RangeText& range : channel.name.ranges)
        result = add_tree(result, remainder_tree(name_tree(range.index, where), alike));
    return result;
}

AstRef Expansion::stream_of(const Channel& channel) {
    return call_tree(name_tree(stream_name, channel.declared.where), {channel.declared.type});
}

void Expansion::add_bus(const Channel& channel, ChannelRole role) {
    const bool stream =
        role == ChannelRole::received || role == ChannelRole::sent || role == ChannelRole::rows;
    DeclarationSyntax result{channel.name, expr::Declaration{}, {role, channel.number}};
    result.name.name = name_of(channel, role);
    expr::Declaration& declaration = *result.declaration;
    declaration.where = channel.declared.where;
    declaration.generated = true;
    declaration.type = stream ? stream_of(channel) : name_tree("bool", declaration.where);
    if (is_untimed() && stream)
        declaration.depth = number_tree(std::max<Integer>(channel.depth, 1), channel.name.where);
    declaration.wire = !stream && !channel.delayed;
    if (!stream && channel.delayed) // delayed like the last message
        declaration.delay = less_one(channel.declared.delay);
    made_.buses.push_back(std::move(result));
}

const char* Expansion::queue_component_of(const Channel& channel) {
    return channel.stalls    ? stalling_component
           : channel.delayed ? delayed_component
                             : queue_component;
}

bool Expansion::import_queue(const Channel& channel) {
    const char* const name = queue_component_of(channel);
    const ComponentFile*& known = context_.components[name];
    if (known)
        return true;
    const ImportedFile* const file = context_.loading.library.open(
        fmt::format("std/{}.yaml", name + 1), context_.initials.place(), channel.name.where);
    if (!file || !file->component)
        return false;
    known = file->component.get();
    return true;
}

void Expansion::add_queue(const Channel& channel) {
    if (!import_queue(channel))
        return;
    const Location& where = channel.name.where;
    ProcessSyntax result;
    result.channel = {ChannelRole::queue, channel.number};
    result.queue = channel.delayed && !channel.stalls ? &delayed_names : &queue_names;
    result.name = channel.name;
    result.name.name = name_of(channel, ChannelRole::queue);
    result.domain = channel.domain;
    result.where = where;
    result.use.emplace();
    result.use->where = where;
    result.use->names.push_back({queue_component_of(channel), where});
    const auto give = [&](const char* parameter, const AstRef& value) {
        if (value)
            result.with.push_back(
                {{parameter, where}, {where.source, "", {where.begin, where.end}}, value});
    };
    give("depth", channel.declared.depth);
    if (channel.delayed)
        give("latency", channel.declared.delay);
    if (channel.stalls)
        give("seed", seed_of(channel));
    give("T", channel.declared.type);
    result.in = bound("x", channel.name, name_of(channel, ChannelRole::sent));
    result.out = bound("y", channel.name, channel.name.name);
    if (channel.stalls)
        result.out->ports.push_back(
            bound("empty", channel.name, name_of(channel, ChannelRole::empty)).ports[0]);
    queues_.push_back(std::move(result));
}

BindingsSyntax Expansion::bound(const char* port, const expr::FamilyName& family,
                                const std::string& bus) {
    std::vector<AstRef> places;
    for (const expr::RangeText& range : family.ranges)
        places.push_back(name_tree(range.index, family.where));
    BindingsSyntax result;
    result.ports.push_back(
        {expr::FamilyName{family.where, port, {}},
         ValueSyntax{
             index_tree(name_tree(bus, family.where), std::move(places)), family.where, true, {}}});
    return result;
}

// Channels that files feed or record, and their view in checks.

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
    input.driven = context_.loading.options.drives(name);
    context_.design.has_open_channel =
        context_.design.has_open_channel || input.driven || input.open;
    if (!channel.actor_receives || input.driven || input.open) {
        input.bus.text = sending_end(channel);
        return;
    }
    channel.actor_sends = true;
    if (is_untimed())
        return;
    input.bus.text = name_of(channel, ChannelRole::rows);
    add_bus(channel, ChannelRole::rows);
    const Location& where = input.bus.where;
    ProcessSyntax result = pass(channel, ChannelRole::feeder, where);
    bind(result.in, "x", input.bus.text, where);
    bind(result.out, "y", sending_end(channel), where);
    bind(result.out, "closed", closing_end(channel), where);
    const AstRef x = name_tree("x", where), y = name_tree("y", where);
    assign(result, field_tree(x, "ready"), field_tree(y, "ready"));
    assign(result, field_tree(y, "valid"), field_tree(x, "valid"));
    assign(result, field_tree(y, "data"), field_tree(x, "data"));
    assign(result, name_tree("closed", where), not_tree(field_tree(x, "valid")));
    queues_.push_back(std::move(result));
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
    ProcessSyntax result = pass(*channel, ChannelRole::recorder, where);
    bind(result.in, "x", channel->name.name, where);
    assign(result, field_tree(name_tree("x", where), "ready"), bool_tree(true, where));
    queues_.push_back(std::move(result));
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

ProcessSyntax Expansion::pass(const Channel& channel, ChannelRole role, const Location& where) {
    ProcessSyntax result;
    result.channel = {role, channel.number};
    result.domain = channel.domain;
    result.name = {where, name_of(channel, role), {}};
    result.where = where;
    result.body.step.emplace();
    return result;
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
        return channel->closes() ? and_tree(renamed(end, name_of(*channel, ChannelRole::closed)),
                                            not_tree(field_tree(end, "valid")))
                                 : bool_tree(false, tree->where);
    }
    if (!channel->has_queue)
        return nullptr;
    auto result = std::make_shared<Ast>(*tree);
    result->operands[0] = renamed(tree->operands[0], name_of(*channel, ChannelRole::queue));
    return result;
}

} // namespace sme::yaml
