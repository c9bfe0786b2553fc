// SPDX-License-Identifier: Apache-2.0
//
// Resolves the names in a netlist to variables. A flat netlist declares a variable with its full
// name, but a reference may lack the first scope, and a reference to a variable of an interface, a
// package or a class has only the last part of the name.
#include "verilator/inspect/dataflow.hpp"

namespace sme::verilator {

namespace {

/// Returns the number of nodes: a memory is one node, whatever its elements.
std::size_t nodes_of(const NetlistTypes::Info& type) {
    return type.width == 0 ? 1 : type.width;
}

bool is_below(const std::string& full, std::string_view name) {
    return full.size() > name.size() && full.ends_with(name) &&
           full[full.size() - name.size() - 1] == '.';
}

} // namespace

void Dataflow::declare_top(Element module) {
    std::map<Place, std::string> ports;
    for (Element element : module.children("var")) {
        const std::string name{element.name()};
        const Place place = element.place();
        Variable& variable = variables_[name];
        variable.width = nodes_of(types_.of(element));
        variable.first = graph_.add(variable.width);
        if (element.has("dir")) {
            ports[place] = name;
            variable.input = element.attribute("dir") == "input";
        } else if (const auto port = ports.find(place);
                   port != ports.end() && is_below(name, port->second)) {
            // the same port, inside the wrapper
            if (top_.empty())
                top_ = name.substr(0, name.size() - port->second.size());
            const Variable& outer = variables_[port->second];
            for (Node k = 0; k < std::min(outer.width, variable.width); ++k) {
                graph_.depend(outer.first + k, variable.first + k);
                graph_.depend(variable.first + k, outer.first + k);
            }
        }
    }
    for (auto& [name, variable] : variables_)
        if (variable.input && !is_control(name))
            for (Node k = 0; k < variable.width; ++k)
                graph_.depend(anything_, variable.first + k, true);
}

/// Declares one set of variables for all instances of a module that is not inlined.
void Dataflow::declare_other(Element module) {
    std::size_t scopes = 0;
    for ([[maybe_unused]] Element scope : module.children("scope"))
        ++scopes;
    std::map<std::string_view, Variable>& variables = others_[module.name()];
    for (Element element : module.children("var")) {
        if (element.has("param") || element.has("localparam")) // its references are constants
            continue;
        Variable& variable = variables[element.name()];
        variable.width = nodes_of(types_.of(element));
        variable.first = graph_.add(variable.width);
        variable.several = scopes != 1;
    }
}

std::vector<BitGraph::Node> Dataflow::bits_of(const std::string& name) const {
    const auto found = variables_.find(name);
    return found == variables_.end() ? Bits{} : bits_at(found->second, {});
}

const Dataflow::Meant& Dataflow::find(std::string_view name) {
    const auto [place, made] = found_.try_emplace(name);
    if (!made)
        return place->second;
    std::vector<Variable*>& meant = place->second.variables;
    const auto exact = variables_.find(name);
    if (exact != variables_.end())
        meant.push_back(&exact->second);
    const auto below = variables_.find(top_ + std::string{name});
    const bool is_port = exact != variables_.end() && name.find('.') == std::string::npos;
    if (below != variables_.end() && !is_port && below != exact)
        meant.push_back(&below->second);
    for (auto& [module, variables] : others_)
        if (const auto other = variables.find(name); other != variables.end())
            meant.push_back(&other->second);
    if (meant.empty())
        for (auto& [full, variable] : variables_)
            if (is_below(full, name))
                meant.push_back(&variable);
    return place->second;
}

} // namespace sme::verilator
