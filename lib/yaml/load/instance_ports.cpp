// SPDX-License-Identifier: Apache-2.0
//
// Members of a family differ if `use` is a list, or if a value under `with` uses an index. Each
// member is evaluated; members with equal components and values form a group.
#include "yaml/load/loaders.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "yaml/load/binding.hpp"
#include "yaml/load/port_loader.hpp"
#include "yaml/scope/declarations.hpp"

namespace sme::yaml {

namespace {

class Grouping {
public:
    Grouping(const Shape& shape, const ProcessSyntax& body, Context& outer)
        : shape_{shape}, use_{*body.use}, outer_{outer}, diagnostics_{outer.diagnostics} {
        find_varying(body.with);
    }

    std::vector<InstanceGroup> run() {
        if (use_.list && !check_list())
            return {};
        if (!use_.list && varying_.empty())
            return {{shape_, &use_.names[0]}};
        for (std::uint64_t k = 0; k < shape_.count(); ++k)
            if (!add(k))
                return {};
        if (groups_.size() == 1)
            groups_[0].shape = shape_;
        return std::move(groups_);
    }

private:
    void find_varying(const std::vector<GivenSyntax>& with) {
        std::set<std::string> indices;
        for (const Shape::Dimension& dimension : shape_.dimensions)
            if (!dimension.index.empty())
                indices.insert(dimension.index);
        for (const GivenSyntax& each : with)
            if (each.ast && mentions(*each.ast, indices))
                varying_.push_back(&each);
    }

    /// Checks "use: [a, b, a]": a component for each member.
    bool check_list() {
        if (shape_.dimensions.empty()) {
            diagnostics_.add(Code::wrong_shape, use_.where,
                             "this is a list, but the name of a component belongs here");
            return false;
        }
        if (use_.names.size() == shape_.count())
            return true;
        diagnostics_.add(Code::bad_range, use_.where,
                         fmt::format("a list under 'use' names a component for each member, so it "
                                     "has {} names, but here are {}",
                                     shape_.count(), use_.names.size()));
        return false;
    }

    bool add(std::uint64_t member) {
        const Word& use = use_.names[use_.list ? member : 0];
        const std::vector<std::int64_t> at = shape_.indices(member);
        std::map<std::string, Integer> indices;
        for (std::size_t d = 0; d < at.size(); ++d)
            if (!shape_.dimensions[d].index.empty())
                indices[shape_.dimensions[d].index] = at[d];
        std::string key = use.text;
        for (const GivenSyntax* each : varying_)
            if (!add_value(*each, use.text, indices, key))
                return false;
        const auto [found, fresh] = group_of_.try_emplace(std::move(key), groups_.size());
        if (fresh) {
            if (groups_.size() == Limits::instance_groups) {
                diagnostics_.add(
                    Code::too_large, use_.where,
                    fmt::format("the members of a family have at most {} different sets of "
                                "parameters; give what differs to an input, as in "
                                "'in: {{gain: k + 1}}'",
                                Limits::instance_groups));
                return false;
            }
            groups_.push_back({Shape{shape_.dimensions}, &use, std::move(indices)});
        }
        groups_[found->second].shape.kept.push_back(shape_.kept.empty() ? member
                                                                        : shape_.kept[member]);
        return true;
    }

    /// Appends the value for one member. A file parameter adds nothing: its name is the same for
    /// all members.
    bool add_value(const GivenSyntax& varying, const std::string& use,
                   const std::map<std::string, Integer>& indices, std::string& key) {
        if (!outer_.spend(200, varying.text.all()))
            return false;
        const ParameterSyntax::Kind kind = kind_of(use, varying.name.text);
        if (kind == ParameterSyntax::Kind::file)
            return true;
        Constants constants{outer_.scope, diagnostics_};
        for (const auto& [index, value] : indices)
            constants.elaborator().bind(index, expr::BoundExpr::number(value));
        if (kind == ParameterSyntax::Kind::number) {
            const auto value = constants.elaborator().constant(*varying.ast, "a parameter");
            if (value)
                key += ' ' + to_string(*value);
            return value.has_value();
        }
        const TypeRef type = constants.elaborator().type(*varying.ast);
        if (!type)
            return false;
        auto known = std::find_if(types_.begin(), types_.end(),
                                  [&](const TypeRef& each) { return *each == *type; });
        if (known == types_.end())
            known = types_.insert(known, type);
        key += fmt::format(" type {}", known - types_.begin());
        return true;
    }

    ParameterSyntax::Kind kind_of(const std::string& use, const std::string& parameter) const {
        if (const auto component = outer_.components.find(use);
            component != outer_.components.end())
            for (const ParameterSyntax& declared : component->second->syntax.names.parameters)
                if (declared.name.text == parameter)
                    return declared.kind;
        return ParameterSyntax::Kind::number;
    }

    const Shape& shape_;
    const UseSyntax& use_;
    Context& outer_;
    Diagnostics& diagnostics_;
    std::vector<const GivenSyntax*> varying_;
    std::vector<InstanceGroup> groups_;
    std::map<std::string, std::size_t> group_of_;
    std::vector<TypeRef> types_;
};

} // namespace

std::vector<InstanceGroup> instance_groups(const Shape& shape, const ProcessSyntax& body,
                                           Context& outer) {
    return Grouping{shape, body, outer}.run();
}

namespace {

/// An instance's binding of one port: "x: a", "x[i < 3]: a[k + i]" or "a" in a list.
struct PortBinding {
    expr::FamilyName port;
    const ValueSyntax* value;
    bool used = false;
};

class InstancePorts {
public:
    InstancePorts(const ComponentFile& component, const Location& where, const Shape& members,
                  Context& inside, Context& outer)
        : component_{component}, where_{where}, members_{members}, inside_{inside}, outer_{outer},
          diagnostics_{outer.diagnostics} {}

    void bind(const std::vector<DeclarationSyntax>& declared,
              const std::optional<BindingsSyntax>& bound, bool output) {
        bindings_.clear();
        output_ = output;
        if (bound)
            for (const BindingSyntax& binding : bound->ports)
                add_binding(binding);
        for (const DeclarationSyntax& port : declared)
            bind_port_of(port);
        report_unbound();
        for (const auto& [name, binding] : bindings_)
            if (!binding.used)
                unknown(binding, declared);
    }

    bool broken() const { return broken_; }

    /// Reports all unbound ports of one direction at once.
    void report_unbound() {
        if (unbound_.empty())
            return;
        const bool one = unbound_.size() == 1;
        std::string names;
        for (const auto& [name, declared] : unbound_)
            names += fmt::format("{}'{}'", names.empty() ? "" : ", ", name);
        Diagnostic& found = diagnostics_.add(
            Code::unbound_port, where_,
            fmt::format("{}{} {} of component '{}' {} bound to nothing; write '{}: bus'{} under "
                        "'{}'",
                        direction(), one ? "" : "s", names, component_.name, one ? "is" : "are",
                        unbound_[0].first, one ? "" : " and so on", output_ ? "out" : "in"));
        for (const auto& [name, declared] : unbound_)
            found.note(declared,
                       one ? "it is declared here" : fmt::format("'{}' is declared here", name));
        unbound_.clear();
    }

private:
    const char* direction() const { return output_ ? "output" : "input"; }

    void add_binding(const BindingSyntax& binding) {
        std::optional<expr::FamilyName> port = binding.port;
        if (!port) // the port has the name of its bus
            if (const auto found = find_binding(binding.value, outer_, broken_))
                port = port_named_as(*found);
        if (port && !bindings_.insert({port->name, {*port, &binding.value}}).second)
            diagnostics_.add(Code::duplicate_name, port->where,
                             fmt::format("port '{}' is bound twice", port->name));
    }

    void unknown(const PortBinding& binding, const std::vector<DeclarationSyntax>& declared) {
        std::vector<std::string> names;
        for (const DeclarationSyntax& port : declared)
            names.push_back(port.name.name);
        diagnostics_.add(Code::unknown_name, binding.port.where,
                         fmt::format("component '{}' has no {} '{}'{}", component_.name,
                                     direction(), binding.port.name,
                                     did_you_mean(binding.port.name, names)));
    }

    void bind_port_of(const DeclarationSyntax& written) {
        const auto& name = written.name;
        const auto& declaration = written.declaration;
        const auto found = bindings_.find(name.name);
        if (!declaration) { // already reported at the declaration
            broken_ = true;
            if (found != bindings_.end())
                found->second.used = true;
            return;
        }
        if (!inside_.scope.declare(name.name, name.where, "a port", diagnostics_))
            return;
        if (found == bindings_.end()) {
            unbound_.push_back({name.name, name.where});
            return;
        }
        found->second.used = true;
        Constants constants{inside_.scope, diagnostics_};
        TypeRef type = constants.elaborator().type(*declaration->type);
        const std::optional<Shape> shape = read_shape(name, inside_);
        if (!type || !shape)
            return;
        if (declaration->channel)
            type = stream_of(type);
        BusView port;
        port.name = name.name;
        port.closes = written.closes;
        port.shape = *shape;
        port.type = type;
        port.use = output_ ? BusView::Use::output : BusView::Use::input;
        port.declared = name.where;
        const bool done = !output_ && is_constant_value(*found->second.value, outer_)
                              ? bind_constant(*found->second.value, port)
                              : bind_bus(found->second, declaration->wire, port);
        if (done)
            inside_.buses[port.name] = std::move(port);
    }

    bool bind_bus(const PortBinding& binding, bool wants_wire, BusView& port) {
        const auto found = find_binding(*binding.value, outer_, broken_);
        if (!found)
            return false;
        const BusView& bus = *found->view;
        if (output_ && bus.use == BusView::Use::input) {
            diagnostics_
                .add(Code::bad_target, binding.value->where,
                     fmt::format("'{}' is an input of this component, so nothing in it writes it",
                                 bus.name))
                .note(bus.declared, "it is declared here");
            return false;
        }
        if (!(*bus.type == *port.type) || (wants_wire && !bus.wire))
            return misfit(bus, port, binding.value->where);
        const auto bound = bind_port(binding.port, *found, members_, outer_);
        if (!bound)
            return false;
        if (bound->shape.count() != port.shape.count()) {
            diagnostics_
                .add(Code::bad_range, binding.value->where,
                     fmt::format("port '{}' has {} element{}, but it is bound to {}", port.name,
                                 port.shape.count(), port.shape.count() == 1 ? "" : "s",
                                 bound->shape.count()))
                .note(port.declared, "it is declared here");
            return false;
        }
        if (!outer_.spend(100 * members_.count() * outer_.around.count() * port.shape.count(),
                          binding.value->where))
            return false;
        port.wire = bus.wire;
        port.unwritten = bus.unwritten;
        port.elements = elements(bus, *bound);
        for (const BusView& back : bus.reverse_fields) {
            BusView result = back;
            result.name = port.name + "." + back.field;
            result.shape = port.shape;
            result.use = output_ ? BusView::Use::input : BusView::Use::output;
            result.elements = elements(back, *bound);
            port.reverse_fields.push_back(std::move(result));
        }
        return true;
    }

    bool misfit(const BusView& bus, const BusView& port, const Location& where) {
        const bool type = !(*bus.type == *port.type);
        const auto [wanted, given] = distinct_names(*port.type, *bus.type);
        diagnostics_
            .add(type ? Code::port_type : Code::port_wire, where,
                 type ? fmt::format("port '{}' is {}, but '{}' is {}", port.name, wanted, bus.name,
                                    given)
                      : fmt::format(
                            "port '{}' says wire, but '{}' is not a wire; declare it with 'wire'",
                            port.name, bus.name))
            .note(port.declared, fmt::format("'{}' is declared here", port.name))
            .note(bus.declared, fmt::format("'{}' is declared here", bus.name));
        return false;
    }

    /// Maps instance · elements of the port + element to the bus element.
    Segments elements(const BusView& bus, const BoundPort& bound) const {
        std::vector<Segments> each;
        for (std::size_t k = 0; k < bound.places.size(); ++k)
            each.push_back(bound.buses(bus, k, outer_));
        if (each.size() == 1)
            return each[0];
        Segments all;
        for (std::uint64_t i = 0; i < each[0].size(); ++i)
            for (const Segments& one : each)
                all.append(one.at(i));
        return all;
    }

    /// Binds a bus that has no writer and holds its initial value.
    bool bind_constant(const ValueSyntax& value, BusView& port) {
        if (port.type->is_bundle()) {
            diagnostics_.add(Code::bad_bundle, value.where,
                             fmt::format("port '{}' is {}, which runs both ways; bind it to a bus",
                                         port.name, port.type->name()));
            return false;
        }
        const BusFamily* const result =
            add_constant_bus(value, port.name, inside_.prefix + port.name, port.type,
                             inside_.in_graph(port.shape), members_, port.shape.count(), outer_);
        if (result)
            port.elements =
                Segments::affine(result->count, static_cast<std::int64_t>(result->first), 1);
        return result != nullptr;
    }

    const ComponentFile& component_;
    const Location& where_;
    const Shape& members_;
    Context& inside_;
    Context& outer_;
    Diagnostics& diagnostics_;
    std::map<std::string, PortBinding> bindings_;
    std::vector<std::pair<std::string, Location>> unbound_; // name and declaration
    bool output_ = false;
    bool broken_ = false;
};

} // namespace

bool bind_instance_ports(const ComponentFile& component, const ProcessSyntax& body,
                         const Shape& members, Context& inside, Context& outer) {
    const std::size_t errors = outer.diagnostics.errors();
    InstancePorts ports{component, body.where, members, inside, outer};
    ports.bind(component.syntax.in, body.in, false);
    ports.bind(component.syntax.out, body.out, true);
    return outer.diagnostics.errors() == errors && !ports.broken();
}

} // namespace sme::yaml
