// SPDX-License-Identifier: Apache-2.0
//
// An instance of a component: 1. its own scope with its parameters, 2. its ports bound to buses of
// the enclosing scope, 3. its processes, or its single process. Equal instances of a family are
// loaded once: everything in them becomes a family.
#include "yaml/load/loaders.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "yaml/channels/expansion.hpp"
#include "yaml/observe/observer_scope.hpp"
#include "yaml/scope/declarations.hpp"
#include "yaml/scope/domains.hpp"

namespace sme::yaml {

namespace {

void import_file(const Word& item, Context& context) {
    ImportedFile* file =
        context.loading.library.open(item.text, context.initials.place(), item.where);
    if (!file || !file->usable)
        return;
    context.imports.push_back(file);
    if (file->component) {
        const std::string& name = file->component->name;
        const ComponentFile*& known = context.components[name];
        if (known && known != file->component.get())
            context.diagnostics
                .add(Code::duplicate_name, item.where,
                     fmt::format("component '{}' is imported twice", name))
                .note(known->declared, "it is declared here")
                .note(file->component->declared, "and here");
        known = file->component.get();
        return;
    }
    if (file->open) {
        context.diagnostics.add(
            Code::bad_import, item.where,
            fmt::format("'{}' imports itself, by way of this file", file->path));
        return;
    }
    if (!file->scope) {
        if (context.loading.open_libraries == Limits::files_deep) {
            context.diagnostics.add(
                Code::too_large, item.where,
                fmt::format("files import each other more than {} deep", Limits::files_deep));
            return;
        }
        file->open = true;
        ++context.loading.open_libraries;
        const Diagnostics::Within within{context.diagnostics, item.where, "it is imported here"};
        file->scope = std::make_unique<Context>(context.loading, file->place);
        load_names(file->syntax.names, "a library", *file->scope);
        file->open = false;
        --context.loading.open_libraries;
    }
    context.scope.import(file->scope->scope, context.diagnostics);
}

} // namespace

bool load_names(const NamesSyntax& names, const std::string& whose, Context& context) {
    const std::size_t errors = context.loading.errors();
    for (const Word& file : names.imports)
        import_file(file, context);
    load_functions(names.functions, context.scope, context.diagnostics);
    load_parameters(names.parameters, whose, context);
    load_requires(names.conditions, context); // before errors caused by parameters out of range
    if (names.broken || context.loading.errors() != errors)
        return false;
    load_types(names.types, context);
    if (context.loading.errors() != errors)
        return false;
    load_constants(names.constants, context);
    return true;
}

namespace {

class InstanceLoader {
public:
    InstanceLoader(const InstanceGroup& group, const ProcessSyntax& body, Context& outer)
        : name_{body.name.name}, group_{group}, shape_{group.shape}, body_{body},
          where_{body.where}, outer_{outer}, diagnostics_{outer.diagnostics} {}

    Unit run() {
        Unit result;
        result.shape = shape_;
        result.declared = where_;
        const ComponentFile* component = find_component();
        if (component && outer_.loading.open_components.size() == Limits::files_deep) {
            diagnostics_.add(
                Code::too_large, where_,
                fmt::format("components are nested more than {} deep", Limits::files_deep));
            return result;
        }
        constexpr std::uint64_t cost = 10'000; // nested instances multiply quickly
        if (!component || is_open(*component) || !outer_.spend(cost, where_))
            return result;
        outer_.loading.open_components.push_back(component->name);
        {
            const Diagnostics::Within within{
                diagnostics_, where_,
                fmt::format("in instance '{}'",
                            group_.indices.empty() ? name_ : shape_.element_name(name_, 0))};
            load(*component, result);
        }
        outer_.loading.open_components.pop_back();
        return result;
    }

private:
    const ComponentFile* find_component() {
        const Word& use = *group_.use;
        const auto found = outer_.components.find(use.text);
        if (found != outer_.components.end())
            return found->second;
        std::vector<std::string> names;
        for (const auto& [name, component] : outer_.components)
            names.push_back(name);
        const std::string hint = did_you_mean(use.text, names);
        diagnostics_.add(Code::unknown_name, use.where,
                         fmt::format("there is no component '{}'{}", use.text,
                                     hint.empty() ? "; import its file" : hint));
        return nullptr;
    }

    bool is_open(const ComponentFile& component) {
        const auto& open = outer_.loading.open_components;
        const auto again = std::find(open.begin(), open.end(), component.name);
        if (again == open.end())
            return false;
        std::string chain;
        for (auto each = again; each != open.end(); ++each)
            chain += fmt::format("'{}' has a '{}', ", *each,
                                 each + 1 == open.end() ? component.name : *(each + 1));
        chain.resize(chain.size() - 2);
        diagnostics_
            .add(Code::component_loop, group_.use->where,
                 fmt::format("component '{}' contains itself: {}", component.name, chain))
            .note(component.declared, "it is declared here");
        return true;
    }

    void load(const ComponentFile& component, Unit& result) {
        result.context = std::make_unique<Context>(outer_.loading, component.place);
        Context& inside = *result.context;
        result.inside = &inside.view;
        inside.component = &component;
        inside.prefix = fmt::format("{}{}.", outer_.prefix, name_);
        inside.around = outer_.in_graph(shape_);
        const std::string whose = fmt::format("component '{}'", component.name);
        take_parameters(inside);
        const std::size_t errors = diagnostics_.errors();
        if (!load_names(component.syntax.names, whose, inside) || diagnostics_.errors() != errors ||
            !bind_domains(component, body_, inside, outer_) ||
            !bind_instance_ports(component, body_, shape_, inside, outer_))
            return;
        add_observed_members(component.syntax, outer_.loading.observed);
        load_insides(expanded(component.syntax, inside), result, inside);
        if (component.syntax.body.checks)
            result.checks = &*component.syntax.body.checks;
        if (diagnostics_.errors() == errors && !component.syntax.broken)
            for (const auto& [name, where] : inside.scope.unused())
                diagnostics_.add(Code::unused, where, fmt::format("'{}' is never used", name));
    }

    void take_parameters(Context& inside) {
        for (const auto& [name, text, ast] : body_.with)
            inside.given.insert({name.text, {text, ast, name.where, &outer_, group_.indices}});
    }

public:
    static void load_insides(const FileSyntax& file, Unit& result, Context& inside) {
        if (file.body.acts()) {
            Unit process = load_component_process(file.body, result.declared, inside);
            result.family = process.family;
            result.process = std::move(process.process);
            result.bound = std::move(process.bound);
            return;
        }
        load_buses(file.buses, inside);
        load_processes(file.processes, inside);
    }

private:
    const std::string& name_;
    const InstanceGroup& group_;
    const Shape& shape_;
    const ProcessSyntax& body_;
    const Location& where_;
    Context& outer_;
    Diagnostics& diagnostics_;
};

} // namespace

namespace {

/// Loads the ports of one direction as buses of a network that consists of the component.
void load_ports_alone(const std::vector<DeclarationSyntax>& section, bool output,
                      Context& context) {
    Graph& graph = context.design.graph;
    const std::size_t before = graph.buses.size();
    load_buses(section, context);
    for (auto& [name, view] : context.buses)
        if (view.use == BusView::Use::own)
            view.use = output ? BusView::Use::output : BusView::Use::input;
    for (std::size_t b = before; b < graph.buses.size(); ++b) {
        BusFamily& bus = graph.buses[b];
        const bool reverse = !bus.reverse_field.empty();
        if (reverse == output) { // fed from outside
            bus.input = true;
            continue;
        }
        ProcessFamily reader;
        reader.name = fmt::format("reader of {}", bus.name);
        reader.count = bus.count;
        reader.observer = true;
        reader.declared = bus.declared;
        Port port;
        port.name = bus.name;
        port.type = bus.type;
        port.declared = bus.declared;
        port.buses = Segments::affine(bus.count, static_cast<std::int64_t>(bus.first), 1);
        reader.ports.push_back(std::move(port));
        graph.processes.push_back(std::move(reader));
    }
}

} // namespace

void load_component_alone(const FileSyntax& file, Context& context) {
    Diagnostics& diagnostics = context.diagnostics;
    const std::string whose = fmt::format("component '{}'", context.design.graph.name);
    context.prefix = context.design.graph.name + ".";
    if (!load_names(file.names, whose, context))
        return;
    load_domains_alone(file.domains, context);
    load_ports_alone(file.in, false, context);
    load_ports_alone(file.out, true, context);
    if (diagnostics.has_errors())
        return;
    Unit result;
    result.declared = context.design.graph.declared;
    add_observed_members(file, context.loading.observed);
    InstanceLoader::load_insides(file, result, context);
    if (file.body.checks)
        context.loading.checks.push_back(
            {&context, &*file.body.checks, file.body.acts() ? &result : nullptr});
    if (!diagnostics.has_errors())
        settle_delays(context);
    if (!diagnostics.has_errors())
        load_checks(context.loading);
    if (!diagnostics.has_errors())
        for (const auto& [name, where] : context.scope.unused())
            diagnostics.add(Code::unused, where, fmt::format("'{}' is never used", name));
    if (result.process)
        context.members[context.design.graph.name] = std::move(result);
}

Unit load_instance(const Shape& shape, const ProcessSyntax& body, Context& outer) {
    const std::size_t errors = outer.diagnostics.errors();
    const std::vector<InstanceGroup> groups = instance_groups(shape, body, outer);
    if (groups.size() == 1)
        return InstanceLoader{groups[0], body, outer}.run();
    Unit result;
    result.shape = shape;
    result.declared = body.where;
    for (const InstanceGroup& group : groups) // an error in one group is likely in many
        if (outer.diagnostics.errors() == errors)
            result.groups.push_back(InstanceLoader{group, body, outer}.run());
    return result;
}

} // namespace sme::yaml
