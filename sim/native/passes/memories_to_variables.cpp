// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "native/passes/variables.hpp"

namespace sme::native {

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
    Variables made;
    std::map<std::size_t, Variable> variables; // by the first node that accesses them
    std::map<const std::byte*, std::size_t> first;
    for (const Id id : routine.body) {
        Node& node = routine[id];
        if (node.place.space != Place::Space::memory || !use_of(node.place.words)->variables)
            continue;
        const std::size_t key =
            first.try_emplace(node.place.words.begin + node.place.at, id).first->second;
        access(node, variable_of(variables, key, routine, node, "_word", made.is_fit));
    }
    for (const auto& [id, variable] : variables) {
        const Place& place = routine[static_cast<Id>(id)].place;
        const std::string pointer = fmt::format("{} + {}", place.base, place.at);
        declare(variable, pointer, pointer, made);
    }
    return made;
}

} // namespace sme::native
