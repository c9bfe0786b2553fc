// SPDX-License-Identifier: Apache-2.0
#include "yaml/scope/enumeration.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "base/codes.hpp"

namespace sme::yaml {

namespace {

class EnumerationMaker {
public:
    EnumerationMaker(const NamedTypeSyntax& written, Context& context)
        : written_{written}, context_{context}, diagnostics_{context.diagnostics} {}

    TypeRef make() {
        const std::optional<unsigned> width = given_width();
        if (!width)
            return nullptr;
        for (const MemberSyntax& member : written_.type.members)
            if (!add(member))
                return nullptr;
        return made(*width);
    }

private:
    /// Returns the width of "u7" in "Op u7"; 0 if absent, `nullopt` if broken.
    std::optional<unsigned> given_width() {
        if (!written_.width)
            return 0;
        Constants constants{context_.scope, diagnostics_};
        const TypeRef type = constants.elaborator().type(*written_.width);
        if (!type)
            return std::nullopt;
        if (type->kind() == TypeKind::unsigned_integer && !type->is_wide())
            return static_cast<unsigned>(type->width_bits());
        diagnostics_.add(Code::bad_type, written_.width_where,
                         fmt::format("the members of an enumeration are u1 to u64, but this is {}",
                                     type->name()));
        return std::nullopt;
    }

    bool add(const MemberSyntax& member) {
        const auto& [name, where] = member.name;
        const std::optional<Integer> value = member.value ? value_of(*member.value) : next_;
        if (!value || !context_.scope.declare(name, where, diagnostics_))
            return false;
        if (*value < 0 || *value > largest(64, false)) {
            diagnostics_.add(Code::does_not_fit, member.where,
                             fmt::format("'{}' is {}, but a member is 0 to {}", name,
                                         to_string(*value), to_string(largest(64, false))));
            return false;
        }
        const auto [known, fresh] = places_.try_emplace(*value, where);
        if (!fresh) {
            diagnostics_
                .add(Code::bad_type, member.where,
                     fmt::format("'{}' is {}, but each member has a value of its own", name,
                                 to_string(*value)))
                .note(known->second, "this member has that value, too");
            return false;
        }
        members_.push_back({name, static_cast<std::uint64_t>(*value)});
        next_ = *value + 1;
        return true;
    }

    std::optional<Integer> value_of(const expr::Ast& ast) {
        Constants constants{context_.scope, diagnostics_};
        return constants.elaborator().constant(ast, "the value of a member");
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
        const std::string& name = written_.name.text;
        TypeRef type = Type::enumeration(name, width, members_);
        for (const Member& member : type->members())
            context_.scope.set_member(member, type, name);
        return type;
    }

    const NamedTypeSyntax& written_;
    Context& context_;
    Diagnostics& diagnostics_;
    Integer next_ = 0;
    std::vector<Member> members_;
    std::map<Integer, Location> places_; // by value
};

} // namespace

TypeRef make_enumeration(const NamedTypeSyntax& written, Context& context) {
    return EnumerationMaker{written, context}.make();
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
