// SPDX-License-Identifier: Apache-2.0
#include <functional>
#include <string_view>
#include <unordered_map>

#include "native/passes/passes.hpp"

namespace sme::native {

namespace {

/// A key of a value: values with equal keys are equal.
std::string key_of(const Routine& routine, const Node& node) {
    std::string key = node.text;
    key += static_cast<char>(node.kind);
    key += static_cast<char>(node.op);
    key += static_cast<char>(node.type.width_bits);
    key += node.type.is_signed ? '-' : '+';
    for (const Id operand : node.operands) {
        const bool is_constant = routine[operand].kind == Node::Kind::constant;
        key += is_constant ? '#' : '$';
        key += std::to_string(is_constant ? routine[operand].immediate : operand);
    }
    return key;
}

} // namespace

void share_values(Routine& routine, std::uint64_t wires_begin) {
    std::unordered_map<std::string, Id> known;
    std::unordered_map<Id, Id> instead;
    std::vector<Id> kept;
    for (const Id id : routine.body) {
        routine.replace_uses(id, instead);
        const Node& node = routine[id];
        const bool is_fixed =
            node.place.space == Place::Space::none ||
            (node.place.space == Place::Space::slot && node.place.at < wires_begin);
        if ((node.kind == Node::Kind::operation || node.kind == Node::Kind::load) && is_fixed)
            if (const auto [found, fresh] = known.try_emplace(key_of(routine, node), id); !fresh) {
                instead[id] = found->second;
                continue;
            }
        kept.push_back(id);
    }
    routine.set_body(std::move(kept));
}

} // namespace sme::native
