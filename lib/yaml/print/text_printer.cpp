// SPDX-License-Identifier: Apache-2.0
#include "yaml/print/text_printer.hpp"

#include "expr/syntax/printer.hpp"

namespace sme::yaml {

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
    std::string made = context_.initials.path_of(written);
    return context_.scope.find_file(made) ? "./" + made : made; // not the parameter
}

/// Rewrites paths. In initial values, file(...) occurs only in lists and maps, at any depth.
expr::AstRef TextPrinter::with_paths(const expr::AstRef& ast) {
    using Kind = expr::Ast::Kind;
    const bool file = ast->kind == Kind::file;
    if (!file && ast->kind != Kind::list && ast->kind != Kind::fields && ast->kind != Kind::named)
        return ast;
    auto made = std::make_shared<expr::Ast>(*ast);
    if (file)
        made->text = path(ast->text);
    for (expr::AstRef& operand : made->operands)
        operand = with_paths(operand);
    return made;
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
    Document made = list ? Document::list(true) : Document::map(true);
    for (std::size_t k = 0; k < value.parts.size(); ++k)
        if (list)
            made.push(this->value(value.parts[k]));
        else
            made.set(value.ast->operands[k]->text, this->value(value.parts[k]));
    return made;
}

std::string TextPrinter::declaration(const expr::Declaration& declaration) {
    expr::Declaration made = declaration;
    if (made.initial) {
        made.initial = with_paths(made.initial);
        mention(*made.initial);
    }
    mention(*made.type);
    for (const expr::AstRef& number : {made.depth, made.delay})
        if (number)
            mention(*number);
    return expr::print(made);
}

} // namespace sme::yaml
