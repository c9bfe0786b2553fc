// SPDX-License-Identifier: Apache-2.0
//
// Resolves the names in a netlist to variables. A flat netlist declares a variable with its full
// name, but a reference may lack the first scope, and a reference to a variable of an interface, a
// package or a class has only the last part of the name.
#include "verilator/inspect/dataflow.hpp"

#include <algorithm>

#include "verilator/inspect/element.hpp"

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
    const auto [place, result] = found_.try_emplace(name);
    if (!result)
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

// The values of expressions: the node of each bit, the lowest first.

Dataflow::Bits Dataflow::bits_at(const Variable& variable, const State& state) const {
    if (const auto found = state.find(&variable); found != state.end())
        return found->second;
    Bits bits(variable.width);
    for (std::size_t k = 0; k < bits.size(); ++k)
        bits[k] = variable.first + static_cast<Node>(k);
    return bits;
}

Dataflow::Bits Dataflow::read(Element reference, const State& state) {
    const std::vector<Variable*>& meant = find(reference.name()).variables;
    if (meant.size() == 1 && !meant[0]->several)
        return bits_at(*meant[0], state);
    const std::size_t width = std::max<std::uint64_t>(types_.of(reference).width, 1);
    if (meant.empty())
        return Bits(width, anything_);
    Bits result(width, BitGraph::none);
    for (const Variable* variable : meant) {
        const Bits bits = bits_at(*variable, state);
        const Node all = bits.size() == width ? BitGraph::none : graph_.meet(bits);
        for (std::size_t k = 0; k < width; ++k)
            result[k] = graph_.meet({result[k], softly(bits.size() == width ? bits[k] : all)});
    }
    return result;
}

BitGraph::Node Dataflow::softly(Node node) {
    if (node == BitGraph::none)
        return node;
    const Node result = graph_.add(1);
    graph_.depend(result, node, true);
    return result;
}

Dataflow::Bits Dataflow::value(Element element, const State& state) {
    const std::string_view kind = element.kind();
    const std::size_t width = std::max<std::uint64_t>(types_.of(element).width, 1);
    if (kind == "const")
        return Bits(width, BitGraph::none);
    if (kind == "varref")
        return read(element, state);
    Bits result;
    if (kind == "concat") {
        result = value(element.last_child(), state);
        const Bits high = value(element.first_child(), state);
        result.insert(result.end(), high.begin(), high.end());
    } else if (std::uint64_t low = 0;
               kind == "sel" && constant_of(element.first_child().next_sibling(), low)) {
        const Bits base = value(element.first_child(), state);
        for (std::size_t k = 0; k < width; ++k)
            result.push_back(low + k < base.size() ? base[low + k] : BitGraph::none);
    } else if (kind == "extend" || kind == "extends") {
        result = value(element.first_child(), state);
        result.resize(width, kind == "extends" && !result.empty() ? result.back() : BitGraph::none);
    } else if (kind == "replicate") {
        const Bits one = value(element.first_child(), state);
        while (result.size() < width && !one.empty())
            result.insert(result.end(), one.begin(), one.end());
    } else if (kind == "and" || kind == "or" || kind == "xor" || kind == "not" || kind == "cond")
        result = bitwise(element, state);
    else if (kind == "exprstmt") { // statements, then their value
        State own = state;
        for (const Element child : element.children())
            if (child == element.last_child())
                result = value(child, own);
            else
                statement(child, own, BitGraph::none);
    } else if (is_understood(kind))
        result = operands_met(element, state);
    else
        result = Bits(width, anything_);
    result.resize(width, BitGraph::none);
    return result;
}

/// Makes bit k depend on bit k of each operand; for a choice, also on the condition.
Dataflow::Bits Dataflow::bitwise(Element element, const State& state) {
    Node condition = BitGraph::none;
    Element operand = element.first_child();
    if (element.kind() == "cond") {
        condition = graph_.meet(value(operand, state));
        operand = operand.next_sibling();
    }
    std::vector<Bits> operands;
    std::size_t width = 0;
    for (; operand; operand = operand.next_sibling()) {
        operands.push_back(value(operand, state));
        width = std::max(width, operands.back().size());
    }
    Bits result(width, BitGraph::none);
    for (std::size_t k = 0; k < width; ++k) {
        Bits met{condition};
        for (const Bits& bits : operands)
            if (k < bits.size())
                met.push_back(bits[k]);
        result[k] = graph_.meet(met);
    }
    return result;
}

/// Makes every bit depend on all operands.
Dataflow::Bits Dataflow::operands_met(Element element, const State& state) {
    Bits all;
    for (Element operand : element.children()) {
        const Bits bits = value(operand, state);
        all.insert(all.end(), bits.begin(), bits.end());
    }
    return Bits(std::max<std::uint64_t>(types_.of(element).width, 1), graph_.meet(all));
}

/// Collects all bits of all variables in an element; every input if its kind is unknown.
void Dataflow::gather(Element element, const State& state, Bits& into) {
    std::vector<Element> open{element};
    while (!open.empty()) {
        const Element one = open.back();
        open.pop_back();
        if (one.kind() == "varref") {
            const Bits bits = read(one, state);
            into.insert(into.end(), bits.begin(), bits.end());
        }
        if (!is_understood(one.kind())) {
            into.push_back(anything_);
            continue;
        }
        for (Element child : one.children())
            open.push_back(child);
    }
}

} // namespace sme::verilator
