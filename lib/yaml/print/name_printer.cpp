// SPDX-License-Identifier: Apache-2.0
//
// import, parameters, requires, types, constants, functions: prints only declarations that the
// scope uses, directly or indirectly. A library prints all of them.
#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "expr/syntax/printer.hpp"
#include "yaml/print/scope_printer.hpp"
#include "yaml/print/text_printer.hpp"

namespace sme::yaml {

namespace {

constexpr const char* sections[] = {"parameters", "types", "constants", "functions"};

} // namespace

/// Prints a declaration; the names it mentions are its dependencies.
template <class Print>
void ScopePrinter::declare(const char* section, const std::string& name, Print print) {
    std::set<std::string> outside = std::exchange(text_.mentioned, {});
    Declared result;
    result.section = section;
    result.key = name;
    result.names.insert(name);
    result.value = print(result);
    result.needs = std::exchange(text_.mentioned, std::move(outside));
    declared_.push_back(std::move(result));
}

void ScopePrinter::declare_names() {
    const NamesSyntax& names = file_.names;
    for (const ParameterSyntax& each : names.parameters)
        declare("parameters", each.name.text, [&](Declared&) { return parameter(each); });
    for (const NamedTypeSyntax& each : names.types)
        declare("types", each.name.text, [&](Declared& result) {
            result.key = key_of(each);
            for (const MemberSyntax& member : each.type.members)
                result.names.insert(member.name.text);
            return type(each.type);
        });
    for (const ConstantSyntax& each : names.constants)
        declare("constants", each.name.text, [&](Declared&) {
            return each.declaration ? Document::of(text_.declaration(*each.declaration))
                                    : text_.value(each.value);
        });
    for (const FunctionSyntax& each : names.functions)
        declare("functions", each.name.name, [&](Declared& result) {
            result.key = expr::print(each.name);
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
        Document result = Document::list(true);
        for (const MemberSyntax& member : type.members)
            result.push(Document::of(
                member.value ? fmt::format("{} = {}", member.name.text, text_.print(*member.value))
                             : member.name.text));
        return result;
    }
    Document result = Document::map(true);
    for (const FieldSyntax& field : type.fields)
        result.set(fmt::format("{}{}", field.back ? "back " : "", field.name.text),
                   this->type(field.type));
    return result;
}

Document ScopePrinter::function(const FunctionSyntax& written) {
    if (!written.in_parts)
        return text_.rhs(written.function.body);
    Document result = Document::map();
    if (!written.function.lets.empty())
        result.set("let", text_.let(written.function.lets));
    result.set("return", text_.rhs(written.function.body));
    return result;
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

// Right-hand sides, lets and steps as YAML.

namespace {

bool is_simple(const Document& value) {
    const auto is_word = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '_' || c == '.';
    };
    return value.is_text() ? std::all_of(value.text.begin(), value.text.end(), is_word)
                           : value.flow;
}

/// Returns "if c" or "elif c"; a duplicate key in the map gets one more pair of parentheses.
std::string condition_key(const Document& map, std::string_view word, std::string condition) {
    std::string key = fmt::format("{} {}", word, condition);
    while (map.has(key)) {
        condition = fmt::format("({})", condition);
        key = fmt::format("{} {}", word, condition);
    }
    return key;
}

} // namespace

/// Returns the key of an arm of a choice; the first in its map begins with 'if'.
template <class Arm> std::string TextPrinter::arm_key(const Document& map, const Arm& arm) {
    if (!arm.condition)
        return "else";
    return condition_key(map, map.empty() ? "if" : "elif", print(*arm.condition));
}

Document TextPrinter::rhs(const expr::Rhs& rhs) {
    using Kind = expr::Rhs::Kind;
    Document result = rhs.kind == Kind::first ? Document::list() : Document::map();
    switch (rhs.kind) {
    case Kind::expression:
        return Document::of(print(expr::Guarded{.value = rhs.value, .when = rhs.when}));
    case Kind::first:
        for (const expr::Rhs& item : rhs.list)
            result.push(this->rhs(item));
        break;
    case Kind::fields:
        for (const expr::Rhs::FieldRhs& field : rhs.fields)
            result.set(field.name, this->rhs(field.rhs));
        result.flow = std::all_of(result.entries.begin(), result.entries.end(),
                                  [](const auto& entry) { return is_simple(entry.value); });
        break;
    case Kind::choice:
        for (const expr::Rhs::Arm& arm : rhs.arms)
            result.set(arm_key(result, arm), this->rhs(arm.rhs));
        break;
    case Kind::match: {
        Document arms = Document::map();
        for (const expr::Rhs::Arm& arm : rhs.arms)
            arms.set(print(arm.patterns), this->rhs(arm.rhs));
        result.set("match " + print(*rhs.value), std::move(arms));
        break;
    }
    }
    return result;
}

Document TextPrinter::let(const std::vector<expr::LetText>& lets) {
    Document result = Document::map();
    for (const expr::LetText& let : lets)
        result.set(print(expr::FamilyName{{}, let.name, let.ranges}), rhs(let.rhs));
    return result;
}

/// Returns the entries of a statement in a map.
Document TextPrinter::entries(const expr::Statement& statement) {
    using Kind = expr::Statement::Kind;
    Document added = Document::map();
    switch (statement.kind) {
    case Kind::assign: added.set(print_target(*statement.target), rhs(statement.rhs)); break;
    case Kind::assertion: added.set("assert", rhs(statement.rhs)); break;
    case Kind::print: {
        Document line = Document::of(print(expr::PrintText{statement.pieces, statement.rhs.when}));
        line.raw = true; // quotes followed by a condition
        added.set("print", std::move(line));
        break;
    }
    case Kind::halt: added.set("halt", rhs(statement.rhs)); break;
    case Kind::choice:
        for (const expr::Statement::Arm& arm : statement.arms)
            added.set(arm_key(added, arm), step(arm.block));
        break;
    case Kind::match: {
        Document arms = Document::map();
        for (const expr::Statement::Arm& arm : statement.arms)
            arms.set(print(arm.patterns), step(arm.block));
        added.set("match " + print(*statement.subject), std::move(arms));
        break;
    }
    }
    return added;
}

Document TextPrinter::step(const expr::Block& block) {
    Document list = Document::list(), map = Document::map();
    std::set<std::string> keys; // keys in the map: a second "else" needs another map
    for (const expr::Statement& statement : block.statements) {
        Document added = entries(statement);
        if (std::any_of(added.entries.begin(), added.entries.end(),
                        [&](const auto& entry) { return keys.count(entry.key) > 0; })) {
            list.push(std::exchange(map, Document::map()));
            keys.clear();
        }
        for (auto& [key, value] : added.entries) {
            keys.insert(key);
            map.set(std::move(key), std::move(value));
        }
    }
    if (list.empty())
        return map;
    list.push(std::move(map));
    return list;
}

Document TextPrinter::item(const SequenceItem& item) {
    using Kind = SequenceItem::Kind;
    Document result = Document::map();
    const std::string word{word_of(item.kind)};
    switch (item.kind) {
    case Kind::stop:
    case Kind::restart:
    case Kind::leave:
    case Kind::go_on:
    case Kind::back: return Document::of(word);
    case Kind::targets:
        if (Document targets = step(item.targets); targets.kind == Document::Kind::map &&
                                                   !targets.empty() &&
                                                   !is_item_word(targets.entries[0].key))
            result = std::move(targets);
        else
            result.set("set", std::move(targets));
        break;
    case Kind::wait:
    case Kind::pause: result.set(word, print(*item.condition)); break;
    case Kind::call: result.set(item.is_inline ? "inline" : word, call(*item.condition)); break;
    case Kind::send:
    case Kind::receive: {
        Document ends = Document::map();
        for (const SequenceItem::End& end : item.ports)
            if (item.kind == Kind::send)
                ends.set(print_target(*end.port), rhs(end.value));
            else
                ends.set(print_target(*end.target), print(*end.port));
        result.set(word, std::move(ends));
        break;
    }
    default: return with_items(item);
    }
    if (item.kind != Kind::targets && !item.targets.statements.empty())
        result.set("then", step(item.targets));
    if (!item.lasting.statements.empty())
        result.set("set", step(item.lasting));
    if (item.within)
        result.set("within", print(*item.within));
    if (item.late)
        result.set("else", sequence(*item.late));
    if (!item.name.empty())
        result.set("name", item.name);
    return result;
}

/// Returns "name(argument, ...)"; the name is a procedure's.
std::string TextPrinter::call(const expr::Ast& written) {
    if (written.kind != expr::Ast::Kind::call)
        return written.text;
    std::vector<std::string> arguments;
    for (std::size_t k = 1; k < written.operands.size(); ++k)
        arguments.push_back(print(*written.operands[k]));
    return fmt::format("{}({})", written.operands[0]->text, fmt::join(arguments, ", "));
}

/// Prints an item that holds others.
Document TextPrinter::with_items(const SequenceItem& item) {
    using Kind = SequenceItem::Kind;
    Document result = Document::map();
    const std::string word{word_of(item.kind)};
    if (item.kind == Kind::choice)
        for (const SequenceItem::Arm& arm : item.arms)
            result.set(arm_key(result, arm), sequence(arm.items));
    else if (item.kind == Kind::match) {
        Document arms = Document::map();
        for (const SequenceItem::Arm& arm : item.arms)
            arms.set(print(arm.patterns), sequence(arm.items));
        result.set("match " + print(*item.condition), std::move(arms));
    } else if (item.kind == Kind::all) {
        Document branches = Document::list();
        for (const SequenceItem::Arm& arm : item.arms)
            branches.push(sequence(arm.items));
        result.set(word, std::move(branches));
    } else if (item.kind == Kind::loop)
        result.set("while " + print(*item.condition), sequence(*item.body));
    else if (item.is_for)
        result.set(fmt::format("for {} < {}", item.index, print(*item.condition)),
                   sequence(*item.body));
    else {
        result.set(word, print(*item.condition));
        if (!item.index.empty())
            result.set("index", item.index);
        result.set("do", sequence(*item.body));
    }
    if (!item.name.empty())
        result.set("name", item.name);
    return result;
}

Document TextPrinter::procedures(const std::vector<ProcedureSyntax>& all) {
    Document result = Document::map();
    for (const ProcedureSyntax& each : all) {
        if (each.parameters.empty()) {
            result.set(each.name, sequence(each.items));
            continue;
        }
        Document parameters = Document::map(true), procedure = Document::map();
        for (const ProcedureSyntax::Parameter& parameter : each.parameters)
            parameters.set(parameter.name, print(*parameter.type));
        procedure.set("in", std::move(parameters));
        procedure.set("sequence", sequence(each.items));
        result.set(each.name, std::move(procedure));
    }
    return result;
}

Document TextPrinter::pipeline(const PipelineSyntax& pipeline) {
    Document result = Document::list();
    for (const PipelineSyntax::Stage& stage : pipeline.stages) {
        Document lines = Document::map();
        for (const PipelineSyntax::Line& line : stage.lines)
            lines.set(print_target(*line.target), rhs(line.rhs));
        result.push(std::move(lines));
    }
    return result;
}

Document TextPrinter::sequence(const SequenceItems& items) {
    Document result = Document::list();
    for (const SequenceItem& each : items)
        result.push(item(each));
    return result;
}

} // namespace sme::yaml
