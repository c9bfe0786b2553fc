// SPDX-License-Identifier: Apache-2.0
#include <map>

#include "yaml/design.hpp"
#include "yaml/print/scope_printer.hpp"
#include "yaml/scope/context.hpp"

namespace sme::yaml {

namespace {

class NetworkPrinter {
public:
    NetworkPrinter(const FileSyntax& file, Context& network)
        : file_{file}, network_{network}, files_{file, network} {}

    Document run() {
        Document made = scope(file_, network_).network();
        Document inner = Document::map();
        for (const PrintedFiles::File& file : files_.all())
            inner.set(file.name, file.scope->component
                                     ? component(*file.scope)
                                     : scope(*file.syntax, *file.scope).library());
        if (!inner.empty())
            made.set("files", std::move(inner));
        return made;
    }

private:
    ScopePrinter scope(const FileSyntax& file, Context& context) {
        return {file, context, files_, [this](const Context& inside, const std::string& name) {
                    for (const auto& [section, value] : component(inside).entries)
                        if (section == "parameters")
                            return value.has(name);
                    return false;
                }};
    }

    /// Prints a component on first request: by an instance in the network, or in another component.
    const Document& component(const Context& inside) {
        const std::string& name = files_.component_of(inside);
        const auto known = printed_.find(name);
        if (known != printed_.end())
            return known->second;
        const PrintedFiles::File& file = files_.component_named(name);
        return printed_[name] = scope(*file.syntax, *file.scope).component(name);
    }

    const FileSyntax& file_;
    Context& network_;
    PrintedFiles files_;
    std::map<std::string, Document> printed_; // components, by name
};

} // namespace

std::string Written::print() const {
    return write(NetworkPrinter{file_, context_}.run());
}

namespace {

void describe_scope(const FileSyntax& file, Context& context);

void add_bindings(const std::optional<BindingsSyntax>& section,
                  std::vector<expr::BindingText>& bindings) {
    if (!section)
        return;
    for (const auto& [port, value, closes] : section->ports) {
        const expr::Ast& ast = *value.ast;
        using Kind = expr::Ast::Kind;
        if (!value.text || ast.kind == Kind::list || ast.kind == Kind::file)
            continue;
        expr::BindingText made;
        made.port = port ? port->name : ast.kind == Kind::index ? ast.operands[0]->text : ast.text;
        if (port)
            for (const expr::RangeText& range : port->ranges)
                made.indices.push_back(range.index);
        made.to = value.ast;
        bindings.push_back(std::move(made));
    }
}

/// Completes a unit, and adds it or each part of a family whose members differ.
void add_unit(const ProcessSyntax& process, Unit& unit, std::vector<const expr::Unit*>& units) {
    for (Unit& group : unit.groups)
        add_unit(process, group, units);
    if (!unit.groups.empty())
        return;
    unit.name = process.name.name;
    unit.bindings.clear();
    add_bindings(process.in, unit.bindings);
    add_bindings(process.out, unit.bindings);
    if (unit.context) {
        describe_scope(unit.context->component->syntax, *unit.context);
        unit.context->view.name = unit.context->component->name;
        unit.context->view.declared = unit.context->component->declared;
    }
    units.push_back(&unit);
}

/// Returns the named domains in source order, or the single domain.
std::vector<expr::ModuleView::Domain> domains_of(const Context& context) {
    std::vector<expr::ModuleView::Domain> made;
    if (context.component)
        for (const Word& name : context.component->syntax.domains)
            made.push_back({name.text, context.domains.known.at(name.text)});
    else
        for (const ClockDomain& domain : context.design.graph.domains)
            made.push_back({domain.name, static_cast<std::uint32_t>(made.size())});
    if (made.size() < 2)
        made = {{"", context.domains.own}};
    return made;
}

void describe_scope(const FileSyntax& written, Context& context) {
    const FileSyntax& file = context.expanded ? *context.expanded : written;
    expr::ModuleView& made = context.view;
    made = {};
    made.name = context.design.graph.name;
    made.declared = context.design.graph.declared;
    made.scope = &context.scope;
    made.domains = domains_of(context);
    made.instances = context.around.count();
    for (const ParameterSyntax& each : file.names.parameters)
        if (const expr::Value* found = context.scope.find(each.name.text);
            found && found->is_constant())
            made.parameters.emplace_back(each.name.text, found->low);
    for (const auto* section : {&file.in, &file.out, &file.buses})
        for (const DeclarationSyntax& each : *section)
            if (const auto bus = context.buses.find(each.name.name); bus != context.buses.end())
                made.views.push_back(&bus->second);
    for (const ProcessSyntax& process : file.processes)
        if (const auto unit = context.members.find(process.name.name);
            unit != context.members.end())
            add_unit(process, unit->second, made.units);
    for (const auto& each : context.made) {
        made.views.push_back(&each->bus);
        add_unit(*each->process, each->unit, made.units);
    }
}

} // namespace

const expr::ModuleView& Written::describe() const {
    describe_scope(file_, context_);
    return context_.view;
}

std::vector<Assumed> Written::assumptions() const {
    std::vector<Assumed> made;
    for (const RequirementSyntax& each : file_.run.assumptions)
        made.push_back({each.ast, each.text.text, each.text.where});
    return made;
}

const std::vector<SecondPlace>& Written::seconds() const {
    return context_.design.seconds;
}

} // namespace sme::yaml
