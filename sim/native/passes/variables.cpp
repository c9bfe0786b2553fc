// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <unordered_set>

#include <fmt/format.h>

#include "native/ir/routine.hpp"
#include "native/passes/passes.hpp"

namespace sme::native {

/// A variable that replaces a place in memory.
struct Variable {
    std::string name;
    std::string type;
    bool written = false;
};

/// The variable of a place, created by the first node that accesses it.
template <class Key>
Variable& variable_of(std::map<Key, Variable>& all, const Key& key, Routine& routine,
                      const Node& node, const std::string& wanted, bool& is_fit) {
    auto [found, fresh] = all.try_emplace(key);
    if (fresh)
        found->second = {routine.names.unique(wanted), slot_type(node.type)};
    is_fit = is_fit && found->second.type == slot_type(node.type);
    return found->second;
}

/// Makes a node read or write the variable instead of its place.
inline void access(Node& node, Variable& variable) {
    const bool writes = node.kind == Node::Kind::effect;
    variable.written = variable.written || writes;
    node.text = writes ? variable.name + " = $0;" : variable.name;
}

/// Adds C that reads the first value from one pointer and writes the last value to another.
inline void declare(const Variable& variable, const std::string& from, const std::string& to,
                    Variables& result) {
    result.before += "    " + variable.type + " " + variable.name + " = *(const " + variable.type +
                     " *)(" + from + ");\n";
    if (variable.written)
        result.after += "    *(" + variable.type + " *)(" + to + ") = " + variable.name + ";\n";
}

namespace {

constexpr std::size_t max_memory_variables = 256; // a compiler takes too long for more

} // namespace

Variables memories_to_variables(Routine& routine, const std::vector<Words>& reached) {
    struct Use {
        Words words;
        std::size_t scalars;
        bool variables; // all accesses use constant addresses
    };
    std::vector<Use> uses;
    for (const Words& words : reached)
        uses.push_back({words, 0, false});
    const auto use_of = [&](const Words& words) {
        return std::find_if(uses.begin(), uses.end(),
                            [&](const Use& use) { return use.words == words; });
    };
    for (const Id id : routine.body) {
        const Place& place = routine[id].place;
        if (place.space != Place::Space::memory)
            continue;
        auto found = use_of(place.words);
        if (found == uses.end())
            found = uses.insert(found, {place.words, place.scalars, true});
        found->variables = found->variables && place.known;
    }
    std::size_t left = max_memory_variables;
    for (Use& use : uses) {
        use.variables = use.variables && use.scalars <= left &&
                        std::none_of(uses.begin(), uses.end(), [&](const Use& other) {
                            return &other != &use && other.words.meet(use.words);
                        });
        left -= use.variables ? use.scalars : 0;
    }
    Variables result;
    std::map<std::size_t, Variable> variables; // by the first node that accesses them
    std::map<const std::byte*, std::size_t> first;
    for (const Id id : routine.body) {
        Node& node = routine[id];
        if (node.place.space != Place::Space::memory || !use_of(node.place.words)->variables)
            continue;
        const std::size_t key =
            first.try_emplace(node.place.words.begin + node.place.at, id).first->second;
        access(node, variable_of(variables, key, routine, node, "_word", result.is_fit));
    }
    for (const auto& [id, variable] : variables) {
        const Place& place = routine[static_cast<Id>(id)].place;
        const std::string pointer = fmt::format("{} + {}", place.base, place.at);
        declare(variable, pointer, pointer, result);
    }
    return result;
}

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
    Variables result;
    std::map<std::uint64_t, Variable> variables; // by offset
    for (const Id id : routine.body) {
        Node& node = routine[id];
        if (is_variable(node)) {
            access(node, variable_of(variables, node.place.at, routine, node, "_" + node.name,
                                     result.is_fit));
            node.lasts = node.kind == Node::Kind::effect;
        } else if (node.place.space == Place::Space::slot && node.kind == Node::Kind::load &&
                   !reached.contains(node.place.at)) {
            node.text = inputs.at(node.place.at);
        }
    }
    result.is_fit = result.is_fit && variables.size() <= max_slot_variables;
    for (const auto& [at, variable] : variables)
        declare(variable, fmt::format("b->read + {}", at), fmt::format("last + {}", at), result);
    return result;
}

} // namespace sme::native
