// SPDX-License-Identifier: Apache-2.0
#include "yaml/syntax/name_reader.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "expr/calls/builtins.hpp"
#include "yaml/read/keys.hpp"
#include "yaml/syntax/statements.hpp"
#include "yaml/syntax/type_reader.hpp"
#include "yaml/syntax/values.hpp"

namespace sme::yaml {

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
