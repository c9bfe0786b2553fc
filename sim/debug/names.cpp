// SPDX-License-Identifier: Apache-2.0
#include "debug/names.hpp"

#include <algorithm>
#include <charconv>
#include <span>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "interpret/observers/operands.hpp"
#include "trace/collect/selection.hpp"

namespace sme::debug {

std::shared_ptr<const GroupFactory> probe_factory(std::shared_ptr<const expr::Probe> probe,
                                                  ProbeValue& value) {
    TypeRef type = probe->type;
    return interpret::value_factory(
        std::move(probe), [type = std::move(type), &value](std::span<const std::byte> slot,
                                                           const std::string& problem) {
            value = {type, {slot.begin(), slot.end()}, problem};
        });
}

namespace {

/// Parses and removes "[3]" or "[3, 1]" at the front of a text; `nullopt` if absent.
std::optional<std::vector<std::uint64_t>> take_indices(std::string_view& text) {
    std::vector<std::uint64_t> made;
    std::string_view rest = text;
    while (rest.starts_with('[') || (rest.starts_with(',') && !made.empty())) {
        rest.remove_prefix(1);
        while (rest.starts_with(' '))
            rest.remove_prefix(1);
        std::uint64_t index = 0;
        const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), index);
        if (error != std::errc{})
            return std::nullopt;
        rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
        made.push_back(index);
        if (rest.starts_with(']'))
            rest.remove_prefix(1);
        else if (!rest.starts_with(','))
            return std::nullopt;
    }
    text = rest;
    return made;
}

/// Follows ".field" and "[2]" into a type.
bool follow(std::string_view path, TypeRef& type, std::size_t& offset) {
    while (!path.empty()) {
        if (path.starts_with('[')) {
            const std::size_t close = path.find(']');
            std::string_view one = path.substr(0, close == path.npos ? path.size() : close + 1);
            const auto index = take_indices(one);
            if (type->kind() != TypeKind::array || !index || index->size() != 1 ||
                index->front() >= type->count())
                return false;
            offset += index->front() * type->element()->size();
            type = TypeRef{type->element()};
            path.remove_prefix(close + 1);
            continue;
        }
        if (type->kind() != TypeKind::structure || !path.starts_with('.'))
            return false;
        path.remove_prefix(1);
        const std::size_t end = std::min(path.find_first_of(".["), path.size());
        const int field = type->find_field(std::string{path.substr(0, end)});
        if (field < 0)
            return false;
        offset += type->fields()[static_cast<std::size_t>(field)].offset;
        type = TypeRef{type->fields()[static_cast<std::size_t>(field)].type};
        path.remove_prefix(end);
    }
    return true;
}

/// The word that the indices name; leaves further indices, which belong to the type, in `path`.
std::optional<std::uint64_t> word_of(const Memory& memory, std::string_view& path) {
    std::uint64_t word = 0;
    for (std::size_t d = 0; d < memory.dimensions.size();) {
        std::string_view rest = path;
        const std::size_t close = rest.find(']');
        if (close == rest.npos)
            return std::nullopt;
        std::string_view one = rest.substr(0, close + 1);
        const auto indices = take_indices(one);
        if (!indices || indices->empty())
            return std::nullopt;
        for (const std::uint64_t index : *indices) {
            if (d == memory.dimensions.size() || index >= memory.dimensions[d])
                return std::nullopt;
            word = word * memory.dimensions[d++] + index;
        }
        path.remove_prefix(close + 1);
    }
    return word;
}

std::string without_spaces(std::string name) {
    std::erase(name, ' ');
    return name;
}

/// The part of a family's name before its first index.
std::string_view stem(std::string_view name) {
    return name.substr(0, std::min(name.find('['), name.size()));
}

/// Calls use(instance) for each instance whose port is bound to an element.
template <class Use> void each_bound(const Port& port, std::uint64_t element, Use use) {
    for (const Segment& run : port.buses.runs()) {
        const std::int64_t ahead = static_cast<std::int64_t>(element) - run.offset;
        if (run.stride == 0) {
            for (std::uint64_t k = 0; ahead == 0 && k < run.count; ++k)
                if (!use(run.first + k))
                    return;
        } else if (ahead % run.stride == 0 && ahead / run.stride >= 0 &&
                   ahead / run.stride < static_cast<std::int64_t>(run.count) &&
                   !use(run.first + static_cast<std::uint64_t>(ahead / run.stride)))
            return;
    }
}

} // namespace

std::optional<ProcessPlace> find_process(const Graph& graph, const std::string& written) {
    const std::string name = without_spaces(written);
    for (std::uint32_t f = 0; f < graph.processes.size(); ++f) {
        const ProcessFamily& family = graph.processes[f];
        const std::string first = family.instance_name(0);
        if (stem(first) != stem(name) && family.names.empty())
            continue;
        for (std::uint64_t k = 0; k < family.count; ++k)
            if (without_spaces(family.instance_name(k)) == name)
                return ProcessPlace{f, k};
    }
    return std::nullopt;
}

std::string shown_name(const Graph& graph, const ProcessPlace& place) {
    const ProcessFamily& family = graph.processes[place.family];
    if (family.helper && !family.file.empty())
        return fmt::format("the input file '{}'", family.file);
    if (family.observer && !family.file.empty())
        return fmt::format("the output file '{}'", family.file);
    return family.instance_name(place.instance);
}

std::vector<ProcessPlace> users_of(const Graph& graph, std::uint64_t element, bool output,
                                   std::size_t most) {
    std::vector<ProcessPlace> found;
    for (std::uint32_t f = 0; f < graph.processes.size(); ++f) {
        const ProcessFamily& family = graph.processes[f];
        if (family.observer && family.helper) // the debugger's own observers
            continue;
        for (const Port& port : family.ports)
            if (port.output == output && !port.own)
                each_bound(port, element, [&](std::uint64_t instance) {
                    const ProcessPlace place{f, instance};
                    if (std::find(found.begin(), found.end(), place) == found.end())
                        found.push_back(place);
                    return found.size() < most;
                });
    }
    return found;
}

std::optional<MemoryPlace> find_memory(const Graph& graph, const std::string& written) {
    const std::string name = without_spaces(written);
    for (std::uint32_t f = 0; f < graph.processes.size(); ++f) {
        const ProcessFamily& family = graph.processes[f];
        if (family.observer || family.memories.empty())
            continue;
        if (stem(family.instance_name(0)) != stem(name) &&
            !name.starts_with(without_spaces(family.instance_name(0)) + "."))
            continue;
        for (std::uint64_t k = 0; k < family.count; ++k)
            for (std::size_t m = 0; m < family.memories.size(); ++m) {
                const Memory& memory = family.memories[m];
                const std::string whole =
                    without_spaces(family.instance_name(k) + "." + memory.name);
                std::string_view path = name;
                if (!path.starts_with(whole))
                    continue;
                path.remove_prefix(whole.size());
                MemoryPlace place{{f, k}, m, path.empty(), 0, memory.element};
                if (path.empty())
                    return place;
                const auto word = word_of(memory, path);
                if (!word)
                    continue;
                place.offset = *word * memory.element->size();
                if (follow(path, place.type, place.offset))
                    return place;
            }
    }
    return std::nullopt;
}

std::vector<std::uint64_t> elements_fitting(const Graph& graph, const std::string& pattern,
                                            bool states, std::size_t most) {
    const trace::Selection selection{pattern};
    std::vector<std::uint64_t> found;
    for (const BusFamily& bus : graph.buses)
        for (std::uint64_t k = 0; bus.state == states && k < bus.count; ++k) {
            if (found.size() >= most)
                return found;
            if (selection.matches(bus.element_name(bus.first + k)))
                found.push_back(bus.first + k);
        }
    return found;
}

std::vector<std::string> names_beginning(const Graph& graph, const std::string& begin,
                                         std::size_t most) {
    std::vector<std::string> found;
    const auto offer = [&](const std::string& name) {
        if (name.starts_with(begin) && found.size() < most)
            found.push_back(name);
    };
    for (const BusFamily& bus : graph.buses)
        for (std::uint64_t k = 0; k < bus.count && found.size() < most; ++k) {
            const std::string name = bus.element_name(bus.first + k);
            offer(name);
            if (begin.starts_with(name))
                for (const Field& field : bus.type->fields())
                    offer(name + "." + field.name);
        }
    for (const ProcessFamily& family : graph.processes)
        for (std::uint64_t k = 0;
             !family.observer && !family.helper && k < family.count && found.size() < most; ++k) {
            offer(family.instance_name(k));
            for (const Memory& memory : family.memories)
                offer(family.instance_name(k) + "." + memory.name);
        }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
}

} // namespace sme::debug
