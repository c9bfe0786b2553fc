// SPDX-License-Identifier: Apache-2.0
#include "systemc/place.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>

namespace sme::systemc {

namespace {

/// Follows ".field" and "[k]" into a value; false when there is no such thing.
bool descend(std::string_view path, Place& place) {
    while (!path.empty()) {
        const std::size_t end = path.find_first_of(".[", 1);
        if (path.front() == '.') {
            const int field = place.type->kind() == TypeKind::structure
                                  ? place.type->find_field(std::string{path.substr(1, end - 1)})
                                  : -1;
            if (field < 0)
                return false;
            const Field& found = place.type->fields()[static_cast<std::size_t>(field)];
            place.offset += found.offset;
            place.type = found.type;
        } else {
            const std::size_t close = path.find(']');
            std::uint64_t index = 0;
            if (place.type->kind() != TypeKind::array || close == std::string_view::npos)
                return false;
            const auto [last, error] = std::from_chars(path.data() + 1, path.data() + close, index);
            if (error != std::errc{} || last != path.data() + close ||
                index >= place.type->count() || (end != std::string_view::npos && end <= close))
                return false;
            place.type = place.type->element();
            place.offset += index * place.type->size();
            path.remove_prefix(close + 1);
            if (!path.empty() && path.front() != '.' && path.front() != '[')
                return false;
            continue;
        }
        path.remove_prefix(end == std::string_view::npos ? path.size() : end);
    }
    return true;
}

bool could_begin(const BusFamily& bus, const std::string& path) {
    const std::string first = bus.element_name(bus.first);
    const std::size_t stem = first.find('['); // families differ behind it
    return path.compare(0, std::min(stem, first.size()), first, 0, stem) == 0;
}

} // namespace

std::optional<Place> find_place(const Graph& graph, const std::string& path) {
    std::optional<Place> found;
    std::size_t longest = 0; // "a.ready" is a bus of its own beside a bundle "a"
    for (const BusFamily& bus : graph.buses) {
        if (bus.state || !could_begin(bus, path))
            continue;
        for (std::uint64_t k = 0; k < bus.count; ++k) {
            const std::string name = bus.element_name(bus.first + k);
            if (name.size() <= longest || path.compare(0, name.size(), name) != 0)
                continue;
            const std::string_view rest = std::string_view{path}.substr(name.size());
            Place place{bus.first + k, bus.type, 0};
            if ((rest.empty() || rest.front() == '.' || rest.front() == '[') &&
                descend(rest, place)) {
                longest = name.size();
                found = place;
            }
        }
    }
    return found;
}

} // namespace sme::systemc
