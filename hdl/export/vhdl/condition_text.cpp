// SPDX-License-Identifier: Apache-2.0
//
// Conditions, which are not bits in VHDL, and selections by them.
#include "export/vhdl/expr_text.hpp"

#include <utility>

#include <fmt/format.h>

namespace sme::hdl::vhdl {

using rtl::Expr;
using rtl::ExprRef;

bool is_condition(const Expr& expr) {
    if (expr.kind == Expr::Kind::unary)
        return expr.text == "|" || (expr.text == "!" && is_condition(*expr.operands[0]));
    if (expr.kind != Expr::Kind::binary)
        return false;
    if (expr.level == Level::equality || expr.level == Level::relation)
        return true;
    return (expr.level == Level::logical_and || expr.level == Level::logical_or) &&
           (is_condition(*expr.operands[0]) || is_condition(*expr.operands[1]));
}

namespace {

bool is_bit_literal(const std::string& text) {
    return text == "'0'" || text == "'1'";
}

bool holds(const std::string& comparison, char left, char right) {
    const bool equal = comparison == "==" || comparison == "<=" || comparison == ">=";
    if (left == right)
        return equal;
    return comparison == "!=" || (comparison[0] == (left < right ? '<' : '>'));
}

} // namespace

ExprText::Piece ExprText::choice(const Expr& expr, Shape want) const {
    std::string text, ends;
    const ExprRef* last = nullptr;
    bool is_untyped = false; // the value before the last one
    for (const Expr* at = &expr; at->kind == Expr::Kind::select; at = last->get()) {
        const Piece yes = piece(at->operands[1], want);
        text += fmt::format("choose({}, {}, ", condition(at->operands[0]), yes.text);
        ends += ')';
        is_untyped = yes.is_untyped && want != Shape::bit;
        last = &at->operands[2];
    }
    return {text + (is_untyped ? typed(*last, want) : value(*last, want)) + ends};
}

std::string ExprText::condition(const ExprRef& expr) const {
    return condition_piece(*expr).text;
}

ExprText::Piece ExprText::condition_piece(const Expr& expr) const {
    if (expr.kind == Expr::Kind::literal)
        return {expr.words[0] != 0 ? "true" : "false"};
    if (expr.kind == Expr::Kind::unary && expr.text == "!") {
        const ExprRef& x = expr.operands[0];
        if (!is_condition(*x))
            return bit_is('0', x);
        return {"not " + closed(condition_piece(*x)), false, false, "not"};
    }
    if (expr.kind == Expr::Kind::unary && expr.text == "|") {
        const ExprRef& x = expr.operands[0];
        const Shape shape = scope_.shape_of(*x);
        return shape == Shape::bit ? bit_is('1', x) : Piece{typed(x, shape) + " /= 0", false};
    }
    if (expr.level == Level::equality || expr.level == Level::relation)
        return comparison(expr);
    if (expr.level == Level::logical_and || expr.level == Level::logical_or)
        return infix(condition_piece(*expr.operands[0]),
                     expr.level == Level::logical_and ? "and" : "or",
                     condition_piece(*expr.operands[1]));
    return bit_is('1', std::make_shared<Expr>(expr));
}

/// Literals are not compared: '0' also belongs to several types.
ExprText::Piece ExprText::bit_is(char bit, const ExprRef& x) const {
    const std::string text = compared_bit(x);
    if (is_bit_literal(text))
        return {text[1] == bit ? "true" : "false"};
    return {fmt::format("{} = '{}'", text, bit), false};
}

ExprText::Piece ExprText::comparison(const Expr& expr) const {
    const ExprRef &a = expr.operands[0], &b = expr.operands[1];
    const Shape shape = common_shape(*a, *b);
    const char* op = expr.text == "==" ? "=" : expr.text == "!=" ? "/=" : expr.text.c_str();
    Piece left = operand(a, shape), right = operand(b, shape);
    if (is_bit_literal(left.text) && is_bit_literal(right.text))
        return {holds(expr.text, left.text[1], right.text[1]) ? "true" : "false"};
    if (shape == Shape::bit && expr.level == Level::relation) {
        const bool is_less = expr.text[0] == '<', or_equal = expr.text.size() == 2;
        if (!is_less)
            std::swap(left, right);
        return {fmt::format("((not {}) {} {}) = '1'", closed(left), or_equal ? "or" : "and",
                            closed(right)),
                false};
    }
    if (left.is_untyped && right.is_untyped)
        left = {typed(a, shape)}; // '0' also belongs to several types
    return {fmt::format("{} {} {}", closed(left), op, closed(right)), false};
}

} // namespace sme::hdl::vhdl
