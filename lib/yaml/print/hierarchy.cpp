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
        Document result = scope(file_, network_).network();
        Document inner = Document::map();
        for (const PrintedFiles::File& file : files_.all())
            inner.set(file.name, file.scope->component
                                     ? component(*file.scope)
                                     : scope(*file.syntax, *file.scope).library());
        if (!inner.empty())
            result.set("files", std::move(inner));
        return result;
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

std::string SourceView::print() const {
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
        expr::BindingText result;
        result.port = port                      ? port->name
                      : ast.kind == Kind::index ? ast.operands[0]->text
                                                : ast.text;
        if (port)
            for (const expr::RangeText& range : port->ranges)
                result.indices.push_back(range.index);
        result.to = value.ast;
        bindings.push_back(std::move(result));
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
    std::vector<expr::ModuleView::Domain> result;
    if (context.component)
        for (const Word& name : context.component->syntax.domains)
            result.push_back({name.text, context.domains.known.at(name.text)});
    else
        for (const ClockDomain& domain : context.design.graph.domains)
            result.push_back({domain.name, static_cast<std::uint32_t>(result.size())});
    if (result.size() < 2)
        result = {{"", context.domains.own}};
    return result;
}

void describe_scope(const FileSyntax& written, Context& context) {
    const FileSyntax& file = context.expanded ? *context.expanded : written;
    expr::ModuleView& result = context.view;
    result = {};
    result.name = context.design.graph.name;
    result.declared = context.design.graph.declared;
    result.scope = &context.scope;
    result.domains = domains_of(context);
    result.instances = context.around.count();
    for (const ParameterSyntax& each : file.names.parameters)
        if (const expr::BoundExpr* found = context.scope.find(each.name.text);
            found && found->is_constant())
            result.parameters.emplace_back(each.name.text, found->low);
    for (const auto* section : {&file.in, &file.out, &file.buses})
        for (const DeclarationSyntax& each : *section)
            if (const auto bus = context.buses.find(each.name.name); bus != context.buses.end())
                result.views.push_back(&bus->second);
    for (const ProcessSyntax& process : file.processes)
        if (const auto unit = context.members.find(process.name.name);
            unit != context.members.end())
            add_unit(process, unit->second, result.units);
    if (const auto own = context.members.find(result.name);
        own != context.members.end() && file.body.acts()) { // a component alone
        own->second.name = result.name;
        result.units.push_back(&own->second);
    }
    for (const auto& each : context.made) {
        result.views.push_back(&each->bus);
        add_unit(*each->process, each->unit, result.units);
    }
}

} // namespace

const expr::ModuleView& SourceView::describe() const {
    describe_scope(file_, context_);
    return context_.view;
}

std::vector<Assumed> SourceView::assumptions() const {
    std::vector<Assumed> result;
    for (const RequirementSyntax& each : file_.run.assumptions)
        result.push_back({each.ast, each.text.text, each.text.where});
    return result;
}

const std::vector<RandomInputs>& SourceView::random_inputs() const {
    return context_.design.random_inputs;
}

const std::vector<SecondPlace>& SourceView::seconds() const {
    return context_.design.seconds;
}

} // namespace sme::yaml
