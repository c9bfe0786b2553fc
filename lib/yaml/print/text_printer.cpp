// SPDX-License-Identifier: Apache-2.0
//
// 1. From the inside out, every instance gets the number of its kind. 2. From the network on, in
//    source order, kinds and libraries get names.
#include "yaml/print/text_printer.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "expr/syntax/printer.hpp"
#include "yaml/scope/declarations.hpp"

namespace sme::yaml {

std::vector<Context*> instances_in(const FileSyntax& file, Context& context) {
    std::vector<Context*> found;
    const auto add = [&](const ProcessSyntax& process) {
        if (!process.use)
            return;
        const Unit& unit = context.members.at(process.name.name);
        for (const Unit& group : unit.groups)
            found.push_back(group.context.get());
        if (unit.groups.empty())
            found.push_back(unit.context.get());
    };
    for (const ProcessSyntax& process : file.processes) {
        add(process);
        if (process.against)
            add(*process.against);
    }
    return found;
}

PrintedFiles::PrintedFiles(const FileSyntax& file, Context& network) {
    for (Context* inside : instances_in(file, network))
        kind_of(*inside);
    name_all(file, network);
}

const std::string& PrintedFiles::component_of(const Context& inside) const {
    return names_.at(kind_of_.at(&inside));
}

PrintedFiles::Kind PrintedFiles::kind_of(Context& inside) {
    const FileSyntax& file = inside.component->syntax;
    std::string told = fmt::format("{}", static_cast<const void*>(inside.component));
    for (const ParameterSyntax& parameter : file.names.parameters) {
        const std::string& name = parameter.name.text;
        if (const std::string* path = inside.scope.find_file(name))
            told += fmt::format(" {}={}", path->size(), *path);
        else if (const expr::BoundExpr* number = inside.scope.find(name))
            told += fmt::format(" {}", to_string(number->low));
    }
    for (Context* each : instances_in(file, inside))
        told += fmt::format(" {}", kind_of(*each));
    const Kind kind = kinds_.try_emplace(std::move(told), kinds_.size()).first->second;
    kind_of_[&inside] = kind;
    return kind;
}

/// Returns "fifo", then "fifo_2" and so on.
std::string PrintedFiles::fresh(const std::string& base) {
    std::string name = base;
    for (int& last = last_of_[base]; !taken_.insert(name).second;)
        name = fmt::format("{}_{}", base, ++last + 1);
    return name;
}

namespace {

/// Returns "stream" for "std/stream.yaml" or "stream".
std::string stem_of(const std::string& path) {
    const std::size_t slash = path.rfind('/');
    const std::string file = slash == path.npos ? path : path.substr(slash + 1);
    const std::size_t dot = file.find('.');
    return dot == file.npos || dot == 0 ? file : file.substr(0, dot);
}

} // namespace

void PrintedFiles::name_all(const FileSyntax& file, Context& context) {
    const std::vector<Context*> instances = instances_in(file, context);
    const std::size_t first = files_.size();
    for (const ImportedFile* other : context.imports) {
        if (!other->component && libraries_.count(other) == 0) {
            const std::string& name = libraries_[other] = fresh(stem_of(other->path));
            files_.push_back({name, &other->syntax, other->scope.get()});
        }
        for (Context* inside : instances)
            if (inside->component == other->component.get() && other->component &&
                names_.count(kind_of_.at(inside)) == 0) {
                const std::string& name = names_[kind_of_.at(inside)] =
                    fresh(other->component->name);
                place_of_[name] = files_.size();
                files_.push_back({name, &other->component->syntax, inside});
            }
    }
    for (std::size_t k = first, end = files_.size(); k < end; ++k) {
        const File inner = files_[k];
        name_all(*inner.syntax, *inner.scope);
    }
}

void TextPrinter::mention(const expr::Ast& ast) {
    if (ast.kind == expr::Ast::Kind::name || ast.kind == expr::Ast::Kind::file)
        mentioned.insert(ast.text);
    for (const expr::AstRef& operand : ast.operands)
        mention(*operand);
}

std::string TextPrinter::path(const std::string& written) {
    if (context_.scope.find_file(written)) {
        mentioned.insert(written);
        return written;
    }
    std::string result = context_.initials.path_of(written);
    return context_.scope.find_file(result) ? "./" + result : result; // not the parameter
}

/// Rewrites paths. In initial values, file(...) occurs only in lists and maps, at any depth.
expr::AstRef TextPrinter::with_paths(const expr::AstRef& ast) {
    using Kind = expr::Ast::Kind;
    const bool file = ast->kind == Kind::file;
    if (!file && ast->kind != Kind::list && ast->kind != Kind::fields && ast->kind != Kind::named)
        return ast;
    auto result = std::make_shared<expr::Ast>(*ast);
    if (file)
        result->text = path(ast->text);
    for (expr::AstRef& operand : result->operands)
        operand = with_paths(operand);
    return result;
}

std::string TextPrinter::print(const expr::Ast& ast) {
    mention(ast);
    return expr::print(ast);
}

std::string TextPrinter::print_target(const expr::Ast& ast) {
    mention(ast);
    return expr::print_target(ast);
}

std::string TextPrinter::print(const expr::Guarded& guarded) {
    mention(*guarded.value);
    if (guarded.when)
        mention(*guarded.when);
    return expr::print(guarded);
}

std::string TextPrinter::print(const expr::PropertyText& property) {
    for (const expr::AstRef& ast : {property.first, property.then, property.from, property.to})
        if (ast)
            mention(*ast);
    return expr::print(property);
}

std::string TextPrinter::print(const std::vector<expr::Pattern>& patterns) {
    for (const expr::Pattern& pattern : patterns)
        if (pattern.value)
            mention(*pattern.value);
    return expr::print(patterns);
}

std::string TextPrinter::print(const expr::FamilyName& name) {
    for (const expr::RangeText& range : name.ranges) {
        mention(*range.end);
        if (range.low)
            mention(*range.low);
    }
    return expr::print(name);
}

std::string TextPrinter::print(const expr::PrintText& line) {
    for (const expr::PrintPiece& piece : line.pieces)
        if (piece.value)
            mention(*piece.value);
    if (line.when)
        mention(*line.when);
    return expr::print(line);
}

std::string TextPrinter::expression(const expr::Text& text) {
    Diagnostics none;
    const expr::AstRef ast = expr::parse_expression(text, none);
    return ast ? print(*ast) : text.text;
}

Document TextPrinter::value(const ValueSyntax& value) {
    if (value.text)
        return Document::of(print(*with_paths(value.ast)));
    const bool list = value.ast->kind == expr::Ast::Kind::list;
    Document result = list ? Document::list(true) : Document::map(true);
    for (std::size_t k = 0; k < value.parts.size(); ++k)
        if (list)
            result.push(this->value(value.parts[k]));
        else
            result.set(value.ast->operands[k]->text, this->value(value.parts[k]));
    return result;
}

std::string TextPrinter::declaration(const expr::Declaration& declaration) {
    expr::Declaration result = declaration;
    if (result.initial) {
        result.initial = with_paths(result.initial);
        mention(*result.initial);
    }
    mention(*result.type);
    for (const expr::AstRef& number : {result.depth, result.delay})
        if (number)
            mention(*number);
    return expr::print(result);
}

} // namespace sme::yaml
