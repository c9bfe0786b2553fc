// SPDX-License-Identifier: Apache-2.0
//
// The types section: names for types, structs, bundles, types with parameters.
#include "yaml/scope/declarations.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "base/codes.hpp"

namespace sme::yaml {

namespace {

/// Makes a type; null after an error was reported. `name` is that of a struct.
TypeRef make_type(const TypeSyntax& type, const std::string& name, Context& context);

std::optional<Field> make_field(const FieldSyntax& written, Context& context) {
    Field field;
    field.back = written.back;
    field.name = written.name.text;
    field.type = make_type(written.type, "", context);
    if (!field.type)
        return std::nullopt;
    const Type* inner = field.type.get();
    while (inner->kind() == TypeKind::array)
        inner = inner->element().get();
    if (inner->is_bundle()) {
        context.diagnostics.add(Code::bad_bundle, written.type.where,
                                fmt::format("field '{}' is {}, which has back fields; only buses "
                                            "and ports can have such a type",
                                            field.name, inner->name()));
        return std::nullopt;
    }
    return field;
}

TypeRef make_type(const TypeSyntax& type, const std::string& name, Context& context) {
    if (type.ast)
        return Constants{context.scope, context.diagnostics}.elaborator().type(*type.ast);
    std::vector<Field> fields;
    for (const FieldSyntax& written : type.fields) {
        std::optional<Field> field = make_field(written, context);
        if (!field)
            return nullptr;
        fields.push_back(std::move(*field));
    }
    if (std::all_of(fields.begin(), fields.end(), [](const Field& field) { return field.back; })) {
        context.diagnostics.add(Code::bad_bundle, type.where,
                                "a type with back fields has at least one other field");
        return nullptr;
    }
    TypeRef result = Type::structure(name, std::move(fields));
    if (result->leaf_count() > expr::Elaborator::max_leaves) {
        context.diagnostics.add(Code::too_large, type.where,
                                fmt::format("a struct has at most {} scalars, but this has {}",
                                            expr::Elaborator::max_leaves, result->leaf_count()));
        return nullptr;
    }
    return result;
}

/// Makes a new type from a type with parameters and its arguments.
TypeRef make_generic(const NamedTypeSyntax& type, bool& open, const std::vector<TypeRef>& arguments,
                     const Location& where, Context& context) {
    Diagnostics& diagnostics = context.diagnostics;
    const std::size_t count = type.parameters.size();
    if (arguments.size() != count || open) {
        diagnostics.add(Code::bad_type, where,
                        open ? fmt::format("type '{}' contains itself", type.name.text)
                             : fmt::format("type '{}' has {} parameter{}, but {} {} given",
                                           type.name.text, count, count == 1 ? "" : "s",
                                           arguments.size(), arguments.size() == 1 ? "is" : "are"));
        return nullptr;
    }
    const Diagnostics::Within within{diagnostics, where, "it is made here"};
    std::string name;
    for (std::size_t k = 0; k < count; ++k) {
        context.scope.set_type(type.parameters[k].text, arguments[k]);
        name += fmt::format("{}{}", k == 0 ? "" : ", ", arguments[k]->name());
    }
    open = true;
    TypeRef result = make_type(type.type, fmt::format("{}({})", type.name.text, name), context);
    open = false;
    for (const Word& parameter : type.parameters)
        context.scope.drop_type(parameter.text);
    return result;
}

void load_generic(const NamedTypeSyntax& type, Context& context) {
    for (const Word& parameter : type.parameters)
        if (!context.scope.check_hiding(parameter.text, parameter.where, context.diagnostics))
            return;
    if (context.scope.declare(type.name.text, type.name.where, "a type", context.diagnostics))
        context.scope.set_generic(
            type.name.text, [&context, &type, open = std::make_shared<bool>()](
                                const std::vector<TypeRef>& arguments, const Location& where) {
                return make_generic(type, *open, arguments, where, context);
            });
}

} // namespace

void load_types(const std::vector<NamedTypeSyntax>& section, Context& context) {
    for (const NamedTypeSyntax& type : section) {
        const std::string& name = type.name.text;
        if (!type.parameters.empty())
            load_generic(type, context);
        else if (context.scope.declare(name, type.name.where, "a type", context.diagnostics))
            if (TypeRef result = type.type.members.empty() ? make_type(type.type, name, context)
                                                           : make_enumeration(type, context))
                context.scope.set_type(name, std::move(result));
    }
}

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
        return result(*width);
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
        if (type->is_integer() && !type->is_signed() && !type->is_wide())
            return static_cast<unsigned>(type->width_bits());
        diagnostics_.add(Code::bad_type, written_.width_where,
                         fmt::format("the members of an enumeration are u1 to u64, but this is {}",
                                     type->name()));
        return std::nullopt;
    }

    bool add(const MemberSyntax& member) {
        const auto& [name, where] = member.name;
        const std::optional<Integer> value = member.value ? value_of(*member.value) : next_;
        if (!value ||
            !context_.scope.declare(name, where, "a member of " + written_.name.text, diagnostics_))
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

    TypeRef result(unsigned width) {
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
    return std::any_of(
        graph.processes.begin(), graph.processes.end(),
        [&](const ProcessFamily& process) { return process.feeds(bus) == bus.count; });
}

void check_initial_member(const std::string& name, const Type& type, bool wire,
                          const Location& where, Diagnostics& diagnostics) {
    if (const Type* found = expr::enumeration_without_zero(type))
        diagnostics.add(Code::bad_type, where,
                        fmt::format("'{}' has no member 0, and an unwritten bus reads as 0; {}",
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
