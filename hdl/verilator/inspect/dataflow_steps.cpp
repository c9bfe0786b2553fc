// SPDX-License-Identifier: Apache-2.0
//
// The statements of a block, in order.
#include <algorithm>
#include <set>

#include "verilator/inspect/dataflow.hpp"
#include "verilator/inspect/element_kinds.hpp"

namespace sme::verilator {

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
        spoil(element, state);
        assign(element.last_child(), value(element.first_child(), state), state, condition);
    } else if (!is_silent(kind)) // jumps and other kinds
        loop(element, state, condition);
}

void Dataflow::spoil(Element expression, State& state) {
    if (!is_understood(expression.kind())) {
        std::vector<Target> targets;
        all_of(expression, targets);
        return weaken(targets, anything_, state);
    }
    if (expression.kind() == "exprstmt")
        return loop(expression, state, BitGraph::none);
    for (Element child : expression.children())
        spoil(child, state);
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
    spoil(element.first_child(), state);
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
    spoil(element.first_child(), state);
    Bits test = value(element.first_child(), state);
    test.push_back(condition);
    std::vector<State> ways{state}; // no arm may match
    for (Element arm : element.children("caseitem"))
        for (Element part : arm.children())
            if (types_.of(part).width > 0) { // a pattern
                spoil(part, state);
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
        const Node made = strength(graph_.meet({value[k], condition}));
        bit = keeps || !target.sure ? graph_.meet({bit, made}) : made;
    }
    if (variable.width == 1 && value.size() > 1) // a memory
        bits[0] = graph_.meet({bits[0], strength(graph_.meet(value)), strength(condition)});
    state[&variable] = std::move(bits);
}

} // namespace sme::verilator
