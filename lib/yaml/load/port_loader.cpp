// SPDX-License-Identifier: Apache-2.0
#include "yaml/load/port_loader.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "yaml/load/binding.hpp"
#include "yaml/syntax/trees.hpp"

namespace sme::yaml {

std::optional<Binding> find_binding(const ValueSyntax& value, Context& context, bool& broken) {
    Binding found;
    found.where = value.where;
    found.ast = value.ast;
    if (!found.ast) {
        broken = true;
        return std::nullopt;
    }
    const expr::Ast* base = found.ast.get();
    if (base->kind == expr::Ast::Kind::index) {
        found.indices.assign(base->operands.begin() + 1, base->operands.end());
        base = base->operands[0].get();
    }
    if (base->kind != expr::Ast::Kind::name) {
        context.diagnostics.add(Code::bad_index, value.where,
                                "a binding is the name of a bus, with indices when it is a family");
        return std::nullopt;
    }
    const auto bus = context.buses.find(base->text);
    if (bus != context.buses.end()) {
        found.view = &bus->second;
        return found;
    }
    if (context.broken.count(base->text)) { // already reported at the declaration
        broken = true;
        return std::nullopt;
    }
    std::vector<std::string> names;
    if (context.diagnostics.suppressed() == 0) // else the diagnostics are not shown
        for (const auto& [name, view] : context.buses)
            names.push_back(name);
    context.diagnostics.add(
        Code::unknown_name, base->where,
        fmt::format("there is no bus '{}'{}", base->text, did_you_mean(base->text, names)));
    return std::nullopt;
}

expr::FamilyName port_named_as(const Binding& binding) {
    expr::FamilyName port;
    port.where = binding.where;
    port.name = binding.view->name;
    return port;
}

std::optional<BoundPort> bind_port(const expr::FamilyName& port, const Binding& binding,
                                   const Shape& members, Context& context) {
    const BusView& view = *binding.view;
    std::optional<Shape> shape = read_shape(port, context);
    if (!shape)
        return std::nullopt;
    const bool whole = binding.indices.empty() && !view.shape.dimensions.empty();
    if (whole && !shape->dimensions.empty() && shape->count() != view.shape.count()) {
        context.diagnostics.add(Code::bad_range, port.where,
                                fmt::format("port '{}' has {} elements, but '{}' has {}", port.name,
                                            shape->count(), view.name, view.shape.count()));
        return std::nullopt;
    }
    if (whole && shape->dimensions.empty())
        shape = view.shape;
    const std::size_t given = binding.indices.size();
    const bool row = given > 0 && given < view.shape.dimensions.size() &&
                     shape->dimensions.empty() && view.shape.kept.empty();
    if (row) { // x[k] of a family x[3, 4]
        const auto& all = view.shape.dimensions;
        shape->dimensions = {all.begin() + static_cast<std::ptrdiff_t>(given), all.end()};
        for (Shape::Dimension& each : shape->dimensions)
            each.index.clear();
    }
    constexpr std::uint64_t max_ports = 65'536;
    if (shape->count() > max_ports) {
        context.diagnostics.add(Code::too_large, port.where,
                                fmt::format("an array of ports has at most {} elements, but '{}' "
                                            "has {}",
                                            max_ports, port.name, shape->count()));
        return std::nullopt;
    }
    if (!context.spend(500 * shape->count(), port.where))
        return std::nullopt;
    BoundPort bound{&view, *shape, {}};
    Binder binder{context.scope, context.diagnostics};
    for (std::uint64_t k = 0; k < shape->count(); ++k) {
        if (binding.indices.empty() && (whole || view.shape.dimensions.empty())) {
            bound.places.push_back(
                Segments::affine(members.count(), static_cast<std::int64_t>(k), 0));
            continue;
        }
        std::map<std::string, Integer> fixed;
        const std::vector<std::int64_t> at = shape->indices(k);
        for (std::size_t d = 0; d < at.size(); ++d)
            if (!shape->dimensions[d].index.empty())
                fixed[shape->dimensions[d].index] = at[d];
        std::vector<expr::AstRef> indices = binding.indices;
        for (std::size_t d = 0; row && d < at.size(); ++d)
            indices.push_back(number_tree(at[d], binding.where));
        auto places = binder.bind(view, *binding.ast, indices, members, fixed);
        if (!places)
            return std::nullopt;
        bound.places.push_back(std::move(*places));
    }
    return bound;
}

void PortLoader::add(const expr::FamilyName& name, const Binding& binding, bool output,
                     const std::string& closes) {
    const BusView& view = *binding.view;
    if (output && view.use == BusView::Use::input) {
        diagnostics_
            .add(Code::bad_target, binding.where,
                 fmt::format("'{}' is an input of this component, so nothing in it writes it",
                             view.name))
            .note(view.declared, "it is declared here");
        return;
    }
    const std::optional<BoundPort> bound = bind_port(name, binding, members_, context_);
    if (!bound || !count_scalars(view.type->leaf_count() * bound->shape.count(), name.where))
        return;
    BusView forward = view;
    if (view.type->is_bundle())
        forward.type = view.type->forward();
    forward.declared = name.where;
    expr::PortText port = text_of(name.name, forward, *bound, output);
    if (view.type->is_bundle())
        port.bundle = view.type;
    for (const BusView& back : view.reverse_fields) {
        BusView own = back;
        own.declared = name.where;
        expr::PortText text = text_of(name.name + "." + back.field, own, *bound, !output);
        text.reverse_of = name.name;
        set_beside(text, !output, port, output);
        port.reverse_fields.push_back({text.read_port, text.type});
        if (!output) // the reader of a bundle writes its back fields
            text_.outputs.push_back(std::move(text));
    }
    auto& ports = output ? text_.outputs : text_.inputs;
    if (const auto main = std::find_if(ports.begin(), ports.end(),
                                       [&](const auto& each) { return each.name == closes; });
        main != ports.end())
        set_beside(port, output, *main, output);
    ports.push_back(std::move(port));
}

void PortLoader::set_beside(const expr::PortText& port, bool output, const expr::PortText& main,
                            bool main_output) {
    for (std::uint32_t k = 0; k < port.count(); ++k)
        family_.ports[(output ? port.write_port : port.read_port) + k].beside =
            (main_output ? main.write_port : main.read_port) + k;
}

/// Adds one port to the family for each element of the array; returns the number of the first.
std::uint32_t PortLoader::add_ports(const std::string& name, const BusView& view,
                                    const BoundPort& bound, bool output, bool own) {
    const auto first = static_cast<std::uint32_t>(family_.ports.size());
    for (std::uint64_t k = 0; k < bound.shape.count(); ++k) {
        Port port;
        port.name = bound.shape.element_name(name, k);
        port.output = output;
        port.own = own;
        port.type = view.type;
        port.declared = view.declared;
        port.buses = bound.buses(view, k, context_);
        family_.ports.push_back(std::move(port));
    }
    return first;
}

expr::PortText PortLoader::text_of(const std::string& name, const BusView& view,
                                   const BoundPort& bound, bool output) {
    expr::PortText port;
    port.name = name;
    port.type = view.type;
    port.wire = view.wire && !context_.loading.options.untimed; // then it is not read concurrently
    port.unwritten = view.unwritten;
    port.marked = context_.loading.options.mark_writes;
    port.declared = view.declared;
    port.shape = bound.shape;
    port.write_port = port.read_port = add_ports(name, view, bound, output, false);
    if (output) // a second set of ports reads back what the process writes
        port.read_port = add_ports(name, view, bound, false, true);
    return port;
}

bool PortLoader::count_scalars(std::uint64_t more, const Location& where) {
    constexpr std::uint64_t most = std::uint64_t{1} << 20;
    const bool fits = (scalars_ += more) <= most;
    if (!fits)
        diagnostics_.add(Code::too_large, where,
                         fmt::format("the ports and states of '{}' have more than {} scalars; "
                                     "arrays of states do not count",
                                     family_.name, most));
    return fits;
}

} // namespace sme::yaml
