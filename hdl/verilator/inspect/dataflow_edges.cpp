// SPDX-License-Identifier: Apache-2.0
//
// Blocks that events run. What a rising clock makes hold follows nothing within a cycle, and so
// does what a clock makes hold that falls at the end of cycles. A gate in a clock, an asynchronous
// set or reset may move it all the same: softly, it depends on what they come from. Other events,
// such as a clock that falls within the cycle and the edges of inputs, come while the module
// settles.
#include <algorithm>

#include "verilator/inspect/dataflow.hpp"

namespace sme::verilator {

bool Dataflow::is_control(const std::string& port) const {
    return resets_.count(port) != 0 ||
           std::any_of(clocks_.begin(), clocks_.end(),
                       [&](const Clock& clock) { return clock.name == port; });
}

void Dataflow::find_clocks() {
    for (Clock& clock : clocks_) {
        std::vector<const Variable*> open;
        for (const std::string& name : {clock.name, top_ + clock.name})
            if (const auto found = variables_.find(name); found != variables_.end())
                open.push_back(&found->second);
        while (!open.empty()) {
            const Variable* const one = open.back();
            open.pop_back();
            if (clock.nets.insert(one).second)
                open.insert(open.end(), copies_[one].begin(), copies_[one].end());
        }
    }
}

void Dataflow::settle_edges() {
    for (bool grew = true; grew;) {
        grew = false;
        events_.clear();
        for (Edges& edges : edges_)
            grew = registers(edges) || grew;
    }
}

Dataflow::Event Dataflow::event_of(Element expression) {
    const bool reference = expression.kind() == "varref";
    const std::string_view name = expression.name();
    if (reference)
        if (const auto known = events_.find(name); known != events_.end())
            return known->second;
    Event made;
    made.bits = value(expression, {});
    made.from = sources_of(made.bits);
    made.clock = !made.from.clocks.empty();
    made.within = std::any_of(made.from.clocks.begin(), made.from.clocks.end(),
                              [&](std::size_t k) { return clocks_[k].falls_within_cycles; });
    if (reference) {
        const Meant& meant = find(name);
        made.plain =
            meant.sure() && std::any_of(clocks_.begin(), clocks_.end(), [&](const Clock& clock) {
                return clock.nets.count(meant.variables[0]) != 0;
            });
        events_[name] = made;
    }
    return made;
}

Dataflow::Sources Dataflow::sources_of(const Bits& bits) const {
    Sources made;
    const auto reached = graph_.reach(bits);
    const auto is_reached = [&](Node node) { return reached[node] != BitGraph::Reach::no; };
    for (const auto& [port, variable] : variables_)
        for (Node k = 0; variable.input && k < variable.width; ++k)
            if (is_reached(variable.first + k) && !is_control(port)) {
                made.inputs.push_back(variable.first + k);
                made.names.insert(port);
            }
    for (std::size_t k = 0; k < clocks_.size(); ++k) {
        if (is_reached(clocks_[k].registers))
            made.registers.insert(k);
        for (const Node bit : bits_of(clocks_[k].name))
            if (is_reached(bit))
                made.clocks.insert(k);
    }
    return made;
}

/// The registers of the block take values when these clocks rise, and when registers of them
/// change, of which the event is made. Whether something is new.
bool Dataflow::add_clocks(Edges& edges, const Event& event) {
    std::set<std::size_t> found = event.from.clocks;
    found.insert(event.from.registers.begin(), event.from.registers.end());
    bool grew = false;
    for (const std::size_t clock : found) {
        if (!edges.clocks.insert(clock).second)
            continue;
        grew = true;
        std::vector<Target> targets;
        written(edges.element, targets);
        depend_all(targets, clocks_[clock].registers, false);
    }
    return grew;
}

/// Whether something is new.
bool Dataflow::registers(Edges& edges) {
    Bits causes, bits;
    std::set<std::string> inputs;
    bool rising = false, gated = false, other = false, grew = false;
    for (Element item : edges.events.children("senitem")) {
        const Event event = event_of(item.first_child());
        const std::string_view edge = item.attribute("edgeType");
        const bool at_end = edge == "POS" || (event.clock && !event.within);
        grew = add_clocks(edges, event) || grew;
        rising = rising || (event.clock && at_end);
        gated = gated || (event.clock && !event.plain);
        other = other || (event.clock && !at_end);
        causes.insert(causes.end(), event.from.inputs.begin(), event.from.inputs.end());
        inputs.insert(event.from.names.begin(), event.from.names.end());
        if (event.plain && edge == "NEG" && event.within) {
            bits.push_back(falling_);
            falls_ = true;
        } else
            bits.insert(bits.end(), event.bits.begin(), event.bits.end());
    }
    const bool soft = rising && !other;
    if (!soft && !other && causes.empty())
        return grew; // of registers and resets alone: these do not move within a cycle
    if (!soft)
        edge_inputs_.insert(inputs.begin(), inputs.end());
    Bits read;
    if (!soft || gated) // a gate may let the other edge through
        for (Element child : edges.element.children())
            if (child.kind() != "sentree")
                gather(child, {}, read);
    if (soft)
        read = sources_of(read).inputs;
    else
        causes = std::move(bits);
    causes.insert(causes.end(), read.begin(), read.end());
    if (causes.size() <= edges.causes)
        return grew;
    edges.causes = causes.size();
    std::vector<Target> targets;
    written(edges.element, targets);
    depend_all(targets, graph_.meet(causes), soft);
    return true;
}

} // namespace sme::verilator
