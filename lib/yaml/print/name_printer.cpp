// SPDX-License-Identifier: Apache-2.0
//
// import, parameters, requires, types, constants, functions: prints only declarations that the
// scope uses, directly or indirectly. A library prints all of them.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "expr/syntax/printer.hpp"
#include "yaml/print/scope_printer.hpp"

namespace sme::yaml {

namespace {

constexpr const char* sections[] = {"parameters", "types", "constants", "functions"};

} // namespace

/// Prints a declaration; the names it mentions are its dependencies.
template <class Print>
void ScopePrinter::declare(const char* section, const std::string& name, Print print) {
    std::set<std::string> outside = std::exchange(text_.mentioned, {});
    Declared made;
    made.section = section;
    made.key = name;
    made.names.insert(name);
    made.value = print(made);
    made.needs = std::exchange(text_.mentioned, std::move(outside));
    declared_.push_back(std::move(made));
}

void ScopePrinter::declare_names() {
    const NamesSyntax& names = file_.names;
    for (const ParameterSyntax& each : names.parameters)
        declare("parameters", each.name.text, [&](Declared&) { return parameter(each); });
    for (const NamedTypeSyntax& each : names.types)
        declare("types", each.name.text, [&](Declared& made) {
            made.key = key_of(each);
            for (const MemberSyntax& member : each.type.members)
                made.names.insert(member.name.text);
            return type(each.type);
        });
    for (const ConstantSyntax& each : names.constants)
        declare("constants", each.name.text, [&](Declared&) {
            return each.declaration ? Document::of(text_.declaration(*each.declaration))
                                    : text_.value(each.value);
        });
    for (const FunctionSyntax& each : names.functions)
        declare("functions", each.name.name, [&](Declared& made) {
            made.key = expr::print(each.name);
            return function(each);
        });
}

Document ScopePrinter::parameter(const ParameterSyntax& own) {
    using Kind = ParameterSyntax::Kind;
    const std::string& name = own.name.text;
    if (own.kind == Kind::file)
        return Document::of(fmt::format("file = {}", *context_.scope.find_file(name)));
    const auto given = context_.given.find(name);
    const bool is_given = given != context_.given.end();
    if (own.kind == Kind::type) {
        const bool inner = is_given && given->second.scope != &context_; // stays with the instance
        return Document::of("type = " +
                            text_.print(is_given && !inner ? *given->second.ast : *own.ast));
    }
    const expr::Ast& ast = is_given ? *given->second.ast : *own.ast; // a number keeps its digits
    return Document::of(ast.kind == expr::Ast::Kind::number
                            ? expr::print(ast)
                            : to_string(context_.scope.find(name)->low));
}

/// Returns "Word", "Stream(T)" or "Op u7".
std::string ScopePrinter::key_of(const NamedTypeSyntax& type) {
    if (type.width)
        return fmt::format("{} {}", type.name.text, text_.print(*type.width));
    if (type.parameters.empty())
        return type.name.text;
    std::vector<std::string> parameters;
    for (const Word& parameter : type.parameters)
        parameters.push_back(parameter.text);
    return fmt::format("{}({})", type.name.text, fmt::join(parameters, ", "));
}

/// Prints another type, a struct, or the members of an enumeration.
Document ScopePrinter::type(const TypeSyntax& type) {
    if (type.ast)
        return Document::of(text_.print(*type.ast));
    if (!type.members.empty()) {
        Document made = Document::list(true);
        for (const MemberSyntax& member : type.members)
            made.push(Document::of(
                member.value ? fmt::format("{} = {}", member.name.text, text_.print(*member.value))
                             : member.name.text));
        return made;
    }
    Document made = Document::map(true);
    for (const FieldSyntax& field : type.fields)
        made.set(fmt::format("{}{}", field.back ? "back " : "", field.name.text),
                 this->type(field.type));
    return made;
}

Document ScopePrinter::function(const FunctionSyntax& written) {
    if (!written.in_parts)
        return text_.rhs(written.function.body);
    Document made = Document::map();
    if (!written.function.lets.empty())
        made.set("let", text_.let(written.function.lets));
    made.set("return", text_.rhs(written.function.body));
    return made;
}

/// Adds all direct and indirect dependencies to the used names.
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
    for (const RequirementSyntax& each : file_.names.conditions)
        required.push(Document::of(text_.print(*each.ast)));
    declare_names();
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
