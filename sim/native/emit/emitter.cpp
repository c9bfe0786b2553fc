// SPDX-License-Identifier: Apache-2.0
#include "native/emit/emitter.hpp"

#include <algorithm>
#include <charconv>
#include <set>
#include <string_view>
#include <unordered_map>

#include <fmt/format.h>

#include "native/emit/c_text.hpp"

namespace sme::native {

namespace {

constexpr std::string_view table_name = "_table"; // followed by its number and "_"

} // namespace

std::string Tables::name(const expr::Table& table) {
    const std::string type = CType::in_slot(table.type).name();
    std::string values;
    for (std::size_t k = 0; k < table.values.size(); ++k)
        values += fmt::format("{}{},", k % 16 == 0 ? "\n    " : " ",
                              Arithmetic{1}.literal(table.type, table.values[k]));
    const auto [known, fresh] = known_.try_emplace(type + values, texts_.size());
    std::string name = fmt::format("{}{}_", table_name, known->second + 1);
    if (fresh)
        texts_.push_back(fmt::format("static const {} {}[] = {{{}}};\n", type, name, values));
    return name;
}

std::string Tables::text(const std::vector<const std::string*>& functions) const {
    if (texts_.empty())
        return {};
    std::vector<bool> named(texts_.size());
    for (const std::string* const function : functions)
        for (std::size_t at = 0; (at = function->find(table_name, at)) != std::string::npos;) {
            at += table_name.size();
            std::size_t number = 0;
            std::from_chars(function->data() + at, function->data() + function->size(), number);
            if (number >= 1 && number <= named.size())
                named[number - 1] = true;
        }
    std::string result;
    for (std::size_t k = 0; k < texts_.size(); ++k)
        if (named[k])
            result += texts_[k];
    return result;
}

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
    std::vector<Id> result;
    const Node& node = routine_[id];
    if (node.is_value())
        result.push_back(id);
    if (node.kind == Node::Kind::loop)
        for (const Region::Carried& carried : routine_.region(node).carried)
            result.push_back(carried.variable);
    if (node.kind == Node::Kind::branch)
        for (const Id member : routine_.region(node).members)
            if (routine_[member].is_value())
                result.push_back(member);
    return result;
}

/// The text of a node, with its operands filled in.
std::string Emitter::filled(const Node& node) const {
    std::string result;
    for (std::size_t at = 0; at < node.text.size(); ++at)
        if (node.text[at] == '$')
            result += text(node.operands[static_cast<std::size_t>(node.text[++at] - '0')]);
        else
            result += node.text[at];
    return result;
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
    std::string result = node.comment.empty() ? "" : margin + "/* " + node.comment + " */\n";
    switch (node.kind) {
    case Node::Kind::loop: return result + loop(node, indent);
    case Node::Kind::branch: return result + branch(node, indent);
    case Node::Kind::effect:
        result += margin + (node.condition == no_id ? "" : "if (" + text(node.condition) + ") ");
        return result + filled(node) + "\n";
    default: break;
    }
    return result +
           fmt::format("{}const {} {} = {};\n", margin, type(id).name(), name(id),
                       node.kind == Node::Kind::operation ? operation(node) : filled(node));
}

std::string Emitter::block(const std::vector<Id>& ids, unsigned indent) {
    std::string result;
    for (const Id id : ids)
        result += statement(id, indent);
    return result;
}

/// Loop-carried values are variables declared before the loop. A step computes all of them from
/// their previous values.
std::string Emitter::loop(const Node& node, unsigned indent) {
    const std::string margin(indent, ' ');
    const Region& region = routine_.region(node);
    std::string result, ends;
    for (const Region::Carried& carried : region.carried) {
        const std::string start = text(carried.start);
        result += fmt::format("{}{} {} = {};\n", margin, type(carried.variable).name(),
                              name(carried.variable), start);
    }
    const std::string& step = name(region.step);
    result +=
        fmt::format("{0}for (u64 {1} = 0; {1} < {2}ul; ++{1}) {{\n", margin, step, node.immediate);
    result += block(region.first, indent + 4);
    for (const Region::Carried& carried : region.carried) {
        const std::string next = routine_.names.unique("next");
        result += fmt::format("{}    const {} {} = {};\n", margin, type(carried.variable).name(),
                              next, text(carried.next));
        ends += fmt::format("{}    {} = {};\n", margin, text(carried.variable), next);
    }
    if (region.until != no_id)
        ends +=
            fmt::format("{}    if ({})\n{}        break;\n", margin, text(region.until), margin);
    return result + ends + margin + "}\n";
}

/// The statements of one arm, and its values for the members.
std::string Emitter::arm(const Region& region, bool first, unsigned indent) {
    std::string result = block(first ? region.first : region.second, indent);
    for (const Id id : region.members) {
        const Node& member = routine_[id];
        result += std::string(indent, ' ');
        result += member.kind == Node::Kind::effect
                      ? filled(member)
                      : fmt::format("{} = {};", text(id), text(member.operands[first ? 1 : 2]));
        result += "\n";
    }
    return result;
}

std::string Emitter::branch(const Node& node, unsigned indent) {
    const std::string margin(indent, ' ');
    const Region& region = routine_.region(node);
    const bool effects = routine_[region.members.back()].kind == Node::Kind::effect;
    std::string result;
    for (const Id id : region.members)
        if (!effects)
            result += fmt::format("{}{} {};\n", margin, type(id).name(), name(id));
    result += fmt::format("{}if ({}) {{\n{}{}}}", margin, text(node.condition),
                          arm(region, true, indent + 4), margin);
    if (!effects)
        result += fmt::format(" else {{\n{}{}}}", arm(region, false, indent + 4), margin);
    return result + "\n";
}

namespace {

class Splitter {
public:
    Splitter(Routine& routine, const Arithmetic& arithmetic, const FunctionFrame& frame)
        : routine_{routine}, emitter_{routine, arithmetic}, frame_{frame} {}

    std::string whole() {
        return fmt::format("u64 {}({})\n{{\n{}{}    return 0;\n}}\n", frame_.name, frame_.parameter,
                           frame_.opening, emitter_.block(routine_.body, 4));
    }

    std::string in_parts() {
        find_shared();
        std::string functions, calls;
        for (std::size_t part = 0; part * size < routine_.body.size(); ++part) {
            functions += fmt::format(
                "static __attribute__((noinline)) u64 _part{1}_of_{0}({2}, struct {0}_values "
                "*t)\n{{\n{3}{4}    return 0;\n}}\n\n",
                frame_.name, part + 1, frame_.parameter, frame_.opening, text_of(part));
            calls += fmt::format("    if ((stopped = _part{1}_of_{0}({2}, &t))) return stopped;\n",
                                 frame_.name, part + 1, frame_.argument);
        }
        std::string fields;
        for (const Id id : order_)
            fields += fmt::format("    {} {};\n", emitter_.type(id).name(), emitter_.text(id));
        return fmt::format(
            "struct {0}_values {{\n{1}}};\n\n{2}u64 {0}({3})\n{{\n    struct {0}_values t;\n    "
            "u64 stopped;\n{4}    return 0;\n}}\n",
            frame_.name, fields.empty() ? "    u8 none;\n" : fields, functions, frame_.parameter,
            calls);
    }

private:
    static constexpr std::size_t size = max_function_statements;

    void find_shared() {
        for (std::size_t k = 0; k < routine_.body.size(); ++k) {
            routine_.for_each_use(routine_.body[k], [&](Id used) {
                if (const auto found = part_of_.find(used);
                    found != part_of_.end() && found->second != k / size)
                    shared_.insert(used);
            });
            for (const Id id : emitter_.defined(routine_.body[k]))
                part_of_[id] = k / size;
        }
    }

    std::string text_of(std::size_t part) {
        std::string result;
        std::set<Id> imported;
        const std::size_t end = std::min((part + 1) * size, routine_.body.size());
        for (std::size_t k = part * size; k < end; ++k) {
            const Id id = routine_.body[k];
            routine_.for_each_use(id, [&](Id used) {
                if (shared_.contains(used) && part_of_.at(used) != part &&
                    imported.insert(used).second)
                    result += fmt::format("    const {0} {1} = t->{1};\n",
                                          emitter_.type(used).name(), emitter_.text(used));
            });
            result += emitter_.statement(id, 4);
            for (const Id defined : emitter_.defined(id))
                if (shared_.contains(defined)) {
                    result += fmt::format("    t->{0} = {0};\n", emitter_.text(defined));
                    order_.push_back(defined);
                }
        }
        return result;
    }

    Routine& routine_;
    Emitter emitter_;
    const FunctionFrame& frame_;
    std::unordered_map<Id, std::size_t> part_of_; // by value
    std::set<Id> shared_;
    std::vector<Id> order_; // their order of definition
};

} // namespace

std::string split_function(Routine& routine, const Arithmetic& arithmetic,
                           const FunctionFrame& frame) {
    Splitter splitter{routine, arithmetic, frame};
    const bool is_short =
        routine.body.size() <= max_function_statements + max_function_statements / 2;
    return is_short ? splitter.whole() : splitter.in_parts();
}

} // namespace sme::native
