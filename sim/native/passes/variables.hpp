// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

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
                    Variables& made) {
    made.before += "    " + variable.type + " " + variable.name + " = *(const " + variable.type +
                   " *)(" + from + ");\n";
    if (variable.written)
        made.after += "    *(" + variable.type + " *)(" + to + ") = " + variable.name + ";\n";
}

} // namespace sme::native
