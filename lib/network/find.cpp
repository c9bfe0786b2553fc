// SPDX-License-Identifier: Apache-2.0
#include "network/find.hpp"

#include <vector>

#include <fmt/format.h>

#include "base/diagnostic.hpp"
#include "network/path.hpp"

namespace sme {

std::optional<NamedValue> find_value(const Graph& graph, const std::string& name) {
    const std::optional<Path> path = parse_path(name);
    if (!path)
        return std::nullopt;
    for (const BusFamily& bus : graph.buses) {
        PathRest rest = *path;
        const auto place = take_member(bus.name, bus.shape, rest);
        if (!place)
            continue;
        NamedValue value{bus.first + *place, bus.type, 0};
        if (follow(rest, value.type, value.offset))
            return value;
    }
    return std::nullopt;
}

std::optional<ProcessPlace> find_process(const Graph& graph, const std::string& name) {
    const std::optional<Path> path = parse_path(name);
    for (std::uint32_t f = 0; path && f < graph.processes.size(); ++f) {
        PathRest rest = *path;
        if (const auto instance = take_instance(graph.processes[f], rest); instance && rest.empty())
            return ProcessPlace{f, *instance};
    }
    return std::nullopt;
}

std::optional<MemoryPlace> find_memory(const Graph& graph, const std::string& name) {
    const std::optional<Path> path = parse_path(name);
    for (std::uint32_t f = 0; path && f < graph.processes.size(); ++f) {
        const ProcessFamily& family = graph.processes[f];
        PathRest rest = *path;
        const auto instance = family.observer ? std::nullopt : take_instance(family, rest);
        if (!instance || rest.empty())
            continue;
        for (std::size_t m = 0; m < family.memories.size(); ++m) {
            const Memory& memory = family.memories[m];
            if (rest.front().name != memory.name)
                continue;
            if (rest.size() == 1)
                return MemoryPlace{{f, *instance}, m, true, 0, memory.element};
            PathRest inside = rest;
            Shape words;
            for (const std::uint64_t count : memory.dimensions)
                words.dimensions.push_back({0, count, {}});
            const auto word = take_member(memory.name, words, inside);
            if (!word)
                continue;
            const auto offset = static_cast<std::size_t>(*word * memory.element->size());
            MemoryPlace place{{f, *instance}, m, false, offset, memory.element};
            if (follow(inside, place.type, place.offset))
                return place;
        }
    }
    return std::nullopt;
}

NamedValue value_named(const Graph& graph, const std::string& name) {
    if (auto found = find_value(graph, name))
        return *found;
    std::vector<std::string> known;
    for (const BusFamily& bus : graph.buses) {
        known.push_back(bus.element_name(bus.first));
        for (const Field& field : bus.type->fields())
            known.push_back(bus.element_name(bus.first) + "." + field.name);
    }
    throw NetworkError{
        fmt::format("network '{}' has no bus '{}'{}", graph.name, name, did_you_mean(name, known))};
}

} // namespace sme
