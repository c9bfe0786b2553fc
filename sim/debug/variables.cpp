// SPDX-License-Identifier: Apache-2.0
#include "debug/variables.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "debug/values.hpp"

namespace sme::debug {

namespace {

constexpr std::size_t max_listed = 5'000; // per scope

/// "[3]", or "[1][2]" for a memory with two dimensions.
std::string index_text(const Memory& memory, std::uint64_t word) {
    std::string text;
    for (std::size_t d = memory.dimensions.size(); d-- > 0;) {
        text = fmt::format("[{}]{}", word % memory.dimensions[d], text);
        word /= memory.dimensions[d];
    }
    return text;
}

} // namespace

int Variables::add(Node node) {
    nodes_.push_back(std::move(node));
    return static_cast<int>(nodes_.size());
}

std::vector<Variables::Scope> Variables::scopes(const std::optional<ProcessPlace>& process) {
    const Graph& graph = session_.graph();
    if (!process) {
        Node buses, states;
        buses.elements = elements_fitting(graph, "*", false, max_listed);
        states.elements = elements_fitting(graph, "*", true, max_listed);
        return {{"Buses", add(std::move(buses))}, {"All states", add(std::move(states))}};
    }
    const ProcessFamily& family = graph.processes[process->family];
    Node reads, states, writes;
    for (const Port& port : family.ports) {
        const auto element = static_cast<std::uint64_t>(port.buses.at(process->instance));
        const bool is_state = graph.family_of(element).state;
        Node& into = is_state ? states : port.output ? writes : reads;
        if ((!port.own || is_state) &&
            std::find(into.elements.begin(), into.elements.end(), element) == into.elements.end())
            into.elements.push_back(element);
    }
    states.process = process;
    for (std::size_t m = 0; m < family.memories.size(); ++m)
        states.memories.push_back(m);
    return {{"Reads", add(std::move(reads))},
            {"States", add(std::move(states))},
            {"Writes", add(std::move(writes))}};
}

const std::byte* Variables::slot(const Node& node) const {
    if (node.process)
        return session_.machine().memory(node.process->family, *node.memory,
                                         node.process->instance) +
               node.offset;
    const std::byte* at = session_.machine().now(node.element);
    if (!at && session_.machine().ran() == 0)
        at = session_.machine().next(node.element);
    return at ? at + node.offset : nullptr;
}

Variables::Variable Variables::part(Node node, std::string name) {
    Variable result{std::move(name), node.name, "not computed", node.type->name(), 0};
    if (const std::byte* const at = slot(node)) {
        result.value = text_of(*node.type, at);
        if (!node.type->is_scalar())
            result.reference = add(std::move(node));
    }
    return result;
}

Variables::Variable Variables::bus(std::uint64_t element) {
    Node node;
    node.name = session_.graph().bus_name(element);
    node.type = session_.graph().family_of(element).type;
    node.element = element;
    const std::string name = node.name;
    return part(std::move(node), name);
}

std::optional<std::vector<Variables::Variable>>
Variables::of(std::int64_t reference, std::uint64_t first, std::uint64_t count) {
    if (reference < 1 || reference > static_cast<std::int64_t>(nodes_.size()))
        return std::nullopt;
    const Node node = nodes_[static_cast<std::size_t>(reference - 1)]; // a copy: nodes are added
    std::vector<Variable> result;
    const std::uint64_t last = first + std::min<std::uint64_t>(count, max_listed);
    if (node.words) {
        const Memory& memory =
            session_.graph().processes[node.process->family].memories[*node.memory];
        for (std::uint64_t k = first; k < std::min(memory.words, last); ++k) {
            const std::string index = index_text(memory, k);
            Node word = node;
            word.words = false;
            word.name = node.name + index;
            word.offset = k * node.type->size();
            result.push_back(part(std::move(word), index));
        }
        return result;
    }
    if (node.type && node.type->kind() == TypeKind::structure) {
        for (const Field& field : node.type->fields()) {
            Node inner = node;
            inner.name = node.name + "." + field.name;
            inner.type = field.type;
            inner.offset += field.offset;
            result.push_back(part(std::move(inner), field.name));
        }
        return result;
    }
    if (node.type) {
        for (std::uint64_t k = first; k < std::min(node.type->count(), last); ++k) {
            Node inner = node;
            inner.name = fmt::format("{}[{}]", node.name, k);
            inner.type = node.type->element();
            inner.offset += k * inner.type->size();
            result.push_back(part(std::move(inner), fmt::format("[{}]", k)));
        }
        return result;
    }
    for (const std::uint64_t element : node.elements)
        result.push_back(bus(element));
    for (const std::size_t m : node.memories) {
        const ProcessFamily& family = session_.graph().processes[node.process->family];
        Node inner;
        inner.process = node.process;
        inner.memory = m;
        inner.words = true;
        inner.type = family.memories[m].element;
        inner.name = family.instance_name(node.process->instance) + "." + family.memories[m].name;
        Variable words{inner.name, inner.name, fmt::format("{} words", family.memories[m].words),
                       inner.type->name(), 0};
        words.reference = add(std::move(inner));
        result.push_back(std::move(words));
    }
    return result;
}

} // namespace sme::debug
