// SPDX-License-Identifier: Apache-2.0
#include "yaml/load/instance_ports.hpp"

#include <fmt/format.h>

#include "base/codes.hpp"
#include "expr/parser.hpp"
#include "yaml/load/constant_bus.hpp"
#include "yaml/load/port_loader.hpp"
#include "yaml/read/keys.hpp"

namespace sme::yaml {

namespace {

/// What an instance says of one port: "x: a", "x[i < 3]: a[k + i]" or "a" in a list.
struct PortBinding {
    expr::FamilyName port;
    const Node* value;
    bool used = false;
};

class InstancePorts {
public:
    InstancePorts(const ComponentFile& component, const Location& where, const Shape& members,
                  Context& inside, Context& outer)
        : component_{component}, where_{where}, members_{members}, inside_{inside}, outer_{outer},
          diagnostics_{outer.diagnostics} {}

    void bind(const Node* declared, const Node* bound, bool output) {
        bindings_.clear();
        output_ = output;
        if (bound)
            read_bindings(*bound);
        if (declared && is_map_or_empty(*declared, "a map of ports", diagnostics_))
            for (const auto& [key, value] : declared->entries)
                bind_port_of(key, value);
        report_unbound();
        for (const auto& [name, binding] : bindings_)
            if (!binding.used)
                unknown(binding, declared);
    }

    bool broken() const { return broken_; }

    /// Reports the ports without a binding of one direction, all at once.
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

    void read_bindings(const Node& section) {
        const auto plain = [&](const Node& node) {
            if (!node.is_text())
                return wrong_shape(node, "the name of a bus", diagnostics_);
            const auto binding = find_binding(node, outer_, broken_);
            if (binding)
                add_binding(port_named_as(*binding), node);
        };
        if (section.is_text())
            return plain(section);
        if (section.is_list()) {
            for (const Node& item : section.items)
                plain(item);
            return;
        }
        if (!is_map_or_empty(section, "a bus, a list of buses, or {port: bus}", diagnostics_))
            return;
        for (const auto& [key, value] : section.entries)
            if (const auto port = expr::parse_family_name(key.text, diagnostics_)) {
                if (value.is_text() || (!output_ && value.kind != Node::Kind::null))
                    add_binding(*port, value);
                else
                    wrong_shape(value, output_ ? "the name of a bus" : "a bus or a value",
                                diagnostics_);
            }
    }

    void add_binding(const expr::FamilyName& port, const Node& value) {
        if (!bindings_.insert({port.name, {port, &value}}).second)
            diagnostics_.add(Code::duplicate_name, port.where,
                             fmt::format("port '{}' is bound twice", port.name));
    }

    void unknown(const PortBinding& binding, const Node* declared) {
        std::vector<std::string> names;
        if (declared)
            for (const auto& [key, value] : declared->entries)
                names.push_back(key.text.text.substr(0, key.text.text.find('[')));
        diagnostics_.add(Code::unknown_name, binding.port.where,
                         fmt::format("component '{}' has no {} '{}'{}", component_.name,
                                     direction(), binding.port.name,
                                     did_you_mean(binding.port.name, names)));
    }

    void bind_port_of(const Node& key, const Node& value) {
        const auto name = expr::parse_family_name(key.text, diagnostics_);
        if (!value.is_text())
            return wrong_shape(value, "'[wire] type'", diagnostics_);
        const auto declaration = expr::parse_declaration(value.text, diagnostics_);
        if (!name || !declaration || !inside_.scope.declare(name->name, key.where, diagnostics_))
            return;
        if (declaration->delay || declaration->hold || declaration->error || declaration->initial) {
            diagnostics_.add(Code::expression_syntax, declaration->where,
                             "a port is written '[wire] type'; the bus it is bound to says the "
                             "rest");
            return;
        }
        const auto found = bindings_.find(name->name);
        if (found == bindings_.end()) {
            unbound_.push_back({name->name, key.where});
            return;
        }
        found->second.used = true;
        Constants constants{inside_.scope, diagnostics_};
        const TypeRef type = constants.elaborator().type(*declaration->type);
        const std::optional<Shape> shape = read_shape(*name, inside_);
        if (!type || !shape)
            return;
        BusView port;
        port.name = name->name;
        port.shape = *shape;
        port.type = type;
        port.use = output_ ? BusView::Use::output : BusView::Use::input;
        port.declared = key.where;
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
        for (const BusView& back : bus.backs) {
            BusView made = back;
            made.name = port.name + back.name.substr(back.name.rfind('.'));
            made.shape = port.shape;
            made.use = output_ ? BusView::Use::input : BusView::Use::output;
            made.elements = elements(back, *bound);
            port.backs.push_back(std::move(made));
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
                      : fmt::format("port '{}' says wire, but '{}' is none; declare it with 'wire'",
                                    port.name, bus.name))
            .note(port.declared, fmt::format("'{}' is declared here", port.name))
            .note(bus.declared, fmt::format("'{}' is declared here", bus.name));
        return false;
    }

    /// Instance · elements of the port + element → bus element.
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

    /// A bus that nobody writes and that holds its initial value.
    bool bind_constant(const Node& node, BusView& port) {
        if (port.type->is_bundle()) {
            diagnostics_.add(Code::bad_bundle, node.where,
                             fmt::format("port '{}' is {}, which runs both ways; bind it to a bus",
                                         port.name, port.type->name()));
            return false;
        }
        const BusFamily* const made =
            add_constant_bus(node, port.name, inside_.prefix + port.name, port.type,
                             inside_.in_graph(port.shape), members_, port.shape.count(), outer_);
        if (made)
            port.elements =
                Segments::affine(made->count, static_cast<std::int64_t>(made->first), 1);
        return made != nullptr;
    }

    const ComponentFile& component_;
    const Location& where_;
    const Shape& members_;
    Context& inside_;
    Context& outer_;
    Diagnostics& diagnostics_;
    std::map<std::string, PortBinding> bindings_;
    std::vector<std::pair<std::string, Location>> unbound_; // names, and where they are declared
    bool output_ = false;
    bool broken_ = false;
};

} // namespace

bool bind_instance_ports(const ComponentFile& component, const Node& body, const Location& where,
                         const Shape& members, Context& inside, Context& outer) {
    const std::size_t errors = outer.diagnostics.errors();
    InstancePorts ports{component, where, members, inside, outer};
    ports.bind(component.root.find("in"), body.find("in"), false);
    ports.bind(component.root.find("out"), body.find("out"), true);
    return outer.diagnostics.errors() == errors && !ports.broken();
}

} // namespace sme::yaml
