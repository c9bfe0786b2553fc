// SPDX-License-Identifier: Apache-2.0
#include "verilator/inspect/dataflow.hpp"

#include <algorithm>
#include <set>

#include "verilator/inspect/element.hpp"

namespace sme::verilator {

namespace {

bool is_reference(Element element) {
    return element.kind() == "varref";
}

} // namespace

Dataflow::Dataflow(Element netlist, const NetlistTypes& types, const VerilogModule& module,
                   const std::atomic<bool>* unwanted)
    : types_{types}, anything_{graph_.add(1)}, falling_{graph_.add(1)}, unwanted_{unwanted} {
    for (const VerilogClock& clock : module.known_clocks())
        clocks_.push_back({clock.port.text, clock.rate.falls_within_cycles(), graph_.add(1)});
    for (const VerilogReset& reset : module.resets)
        resets_.insert(reset.port.text);
    const Element top = netlist.child("module", "topModule", "1");
    declare_top(top);
    for (Element each : netlist.children())
        if (each != top)
            declare_other(each);
    for (Element each : netlist.children())
        for (Element scope : (each == top ? each.child("topscope") : each).children("scope"))
            for (Element element : scope.children())
                process(element);
    find_clocks();
    settle_edges();
}

void Dataflow::process(Element element) {
    const std::string_view kind = element.kind();
    look();
    if (is_silent(kind))
        return;
    if (kind == "assignalias")
        return alias(element);
    if (kind == "cfunc")
        return function(element);
    const Element events = element.child("sentree");
    note_drivers(element);
    if (events && events.first_child())
        edges_.push_back({element});
    else
        combinational(element);
}

/// Joins two names of one net.
void Dataflow::alias(Element element) {
    const Element first = element.first_child(), second = element.last_child();
    if (!is_reference(first) || !is_reference(second)) {
        std::vector<Target> targets;
        all_of(element, targets);
        Bits all;
        gather(element, {}, all);
        return depend_all(targets, graph_.meet(all), false);
    }
    const Meant& one = find(first.name());
    const Meant& other = find(second.name());
    const bool soft = !one.sure() || !other.sure();
    if (!soft) {
        copies_[one.variables[0]].insert(other.variables[0]);
        copies_[other.variables[0]].insert(one.variables[0]);
        aliases_[one.variables[0]].insert(other.variables[0]);
        aliases_[other.variables[0]].insert(one.variables[0]);
    }
    for (const Variable* a : one.variables)
        for (const Variable* b : other.variables)
            for (Node k = 0; k < std::min(a->width, b->width); ++k) {
                graph_.depend(a->first + k, b->first + k, soft);
                graph_.depend(b->first + k, a->first + k, soft);
            }
}

void Dataflow::combinational(Element element) {
    State state;
    if (is_assignment(element.kind())) {
        const Element value = element.first_child(), target = element.last_child();
        if (is_reference(value) && is_reference(target)) {
            const Meant& from = find(value.name());
            const Meant& to = find(target.name());
            if (from.sure() && to.sure())
                copies_[from.variables[0]].insert(to.variables[0]);
        }
        statement(element, state, BitGraph::none);
    } else if (element.kind() == "always")
        statements(element, state, BitGraph::none);
    else
        return mix(element, BitGraph::none, true);
    commit(state);
}

void Dataflow::function(Element element) {
    std::set<std::string_view> own;
    for (Element variable : element.children("var"))
        own.insert(variable.name());
    std::vector<Target> targets;
    for (const Element found : element.below("varref"))
        if (!own.count(found.name()))
            all_of(found, targets);
    depend_all(targets, anything_, true);
}

void Dataflow::mix(Element element, Node also, bool soft) {
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

/// Collects all variables in an element except inputs.
void Dataflow::all_of(Element element, std::vector<Target>& into) {
    if (is_reference(element)) {
        const Meant& meant = find(element.name());
        for (Variable* variable : meant.variables)
            if (!variable->input)
                into.push_back({variable, meant.sure()});
    }
    for (Element child : element.children())
        all_of(child, into);
}

/// Collects the variables on the left side of an assignment.
void Dataflow::targets_of(Element target, std::vector<Target>& into) {
    const std::string_view kind = target.kind();
    if (kind == "sel" || kind == "arraysel" || kind == "structsel" || kind == "slicesel" ||
        kind == "wordsel" || kind == "streaml" || kind == "streamr")
        targets_of(target.first_child(), into);
    else
        all_of(target, into);
}

/// Collects the variables that an element writes; all its variables if its kind is unknown.
void Dataflow::written(Element element, std::vector<Target>& into) {
    if (!is_understood(element.kind()))
        return all_of(element, into);
    if (is_assignment(element.kind()))
        targets_of(element.first_child().next_sibling(), into);
    for (Element child : element.children())
        written(child, into);
}

void Dataflow::commit(const State& state) {
    for (const auto& [variable, bits] : state)
        for (std::size_t k = 0; k < bits.size(); ++k)
            graph_.depend(variable->first + static_cast<Node>(k), bits[k]);
}

} // namespace sme::verilator
