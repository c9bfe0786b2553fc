// SPDX-License-Identifier: Apache-2.0
//
// import, parameters, requires, types, constants, functions: of what a scope declares, only what
// something in it uses, however indirectly. A library gives all it has.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "expr/printer.hpp"
#include "yaml/print/scope_printer.hpp"
#include "yaml/scope/enumeration.hpp"
#include "yaml/syntax/statements.hpp"
#include "yaml/syntax/values.hpp"

namespace sme::yaml {

namespace {

constexpr const char* sections[] = {"parameters", "types", "constants", "functions"};

std::string_view trimmed(std::string_view text) {
    while (text.starts_with(' '))
        text.remove_prefix(1);
    while (text.ends_with(' '))
        text.remove_suffix(1);
    return text;
}

} // namespace

/// "type = value", or a value alone.
Document ScopePrinter::constant(const Node& value) {
    Diagnostics none;
    if (value.is_text())
        if (const auto found = expr::parse_declaration(value.text, none))
            return Document::of(text_.declaration(*found));
    return text_.value(read_value(value, none));
}

/// Prints a declaration; the names it mentions are those it needs.
void ScopePrinter::declare(const char* section, const Node& key, const Node& value) {
    Declared made;
    made.section = section;
    made.key = key.text.text;
    std::set<std::string> outside = std::exchange(text_.mentioned, {});
    if (made.section == "parameters")
        made.value = parameter(key, value);
    else if (made.section == "constants")
        made.value = constant(value);
    else if (made.section == "functions") {
        Diagnostics none;
        if (const auto name = expr::parse_function_name(key.text, none))
            made.key = expr::print(*name);
        made.value = function(value);
    } else {
        made.value = type(value);
        const std::size_t space = made.key.find(' ');
        if (value.is_list() && space != std::string::npos) // "Op u7"
            made.key = fmt::format("{} {}", type_name(key).text.text,
                                   text_.expression(tail(key.text, space)));
        else if (made.key.find('(') != std::string::npos) // "Stream(T)"
            made.key = text_.expression(key.text);
        if (value.is_list())
            for (const Document& item : made.value.items)
                made.names.insert(item.text.substr(0, item.text.find(' ')));
    }
    made.names.insert(made.key.substr(0, made.key.find_first_of(" (")));
    made.needs = std::exchange(text_.mentioned, std::move(outside));
    declared_.push_back(std::move(made));
}

Document ScopePrinter::parameter(const Node& key, const Node& value) {
    const std::string& name = key.text.text;
    const ParameterText own = parameter_text(value.text);
    const auto given = context_.given.find(name);
    const bool is_given = given != context_.given.end();
    const expr::Text& text = is_given ? given->second.text : own.value;
    switch (own.kind) {
    case ParameterText::Kind::file: {
        const std::string& path = *context_.scope.find_file(name);
        return Document::of(fmt::format("file = {}", path));
    }
    case ParameterText::Kind::type: {
        const bool inner = is_given && given->second.scope != &context_; // stays with the instance
        return Document::of("type = " + text_.expression(inner ? own.value : text));
    }
    case ParameterText::Kind::number: break;
    }
    Diagnostics none; // a number keeps its digits
    const expr::AstRef ast = expr::parse_expression(text, none);
    return Document::of(ast && ast->kind == expr::Ast::Kind::number
                            ? expr::print(*ast)
                            : to_string(context_.scope.find(name)->low));
}

/// Another type, a struct, or the members of an enumeration.
Document ScopePrinter::type(const Node& value) {
    if (value.is_text())
        return Document::of(text_.expression(value.text));
    if (value.is_list()) {
        Document made = Document::list(true);
        for (const Node& item : value.items) {
            const std::string& all = item.text.text;
            const std::size_t equals = all.find('=');
            const std::string_view name = trimmed(std::string_view{all}.substr(0, equals));
            made.push(Document::of(
                equals == std::string::npos
                    ? std::string{name}
                    : fmt::format("{} = {}", name, text_.expression(tail(item.text, equals + 1)))));
        }
        return made;
    }
    Document made = Document::map(true);
    for (const auto& [key, field] : value.entries) {
        const bool back = key.text.text.starts_with("back ");
        const std::string_view name = std::string_view{key.text.text}.substr(back ? 5 : 0);
        made.set(fmt::format("{}{}", back ? "back " : "", trimmed(name)), type(field));
    }
    return made;
}

Document ScopePrinter::function(const Node& body) {
    Diagnostics none;
    const Node* result = body.is_map() ? body.find("return") : nullptr;
    if (!result)
        return text_.rhs(read_rhs(body, none));
    Document made = Document::map();
    std::vector<expr::LetText> lets;
    if (const Node* section = body.find("let"))
        for (const auto& [key, value] : section->entries)
            if (auto let = read_let(key, value, none))
                lets.push_back(std::move(*let));
    if (!lets.empty())
        made.set("let", text_.let(lets));
    made.set("return", text_.rhs(read_rhs(*result, none)));
    return made;
}

/// Adds what used names need to the used names, however indirectly.
void ScopePrinter::use_what_is_needed(std::set<std::string>& used) const {
    std::map<std::string, const Declared*> by_name;
    for (const Declared& each : declared_)
        for (const std::string& name : each.names)
            by_name[name] = &each;
    std::vector<std::string> open{used.begin(), used.end()};
    while (!open.empty()) {
        const auto found = by_name.find(open.back());
        open.pop_back();
        if (found != by_name.end())
            for (const std::string& name : found->second->needs)
                if (used.insert(name).second)
                    open.push_back(name);
    }
}

void ScopePrinter::add_names(Document& into, bool all) {
    Document required = Document::list();
    if (const Node* section = root_.find("requires"))
        required = conditions(*section);
    for (const char* name : sections)
        if (const Node* section = root_.find(name))
            for (const auto& [key, value] : section->entries)
                declare(name, key, value);
    std::set<std::string>& used = text_.mentioned;
    const auto is_used = [&](const Declared& each) {
        return all || std::any_of(each.names.begin(), each.names.end(),
                                  [&](const std::string& name) { return used.count(name) > 0; });
    };
    use_what_is_needed(used);
    if (Document list = imports(); !list.empty())
        into.set("import", std::move(list));
    for (const char* name : sections) {
        Document section = Document::map();
        for (Declared& each : declared_)
            if (each.section == name && is_used(each))
                section.set(each.key, std::move(each.value));
        if (!section.empty())
            into.set(name, std::move(section));
        if (std::string_view{name} == "parameters" && !required.empty())
            into.set("requires", required);
    }
}

} // namespace sme::yaml
