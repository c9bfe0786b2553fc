// SPDX-License-Identifier: Apache-2.0
//
// Prints the sections with processes and related sections. Names are printed last, in
// name_printer.cpp, when it is known which of them are used.
#include "yaml/print/scope_printer.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "yaml/scope/declarations.hpp"

namespace sme::yaml {

namespace {

/// Sets a section unless it is empty.
void add(Document& into, const char* name, Document section) {
    if (!section.empty())
        into.set(name, std::move(section));
}

} // namespace

Document ScopePrinter::network() {
    Document body = Document::map();
    add_body(body);
    add(body, "inputs", inputs());
    add(body, "outputs", outputs());
    Document assumed = Document::list(false);
    for (const RequirementSyntax& each : file_.run.assumptions)
        assumed.push(Document::of(text_.print(*each.ast)));
    add(body, "assume", std::move(assumed));
    if (file_.body.checks)
        add(body, "checks", checks(*file_.body.checks));
    add(body, "run", run());
    Document result = Document::map();
    result.set("network", context_.design.graph.name);
    add_names(result, false);
    if (file_.run.clock)
        result.set("clock", file_.run.clock->text);
    add(result, "domains", domains());
    for (auto& [name, section] : body.entries)
        result.set(std::move(name), std::move(section));
    return result;
}

Document ScopePrinter::component(const std::string& name) {
    Document body = Document::map();
    Document domains = Document::list(true);
    for (const Word& domain : file_.domains)
        domains.push(Document::of(domain.text));
    add(body, "domains", std::move(domains));
    add(body, "in", declarations(file_.in));
    add(body, "out", declarations(file_.out));
    add_body(body);
    add_process_body(file_.body, body);
    Document result = Document::map();
    result.set("component", name);
    add_names(result, false);
    for (auto& [key, section] : body.entries)
        result.set(std::move(key), std::move(section));
    return result;
}

/// Prints the clock rates of the domains, as numbers.
Document ScopePrinter::domains() {
    Document result = Document::map(true);
    for (const ClockDomain& domain : context_.design.graph.domains)
        result.set(domain.name, domain.rate.text());
    return result;
}

Document ScopePrinter::library() {
    Document result = Document::map();
    add_names(result, true);
    return result;
}

Document ScopePrinter::imports() {
    Document result = Document::list(true);
    std::set<std::string> known;
    const auto add = [&](const std::string& name) {
        if (known.insert(name).second)
            result.push(Document::of(name));
    };
    for (const ImportedFile* file : context_.imports)
        if (!file->component)
            add(files_.library(*file));
        else
            for (const Context* inside : instances_in(file_, context_))
                if (inside->component == file->component.get())
                    add(files_.component_of(*inside));
    return result;
}

/// Prints "name[k < n]: [wire] type = initial".
Document ScopePrinter::declarations(const std::vector<DeclarationSyntax>& section) {
    Document result = Document::map();
    for (const auto& [name, declaration, channel, closes] : section)
        if (!declaration->generated)
            result.set(text_.print(name), text_.declaration(*declaration));
    return result;
}

void ScopePrinter::add_body(Document& into) {
    add(into, "buses", declarations(file_.buses));
    add(into, "channels", declarations(file_.channels));
    if (file_.has_processes)
        into.set("processes", processes());
}

Document ScopePrinter::processes() {
    Document result = Document::map();
    for (const ProcessSyntax& each : file_.processes)
        result.set(text_.print(each.name), process(each));
    return result;
}

Document ScopePrinter::process(const ProcessSyntax& process) {
    Document result = Document::map();
    if (process.members)
        result.set("where", text_.print(*process.members->ast));
    add_unit(process, result);
    if (process.domain)
        result.set("domain", process.domain->text);
    Document domains = Document::map(true);
    for (const DomainBindingSyntax& each : process.domains)
        domains.set(each.inner.text, each.outer.text);
    add(result, "domains", std::move(domains));
    add_process_body(process.body, result);
    if (process.against) {
        Document second = Document::map();
        add_unit(*process.against, second);
        add_outside(*process.against, second);
        result.set("against", std::move(second));
    }
    return result;
}

/// Prints a second implementation outside the network.
void ScopePrinter::add_outside(const ProcessSyntax& process, Document& into) {
    if (!process.outside)
        return;
    const OutsideSyntax& written = *process.outside;
    for (const auto& [key, word, path] :
         {std::tuple{"waveform", &written.waveform, true},
          std::tuple{"scope", &written.scope, false}, std::tuple{"clock", &written.clock, false},
          std::tuple{"reset", &written.reset, false}})
        if (*word)
            into.set(key, path ? text_.path((*word)->text) : (*word)->text);
}

/// Prints the component of an instance, and its ports.
void ScopePrinter::add_unit(const ProcessSyntax& process, Document& into) {
    if (process.use)
        instance(process, into);
    if (process.verilog)
        into.set("verilog", verilog(*process.verilog));
    if (process.in)
        add(into, "in", bindings(*process.in));
    if (process.out)
        add(into, "out", bindings(*process.out));
}

/// Prints the section as written, with paths relative to the working directory.
Document ScopePrinter::verilog(const Node& section) {
    const auto list = [&](const Node& node, bool paths) {
        const auto print = [&](const Node& item) {
            return Document::of(paths ? text_.path(item.text.text) : item.text.text);
        };
        if (node.is_text())
            return print(node);
        Document result = Document::list(true);
        for (const Node& item : node.items)
            result.push(print(item));
        return result;
    };
    Document result = Document::map();
    for (const auto& [key, value] : section.entries) {
        const std::string& name = key.text.text;
        if (value.is_map()) {
            Document entries = Document::map();
            for (const auto& [inner, text] : value.entries)
                entries.set(inner.text.text,
                            name == "parameters" && is_text_parameter(text, context_)
                                ? '"' + text.text.text + '"'
                            : text.text.text.starts_with('"') ? text.text.text
                                                              : text_.expression(text.text));
            result.set(name, std::move(entries));
        } else
            result.set(name, list(value, name == "files" || name == "include" || name == "lists"));
    }
    return result;
}

/// Prints an instance. A type parameter remains if the component still uses it; numbers and files
/// become part of the component.
void ScopePrinter::instance(const ProcessSyntax& process, Document& result) {
    const Unit& unit = context_.members.at(process.name.name);
    const Context& inside = unit.groups.empty() ? *unit.context : *unit.groups[0].context;
    if (unit.groups.empty())
        result.set("use", files_.component_of(inside));
    else {
        Document components = Document::list(true);
        for (std::uint64_t k = 0; k < unit.shape.count(); ++k)
            components.push(Document::of(files_.component_of(*unit.member(0, k).first->context)));
        result.set("use", std::move(components));
    }
    Document types = Document::map();
    for (const ParameterSyntax& parameter : inside.component->syntax.names.parameters)
        if (parameter.kind == ParameterSyntax::Kind::type &&
            has_parameter_(inside, parameter.name.text))
            for (const GivenSyntax& given : process.with)
                if (given.name.text == parameter.name.text)
                    types.set(given.name.text, text_.print(*given.ast));
    types.flow = true;
    add(result, "with", std::move(types));
}

/// Prints state, let, reset, step and checks: of a process, or of a component that is a process.
void ScopePrinter::add_process_body(const BodySyntax& body, Document& into) {
    add(into, "state", declarations(body.states));
    add(into, "let", text_.let(body.lets));
    if (body.reset)
        into.set("reset", text_.print(*body.reset));
    Document crossings = Document::map(true);
    for (const CrossingSyntax& each : body.crossings)
        crossings.set(each.port.text, each.sampled ? "sampled" : "stable");
    add(into, "crosses", std::move(crossings));
    add(into, "receive", channel_conditions(body.receive));
    add(into, "take", channel_conditions(body.take));
    if (body.done)
        into.set("done", text_.print(*body.done));
    if (body.step)
        into.set("step", text_.step(*body.step));
    if (body.pipeline) {
        into.set("pipeline", text_.pipeline(*body.pipeline));
        if (body.pipeline->stall.known())
            into.set("stall", body.pipeline->collapses ? "bubble" : "whole");
        if (body.pipeline->balance)
            into.set("balance", text_.print(*body.pipeline->balance));
    }
    add(into, "procedures", text_.procedures(body.procedures));
    if (body.sequence)
        into.set("sequence", text_.sequence(*body.sequence));
    if (body.checks)
        add(into, "checks", checks(*body.checks));
}

Document ScopePrinter::channel_conditions(const std::vector<ChannelConditionSyntax>& section) {
    Document result = Document::map();
    for (const auto& [channel, condition] : section)
        result.set(channel.text, text_.print(*condition));
    return result;
}

/// Prints a bus, a list of buses, or {port: bus}; an instance may have values instead of buses.
Document ScopePrinter::bindings(const BindingsSyntax& section) {
    if (section.form == BindingsSyntax::Form::single)
        return text_.value(section.ports[0].value);
    const bool list = section.form == BindingsSyntax::Form::list;
    Document result = list ? Document::list(true) : Document::map(true);
    for (const auto& [port, value, closes] : section.ports)
        if (list)
            result.push(text_.value(value));
        else
            result.set(text_.print(*port), text_.value(value));
    return result;
}

Document ScopePrinter::checks(const ChecksSyntax& section) {
    Document result = Document::list();
    for (const CheckSyntax& each : section.checks) {
        Document check = Document::map();
        std::string word{each.word};
        if (each.cycle)
            word = fmt::format("{} {}", word, text_.print(*each.cycle));
        check.set(std::move(word), text_.print(each.property));
        result.push(std::move(check));
    }
    return result;
}

Document ScopePrinter::inputs() {
    Document result = Document::map();
    for (const InputSyntax& each : file_.run.inputs) {
        const std::string bus = each.element ? text_.print(*each.element) : each.bus.text;
        if (!each.changes.empty()) {
            Document changes = Document::map();
            for (const ChangeSyntax& change : each.changes)
                changes.set(text_.print(*change.cycle), text_.value(change.value));
            result.set(bus, std::move(changes));
            continue;
        }
        if (!each.map) {
            result.set(bus, each.open     ? std::string{format::open_input}
                            : each.random ? each.file.text
                                          : text_.path(each.file.text));
            continue;
        }
        Document input = Document::map(!each.signal && !each.clock);
        input.set("file", text_.path(each.file.text));
        for (const auto& [key, word] :
             {std::pair{"signal", &each.signal}, std::pair{"clock", &each.clock},
              std::pair{"edge", &each.edge}, std::pair{"sample", &each.sample},
              std::pair{"unknown", &each.unknown}, std::pair{"at_end", &each.at_end}})
            if (*word)
                input.set(key, (*word)->text);
        result.set(bus, std::move(input));
    }
    return result;
}

Document ScopePrinter::outputs() {
    Document result = Document::map();
    for (const OutputSyntax& each : file_.run.outputs) {
        Document output = Document::map();
        output.set("record", text_.value(each.record));
        if (each.when)
            output.set("when", text_.print(*each.when));
        if (each.domain)
            output.set("domain", each.domain->text);
        if (each.expect)
            output.set("expect", text_.path(each.expect->text));
        if (each.halt_after)
            output.set("halt_after", each.rows ? text_.print(*each.rows) : each.halt_after->text);
        result.set(text_.path(each.path.text), std::move(output));
    }
    return result;
}

Document ScopePrinter::run() {
    Document result = Document::map(true);
    if (file_.run.cycles)
        result.set("cycles", text_.print(*file_.run.cycles));
    if (file_.run.trace)
        result.set("trace", text_.path(file_.run.trace->text));
    return result;
}

} // namespace sme::yaml
