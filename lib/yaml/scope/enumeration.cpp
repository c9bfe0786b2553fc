// SPDX-License-Identifier: Apache-2.0
#include "yaml/scope/enumeration.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "expr/parser.hpp"
#include "yaml/read/keys.hpp"

namespace sme::yaml {

namespace {

/// Bytes [begin, end) of a text as a text of its own, without the spaces around it.
Node cut(const Node& node, std::size_t begin, std::size_t end) {
    const std::string& text = node.text.text;
    while (begin < end && text[begin] == ' ')
        ++begin;
    while (end > begin && text[end - 1] == ' ')
        --end;
    Node made;
    made.kind = Node::Kind::text;
    made.text.source = node.text.source;
    made.text.text = text.substr(begin, end - begin);
    made.text.offsets.assign(node.text.offsets.begin() + static_cast<std::ptrdiff_t>(begin),
                             node.text.offsets.begin() + static_cast<std::ptrdiff_t>(end + 1));
    made.where = node.text.at(begin, end);
    return made;
}

class EnumerationReader {
public:
    EnumerationReader(const Node& key, Context& context)
        : key_{key}, context_{context}, diagnostics_{context.diagnostics} {}

    TypeRef read(const Node& list) {
        constexpr std::size_t most = 4096;
        if (list.items.empty() || list.items.size() > most) {
            diagnostics_.add(Code::bad_type, list.where,
                             fmt::format("an enumeration has 1 to {} members, but this has {}",
                                         most, list.items.size()));
            return nullptr;
        }
        const std::optional<unsigned> width = given_width();
        if (!width)
            return nullptr;
        for (const Node& item : list.items)
            if (!add(item))
                return nullptr;
        return made(*width);
    }

private:
    /// Of "u7" in "Op u7"; 0 when there is none, nothing when it is broken.
    std::optional<unsigned> given_width() {
        const std::string& text = key_.text.text;
        const std::size_t space = text.find(' ');
        if (space == std::string::npos)
            return 0;
        const Node node = cut(key_, space, text.size());
        const expr::AstRef ast = expr::parse_expression(node.text, diagnostics_);
        Constants constants{context_.scope, diagnostics_};
        const TypeRef type = ast ? constants.elaborator().type(*ast) : nullptr;
        if (!type)
            return std::nullopt;
        if (type->kind() == TypeKind::unsigned_integer && !type->is_wide())
            return static_cast<unsigned>(type->width_bits());
        diagnostics_.add(Code::bad_type, node.where,
                         fmt::format("the members of an enumeration are u1 to u64, but this is {}",
                                     type->name()));
        return std::nullopt;
    }

    bool add(const Node& item) {
        if (!item.is_text()) {
            wrong_shape(item, "a member, as in 'idle' or 'idle = 3'", diagnostics_);
            return false;
        }
        const std::string& text = item.text.text;
        const std::size_t equals = text.find('=');
        const Node name = cut(item, 0, std::min(equals, text.size()));
        if (!is_name(name, "a member", diagnostics_))
            return false;
        const std::optional<Integer> value =
            equals == std::string::npos ? next_ : value_of(cut(item, equals + 1, text.size()));
        if (!value || !context_.scope.declare(name.text.text, name.where, diagnostics_))
            return false;
        if (*value < 0 || *value > largest(64, false)) {
            diagnostics_.add(Code::does_not_fit, item.where,
                             fmt::format("'{}' is {}, but a member is 0 to {}", name.text.text,
                                         to_string(*value), to_string(largest(64, false))));
            return false;
        }
        const auto [known, fresh] = places_.try_emplace(*value, name.where);
        if (!fresh) {
            diagnostics_
                .add(Code::bad_type, item.where,
                     fmt::format("'{}' is {}, but each member has a value of its own",
                                 name.text.text, to_string(*value)))
                .note(known->second, "this member has that value, too");
            return false;
        }
        members_.push_back({name.text.text, static_cast<std::uint64_t>(*value)});
        next_ = *value + 1;
        return true;
    }

    std::optional<Integer> value_of(const Node& node) {
        const expr::AstRef ast = expr::parse_expression(node.text, diagnostics_);
        Constants constants{context_.scope, diagnostics_};
        return ast ? constants.elaborator().constant(*ast, "the value of a member") : std::nullopt;
    }

    TypeRef made(unsigned width) {
        const auto& [most, where] = *places_.rbegin();
        if (width == 0)
            width = std::max(1u, ceil_log2(most + 1));
        if (most > largest(width, false)) {
            diagnostics_.add(Code::does_not_fit, where,
                             fmt::format("this member is {}, but u{} is 0 to {}", to_string(most),
                                         width, to_string(largest(width, false))));
            return nullptr;
        }
        const std::string name = type_name(key_).text.text;
        TypeRef type = Type::enumeration(name, width, members_);
        for (const Member& member : type->members())
            context_.scope.set_member(member, type, name);
        return type;
    }

    const Node& key_;
    Context& context_;
    Diagnostics& diagnostics_;
    Integer next_ = 0;
    std::vector<Member> members_;
    std::map<Integer, Location> places_; // of values
};

} // namespace

Node type_name(const Node& key) {
    return cut(key, 0, std::min(key.text.text.find(' '), key.text.text.size()));
}

TypeRef read_enumeration(const Node& key, const Node& list, Context& context) {
    return EnumerationReader{key, context}.read(list);
}

namespace {

bool is_fed(const BusFamily& bus, const Graph& graph) {
    return std::any_of(graph.processes.begin(), graph.processes.end(),
                       [&](const ProcessFamily& process) {
                           return process.helper && process.name == "input " + bus.name;
                       });
}

void check_initial_member(const std::string& name, const Type& type, bool wire,
                          const Location& where, Diagnostics& diagnostics) {
    if (const Type* found = expr::enumeration_without_zero(type))
        diagnostics.add(Code::bad_type, where,
                        fmt::format("'{}' has no member 0, and what nobody wrote reads as 0; {}",
                                    found->name(),
                                    wire ? fmt::format("give it one, or make '{}' no wire", name)
                                         : fmt::format("give '{}' an initial value", name)));
}

} // namespace

void check_initial_members(Context& context) {
    const Graph& graph = context.design.graph;
    for (const BusFamily& bus : graph.buses)
        if (!bus.has_initial && expr::enumeration_without_zero(*bus.type) && !is_fed(bus, graph))
            check_initial_member(bus.name, *bus.type, bus.wire(), bus.declared,
                                 context.diagnostics);
    for (const ProcessFamily& process : graph.processes)
        for (const Memory& memory : process.memories)
            if (memory.initial.empty())
                check_initial_member(memory.name, *memory.element, false, memory.declared,
                                     context.diagnostics);
}

} // namespace sme::yaml
