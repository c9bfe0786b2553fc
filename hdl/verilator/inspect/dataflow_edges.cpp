// SPDX-License-Identifier: Apache-2.0
//
// Blocks triggered by events. A register loaded by a rising clock, or by a clock that falls at the
// end of cycles, depends on nothing within a cycle. A clock gate that does not rest low with its
// clock, or an asynchronous set or reset, may still change it: it depends softly on their sources.
// Other events, such as a clock that falls within the cycle and the edges of inputs, occur while
// the module settles.
#include <algorithm>
#include <set>

#include "verilator/inspect/dataflow.hpp"
#include "verilator/inspect/element.hpp"

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
    Event result{value(expression, {}), item.attribute("edgeType"), false};
    if (expression.kind() == "varref") {
        const Meant& meant = find(expression.name());
        result.plain =
            meant.sure() && std::any_of(clocks_.begin(), clocks_.end(), [&](const Clock& clock) {
                return clock.nets.count(meant.variables[0]) != 0;
            });
    }
    if (const Clock* const clock =
            !result.plain && result.edge == "POS" ? gated_clock(expression) : nullptr) {
        result.bits = bits_of(clock->name);
        result.plain = true;
    }
    return result;
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

// The statements of a block, in order.

void Dataflow::statements(Element parent, State& state, Node condition) {
    for (Element element : parent.children())
        statement(element, state, condition);
}

void Dataflow::statement(Element element, State& state, Node condition) {
    const std::string_view kind = element.kind();
    if (kind == "begin")
        statements(element, state, condition);
    else if (kind == "if")
        branch(element, state, condition);
    else if (kind == "case")
        choice(element, state, condition);
    else if (kind == "while")
        loop(element, state, condition);
    else if (kind != "assignforce" && is_assignment(kind) &&
             element.first_child().next_sibling() == element.last_child()) {
        poison(element, state);
        assign(element.last_child(), value(element.first_child(), state), state, condition);
    } else if (!is_silent(kind)) // jumps and other kinds
        loop(element, state, condition);
}

void Dataflow::poison(Element expression, State& state) {
    if (!is_understood(expression.kind())) {
        std::vector<Target> targets;
        all_of(expression, targets);
        return weaken(targets, anything_, state);
    }
    if (expression.kind() == "exprstmt")
        return loop(expression, state, BitGraph::none);
    for (Element child : expression.children())
        poison(child, state);
}

/// Makes each target keep its value or depend on `cause`.
void Dataflow::weaken(const std::vector<Target>& targets, Node cause, State& state) {
    const Node soft = softly(cause);
    for (const auto& [variable, sure] : targets) {
        Bits bits = bits_at(*variable, state);
        for (Node& bit : bits)
            bit = graph_.meet({bit, sure ? cause : soft});
        state[variable] = std::move(bits);
    }
}

/// Follows an if. Children: the condition, a block, and optionally another block.
void Dataflow::branch(Element element, State& state, Node condition) {
    poison(element.first_child(), state);
    const Bits test = value(element.first_child(), state);
    Bits both = test;
    both.push_back(condition);
    const Node holds = graph_.meet(both);
    std::vector<State> ways{state, state};
    std::size_t way = 0;
    for (Element block = element.first_child().next_sibling(); block && way < 2;
         block = block.next_sibling(), ++way)
        statement(block, ways[way], holds);
    merge(state, std::move(ways));
}

/// Follows a case. Children: the value, then the arms: each has patterns, then statements.
void Dataflow::choice(Element element, State& state, Node condition) {
    poison(element.first_child(), state);
    Bits test = value(element.first_child(), state);
    test.push_back(condition);
    std::vector<State> ways{state}; // no arm may match
    for (Element arm : element.children("caseitem"))
        for (Element part : arm.children())
            if (types_.of(part).width > 0) { // a pattern
                poison(part, state);
                gather(part, state, test);
            }
    const Node holds = graph_.meet(test);
    for (Element arm : element.children("caseitem")) {
        State& way = ways.emplace_back(state);
        for (Element part : arm.children())
            statement(part, way, holds);
        if (arm.first_child() && arm.first_child().kind() != "const" &&
            types_.of(arm.first_child()).width == 0) // a default arm always matches
            ways.front() = way;
    }
    merge(state, std::move(ways));
}

/// Makes every variable that a loop writes depend on all its reads and on its earlier value.
void Dataflow::loop(Element element, State& state, Node condition) {
    Bits all{condition};
    gather(element, state, all);
    std::vector<Target> targets;
    written(element, targets);
    const auto key = [](const Target& target) { return std::pair{target.variable, target.sure}; };
    std::sort(targets.begin(), targets.end(),
              [&](const Target& a, const Target& b) { return key(a) < key(b); });
    targets.erase(std::unique(targets.begin(), targets.end(),
                              [&](const Target& a, const Target& b) { return key(a) == key(b); }),
                  targets.end());
    weaken(targets, graph_.meet(all), state);
}

/// Joins branches: afterwards a variable holds its value of any branch.
void Dataflow::merge(State& state, std::vector<State> ways) {
    std::set<const Variable*> changed;
    for (const State& way : ways)
        for (const auto& [variable, bits] : way)
            changed.insert(variable);
    for (const Variable* variable : changed) {
        Bits met = bits_at(*variable, ways.front());
        for (std::size_t w = 1; w < ways.size(); ++w) {
            const Bits other = bits_at(*variable, ways[w]);
            for (std::size_t k = 0; k < met.size(); ++k)
                if (met[k] != other[k])
                    met[k] = graph_.meet({met[k], other[k]});
        }
        state[variable] = std::move(met);
    }
}

void Dataflow::assign(Element target, const Bits& value, State& state, Node condition) {
    const std::string_view kind = target.kind();
    if (kind == "varref") {
        const Meant& meant = find(target.name());
        for (Variable* variable : meant.variables)
            assign_bits({variable, meant.sure()}, 0, value, state, condition, false);
        return;
    }
    if (kind == "concat") { // {high, low}
        const Element high = target.first_child(), low = target.last_child();
        const std::size_t split = std::min(value.size(), types_.of(low).width);
        const auto middle = value.begin() + static_cast<std::ptrdiff_t>(split);
        assign(low, {value.begin(), middle}, state, condition);
        assign(high, {middle, value.end()}, state, condition);
        return;
    }
    std::uint64_t low = 0;
    const Element base = target.first_child();
    if (kind == "sel" && base.kind() == "varref" && constant_of(base.next_sibling(), low)) {
        const Meant& meant = find(base.name());
        for (Variable* variable : meant.variables)
            assign_bits({variable, meant.sure()}, low, value, state, condition, false);
        return;
    }
    // a variable position: any bit may take any bit of the value
    Bits all = value;
    all.push_back(condition);
    gather(target, state, all);
    const Node cause = graph_.meet(all);
    std::vector<Target> targets;
    targets_of(target, targets);
    for (const Target& one : targets)
        assign_bits(one, 0, Bits(one.variable->width, cause), state, condition, true);
}

void Dataflow::assign_bits(const Target& target, std::size_t low, const Bits& value, State& state,
                           Node condition, bool keeps) {
    Variable& variable = *target.variable;
    const auto strength = [&](Node node) { return target.sure ? node : softly(node); };
    Bits bits = bits_at(variable, state);
    for (std::size_t k = 0; k < value.size() && low + k < bits.size(); ++k) {
        Node& bit = bits[low + k];
        const Node result = strength(graph_.meet({value[k], condition}));
        bit = keeps || !target.sure ? graph_.meet({bit, result}) : result;
    }
    if (variable.width == 1 && value.size() > 1) // a memory
        bits[0] = graph_.meet({bits[0], strength(graph_.meet(value)), strength(condition)});
    state[&variable] = std::move(bits);
}

} // namespace sme::verilator
