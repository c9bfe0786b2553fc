// SPDX-License-Identifier: Apache-2.0
#include "yaml/print/hierarchy.hpp"

#include "expr/parser.hpp"

namespace sme::yaml {

namespace {

expr::ViewText view_text(const BusView& view) {
    expr::ViewText made;
    made.name = view.name;
    made.use = view.use == BusView::Use::own     ? expr::ViewText::Use::own
               : view.use == BusView::Use::input ? expr::ViewText::Use::input
                                                 : expr::ViewText::Use::output;
    for (const Shape::Dimension& dimension : view.shape.dimensions) {
        made.lows.push_back(dimension.low);
        made.counts.push_back(dimension.count);
    }
    made.type = view.type;
    made.element = [&view](std::uint64_t instance, std::uint64_t place) {
        return view.element(instance, place);
    };
    made.declared = view.declared;
    for (const BusView& back : view.backs)
        made.backs.push_back(view_text(back));
    return made;
}

void add_views(const Node* section, const Context& context, std::vector<expr::ViewText>& views) {
    Diagnostics none;
    if (section)
        for (const auto& [key, value] : section->entries)
            if (const auto name = expr::parse_family_name(key.text, none))
                if (const auto bus = context.buses.find(name->name); bus != context.buses.end())
                    views.push_back(view_text(bus->second));
}

void add_binding(const expr::FamilyName* port, const Node& bus,
                 std::vector<expr::BindingText>& bindings) {
    Diagnostics none;
    const expr::AstRef ast = bus.is_text() ? expr::parse_expression(bus.text, none) : nullptr;
    if (!ast)
        return;
    const expr::Ast& base = ast->kind == expr::Ast::Kind::index ? *ast->kids[0] : *ast;
    expr::BindingText made;
    made.port = port ? port->name : base.text;
    if (port)
        for (const expr::RangeText& range : port->ranges)
            made.indices.push_back(range.index);
    made.to = ast;
    bindings.push_back(std::move(made));
}

void add_bindings(const Node* section, std::vector<expr::BindingText>& bindings) {
    Diagnostics none;
    if (!section)
        return;
    if (section->is_text())
        add_binding(nullptr, *section, bindings);
    for (const Node& item : section->items)
        add_binding(nullptr, item, bindings);
    for (const auto& [key, value] : section->entries)
        if (const auto port = expr::parse_family_name(key.text, none))
            add_binding(&*port, value, bindings);
}

expr::UnitText unit_text(const std::string& name, const Node& body, Unit& unit) {
    expr::UnitText made;
    made.name = name;
    for (const Shape::Dimension& dimension : unit.shape.dimensions) {
        made.indices.push_back(dimension.index);
        made.lows.push_back(dimension.low);
        made.counts.push_back(dimension.count);
    }
    made.kept = unit.shape.kept;
    made.family = unit.family;
    made.process = unit.text;
    made.verilog = unit.verilog;
    if (unit.inside) {
        made.inside = std::make_unique<expr::ScopeText>(
            describe_scope(unit.inside->component->root, *unit.inside));
        made.inside->name = unit.inside->component->name;
        made.inside->declared = unit.inside->component->declared;
    }
    add_bindings(body.find("in"), made.bindings);
    add_bindings(body.find("out"), made.bindings);
    made.declared = unit.declared;
    return made;
}

/// A unit, or each part of a family whose members differ.
void add_units(const std::string& name, const Node& body, Unit& unit,
               std::vector<expr::UnitText>& units) {
    for (Unit& group : unit.groups)
        units.push_back(unit_text(name, body, group));
    if (unit.groups.empty())
        units.push_back(unit_text(name, body, unit));
}

} // namespace

expr::ScopeText describe_scope(const Node& root, Context& context) {
    expr::ScopeText made;
    made.name = context.design.graph.name;
    made.declared = context.design.graph.declared;
    made.scope = &context.scope;
    made.instances = context.around.count();
    if (const Node* section = root.find("parameters"))
        for (const auto& [key, value] : section->entries)
            if (const expr::Value* found = context.scope.find(key.text.text);
                found && found->is_constant())
                made.parameters.emplace_back(key.text.text, found->low);
    for (const char* section : {"in", "out", "buses"})
        add_views(root.find(section), context, made.views);
    Diagnostics none;
    if (const Node* section = root.find("processes"))
        for (const auto& [key, value] : section->entries)
            if (const auto name = expr::parse_family_name(key.text, none))
                if (const auto unit = context.members.find(name->name);
                    unit != context.members.end())
                    add_units(name->name, value, unit->second, made.units);
    return made;
}

} // namespace sme::yaml
