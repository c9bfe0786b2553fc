// SPDX-License-Identifier: Apache-2.0
//
// Structs and arrays in literal form: {a: 1, b: true}, [1, 2] and file(name).
#include "expr/syntax/expression_parser.hpp"

#include <utility>

#include "base/codes.hpp"
#include "expr/syntax/foreign_words.hpp"

namespace sme::expr {

AstRef ExpressionParser::fields() {
    const std::size_t first = at_;
    expect("{");
    std::vector<AstRef> operands;
    do {
        const std::size_t begin = at_;
        const std::string_view behind =
            next().kind == Token::Kind::end ? "" : tokens_[at_ + 1].text;
        if (next().kind == Token::Kind::number || behind == "," || behind == "}") {
            diagnostics_.add(Code::expression_syntax, here(), std::string{join_form});
            throw Broken{};
        }
        const std::string_view field = name("a field, as in {a: 1},");
        expect(":");
        operands.push_back(
            make(Ast::Kind::named, begin, {takes_lists_ ? initial() : expression()}, field));
    } while (accept(","));
    expect("}");
    return make(Ast::Kind::fields, first, std::move(operands));
}

AstRef ExpressionParser::initial() {
    const Deeper deeper{*this};
    const std::size_t first = at_;
    if (accept("[")) {
        std::vector<AstRef> operands;
        do
            operands.push_back(initial());
        while (accept(","));
        expect("]");
        return make(Ast::Kind::list, first, std::move(operands));
    }
    if (at("file") && tokens_[at_ + 1].text == "(")
        return file();
    const bool outside = std::exchange(takes_lists_, true);
    AstRef found = expression();
    takes_lists_ = outside;
    return found;
}

/// file(path or parameter)
AstRef ExpressionParser::file() {
    const std::size_t first = at_;
    at_ += 2;
    if (next().kind != Token::Kind::path)
        fail("the name of a file");
    const std::string_view path = tokens_[at_++].text;
    expect(")");
    return make(Ast::Kind::file, first, {}, path);
}

} // namespace sme::expr
