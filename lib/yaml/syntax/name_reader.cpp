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
    Node result;
    result.kind = Node::Kind::text;
    result.text.source = node.text.source;
    result.text.text = text.substr(begin, end - begin);
    result.text.offsets.assign(node.text.offsets.begin() + static_cast<std::ptrdiff_t>(begin),
                               node.text.offsets.begin() + static_cast<std::ptrdiff_t>(end + 1));
    result.where = node.text.at(begin, end);
    return result;
}

class TypeReader {
public:
    explicit TypeReader(Diagnostics& diagnostics) : diagnostics_{diagnostics} {}

    /// Reads "name", "name(T, U)" or, for an enumeration, "name u7".
    void read(const Node& key, const Node& value, std::vector<NamedTypeSyntax>& into) {
        NamedTypeSyntax result;
        result.key = key.where;
        if (!value.is_list() && key.text.text.find('(') != std::string::npos) {
            if (!read_generic(key, result))
                return;
        } else if (!read_name(key, value.is_list(), result))
            return;
        result.type = value.is_list() ? enumeration(value) : type(value);
        into.push_back(std::move(result));
    }

private:
    bool read_name(const Node& key, bool enumeration, NamedTypeSyntax& result) {
        const std::string& text = key.text.text;
        const std::size_t space = enumeration ? text.find(' ') : std::string::npos;
        const Node name = space == std::string::npos ? key : cut(key, 0, space);
        if (!is_name(name, "a type", diagnostics_))
            return false;
        result.name = {name.text.text, name.where};
        if (space == std::string::npos)
            return true;
        const Node width = cut(key, space, text.size());
        result.width_where = width.where;
        result.width = expr::parse_expression(width.text, diagnostics_);
        return result.width != nullptr;
    }

    bool read_generic(const Node& key, NamedTypeSyntax& result) {
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
        result.name = {ast->operands[0]->text, key.where};
        for (std::size_t k = 1; k < ast->operands.size(); ++k)
            result.parameters.push_back({ast->operands[k]->text, ast->operands[k]->where});
        return true;
    }

    /// Reads a text or a map of fields. The result is empty if unreadable.
    TypeSyntax type(const Node& node) {
        constexpr std::size_t max_fields = 4096;
        TypeSyntax result;
        result.where = node.where;
        if (node.is_text())
            result.ast = expr::parse_expression(node.text, diagnostics_);
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
                read_field(key, value, result.fields);
        return result;
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
        TypeSyntax result;
        result.where = list.where;
        if (list.items.empty() || list.items.size() > most)
            diagnostics_.add(Code::bad_type, list.where,
                             fmt::format("an enumeration has 1 to {} members, but this has {}",
                                         most, list.items.size()));
        else
            for (const Node& item : list.items)
                read_member(item, result.members);
        return result;
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
    std::vector<NamedTypeSyntax> result;
    if (!is_map_or_empty(section, "a map of types", diagnostics))
        return result;
    for (const auto& [key, value] : section.entries)
        TypeReader{diagnostics}.read(key, value, result);
    return result;
}

namespace {

std::vector<Word> read_imports(const Node& section, Diagnostics& diagnostics) {
    std::vector<Word> result;
    if (!section.is_list())
        wrong_shape(section, "a list of files, as in [stream.yaml, fifo.yaml]", diagnostics);
    for (const Node& item : section.items)
        if (item.is_text())
            result.push_back({item.text.text, item.where});
        else
            wrong_shape(item, "the name of a file", diagnostics);
    return result;
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
    ParameterSyntax result{Kind::number, {key.text.text, key.where}, {}, nullptr};
    if (!value.is_text())
        wrong_shape(value, "a number, 'type = u8' or 'file = name'", diagnostics);
    else if (const auto path = after_word(value.text, "file")) {
        result.kind = Kind::file;
        result.path = path->text;
    } else if (const auto type = after_word(value.text, "type")) {
        result.kind = Kind::type;
        result.ast = expr::parse_expression(*type, diagnostics);
    } else
        result.ast = expr::parse_expression(value.text, diagnostics);
    return result;
}

/// Reads "type = value", or a value with a type.
ConstantSyntax read_constant(const Node& key, const Node& value, Diagnostics& diagnostics) {
    ConstantSyntax result;
    result.name = {key.text.text, key.where};
    if (value.kind == Node::Kind::null) {
        wrong_shape(value, "'type = value'", diagnostics);
        return result;
    }
    if (!value.is_text()) {
        result.value = read_value(value, diagnostics);
        return result;
    }
    result.text = value.text.text;
    Diagnostics no_value;
    result.value = read_value(value, no_value);
    using Kind = expr::Ast::Kind;
    if (const auto& ast = result.value.ast;
        ast && ast->kind != Kind::name && ast->kind != Kind::index && ast->kind != Kind::file)
        return result;
    result.value.ast = nullptr; // a type without a value, or a value without a type
    result.declaration = expr::parse_declaration(value.text, diagnostics);
    if (const auto& found = result.declaration;
        found && (found->wire || found->delay || found->hold || found->error || !found->initial)) {
        diagnostics.add(Code::expression_syntax, found->where,
                        "a constant is written 'type = value', or as a value that has a type");
        result.declaration.reset();
    }
    return result;
}

class FunctionReader {
public:
    explicit FunctionReader(Diagnostics& diagnostics) : diagnostics_{diagnostics} {}

    std::optional<FunctionSyntax> read(const Node& key, const Node& body) {
        auto name = expr::parse_function_name(key.text, diagnostics_);
        if (!name || !check_name(*name))
            return std::nullopt;
        FunctionSyntax result;
        result.name = *name;
        result.function.name = std::move(name->name);
        result.function.declared = key.where;
        for (expr::FunctionName::Parameter& parameter : name->parameters)
            if (is_fresh(result.function, parameter.name, parameter.where))
                result.function.parameters.push_back(std::move(parameter));
        result.in_parts = body.is_map() && (body.find("let") || body.find("return"));
        if (result.in_parts)
            read_parts(body, result.function);
        else
            result.function.body = read_rhs(body, diagnostics_);
        return result;
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
    std::vector<RequirementSyntax> result;
    if (!section.is_list())
        wrong_shape(section, "a list of conditions", diagnostics);
    for (const Node& item : section.items)
        if (auto ast = read_expression(item, "a condition", diagnostics))
            result.push_back({std::move(ast), {item.text.text, item.where}});
    return result;
}

NamesSyntax read_names(const Node& root, Diagnostics& diagnostics) {
    const std::size_t errors = diagnostics.errors();
    NamesSyntax result;
    if (const Node* section = root.find("import"))
        result.imports = read_imports(*section, diagnostics);
    each_entry(root, "functions", "a map of functions", diagnostics,
               [&](const Node& key, const Node& value) {
                   if (auto function = FunctionReader{diagnostics}.read(key, value))
                       result.functions.push_back(std::move(*function));
               });
    each_entry(root, "parameters", "a map of parameters", diagnostics,
               [&](const Node& key, const Node& value) {
                   if (is_name(key, "a parameter", diagnostics))
                       result.parameters.push_back(read_parameter(key, value, diagnostics));
               });
    if (const Node* section = root.find("requires"))
        result.conditions = read_conditions(*section, diagnostics);
    if (const Node* section = root.find("types"))
        result.types = read_types(*section, diagnostics);
    result.broken = diagnostics.errors() != errors;
    each_entry(root, "constants", "a map of constants", diagnostics,
               [&](const Node& key, const Node& value) {
                   if (is_name(key, "a constant", diagnostics))
                       result.constants.push_back(read_constant(key, value, diagnostics));
               });
    return result;
}

} // namespace sme::yaml
