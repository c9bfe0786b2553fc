// SPDX-License-Identifier: Apache-2.0
#include "network/find.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "base/diagnostic.hpp"

namespace sme {

namespace {

/// Removes "[1]" or "[1, 2]" with `count` numbers from the front of a text.
std::optional<std::vector<std::int64_t>> take_indices(std::string_view& text, std::size_t count) {
    std::string_view rest = text;
    std::vector<std::int64_t> indices;
    for (std::size_t k = 0; k < count; ++k) {
        const char opening = k == 0 ? '[' : ',';
        if (!rest.starts_with(opening))
            return std::nullopt;
        rest.remove_prefix(1);
        while (rest.starts_with(' '))
            rest.remove_prefix(1);
        std::int64_t index = 0;
        const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), index);
        if (error != std::errc{})
            return std::nullopt;
        indices.push_back(index);
        rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    }
    if (!rest.starts_with(']'))
        return std::nullopt;
    text = rest.substr(1);
    return indices;
}

/// Removes the name of an element from the front of a text and returns its position in the family.
std::optional<std::uint64_t> take_element(const BusFamily& bus, std::string_view& text) {
    const std::vector<Shape::Dimension>& dimensions = bus.shape.dimensions;
    const std::string_view name = bus.name;
    std::string_view rest = text;
    std::uint64_t at = 0;
    std::size_t begin = 0;
    for (std::size_t d = 0; d <= dimensions.size();) {
        const std::size_t after = d == dimensions.size()
                                      ? name.size()
                                      : std::min<std::size_t>(dimensions[d].after, name.size());
        const std::string_view part = name.substr(begin, after - begin);
        if (!rest.starts_with(part))
            return std::nullopt;
        rest.remove_prefix(part.size());
        begin = after;
        if (d == dimensions.size())
            break;
        std::size_t end = d + 1;
        while (end < dimensions.size() && dimensions[end].after == dimensions[d].after)
            ++end;
        const auto indices = take_indices(rest, end - d);
        if (!indices)
            return std::nullopt;
        for (const std::int64_t index : *indices) {
            const Shape::Dimension& dimension = dimensions[d++];
            const auto place = static_cast<std::uint64_t>(index - dimension.low);
            if (index < dimension.low || place >= dimension.count)
                return std::nullopt;
            at = at * dimension.count + place;
        }
    }
    text = rest;
    return bus.shape.member(at);
}

/// Follows ".field" and "[2]" into a value.
bool follow(std::string_view path, NamedValue& value) {
    while (!path.empty()) {
        const Type& type = *value.type;
        if (type.kind() == TypeKind::array) {
            const auto index = take_indices(path, 1);
            if (!index || (*index)[0] < 0 ||
                static_cast<std::uint64_t>((*index)[0]) >= type.count())
                return false;
            value.offset += static_cast<std::size_t>((*index)[0]) * type.element()->size();
            value.type = type.element();
            continue;
        }
        if (type.kind() != TypeKind::structure || !path.starts_with('.'))
            return false;
        path.remove_prefix(1);
        const std::size_t end = std::min(path.find_first_of(".["), path.size());
        const int position = type.find_field(std::string{path.substr(0, end)});
        if (position < 0)
            return false;
        const Field& field = type.fields()[static_cast<std::size_t>(position)];
        value.offset += field.offset;
        value.type = field.type;
        path.remove_prefix(end);
    }
    return true;
}

} // namespace

std::optional<NamedValue> find_value(const Graph& graph, const std::string& name) {
    for (const BusFamily& bus : graph.buses) {
        std::string_view rest = name;
        const std::optional<std::uint64_t> place = take_element(bus, rest);
        if (!place)
            continue;
        NamedValue value{bus.first + *place, bus.type, 0};
        if (follow(rest, value))
            return value;
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
