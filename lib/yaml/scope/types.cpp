// SPDX-License-Identifier: Apache-2.0
//
// The types section: names for types, structs, bundles, types with parameters.
#include <algorithm>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "yaml/scope/declarations.hpp"
#include "yaml/scope/enumeration.hpp"

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
    TypeRef made = Type::structure(name, std::move(fields));
    if (made->leaf_count() > expr::Elaborator::max_leaves) {
        context.diagnostics.add(Code::too_large, type.where,
                                fmt::format("a struct has at most {} scalars, but this has {}",
                                            expr::Elaborator::max_leaves, made->leaf_count()));
        return nullptr;
    }
    return made;
}

/// Makes a new type from a type with parameters and its arguments.
TypeRef make_generic(const NamedTypeSyntax& type, bool& open, const std::vector<TypeRef>& arguments,
                     const Location& where, Context& context) {
    Diagnostics& diagnostics = context.diagnostics;
    const std::size_t count = type.parameters.size();
    if (arguments.size() != count || open) {
        diagnostics.add(Code::bad_type, where,
                        open ? fmt::format("type '{}' is made of itself", type.name.text)
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
    TypeRef made = make_type(type.type, fmt::format("{}({})", type.name.text, name), context);
    open = false;
    for (const Word& parameter : type.parameters)
        context.scope.drop_type(parameter.text);
    return made;
}

void load_generic(const NamedTypeSyntax& type, Context& context) {
    for (const Word& parameter : type.parameters)
        if (!context.scope.check_hiding(parameter.text, parameter.where, context.diagnostics))
            return;
    if (context.scope.declare(type.name.text, type.name.where, context.diagnostics))
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
        else if (context.scope.declare(name, type.name.where, context.diagnostics))
            if (TypeRef made = type.type.members.empty() ? make_type(type.type, name, context)
                                                         : make_enumeration(type, context))
                context.scope.set_type(name, std::move(made));
    }
}

} // namespace sme::yaml
