// SPDX-License-Identifier: Apache-2.0
#include "native/emit/emitter.hpp"

#include <fmt/format.h>

namespace sme::native {

const std::string& Emitter::name(Id id) {
    if (names_[id].empty())
        names_[id] = routine_.names.unique(routine_[id].name);
    return names_[id];
}

std::string Emitter::text(Id id) const {
    const Node& node = routine_[id];
    return node.kind == Node::Kind::constant ? arithmetic_.literal(node.type, node.immediate)
                                             : names_[id];
}

std::vector<Id> Emitter::defined(Id id) const {
    std::vector<Id> made;
    const Node& node = routine_[id];
    if (node.is_value())
        made.push_back(id);
    if (node.kind == Node::Kind::loop)
        for (const Region::Carried& carried : routine_.region(node).carried)
            made.push_back(carried.variable);
    if (node.kind == Node::Kind::branch)
        for (const Id member : routine_.region(node).members)
            if (routine_[member].is_value())
                made.push_back(member);
    return made;
}

/// The text of a node, with its operands filled in.
std::string Emitter::filled(const Node& node) const {
    std::string made;
    for (std::size_t at = 0; at < node.text.size(); ++at)
        if (node.text[at] == '$')
            made += text(node.operands[static_cast<std::size_t>(node.text[++at] - '0')]);
        else
            made += node.text[at];
    return made;
}

std::string Emitter::operation(const Node& node) const {
    Arithmetic::Operands operands;
    std::string* const texts[] = {&operands.a, &operands.b, &operands.c};
    for (std::size_t k = 0; k < node.operands.size(); ++k)
        *texts[k] = text(node.operands[k]);
    operands.a_type = routine_[node.operands[0]].type;
    if (node.operands.size() > 1)
        if (const Node& b = routine_[node.operands[1]]; b.kind == Node::Kind::constant)
            operands.b_value = b.immediate;
    return arithmetic_.operation(node.op, node.type, operands);
}

std::string Emitter::statement(Id id, unsigned indent) {
    const std::string margin(indent, ' ');
    const Node& node = routine_[id];
    std::string made = node.comment.empty() ? "" : margin + "/* " + node.comment + " */\n";
    switch (node.kind) {
    case Node::Kind::loop: return made + loop(node, indent);
    case Node::Kind::branch: return made + branch(node, indent);
    case Node::Kind::effect:
        made += margin + (node.condition == no_id ? "" : "if (" + text(node.condition) + ") ");
        return made + filled(node) + "\n";
    default: break;
    }
    return made + fmt::format("{}const {} {} = {};\n", margin, type(id).name(), name(id),
                              node.kind == Node::Kind::operation ? operation(node) : filled(node));
}

std::string Emitter::block(const std::vector<Id>& ids, unsigned indent) {
    std::string made;
    for (const Id id : ids)
        made += statement(id, indent);
    return made;
}

/// Loop-carried values are variables declared before the loop. A step computes all of them from
/// their previous values.
std::string Emitter::loop(const Node& node, unsigned indent) {
    const std::string margin(indent, ' ');
    const Region& region = routine_.region(node);
    std::string made, ends;
    for (const Region::Carried& carried : region.carried) {
        const std::string start = text(carried.start);
        made += fmt::format("{}{} {} = {};\n", margin, type(carried.variable).name(),
                            name(carried.variable), start);
    }
    const std::string& step = name(region.step);
    made +=
        fmt::format("{0}for (u64 {1} = 0; {1} < {2}ul; ++{1}) {{\n", margin, step, node.immediate);
    made += block(region.first, indent + 4);
    for (const Region::Carried& carried : region.carried) {
        const std::string next = routine_.names.unique("next");
        made += fmt::format("{}    const {} {} = {};\n", margin, type(carried.variable).name(),
                            next, text(carried.next));
        ends += fmt::format("{}    {} = {};\n", margin, text(carried.variable), next);
    }
    return made + ends + margin + "}\n";
}

/// The statements of one arm, and its values for the members.
std::string Emitter::arm(const Region& region, bool first, unsigned indent) {
    std::string made = block(first ? region.first : region.second, indent);
    for (const Id id : region.members) {
        const Node& member = routine_[id];
        made += std::string(indent, ' ');
        made += member.kind == Node::Kind::effect
                    ? filled(member)
                    : fmt::format("{} = {};", text(id), text(member.operands[first ? 1 : 2]));
        made += "\n";
    }
    return made;
}

std::string Emitter::branch(const Node& node, unsigned indent) {
    const std::string margin(indent, ' ');
    const Region& region = routine_.region(node);
    const bool effects = routine_[region.members.back()].kind == Node::Kind::effect;
    std::string made;
    for (const Id id : region.members)
        if (!effects)
            made += fmt::format("{}{} {};\n", margin, type(id).name(), name(id));
    made += fmt::format("{}if ({}) {{\n{}{}}}", margin, text(node.condition),
                        arm(region, true, indent + 4), margin);
    if (!effects)
        made += fmt::format(" else {{\n{}{}}}", arm(region, false, indent + 4), margin);
    return made + "\n";
}

} // namespace sme::native
