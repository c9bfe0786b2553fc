// SPDX-License-Identifier: Apache-2.0
#include <unordered_map>

#include "native/passes/passes.hpp"

namespace sme::native {

void forward_wires(Routine& routine, std::uint64_t wires_begin) {
    std::unordered_map<std::uint64_t, Id> stored; // offset → value
    std::unordered_map<Id, Id> instead;
    std::vector<Id> kept;
    for (const Id id : routine.body) {
        routine.replace_uses(id, instead);
        Node& node = routine[id];
        const bool is_wire = node.place.space == Place::Space::slot && node.place.at >= wires_begin;
        if (is_wire && node.kind == Node::Kind::load)
            if (const auto found = stored.find(node.place.at); found != stored.end()) {
                if (routine[found->second].type == node.type) {
                    instead[id] = found->second;
                    continue;
                }
                node = {.kind = Node::Kind::operation,
                        .op = expr::Op::convert,
                        .type = node.type,
                        .operands = {found->second},
                        .name = node.name,
                        .comment = node.comment};
                kept.push_back(id);
                continue;
            }
        if (is_wire && node.kind == Node::Kind::effect)
            stored[node.place.at] = node.operands[0];
        kept.push_back(id);
    }
    routine.set_body(std::move(kept));
}

} // namespace sme::native
