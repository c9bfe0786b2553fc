// SPDX-License-Identifier: Apache-2.0
//
// The types section: names for types, structs, bundles, types with parameters.
#include <algorithm>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "expr/parser.hpp"
#include "yaml/read/keys.hpp"
#include "yaml/scope/declarations.hpp"
#include "yaml/scope/enumeration.hpp"
#include "yaml/syntax/statements.hpp"

namespace sme::yaml {

namespace {

/// "name: type" or "back name: type".
std::optional<Field> read_field(const Node& key, const Node& value, Context& context) {
    Field field;
    Node name = key;
    if (key.is_text() && key.text.text.starts_with("back ")) {
        field.back = true;
        name.text = tail(key.text, key.text.text.find_first_not_of(' ', 4));
    }
    if (!is_name(name, "a field", context.diagnostics))
        return std::nullopt;
    field.name = name.text.text;
    field.type = read_type(value, "", context);
    if (!field.type)
        return std::nullopt;
    const Type* inner = field.type.get();
    while (inner->kind() == TypeKind::array)
        inner = inner->element().get();
    if (inner->is_bundle()) {
        context.diagnostics.add(Code::bad_bundle, value.where,
                                fmt::format("field '{}' is {}, which has back fields; only buses "
                                            "and ports can have such a type",
                                            field.name, inner->name()));
        return std::nullopt;
    }
    return field;
}

} // namespace

TypeRef read_type(const Node& node, const std::string& name, Context& context) {
    if (node.is_text()) {
        const expr::AstRef ast = expr::parse_expression(node.text, context.diagnostics);
        Constants constants{context.scope, context.diagnostics};
        return ast ? constants.elaborator().type(*ast) : nullptr;
    }
    if (node.is_list()) {
        context.diagnostics.add(Code::bad_type, node.where,
                                "an enumeration has a name of its own; declare it under 'types'");
        return nullptr;
    }
    if (node.is_map() && node.entries.empty()) {
        context.diagnostics.add(Code::bad_type, node.where, "a struct has at least one field");
        return nullptr;
    }
    if (!node.is_map()) {
        wrong_shape(node, "a type, or a map of fields", context.diagnostics);
        return nullptr;
    }
    constexpr std::size_t most_fields = 4096;
    if (node.entries.size() > most_fields) {
        context.diagnostics.add(Code::too_large, node.where,
                                fmt::format("a struct has at most {} fields, but this has {}",
                                            most_fields, node.entries.size()));
        return nullptr;
    }
    std::vector<Field> fields;
    for (const auto& [key, value] : node.entries) {
        std::optional<Field> field = read_field(key, value, context);
        if (!field)
            return nullptr;
        fields.push_back(std::move(*field));
    }
    if (std::all_of(fields.begin(), fields.end(), [](const Field& field) { return field.back; })) {
        context.diagnostics.add(Code::bad_bundle, node.where,
                                "a type with back fields has at least one other field");
        return nullptr;
    }
    TypeRef made = Type::structure(name, std::move(fields));
    if (made->leaf_count() > expr::Elaborator::most_leaves) {
        context.diagnostics.add(Code::too_large, node.where,
                                fmt::format("a struct has at most {} scalars, but this has {}",
                                            expr::Elaborator::most_leaves, made->leaf_count()));
        return nullptr;
    }
    return made;
}

namespace {

/// "Stream(T)" as a key of types.
struct GenericKey {
    std::string name;
    std::vector<std::string> parameters;
};

std::optional<GenericKey> generic_key(const Node& key, Context& context) {
    const expr::AstRef ast = expr::parse_expression(key.text, context.diagnostics);
    if (!ast)
        return std::nullopt;
    GenericKey made;
    bool fits = ast->kind == expr::Ast::Kind::call && ast->kids.size() > 1 &&
                ast->kids[0]->kind == expr::Ast::Kind::name;
    for (std::size_t k = 1; fits && k < ast->kids.size(); ++k) {
        fits = ast->kids[k]->kind == expr::Ast::Kind::name;
        made.parameters.push_back(ast->kids[k]->text);
        if (fits && !context.scope.check_hiding(ast->kids[k]->text, ast->kids[k]->where,
                                                context.diagnostics))
            return std::nullopt;
    }
    if (!fits) {
        context.diagnostics.add(Code::bad_name, key.where,
                                "a type with parameters is written 'Name(T)' or 'Name(T, U)'");
        return std::nullopt;
    }
    made.name = ast->kids[0]->text;
    return made;
}

/// Makes a type with parameters from its arguments, each time anew.
TypeRef make_generic(const GenericKey& key, const Node& body, bool& open,
                     const std::vector<TypeRef>& arguments, const Location& where,
                     Context& context) {
    Diagnostics& diagnostics = context.diagnostics;
    if (arguments.size() != key.parameters.size() || open) {
        diagnostics.add(Code::bad_type, where,
                        open ? fmt::format("type '{}' is made of itself", key.name)
                             : fmt::format("type '{}' has {} parameter{}, but {} {} given",
                                           key.name, key.parameters.size(),
                                           key.parameters.size() == 1 ? "" : "s", arguments.size(),
                                           arguments.size() == 1 ? "is" : "are"));
        return nullptr;
    }
    const Diagnostics::Within within{diagnostics, where, "it is made here"};
    std::string name;
    for (std::size_t k = 0; k < arguments.size(); ++k) {
        context.scope.set_type(key.parameters[k], arguments[k]);
        name += fmt::format("{}{}", k == 0 ? "" : ", ", arguments[k]->name());
    }
    open = true;
    TypeRef made = read_type(body, fmt::format("{}({})", key.name, name), context);
    open = false;
    for (const std::string& parameter : key.parameters)
        context.scope.drop_type(parameter);
    return made;
}

void load_generic(const Node& key, const Node& value, Context& context) {
    const std::optional<GenericKey> name = generic_key(key, context);
    if (!name || !context.scope.declare(name->name, key.where, context.diagnostics))
        return;
    context.scope.set_generic(
        name->name, [&context, &value, name = *name, open = std::make_shared<bool>()](
                        const std::vector<TypeRef>& arguments, const Location& where) {
            return make_generic(name, value, *open, arguments, where, context);
        });
}

void load_type(const Node& key, const Node& value, Context& context) {
    const Node name = value.is_list() ? type_name(key) : key;
    if (!is_name(name, "a type", context.diagnostics) ||
        !context.scope.declare(name.text.text, name.where, context.diagnostics))
        return;
    if (TypeRef type = value.is_list() ? read_enumeration(key, value, context)
                                       : read_type(value, name.text.text, context))
        context.scope.set_type(name.text.text, std::move(type));
}

} // namespace

void load_types(const Node& section, Context& context) {
    if (!is_map_or_empty(section, "a map of types", context.diagnostics))
        return;
    for (const auto& [key, value] : section.entries)
        if (key.is_text() && !value.is_list() && key.text.text.find('(') != std::string::npos)
            load_generic(key, value, context);
        else
            load_type(key, value, context);
}

} // namespace sme::yaml
