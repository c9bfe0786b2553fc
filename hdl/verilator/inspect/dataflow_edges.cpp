// SPDX-License-Identifier: Apache-2.0
//
// Blocks triggered by events. A register loaded by a rising clock, or by a clock that falls at the
// end of cycles, depends on nothing within a cycle. A clock gate or an asynchronous set or reset
// may still change it: it depends softly on their sources. Other events, such as a clock that falls
// within the cycle and the edges of inputs, occur while the module settles.
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
    std::vector<Bits> origins(1 + 2 * clocks_.size());
    for (const auto& [port, variable] : variables_)
        for (Node k = 0; variable.input && k < variable.width; ++k)
            if (!is_control(port))
                origins[0].push_back(variable.first + k);
    for (std::size_t k = 0; k < clocks_.size(); ++k) {
        origins[1 + k] = bits_of(clocks_[k].name);
        origins[1 + clocks_.size() + k] = {clocks_[k].registers};
    }
    graph_.trace_origins(origins);
    for (Edges& edges : edges_)
        for (Element item : edges.element.child("sentree").children("senitem"))
            edges.events.push_back(event_of(item));
    // alternate the direction: dividers may be in either order
    for (bool grew = true; grew; std::reverse(edges_.begin(), edges_.end())) {
        grew = false;
        for (Edges& edges : edges_) {
            look();
            grew = registers(edges) || grew;
        }
    }
    const auto reached = graph_.reach(edge_bits_);
    for (const auto& [port, variable] : variables_)
        for (Node k = 0; variable.input && k < variable.width; ++k)
            if (reached[variable.first + k] != BitGraph::Reach::no && !is_control(port))
                edge_inputs_.insert(port);
}

Dataflow::Event Dataflow::event_of(Element item) {
    const Element expression = item.first_child();
    Event made{value(expression, {}), item.attribute("edgeType"), false};
    if (expression.kind() == "varref") {
        const Meant& meant = find(expression.name());
        made.plain =
            meant.sure() && std::any_of(clocks_.begin(), clocks_.end(), [&](const Clock& clock) {
                return clock.nets.count(meant.variables[0]) != 0;
            });
    }
    return made;
}

bool Dataflow::comes_from(const Bits& bits, std::size_t origin) const {
    return std::any_of(bits.begin(), bits.end(),
                       [&](Node bit) { return graph_.comes_from(bit, origin); });
}

/// Records the clocks whose rise loads the block's registers, directly or through registers that
/// form the event. Returns true if it added any.
bool Dataflow::add_clocks(Edges& edges, const Event& event) {
    bool grew = false;
    for (std::size_t k = 0; k < clocks_.size(); ++k) {
        if (edges.clocks.count(k) != 0 ||
            !(comes_from(event.bits, 1 + k) || comes_from(event.bits, 1 + clocks_.size() + k)))
            continue;
        edges.clocks.insert(k);
        grew = true;
        std::vector<Target> targets;
        written(edges.element, targets);
        depend_all(targets, clocks_[k].registers, false);
    }
    return grew;
}

/// Returns the role of clocks in an event; `other` if no clock takes part.
Dataflow::EdgeKind Dataflow::kind_of(const Event& event) const {
    bool clock = false, within = false;
    for (std::size_t k = 0; k < clocks_.size(); ++k)
        if (comes_from(event.bits, 1 + k)) {
            clock = true;
            within = within || clocks_[k].falls_within_cycles;
        }
    const bool at_end = event.edge == "POS" || !within;
    return !clock                ? EdgeKind::other
           : at_end              ? EdgeKind::at_end
           : event.edge == "NEG" ? EdgeKind::falling
                                 : EdgeKind::within;
}

/// Updates a block's dependencies; returns true if they grew.
bool Dataflow::registers(Edges& edges) {
    bool at_end = false, within = false, gated = false, inputs = false, grew = false;
    for (const Event& event : edges.events) {
        grew = add_clocks(edges, event) || grew;
        const EdgeKind edge = kind_of(event);
        at_end = at_end || edge == EdgeKind::at_end;
        within = within || edge == EdgeKind::falling || edge == EdgeKind::within;
        gated = gated || (edge != EdgeKind::other && !event.plain);
        inputs = inputs || comes_from(event.bits, 0);
    }
    const bool soft = at_end && !within;
    if (!soft && !within && !inputs)
        return grew; // only registers and resets: these do not change within a cycle
    if (!edges.added.insert({soft, gated}).second)
        return grew;
    const Node cause = graph_.add(1);
    for (const Event& event : edges.events)
        add_cause(cause, event, soft);
    if (!soft || gated) { // a gate may let the other edge through
        Bits read;
        for (Element child : edges.element.children())
            if (child.kind() != "sentree")
                gather(child, {}, read);
        for (const Node bit : read)
            graph_.depend(cause, bit, soft ? BitGraph::Way::gated : BitGraph::Way::hard);
    }
    std::vector<Target> targets;
    written(edges.element, targets);
    depend_all(targets, cause, soft);
    return true;
}

/// Adds the effect of an event within a cycle. A falling clock itself does not show: its registers
/// are known.
void Dataflow::add_cause(Node cause, const Event& event, bool soft) {
    const bool falling = kind_of(event) == EdgeKind::falling;
    if (falling && !soft) {
        graph_.depend(cause, falling_);
        falls_ = true;
    }
    if (!soft)
        edge_bits_.insert(edge_bits_.end(), event.bits.begin(), event.bits.end());
    for (const Node bit : event.bits)
        graph_.depend(cause, bit, soft || falling ? BitGraph::Way::gated : BitGraph::Way::hard);
}

} // namespace sme::verilator
