// SPDX-License-Identifier: Apache-2.0
#include "trace/names/vcd_time.hpp"

#include <algorithm>
#include <charconv>

namespace sme::trace {

namespace {

std::int64_t parse_index(std::string_view text) {
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    std::int64_t index = 0;
    std::from_chars(text.data(), text.data() + text.size(), index);
    return index;
}

/// Converts "stage[1, 2]" to "stage_1_2".
std::string written_scope(const std::string& own) {
    const std::size_t bracket = own.find('[');
    if (bracket == std::string::npos || !own.ends_with(']') || own.size() < bracket + 3 ||
        own.find_first_not_of("0123456789-, ", bracket + 1) != own.size() - 1)
        return sanitised(own); // names from C++ may contain any character
    std::string name = sanitised(own.substr(0, bracket));
    std::size_t begin = bracket + 1;
    for (std::size_t end = begin; end < own.size(); ++end)
        if (own[end] == ',' || own[end] == ']') {
            append_index(name, parse_index(own.substr(begin, end - begin)));
            begin = end + 1;
        }
    return name;
}

Scope& scope_in(Scope& outer, const std::string& own) {
    Scope*& known = outer.scopes_by_own[own];
    if (!known) {
        known = outer.scopes.emplace_back(std::make_unique<Scope>()).get();
        known->name = outer.names.place(written_scope(own));
        known->own = own;
    }
    return *known;
}

/// The scope of the network for an element with this name, and the last part of the name.
std::pair<Scope*, std::string> scope_of(Scope& top, const std::string& name) {
    Scope* scope = &top;
    std::size_t begin = 0;
    for (std::size_t dot = name.find('.'); dot != std::string::npos; dot = name.find('.', begin)) {
        scope = &scope_in(*scope, name.substr(begin, dot - begin));
        begin = dot + 1;
    }
    return {scope, name.substr(begin)};
}

/// Places `shape.count()` elements of a family, from `first`.
void place(Scope& top, const BusFamily& bus, std::size_t number, std::uint64_t first, Shape shape) {
    std::string name = bus.name;
    if (shape.dimensions.size() < bus.shape.dimensions.size()) { // the outer indices are fixed
        name = bus.shape.element_name(bus.name, first);
        if (!shape.dimensions.empty()) // the indices of the family itself are at the end
            name.resize(name.rfind('['));
    }
    auto [scope, own] = scope_of(top, name);
    const std::string plain = sanitised(own);
    const bool indices = !shape.dimensions.empty() || bus.type->kind() == TypeKind::array;
    scope->families.push_back(
        {number, indices ? scope->names.place_family(plain) : scope->names.place(plain), own, first,
         std::move(shape)});
}

/// Places the forward fields of a bundle beside its back fields, in the scope with its name.
void place_bundle(Scope& top, const BusFamily& bus, std::size_t number) {
    for (std::uint64_t k = 0; k < bus.count; ++k) {
        Scope* const scope = scope_of(top, bus.shape.element_name(bus.name, k) + ".").first;
        scope->families.push_back({number, {}, {}, k, {}, true});
    }
}

/// Places a family inside a family of components, whose elements belong to several scopes.
void place_apart(Scope& top, const BusFamily& bus, std::size_t number) {
    Shape own;
    for (const Shape::Dimension& dimension : bus.shape.dimensions)
        if (dimension.after == Shape::at_end)
            own.dimensions.push_back(dimension);
    const std::uint64_t each = own.box();
    const auto& kept = bus.shape.kept;
    for (std::uint64_t first = 0; first < bus.count;) {
        Shape here = own;
        if (!kept.empty()) { // the elements of the same scope
            const std::uint64_t outer = kept[first] / each;
            for (std::uint64_t k = first; k < bus.count && kept[k] / each == outer; ++k)
                here.kept.push_back(kept[k] % each);
        }
        const std::uint64_t count = here.count();
        place(top, bus, number, first, std::move(here));
        first += count;
    }
}

} // namespace

Scope scope_tree(const Graph& graph, const Traced& traced) {
    Scope top;
    top.own = graph.name;
    top.name = sanitised(graph.name);
    for (std::size_t b = 0; b < traced.families(graph); ++b)
        if (traced.may_take(graph, b)) {
            const BusFamily& bus = traced.family(graph, b);
            const auto& dimensions = bus.shape.dimensions;
            if (bus.bundle)
                place_bundle(top, bus, b);
            else if (dimensions.empty() || dimensions[0].after == Shape::at_end)
                place(top, bus, b, 0, bus.shape);
            else
                place_apart(top, bus, b);
        }
    return top;
}

} // namespace sme::trace
