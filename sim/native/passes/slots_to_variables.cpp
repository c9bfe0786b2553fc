// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>
#include <unordered_set>

#include <fmt/format.h>

#include "native/passes/variables.hpp"

namespace sme::native {

namespace {

constexpr std::size_t max_slot_variables = 600; // a compiler takes too long for more

} // namespace

void Ranges::add(std::uint64_t begin, std::uint64_t end) {
    auto next = ranges_.upper_bound(begin);
    if (next != ranges_.begin() && std::prev(next)->second >= begin) {
        --next;
        begin = next->first;
    }
    while (next != ranges_.end() && next->first <= end) {
        end = std::max(end, next->second);
        next = ranges_.erase(next);
    }
    ranges_[begin] = end;
}

bool Ranges::contains(std::uint64_t at) const {
    const auto next = ranges_.upper_bound(at);
    return next != ranges_.begin() && std::prev(next)->second > at;
}

Variables slots_to_variables(Routine& routine, std::uint64_t wires_begin, const Ranges& reached,
                             const std::map<std::uint64_t, std::string>& inputs) {
    const auto is_variable = [&](const Node& node) {
        return node.place.space == Place::Space::slot && !reached.contains(node.place.at) &&
               !(node.kind == Node::Kind::load && inputs.contains(node.place.at));
    };
    remove_dead_code(routine);
    std::unordered_set<std::uint64_t> read;
    for (const Id id : routine.body)
        if (routine[id].kind == Node::Kind::load && is_variable(routine[id]))
            read.insert(routine[id].place.at);
    std::vector<Id> kept = routine.body;
    std::erase_if(kept, [&](Id id) {
        const Node& node = routine[id];
        if (node.kind != Node::Kind::effect || !is_variable(node))
            return false;
        const Place& from = routine[node.operands[0]].place;
        const bool holds = from.space == Place::Space::slot && from.at == node.place.at;
        return holds || (node.place.at >= wires_begin && !read.contains(node.place.at));
    });
    routine.set_body(std::move(kept));
    remove_dead_code(routine);
    Variables made;
    std::map<std::uint64_t, Variable> variables; // by offset
    for (const Id id : routine.body) {
        Node& node = routine[id];
        if (is_variable(node)) {
            access(node, variable_of(variables, node.place.at, routine, node, "_" + node.name,
                                     made.is_fit));
            node.lasts = node.kind == Node::Kind::effect;
        } else if (node.place.space == Place::Space::slot && node.kind == Node::Kind::load &&
                   !reached.contains(node.place.at)) {
            node.text = inputs.at(node.place.at);
        }
    }
    made.is_fit = made.is_fit && variables.size() <= max_slot_variables;
    for (const auto& [at, variable] : variables)
        declare(variable, fmt::format("b->read + {}", at), fmt::format("last + {}", at), made);
    return made;
}

} // namespace sme::native
