// SPDX-License-Identifier: Apache-2.0
#include "yaml/syntax/readers.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "expr/typing/builtins.hpp"
#include "yaml/read/tree.hpp"

namespace sme::yaml {

namespace {

/// Returns bytes [begin, end) of a text as a separate text, without surrounding spaces.
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

class TypeReader {
public:
    explicit TypeReader(Diagnostics& diagnostics) : diagnostics_{diagnostics} {}

    /// Reads "name", "name(T, U)" or, for an enumeration, "name u7".
    void read(const Node& key, const Node& value, std::vector<NamedTypeSyntax>& into) {
        NamedTypeSyntax made;
        made.key = key.where;
        if (!value.is_list() && key.text.text.find('(') != std::string::npos) {
            if (!read_generic(key, made))
                return;
        } else if (!read_name(key, value.is_list(), made))
            return;
        made.type = value.is_list() ? enumeration(value) : type(value);
        into.push_back(std::move(made));
    }

private:
    bool read_name(const Node& key, bool enumeration, NamedTypeSyntax& made) {
        const std::string& text = key.text.text;
        const std::size_t space = enumeration ? text.find(' ') : std::string::npos;
        const Node name = space == std::string::npos ? key : cut(key, 0, space);
        if (!is_name(name, "a type", diagnostics_))
            return false;
        made.name = {name.text.text, name.where};
        if (space == std::string::npos)
            return true;
        const Node width = cut(key, space, text.size());
        made.width_where = width.where;
        made.width = expr::parse_expression(width.text, diagnostics_);
        return made.width != nullptr;
    }

    bool read_generic(const Node& key, NamedTypeSyntax& made) {
        using Kind = expr::Ast::Kind;
        const expr::AstRef ast = expr::parse_expression(key.text, diagnostics_);
        if (!ast)
            return false;
        if (ast->kind != Kind::call || ast->operands.size() < 2 ||
            std::any_of(ast->operands.begin(), ast->operands.end(),
                        [](const expr::AstRef& operand) { return operand->kind != Kind::name; })) {
            diagnostics_.add(Code::bad_name, key.where,
                             "a type with parameters is written 'Name(T)' or 'Name(T, U)'");
            return false;
        }
        made.name = {ast->operands[0]->text, key.where};
        for (std::size_t k = 1; k < ast->operands.size(); ++k)
            made.parameters.push_back({ast->operands[k]->text, ast->operands[k]->where});
        return true;
    }

    /// Reads a text or a map of fields. The result is empty if unreadable.
    TypeSyntax type(const Node& node) {
        constexpr std::size_t max_fields = 4096;
        TypeSyntax made;
        made.where = node.where;
        if (node.is_text())
            made.ast = expr::parse_expression(node.text, diagnostics_);
        else if (node.is_list())
            diagnostics_.add(Code::bad_type, node.where,
                             "an enumeration has a name of its own; declare it under 'types'");
        else if (!node.is_map())
            wrong_shape(node, "a type, or a map of fields", diagnostics_);
        else if (node.entries.empty())
            diagnostics_.add(Code::bad_type, node.where, "a struct has at least one field");
        else if (node.entries.size() > max_fields)
            diagnostics_.add(Code::too_large, node.where,
                             fmt::format("a struct has at most {} fields, but this has {}",
                                         max_fields, node.entries.size()));
        else
            for (const auto& [key, value] : node.entries)
                read_field(key, value, made.fields);
        return made;
    }

    /// Reads "name: type" or "back name: type".
    void read_field(const Node& key, const Node& value, std::vector<FieldSyntax>& into) {
        Node name = key;
        const bool back = key.text.text.starts_with("back ");
        if (back)
            name.text = tail(key.text, key.text.text.find_first_not_of(' ', 4));
        if (is_name(name, "a field", diagnostics_))
            into.push_back({{name.text.text, name.where}, back, type(value)});
    }

    TypeSyntax enumeration(const Node& list) {
        constexpr std::size_t most = 4096;
        TypeSyntax made;
        made.where = list.where;
        if (list.items.empty() || list.items.size() > most)
            diagnostics_.add(Code::bad_type, list.where,
                             fmt::format("an enumeration has 1 to {} members, but this has {}",
                                         most, list.items.size()));
        else
            for (const Node& item : list.items)
                read_member(item, made.members);
        return made;
    }

    /// Reads "idle" or "idle = 3".
    void read_member(const Node& item, std::vector<MemberSyntax>& into) {
        if (!item.is_text())
            return wrong_shape(item, "a member, as in 'idle' or 'idle = 3'", diagnostics_);
        const std::string& text = item.text.text;
        const std::size_t equals = text.find('=');
        const Node name = cut(item, 0, std::min(equals, text.size()));
        if (!is_name(name, "a member", diagnostics_))
            return;
        expr::AstRef value;
        if (equals != std::string::npos)
            value = expr::parse_expression(cut(item, equals + 1, text.size()).text, diagnostics_);
        into.push_back({{name.text.text, name.where}, std::move(value), item.where});
    }

    Diagnostics& diagnostics_;
};

} // namespace

std::vector<NamedTypeSyntax> read_types(const Node& section, Diagnostics& diagnostics) {
    std::vector<NamedTypeSyntax> made;
    if (!is_map_or_empty(section, "a map of types", diagnostics))
        return made;
    for (const auto& [key, value] : section.entries)
        TypeReader{diagnostics}.read(key, value, made);
    return made;
}

namespace {

std::vector<Word> read_imports(const Node& section, Diagnostics& diagnostics) {
    std::vector<Word> made;
    if (!section.is_list())
        wrong_shape(section, "a list of files, as in [stream.yaml, fifo.yaml]", diagnostics);
    for (const Node& item : section.items)
        if (item.is_text())
            made.push_back({item.text.text, item.where});
        else
            wrong_shape(item, "the name of a file", diagnostics);
    return made;
}

/// Returns the text after "file =" or "type =" that follows the colon of a parameter, or `nullopt`.
std::optional<expr::Text> after_word(const expr::Text& text, std::string_view word) {
    std::size_t at = text.text.find('=');
    if (!text.text.starts_with(word) || at == std::string::npos ||
        text.text.find_first_not_of(' ', word.size()) != at)
        return std::nullopt;
    at = std::min(text.text.find_first_not_of(' ', at + 1), text.text.size());
    return tail(text, at);
}

ParameterSyntax read_parameter(const Node& key, const Node& value, Diagnostics& diagnostics) {
    using Kind = ParameterSyntax::Kind;
    ParameterSyntax made{Kind::number, {key.text.text, key.where}, {}, nullptr};
    if (!value.is_text())
        wrong_shape(value, "a number, 'type = u8' or 'file = name'", diagnostics);
    else if (const auto path = after_word(value.text, "file")) {
        made.kind = Kind::file;
        made.path = path->text;
    } else if (const auto type = after_word(value.text, "type")) {
        made.kind = Kind::type;
        made.ast = expr::parse_expression(*type, diagnostics);
    } else
        made.ast = expr::parse_expression(value.text, diagnostics);
    return made;
}

/// Reads "type = value", or a value with a type.
ConstantSyntax read_constant(const Node& key, const Node& value, Diagnostics& diagnostics) {
    ConstantSyntax made;
    made.name = {key.text.text, key.where};
    if (value.kind == Node::Kind::null) {
        wrong_shape(value, "'type = value'", diagnostics);
        return made;
    }
    if (!value.is_text()) {
        made.value = read_value(value, diagnostics);
        return made;
    }
    made.text = value.text.text;
    Diagnostics no_value;
    made.value = read_value(value, no_value);
    using Kind = expr::Ast::Kind;
    if (const auto& ast = made.value.ast;
        ast && ast->kind != Kind::name && ast->kind != Kind::index && ast->kind != Kind::file)
        return made;
    made.value.ast = nullptr; // a type without a value, or a value without a type
    made.declaration = expr::parse_declaration(value.text, diagnostics);
    if (const auto& found = made.declaration;
        found && (found->wire || found->delay || found->hold || found->error || !found->initial)) {
        diagnostics.add(Code::expression_syntax, found->where,
                        "a constant is written 'type = value', or as a value that has a type");
        made.declaration.reset();
    }
    return made;
}

class FunctionReader {
public:
    explicit FunctionReader(Diagnostics& diagnostics) : diagnostics_{diagnostics} {}

    std::optional<FunctionSyntax> read(const Node& key, const Node& body) {
        auto name = expr::parse_function_name(key.text, diagnostics_);
        if (!name || !check_name(*name))
            return std::nullopt;
        FunctionSyntax made;
        made.name = *name;
        made.function.name = std::move(name->name);
        made.function.declared = key.where;
        for (expr::FunctionName::Parameter& parameter : name->parameters)
            if (is_fresh(made.function, parameter.name, parameter.where))
                made.function.parameters.push_back(std::move(parameter));
        made.in_parts = body.is_map() && (body.find("let") || body.find("return"));
        if (made.in_parts)
            read_parts(body, made.function);
        else
            made.function.body = read_rhs(body, diagnostics_);
        return made;
    }

private:
    bool check_name(const expr::FunctionName& name) {
        if (!expr::find_builtin(name.name))
            return true;
        diagnostics_.add(Code::duplicate_name, name.where,
                         fmt::format("'{}' is a function of the language", name.name));
        return false;
    }

    bool is_fresh(const expr::Function& function, const std::string& name, const Location& where) {
        const auto same = [&](const auto& other) { return other.name == name; };
        const bool fresh =
            std::none_of(function.parameters.begin(), function.parameters.end(), same) &&
            std::none_of(function.lets.begin(), function.lets.end(), same);
        if (!fresh)
            diagnostics_.add(Code::duplicate_name, where,
                             fmt::format("'{}' is already a name in this function", name));
        return fresh;
    }

    /// Reads {let: names, return: right-hand side}.
    void read_parts(const Node& body, expr::Function& function) {
        check_keys(body, format::function, fmt::format("function '{}'", function.name),
                   diagnostics_);
        each_entry(body, "let", "a map of names", diagnostics_,
                   [&](const Node& key, const Node& value) {
                       if (auto let = read_let(key, value, diagnostics_);
                           let && is_fresh(function, let->name, key.where))
                           function.lets.push_back(std::move(*let));
                   });
        if (const Node* result = body.find("return"))
            function.body = read_rhs(*result, diagnostics_);
        else
            diagnostics_.add(
                Code::missing_key, function.declared,
                fmt::format("function '{}' does not say 'return: value'", function.name));
    }

    Diagnostics& diagnostics_;
};

} // namespace

std::vector<RequirementSyntax> read_conditions(const Node& section, Diagnostics& diagnostics) {
    std::vector<RequirementSyntax> made;
    if (!section.is_list())
        wrong_shape(section, "a list of conditions", diagnostics);
    for (const Node& item : section.items)
        if (auto ast = read_expression(item, "a condition", diagnostics))
            made.push_back({std::move(ast), {item.text.text, item.where}});
    return made;
}

NamesSyntax read_names(const Node& root, Diagnostics& diagnostics) {
    const std::size_t errors = diagnostics.errors();
    NamesSyntax made;
    if (const Node* section = root.find("import"))
        made.imports = read_imports(*section, diagnostics);
    each_entry(root, "functions", "a map of functions", diagnostics,
               [&](const Node& key, const Node& value) {
                   if (auto function = FunctionReader{diagnostics}.read(key, value))
                       made.functions.push_back(std::move(*function));
               });
    each_entry(root, "parameters", "a map of parameters", diagnostics,
               [&](const Node& key, const Node& value) {
                   if (is_name(key, "a parameter", diagnostics))
                       made.parameters.push_back(read_parameter(key, value, diagnostics));
               });
    if (const Node* section = root.find("requires"))
        made.conditions = read_conditions(*section, diagnostics);
    if (const Node* section = root.find("types"))
        made.types = read_types(*section, diagnostics);
    made.broken = diagnostics.errors() != errors;
    each_entry(root, "constants", "a map of constants", diagnostics,
               [&](const Node& key, const Node& value) {
                   if (is_name(key, "a constant", diagnostics))
                       made.constants.push_back(read_constant(key, value, diagnostics));
               });
    return made;
}

} // namespace sme::yaml
