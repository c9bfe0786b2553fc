// SPDX-License-Identifier: Apache-2.0
//
// Blocks that events run. What the rising clock makes hold follows nothing within a cycle. A gate
// in the clock, an asynchronous set or reset may move it all the same: softly, it depends on what
// they come from. Other events, such as the falling clock, come while the module settles.
#include <cstring>

#include "verilator/inspect/dataflow.hpp"

namespace sme::verilator {

void Dataflow::find_clocks() {
    std::vector<const Variable*> open;
    for (const std::string& name : {clock_, top_ + clock_})
        if (const auto found = variables_.find(name); found != variables_.end())
            open.push_back(&found->second);
    while (!open.empty()) {
        const Variable* const one = open.back();
        open.pop_back();
        if (clocks_.insert(one).second)
            open.insert(open.end(), copies_[one].begin(), copies_[one].end());
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

Dataflow::Event Dataflow::event_of(const pugi::xml_node& expression) {
    const bool reference = std::strcmp(expression.name(), "varref") == 0;
    const std::string name = expression.attribute("name").value();
    if (reference)
        if (const auto known = events_.find(name); known != events_.end())
            return known->second;
    Event made;
    made.bits = value(expression, {});
    made.inputs = inputs_of(made.bits, &made.clock);
    if (reference) {
        const Meant& meant = find(name);
        made.plain = meant.sure() && clocks_.count(meant.variables[0]) != 0;
        events_[name] = made;
    }
    return made;
}

Dataflow::Bits Dataflow::inputs_of(const Bits& bits, bool* clock) const {
    Bits made;
    const auto reached = graph_.reach(bits);
    for (const auto& [port, variable] : variables_)
        for (Node k = 0; variable.input && k < variable.width; ++k)
            if (reached[variable.first + k] != BitGraph::Reach::no) {
                if (port != clock_ && port != reset_)
                    made.push_back(variable.first + k);
                else if (port == clock_ && clock)
                    *clock = true;
            }
    return made;
}

/// Whether something is new.
bool Dataflow::registers(Edges& edges) {
    Bits causes, bits;
    bool rising = false, gated = false, other = false;
    for (const pugi::xml_node& item : edges.events.children("senitem")) {
        const Event event = event_of(item.first_child());
        const bool rises = std::strcmp(item.attribute("edgeType").value(), "POS") == 0;
        rising = rising || (event.clock && rises);
        gated = gated || (event.clock && !event.plain);
        other = other || (event.clock && !rises);
        causes.insert(causes.end(), event.inputs.begin(), event.inputs.end());
        if (event.plain && std::strcmp(item.attribute("edgeType").value(), "NEG") == 0) {
            bits.push_back(falling_);
            falls_ = true;
        } else
            bits.insert(bits.end(), event.bits.begin(), event.bits.end());
    }
    const bool soft = rising && !other;
    if (!soft && !other && causes.empty())
        return false; // of registers and the reset alone: these do not move within a cycle
    Bits read;
    if (!soft || gated) // a gate may let the other edge through
        for (const pugi::xml_node& child : edges.element.children())
            if (std::strcmp(child.name(), "sentree") != 0)
                gather(child, {}, read);
    if (soft)
        read = inputs_of(read);
    else
        causes = std::move(bits);
    causes.insert(causes.end(), read.begin(), read.end());
    if (causes.size() <= edges.causes)
        return false;
    edges.causes = causes.size();
    std::vector<Target> targets;
    written(edges.element, targets);
    depend_all(targets, graph_.meet(causes), soft);
    return true;
}

} // namespace sme::verilator
