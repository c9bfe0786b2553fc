// SPDX-License-Identifier: Apache-2.0
#include "external_model/interface.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "lockstep/comparison.hpp"

namespace sme::external_model {

namespace {

class InterfaceReader {
public:
    InterfaceReader(const expr::Unit& unit, std::uint64_t instance, const Graph& graph)
        : unit_{unit}, instance_{instance}, graph_{graph} {}

    Interface read() {
        find_families();
        if (unit_.inside)
            for (const expr::BusView* view : unit_.inside->views)
                add_view(*view);
        else if (unit_.process)
            add_ports(*unit_.process);
        mark_constants();
        made_.where = unit_.declared;
        return std::move(made_);
    }

private:
    /// Finds the families of the processes in the unit, and their common name.
    void find_families() {
        std::string inner, first;
        const expr::Unit* unit = &unit_;
        while (!unit->family && unit->inside && !unit->inside->units.empty()) {
            unit = unit->inside->units.front();
            inner += "." + unit->name;
        }
        if (!unit->family)
            return;
        const std::string& whole = graph_.processes[*unit->family].name;
        made_.process = whole.substr(0, whole.size() - inner.size());
        made_.name = made_.process;
        std::size_t begin = *unit->family, end = begin + 1;
        for (std::size_t f = 0; f < graph_.processes.size(); ++f)
            if (const std::string& name = graph_.processes[f].name;
                name == made_.process || name.starts_with(made_.process + ".")) {
                begin = std::min(begin, f);
                end = std::max(end, f + 1);
            }
        made_.families = {begin, end};
    }

    void add_view(const expr::BusView& view) {
        if (view.use == expr::BusView::Use::own)
            return;
        add_view(view, view.use == expr::BusView::Use::output, view.name);
        for (const expr::BusView& back : view.reverse_fields)
            add_view(back, view.use == expr::BusView::Use::input, back.name);
    }

    void add_view(const expr::BusView& view, bool output, const std::string& name) {
        InterfacePort& port = made_.ports.emplace_back();
        port.name = name;
        port.output = output;
        port.shape = view.shape;
        for (std::uint64_t k = 0; k < view.shape.count(); ++k)
            port.elements.push_back(view.element(instance_, k));
        port.type = graph_.family_of(port.elements.at(0)).type;
    }

    void add_ports(const expr::ProcessView& process) {
        for (const expr::PortText& port : process.inputs)
            add_port(port.name, port, false, port.read_port);
        for (const expr::PortText& port : process.outputs) {
            add_port(port.name, port, true, port.write_port);
            if (!port.bundle)
                continue;
            std::size_t back = 0; // back fields, which the writer reads
            for (const Field& field : port.bundle->fields())
                if (field.back)
                    add_port(port.name + "." + field.name, port, false,
                             port.reverse_fields[back++].read_port);
        }
    }

    void add_port(const std::string& name, const expr::PortText& text, bool output,
                  std::uint32_t first) {
        InterfacePort& port = made_.ports.emplace_back();
        port.name = name;
        port.output = output;
        port.shape = text.shape;
        const ProcessFamily& family = graph_.processes[*unit_.family];
        for (std::uint32_t k = 0; k < text.count(); ++k)
            port.elements.push_back(
                static_cast<std::uint64_t>(family.ports[first + k].buses.at(instance_)));
        port.type = graph_.family_of(port.elements.at(0)).type;
    }

    void mark_constants() {
        for (InterfacePort& port : made_.ports)
            port.constant = !port.output && std::all_of(port.elements.begin(), port.elements.end(),
                                                        [&](std::uint64_t each) {
                                                            return graph_.family_of(each).input;
                                                        });
    }

    const expr::Unit& unit_;
    const std::uint64_t instance_;
    const Graph& graph_;
    Interface made_;
};

} // namespace

std::vector<std::string> Interface::names() const {
    std::vector<std::string> result;
    for (const InterfacePort& port : ports)
        result.push_back(port.name);
    return result;
}

Interface interface_of(const expr::Unit& unit, std::uint64_t instance, const Graph& graph) {
    return InterfaceReader{unit, instance, graph}.read();
}

Shadows add_shadows(const Interface& interface, const std::string& other, Graph& graph) {
    Shadows result;
    result.pair.name = interface.name;
    result.pair.other = other;
    result.pair.where = interface.where;
    result.pair.first = interface.families;
    for (const InterfacePort& port : interface.ports) {
        if (!port.output) {
            for (const std::uint64_t element : port.elements)
                if (!port.constant)
                    result.pair.inputs.push_back(element);
            continue;
        }
        std::vector<std::uint64_t>& shadows = result.outputs.emplace_back();
        for (const std::uint64_t element : port.elements) {
            const BusFamily old = graph.family_of(element);
            BusFamily shadow;
            shadow.name = fmt::format("{}.second.{}", interface.name, old.element_name(element));
            shadow.type = old.type;
            shadow.delay = old.delay;
            shadow.unwritten = old.unwritten == Unwritten::error ? Unwritten::zero : old.unwritten;
            shadow.generated = true;
            shadow.declared = old.declared;
            if (!old.wire()) {
                shadow.initial = lockstep::initial_of(graph, element);
                shadow.has_initial = old.has_initial;
            }
            shadows.push_back(graph.add(std::move(shadow)).first);
            result.pair.outputs.push_back({element, shadows.back()});
        }
    }
    return result;
}

} // namespace sme::external_model
