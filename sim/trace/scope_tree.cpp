// SPDX-License-Identifier: Apache-2.0
#include "trace/scope_tree.hpp"

namespace sme::trace {

namespace {

Scope& scope_in(Scope& outer, const std::string& own) {
    Scope*& known = outer.scopes_by_own[own];
    if (!known) {
        known = outer.scopes.emplace_back(std::make_unique<Scope>()).get();
        known->name = outer.names.place(sanitised(own));
        known->own = own;
    }
    return *known;
}

void place(Scope& top, const BusFamily& bus, std::size_t number) {
    Scope* scope = &top;
    std::size_t begin = 0;
    for (std::size_t dot = bus.name.find('.'); dot != std::string::npos;
         dot = bus.name.find('.', begin)) {
        scope = &scope_in(*scope, bus.name.substr(begin, dot - begin));
        begin = dot + 1;
    }
    const std::string own = bus.name.substr(begin);
    const std::string plain = sanitised(own);
    scope->families.push_back(
        {number, has_indices(bus) ? scope->names.place_family(plain) : scope->names.place(plain),
         own});
}

} // namespace

bool has_indices(const BusFamily& bus) {
    return !bus.shape.dimensions.empty() || bus.type->kind() == TypeKind::array;
}

Scope scope_tree(const Graph& graph, bool state) {
    Scope top;
    top.own = graph.name;
    top.name = sanitised(graph.name);
    for (std::size_t b = 0; b < graph.buses.size(); ++b)
        if (state || !graph.buses[b].state)
            place(top, graph.buses[b], b);
    return top;
}

} // namespace sme::trace
