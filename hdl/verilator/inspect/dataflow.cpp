// SPDX-License-Identifier: Apache-2.0
#include "verilator/inspect/dataflow.hpp"

#include <algorithm>
#include <cstring>
#include <set>

#include "verilator/inspect/xml_kinds.hpp"

namespace sme::verilator {

namespace {

bool is_reference(const pugi::xml_node& element) {
    return std::strcmp(element.name(), "varref") == 0;
}

} // namespace

Dataflow::Dataflow(const pugi::xml_node& netlist, const XmlTypes& types,
                   const VerilogModule& module)
    : types_{types}, anything_{graph_.add(1)}, falling_{graph_.add(1)} {
    for (const VerilogClock& clock : module.known_clocks())
        clocks_.push_back({clock.port.text, clock.rate.falls_within_cycles(), graph_.add(1)});
    for (const VerilogReset& reset : module.resets)
        resets_.insert(reset.port.text);
    const pugi::xml_node top = netlist.find_child_by_attribute("module", "topModule", "1");
    declare_top(top);
    for (const pugi::xml_node& each : netlist.children())
        if (each != top)
            declare_other(each);
    for (const pugi::xml_node& each : netlist.children())
        for (const pugi::xml_node& scope :
             (each == top ? each.child("topscope") : each).children("scope"))
            for (const pugi::xml_node& element : scope.children())
                process(element);
    find_clocks();
    settle_edges();
}

void Dataflow::process(const pugi::xml_node& element) {
    const std::string_view kind = element.name();
    if (is_silent(kind))
        return;
    if (kind == "assignalias")
        return alias(element);
    if (kind == "cfunc")
        return function(element);
    const pugi::xml_node events = element.child("sentree");
    if (events && events.first_child())
        edges_.push_back({element, events, 0});
    else
        combinational(element);
}

/// Two names of one net.
void Dataflow::alias(const pugi::xml_node& element) {
    const pugi::xml_node first = element.first_child(), second = element.last_child();
    if (!is_reference(first) || !is_reference(second)) {
        std::vector<Target> targets;
        all_of(element, targets);
        Bits all;
        gather(element, {}, all);
        return depend_all(targets, graph_.meet(all), false);
    }
    const Meant& one = find(first.attribute("name").value());
    const Meant& other = find(second.attribute("name").value());
    const bool soft = !one.sure() || !other.sure();
    if (!soft) {
        copies_[one.variables[0]].insert(other.variables[0]);
        copies_[other.variables[0]].insert(one.variables[0]);
    }
    for (const Variable* a : one.variables)
        for (const Variable* b : other.variables)
            for (Node k = 0; k < std::min(a->width, b->width); ++k) {
                graph_.depend(a->first + k, b->first + k, soft);
                graph_.depend(b->first + k, a->first + k, soft);
            }
}

void Dataflow::combinational(const pugi::xml_node& element) {
    State state;
    if (is_assignment(element.name())) {
        const pugi::xml_node value = element.first_child(), target = element.last_child();
        if (is_reference(value) && is_reference(target)) {
            const Meant& from = find(value.attribute("name").value());
            const Meant& to = find(target.attribute("name").value());
            if (from.sure() && to.sure())
                copies_[from.variables[0]].insert(to.variables[0]);
        }
        statement(element, state, BitGraph::none);
    } else if (std::strcmp(element.name(), "always") == 0)
        statements(element, state, BitGraph::none);
    else
        return mix(element, BitGraph::none, true);
    commit(state);
}

void Dataflow::function(const pugi::xml_node& element) {
    std::set<std::string> own;
    for (const pugi::xml_node& variable : element.children("var"))
        own.insert(variable.attribute("name").value());
    std::vector<Target> targets;
    for (const pugi::xpath_node& found : element.select_nodes(".//varref"))
        if (!own.count(found.node().attribute("name").value()))
            all_of(found.node(), targets);
    depend_all(targets, anything_, true);
}

void Dataflow::mix(const pugi::xml_node& element, Node also, bool soft) {
    Bits all{also};
    gather(element, {}, all);
    std::vector<Target> targets;
    written(element, targets);
    depend_all(targets, graph_.meet(all), soft);
}

void Dataflow::depend_all(const std::vector<Target>& targets, Node cause, bool soft) {
    for (const Target& target : targets)
        for (const Node bit : bits_at(*target.variable, {}))
            graph_.depend(bit, cause, soft || !target.sure);
}

/// All variables that stand in it, but no inputs.
void Dataflow::all_of(const pugi::xml_node& element, std::vector<Target>& into) {
    if (is_reference(element)) {
        const Meant& meant = find(element.attribute("name").value());
        for (Variable* variable : meant.variables)
            if (!variable->input)
                into.push_back({variable, meant.sure()});
    }
    for (const pugi::xml_node& child : element.children())
        all_of(child, into);
}

/// The variables of the left side of an assignment.
void Dataflow::targets_of(const pugi::xml_node& target, std::vector<Target>& into) {
    const std::string_view kind = target.name();
    if (kind == "sel" || kind == "arraysel" || kind == "structsel" || kind == "slicesel" ||
        kind == "wordsel" || kind == "streaml" || kind == "streamr")
        targets_of(target.first_child(), into);
    else
        all_of(target, into);
}

/// The variables that it writes; of what is not known, all that stand in it.
void Dataflow::written(const pugi::xml_node& element, std::vector<Target>& into) {
    if (!is_understood(element.name()))
        return all_of(element, into);
    if (is_assignment(element.name()))
        targets_of(element.first_child().next_sibling(), into);
    for (const pugi::xml_node& child : element.children())
        written(child, into);
}

void Dataflow::commit(const State& state) {
    for (const auto& [variable, bits] : state)
        for (std::size_t k = 0; k < bits.size(); ++k)
            graph_.depend(variable->first + static_cast<Node>(k), bits[k]);
}

} // namespace sme::verilator
