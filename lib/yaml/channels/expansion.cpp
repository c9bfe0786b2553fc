// SPDX-License-Identifier: Apache-2.0
//
// Finds the processes at both ends of each channel, and binds them.
#include "yaml/channels/expansion.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "base/codes.hpp"

namespace sme::yaml {

using expr::Ast;
using expr::AstRef;

FileSyntax Expansion::run() {
    if (is_untimed())
        leave_out_checks();
    for (const DeclarationSyntax& port : made_.in)
        take_port(port, false);
    for (const DeclarationSyntax& port : made_.out)
        take_port(port, true);
    for (const DeclarationSyntax& channel : made_.channels)
        take_channel(channel);
    for (const ProcessSyntax& process : made_.processes)
        take_uses(process);
    for (InputSyntax& input : made_.run.inputs)
        if (Channel* const channel = find(input.bus.text))
            feed(input, *channel);
    for (OutputSyntax& output : made_.run.outputs)
        record(output);
    for (ProcessSyntax& process : made_.processes)
        expand(process);
    if (made_.body.step && !made_.body.sequence && !made_.body.pipeline)
        expand_body();
    for (const std::string& name : order_)
        add(channels_.at(name));
    for (ProcessSyntax& process : queues_)
        made_.processes.push_back(std::move(process));
    expand_observers();
    return std::move(made_);
}

void Expansion::take_port(const DeclarationSyntax& port, bool output) {
    const expr::FamilyName& name = port.name;
    const auto& declaration = port.declaration;
    if (!declaration || !declaration->channel)
        return;
    Channel result{name, *declaration};
    result.has_queue = false;
    result.is_port = true;
    (output ? result.received : result.sent) = true;
    (output ? result.actor_receives : result.actor_sends) = true;
    channels_.emplace(name.name, std::move(result));
}

void Expansion::take_channel(const DeclarationSyntax& section) {
    const expr::FamilyName& name = section.name;
    const auto& declaration = section.declaration;
    if (!declaration) {
        context_.broken.insert(name.name);
        return;
    }
    for (const auto* others : {&made_.buses, &made_.in, &made_.out})
        for (const DeclarationSyntax& other : *others)
            if (other.name.name == name.name) {
                diagnostics_
                    .add(Code::duplicate_name, name.where,
                         fmt::format("'{}' is declared twice", name.name))
                    .note(other.name.where, "it is declared here, too");
                context_.broken.insert(name.name);
                return;
            }
    Channel result{name, *declaration};
    for (std::size_t k = 0; k < result.name.ranges.size(); ++k)
        if (result.name.ranges[k].index.empty())
            result.name.ranges[k].index = fmt::format("{}.{}", name.name, k);
    const auto delay = number(declaration->delay, "the delay of a channel", 1);
    auto depth = number(declaration->depth, "the depth of a channel",
                        std::max<Integer>(delay.value_or(1), 1) + 1);
    if (!depth || !delay) {
        context_.broken.insert(name.name);
        return;
    }
    if (!declaration->depth) // one message in every cycle
        result.declared.depth = number_tree(*depth, name.where);
    if (const auto& other = context_.loading.options.depth_of)
        if (const auto places = other(name.where)) {
            depth = *places;
            result.declared.depth = number_tree(*depth, name.where);
        }
    note_line(section, *depth);
    result.has_queue = *depth > 0;
    result.depth = static_cast<std::uint64_t>(std::max<Integer>(*depth, 0));
    result.delayed = *delay > 1;
    if (*depth < 0 || *delay < 1)
        fail(*depth < 0 ? declaration->depth->where : declaration->delay->where, name.name,
             *depth < 0
                 ? fmt::format("a channel has 0 or more places, but this is {}", to_string(*depth))
                 : fmt::format("what is sent can be received 1 or more cycles later, "
                               "but this is {}",
                               to_string(*delay)));
    else if (!result.has_queue && declaration->delay)
        fail(declaration->delay->where, name.name,
             "a channel of depth 0 is wires, so it has no delay");
    else if (const auto [entry, added] = channels_.emplace(name.name, as_wanted(std::move(result)));
             added) {
        auto& all = context_.design.graph.channels;
        entry->second.number = static_cast<std::uint32_t>(all.size());
        all.push_back({context_.prefix + name.name, name.where});
        order_.push_back(name.name);
    } else
        diagnostics_.add(Code::duplicate_name, name.where,
                         fmt::format("the channel '{}' is declared twice", name.name));
}

Expansion::Channel Expansion::as_wanted(Channel channel) const {
    if (is_untimed()) { // the runtime provides the places
        channel.has_queue = channel.delayed = false;
        channel.declared.delay = nullptr;
    }
    if (!context_.loading.options.stalls)
        return channel;
    channel.stalls = true;
    channel.delayed = false; // in such a run, any message may be late
    channel.declared.delay = nullptr;
    if (!std::exchange(channel.has_queue, true))
        channel.declared.depth = number_tree(1, channel.declared.where);
    return channel;
}

/// Records a channel once, even for a component with many instances.
void Expansion::note_line(const DeclarationSyntax& channel, Integer depth) {
    const expr::FamilyName& name = channel.name;
    const auto& declaration = channel.declaration;
    auto& lines = context_.design.channels;
    const bool known = std::any_of(lines.begin(), lines.end(), [&](const ChannelLine& line) {
        return line.name.source == name.where.source && line.name.begin == name.where.begin;
    });
    if (known || depth < 0)
        return;
    Location place = declaration->depth ? declaration->depth->where : declaration->where;
    if (!declaration->depth)
        place.end = place.begin;
    lines.push_back(
        {name.where, place, declaration->depth != nullptr, static_cast<std::uint64_t>(depth)});
}

void Expansion::fail(const Location& where, const std::string& name, std::string message) {
    diagnostics_.add(Code::bad_channel, where, std::move(message));
    context_.broken.insert(name);
}

std::optional<Integer> Expansion::number(const AstRef& tree, const char* what, Integer usual) {
    if (!tree)
        return usual;
    Constants constants{context_.scope, diagnostics_};
    return constants.elaborator().constant(*tree, what);
}

Expansion::Channel* Expansion::find(const std::string& name) {
    const auto found = channels_.find(name);
    return found == channels_.end() ? nullptr : &found->second;
}

Expansion::Channel* Expansion::channel_of(const BindingSyntax& binding) {
    const Ast* const name = bus_name(binding.value.ast);
    return name ? find(name->text) : nullptr;
}

bool Expansion::is_channel_port(const ProcessSyntax& process, const std::string& port,
                                bool output) const {
    if (!process.use || process.use->names.empty())
        return false;
    const auto component = context_.components.find(process.use->names[0].text);
    if (component == context_.components.end())
        return false;
    const FileSyntax& file = component->second->syntax;
    const auto& ports = output ? file.out : file.in;
    return std::any_of(ports.begin(), ports.end(), [&](const DeclarationSyntax& each) {
        return each.name.name == port && each.declaration && each.declaration->channel;
    });
}

bool Expansion::is_channel_port(const ProcessSyntax& process, const BindingSyntax& binding,
                                bool output) const {
    const Ast* const name = bus_name(binding.value.ast);
    return is_channel_port(process,
                           binding.port ? binding.port->name
                           : name       ? name->text
                                        : "",
                           output);
}

void Expansion::take_uses(const ProcessSyntax& process) {
    for (const auto* section : {&process.in, &process.out})
        if (*section)
            for (const BindingSyntax& binding : (*section)->ports)
                if (Channel* const channel = channel_of(binding)) {
                    const bool sends = section == &process.out;
                    const bool component = is_channel_port(process, binding, sends);
                    (sends ? channel->sent : channel->received) = true;
                    check_second(process, binding.value.where, sends, *channel);
                    if (process.domains.empty() && (sends || !channel->domain_known)) {
                        channel->domain = process.domain;
                        channel->domain_known = true;
                    }
                    if (is_plain(process) || component)
                        (sends ? channel->actor_sends : channel->actor_receives) = true;
                }
}

void Expansion::check_second(const ProcessSyntax& process, const Location& where, bool sends,
                             Channel& channel) {
    if (!channel.name.ranges.empty())
        return;
    std::string& first = sends ? channel.sender : channel.receiver;
    if (!first.empty() && diagnostics_.errors() < Diagnostics::error_limit)
        diagnostics_
            .add(Code::bad_channel, where,
                 fmt::format("'{}' and '{}' both {} channel '{}'; a channel has one sender and "
                             "one receiver",
                             first, process.name.name, sends ? "send to" : "receive from",
                             channel.name.name))
            .note(channel.name.where, "it is declared here");
    first = process.name.name;
}

bool Expansion::is_broken(const ProcessSyntax& process) const {
    for (const auto* section : {&process.in, &process.out})
        if (*section)
            for (const BindingSyntax& binding : (*section)->ports)
                if (const Ast* const name = bus_name(binding.value.ast);
                    name && context_.broken.count(name->text))
                    return true;
    return false;
}

std::string Expansion::sending_end(const Channel& channel) {
    return name_of(channel, channel.has_queue ? ChannelRole::sent : ChannelRole::received);
}

std::string Expansion::name_of(const Channel& channel, ChannelRole role) {
    static const std::map<ChannelRole, const char*> endings{
        {ChannelRole::received, ""},        {ChannelRole::sent, ".in"},
        {ChannelRole::rows, ".file"},       {ChannelRole::closed, ".closed"},
        {ChannelRole::closing, ".closing"}, {ChannelRole::empty, ".empty"},
        {ChannelRole::queue, ".queue"},     {ChannelRole::feeder, ".feed"},
        {ChannelRole::recorder, ".record"}, {ChannelRole::closer, ".close"},
    };
    return channel.name.name + endings.at(role);
}

void Expansion::expand(ProcessSyntax& process) {
    std::vector<ActorPort> ports;
    if (is_broken(process)) {
        process.broken = true;
        return;
    }
    const std::size_t errors = diagnostics_.errors();
    for (auto* section : {&process.in, &process.out})
        if (*section)
            expand_bindings(**section, section == &process.out, process, ports);
    if (diagnostics_.errors() != errors) {
        process.broken = true;
        return;
    }
    if (ports.empty()) {
        if (process.body.actor.known())
            fail_no_actor(process.name.name, process.body.actor);
        return;
    }
    process.body = process_of_actor(process.body, process.name.name, process.where, ports,
                                    buses_of(process), is_untimed(), diagnostics_);
}

std::set<std::string> Expansion::buses_of(const ProcessSyntax& process) const {
    std::set<std::string> found;
    if (process.in)
        for (const BindingSyntax& binding : process.in->ports)
            if (const Ast* const name = bus_name(binding.value.ast);
                name && binding.closes.empty() && channels_.count(name->text) == 0 &&
                !context_.scope.find(name->text))
                found.insert(binding.port ? binding.port->name : name->text);
    return found;
}

void Expansion::expand_body() {
    std::vector<ActorPort> ports;
    std::set<std::string> buses;
    for (const auto* section : {&made_.in, &made_.out})
        for (const DeclarationSyntax& port : *section) {
            const expr::FamilyName& name = port.name;
            const auto& declaration = port.declaration;
            if (!declaration || !declaration->channel) {
                if (section == &made_.in && port.closes.empty())
                    buses.insert(name.name);
                continue;
            }
            if (name.ranges.empty())
                ports.push_back(
                    {name.name, name.where, section == &made_.out, declaration->type, true});
            else
                fail_several(name.name, name.where);
        }
    const std::string& name =
        context_.component ? context_.component->name : context_.design.graph.name;
    if (!ports.empty())
        made_.body = process_of_actor(made_.body, name, ports.front().where, ports, buses,
                                      is_untimed(), diagnostics_);
    else if (made_.body.actor.known())
        fail_no_actor(name, made_.body.actor);
}

void Expansion::fail_no_actor(const std::string& name, const Location& where) {
    diagnostics_.add(Code::bad_actor, where,
                     fmt::format("'receive', 'take' and 'done' are for actors, but '{}' is "
                                 "bound to no channel",
                                 name));
}

void Expansion::fail_several(const std::string& port, const Location& where) {
    diagnostics_.add(Code::bad_actor, where,
                     fmt::format("a port of an actor is one channel, but '{}' holds "
                                 "several; bind each to a port of its own",
                                 port));
}

void Expansion::expand_bindings(BindingsSyntax& section, bool output, ProcessSyntax& process,
                                std::vector<ActorPort>& ports) {
    const bool actor = is_plain(process);
    std::vector<BindingSyntax> more;
    for (BindingSyntax& binding : section.ports) {
        const Channel* const channel = channel_of(binding);
        const bool ends = is_channel_port(process, binding, output);
        if (!channel) {
            if (ends)
                diagnostics_.add(Code::bad_channel, binding.value.where,
                                 "this port is the end of a channel, but it is bound to none; "
                                 "declare one under 'channels'");
            continue;
        }
        const Location where = binding.port ? binding.port->where : binding.value.where;
        const AstRef written = binding.value.ast;
        if (!binding.port)
            binding.port = expr::FamilyName{where, channel->name.name, {}};
        if (output)
            binding.value.ast = renamed(written, sending_end(*channel));
        if (ends) {
            more.push_back(closing(binding, *channel, written, output));
            if (!channel->closes()) // only of an input: it never closes
                more.back().value = {bool_tree(false, where), where, true, {}};
            continue;
        }
        if (!actor) {
            if (output && channel->closes())
                add_opener(process, written, *channel);
            continue;
        }
        if (!binding.port->ranges.empty() ||
            (!channel->name.ranges.empty() && written->kind == Ast::Kind::name)) {
            fail_several(binding.port->name, where);
            continue;
        }
        ports.push_back(
            {binding.port->name, where, output, channel->declared.type, channel->closes()});
        if (channel->closes())
            more.push_back(closing(binding, *channel, written, output));
    }
    if (std::any_of(section.ports.begin(), section.ports.end(),
                    [](const BindingSyntax& each) { return each.port.has_value(); }))
        section.form = BindingsSyntax::Form::map;
    for (BindingSyntax& each : more)
        section.ports.push_back(std::move(each));
}

const FileSyntax& expanded(const FileSyntax& file, Context& context) {
    const auto is_channel = [](const DeclarationSyntax& port) {
        return port.declaration && port.declaration->channel;
    };
    const bool ports = std::any_of(file.in.begin(), file.in.end(), is_channel) ||
                       std::any_of(file.out.begin(), file.out.end(), is_channel);
    const bool actors =
        std::any_of(file.processes.begin(), file.processes.end(),
                    [](const ProcessSyntax& process) { return process.body.actor.known(); });
    if (file.channels.empty() && !ports && !actors && !file.body.actor.known())
        return file;
    context.expanded = std::make_unique<FileSyntax>(Expansion{file, context}.run());
    return *context.expanded;
}

} // namespace sme::yaml
