// SPDX-License-Identifier: Apache-2.0
#include "export/vhdl/expr_text.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

namespace sme::hdl::vhdl {

using rtl::Expr;
using rtl::ExprRef;
using rtl::Place;

namespace {

std::string digits(const Expr& expr) {
    std::string result;
    for (std::uint64_t bit = expr.width; bit-- > 0;)
        result += (expr.words[bit / 64] >> (bit % 64) & 1) != 0 ? '1' : '0';
    return result;
}

} // namespace

std::string ExprText::closed(const Piece& piece, const char* op) {
    const bool chains = *op != 0 && std::string_view{op} == piece.op;
    return piece.is_primary || chains ? piece.text : "(" + piece.text + ")";
}

std::string ExprText::value(const ExprRef& expr, Shape want) const {
    return piece(expr, want).text;
}

std::string ExprText::typed(const ExprRef& expr, Shape want) const {
    const Piece found = piece(expr, want);
    return found.is_untyped ? fmt::format("{}'({})", type_mark(want), found.text) : found.text;
}

/// Writes a bit for a comparison: '0' alone is ambiguous, because other types have it too.
std::string ExprText::compared_bit(const ExprRef& expr) const {
    const Piece found = piece(expr, Shape::bit);
    return found.is_untyped ? typed(expr, Shape::bit) : closed(found);
}

std::string ExprText::assigned(const ExprRef& expr, Shape want) const {
    std::string text;
    ExprRef at = expr;
    for (; at->kind == Expr::Kind::select; at = at->operands[2]) {
        if (at->begins_line)
            text += line_mark;
        text += fmt::format("{} when {} else{}", value(at->operands[1], want),
                            condition(at->operands[0]), at->new_line ? line_mark : ' ');
    }
    return text + value(at, want);
}

/// Converts an expression to another shape of the same bits.
ExprText::Piece ExprText::piece(const ExprRef& expr, Shape want) const {
    if (expr->kind == Expr::Kind::literal)
        return literal(*expr, want);
    if (expr->kind == Expr::Kind::select)
        return choice(*expr, want);
    const Shape own = scope_.shape_of(*expr);
    if (own == want)
        return natural(*expr, want);
    if (want == Shape::bit || own == Shape::bit)
        return {
            fmt::format("{}({})", want == Shape::bit ? "as_bit" : "as_signed", typed(expr, own))};
    return {fmt::format("{}({})", type_mark(want), typed(expr, own))};
}

ExprText::Piece ExprText::natural(const Expr& expr, Shape want) const {
    switch (expr.kind) {
    case Expr::Kind::place: return place(expr.place);
    case Expr::Kind::unary: return unary(expr);
    case Expr::Kind::binary: return binary(expr);
    case Expr::Kind::joined: return joined(expr);
    case Expr::Kind::repeated: {
        const ExprRef& x = expr.operands[0];
        const bool is_bit = x->width == 1;
        if (expr.count == 1)
            return piece(x, is_bit ? Shape::bit : Shape::bits);
        return {fmt::format("{}({}, {})", is_bit ? "fill" : "repeat",
                            typed(x, is_bit ? Shape::bit : Shape::bits), expr.count)};
    }
    case Expr::Kind::as_signed:
    case Expr::Kind::as_unsigned:
    case Expr::Kind::grouped: return piece(expr.operands[0], want);
    case Expr::Kind::call: return call(expr);
    case Expr::Kind::integer: // beside a vector
        return {
            fmt::format("to_signed({}, {})", integer(std::make_shared<Expr>(expr)), expr.width)};
    default: break;
    }
    return {expr.text};
}

std::string bit_string(std::span<const std::uint64_t> words, std::uint64_t width) {
    const std::string all = hexadecimal(words, static_cast<unsigned>(width)).substr(2);
    std::string text;
    for (std::uint64_t left = width; left > 0;) {
        const std::uint64_t bits = (left - 1) % max_bit_string + 1;
        const std::uint64_t end = all.size() - (left - bits) / 4;
        std::string part = all.substr(end - (bits + 3) / 4, (bits + 3) / 4);
        part.erase(0, std::min(part.find_first_not_of('0'), part.size() - 1));
        text += fmt::format("{}{}x\"{}\"", text.empty() ? "" : " & ", bits, part);
        left -= bits;
    }
    return text;
}

ExprText::Piece ExprText::literal(const Expr& expr, Shape want) const {
    if (want == Shape::bit)
        return {expr.words[0] != 0 ? "'1'" : "'0'", true, true};
    constexpr std::uint64_t short_width = 4;
    if (expr.width <= short_width || expr.style == Expr::Style::binary)
        return {"\"" + digits(expr) + "\"", true, true};
    const bool is_one = expr.width <= max_bit_string;
    return {bit_string(expr.words, expr.width), is_one, true, is_one ? "" : "&"};
}

ExprText::Piece ExprText::operand(const ExprRef& expr, Shape want) const {
    if (expr->kind != Expr::Kind::literal || want == Shape::bit || expr->width > 64 ||
        expr->style != Expr::Style::decimal)
        return piece(expr, want);
    const bool is_negative =
        want == Shape::number && (expr->words[0] >> (expr->width - 1) & 1) != 0;
    const Integer value = static_cast<Integer>(expr->words[0]) -
                          (is_negative ? Integer{1} << expr->width : Integer{0});
    if (value >= (Integer{1} << 31) || value < -(Integer{1} << 31) + 1)
        return piece(expr, want);
    return {to_string(value), !is_negative, true};
}

std::string ExprText::name(const Place& place) const {
    const auto variable = scope_.variables.find(place.name);
    std::string base =
        variable == scope_.variables.end() ? scope_.names.of(place.name) : variable->second;
    if (!place.word)
        return base;
    const auto words = scope_.words.find(place.name);
    return fmt::format("{}({})", base,
                       index(place.word, words == scope_.words.end() ? 0 : words->second));
}

std::string ExprText::index(const ExprRef& expr, std::uint64_t count) const {
    if (expr->kind == Expr::Kind::joined && expr->operands.size() == 1)
        return index(expr->operands[0], count);
    if (expr->kind == Expr::Kind::number || expr->kind == Expr::Kind::literal) {
        const Integer at =
            expr->kind == Expr::Kind::number ? expr->value : static_cast<Integer>(expr->words[0]);
        return to_string(count > 0 && at >= static_cast<Integer>(count) ? 0 : at);
    }
    if (is_integer(*expr)) // the parentheses of the index are enough
        return integer(expr->kind == Expr::Kind::grouped ? expr->operands[0] : expr);
    const std::string x = typed(expr, expr->width == 1 ? Shape::bit : Shape::bits);
    const bool fits =
        count == 0 || (expr->width < 63 && (std::uint64_t{1} << expr->width) <= count);
    return fits ? fmt::format("to_index({})", x) : fmt::format("to_index({}, {})", x, count);
}

std::string ExprText::integer(const ExprRef& expr) const {
    switch (expr->kind) {
    case Expr::Kind::number:
        return expr->value < 0 ? "(" + to_string(expr->value) + ")" : to_string(expr->value);
    case Expr::Kind::place: return name(expr->place);
    case Expr::Kind::grouped: {
        const ExprRef& inner = expr->operands[0];
        const bool is_one = inner->kind == Expr::Kind::place || inner->kind == Expr::Kind::number;
        return is_one ? integer(inner) : "(" + integer(inner) + ")";
    }
    default: break;
    }
    if (expr->operands.size() == 1)
        return "-" + integer(expr->operands[0]);
    return fmt::format("{} {} {}", integer(expr->operands[0]),
                       expr->text == "%" ? "rem" : expr->text, integer(expr->operands[1]));
}

ExprText::Piece ExprText::integer_place(const Place& place) const {
    const std::string own = name(place);
    if (place.whole())
        return {fmt::format("to_signed({}, 32)", own)};
    const std::string low = fmt::format("low_bits({}, {})", own, place.low + place.width);
    if (place.width == 1)
        return {fmt::format("{}({})", low, place.low)};
    return {place.low == 0
                ? low
                : fmt::format("{}({} downto {})", low, place.low + place.width - 1, place.low)};
}

ExprText::Piece ExprText::place(const Place& place) const {
    if (place.is_integer)
        return integer_place(place);
    std::string base = name(place);
    if (place.whole())
        return {std::move(base)};
    if (place.moved)
        return moved_place(place, base);
    if (place.width == 1)
        return {fmt::format("{}({})", base, place.low)};
    const std::string cut =
        fmt::format("{}({} downto {})", base, place.low + place.width - 1, place.low);
    return {scope_.is_signed(place) ? "unsigned(" + cut + ")" : cut};
}

ExprText::Piece ExprText::moved_place(const Place& place, const std::string& base) const {
    const std::string behind = place.low == 0 ? "" : fmt::format(" + {}", place.low);
    if (place.width == 1)
        return {fmt::format("{}({}{})", base, index(place.moved, place.total - place.low), behind)};
    if (is_integer(*place.moved)) {
        const std::string low = integer(place.moved) + behind;
        return {fmt::format("{0}({1} + {2} downto {1})", base, low, place.width - 1)};
    }
    return {fmt::format("pick({}, {}{}, {})",
                        scope_.is_signed(place) ? "unsigned(" + base + ")" : base,
                        index(place.moved, 0), behind, place.width)};
}

std::string ExprText::target(const Place& place) const {
    std::string base = name(place);
    if (place.whole())
        return base;
    if (place.moved)
        return moved_place(place, base).text;
    return place.width == 1
               ? fmt::format("{}({})", base, place.low)
               : fmt::format("{}({} downto {})", base, place.low + place.width - 1, place.low);
}

ExprText::Piece ExprText::unary(const Expr& expr) const {
    const ExprRef& x = expr.operands[0];
    if (is_condition(expr))
        return {fmt::format("truth({})", condition_piece(expr).text)};
    const Shape shape = scope_.shape_of(*x);
    Piece operand = piece(x, shape);
    if (expr.text == "!" || expr.text == "~")
        return {"not " + (shape == Shape::bit ? closed(operand) : "(" + typed(x, shape) + ")"),
                false, shape == Shape::bit && operand.is_untyped, "not"};
    if (shape == Shape::bit) // - modulo 2
        return operand;
    return {(shape == Shape::bits ? "0 - (" : "-(") + typed(x, shape) + ")", false};
}

ExprText::Piece ExprText::infix(const Piece& a, const char* op, const Piece& b,
                                bool new_line) const {
    const std::string left = closed(a, op), right = closed(b);
    const bool is_long = new_line && left.size() + right.size() > long_operands;
    return {fmt::format("{} {}{}{}", left, op, is_long ? line_mark : ' ', right), false,
            a.is_untyped && b.is_untyped, op};
}

/// A literal takes the shape of the other operand.
Shape ExprText::common_shape(const Expr& a, const Expr& b) const {
    return scope_.shape_of(a.kind == Expr::Kind::literal ? b : a);
}

namespace {

struct Spelled {
    const char* verilog;
    const char* bits; // of vectors
    const char* bit;  // of single bits
};
constexpr std::array spelled{Spelled{"&", "and", "and"},  Spelled{"|", "or", "or"},
                             Spelled{"^", "xor", "xor"},  Spelled{"+", "+", "xor"},
                             Spelled{"-", "-", "xor"},    Spelled{"/", "/", nullptr},
                             Spelled{"%", "rem", nullptr}};

} // namespace

ExprText::Piece ExprText::binary(const Expr& expr) const {
    if (is_condition(expr))
        return {fmt::format("truth({})", condition_piece(expr).text)};
    if (expr.level == Level::shift)
        return shift(expr);
    const ExprRef &a = expr.operands[0], &b = expr.operands[1];
    const Shape shape = common_shape(*a, *b);
    if (shape == Shape::bit)
        return of_bits(expr);
    const bool adds = expr.text == "+" || expr.text == "-";
    Piece left = adds ? operand(a, shape) : piece(a, shape);
    const Piece right = adds ? operand(b, shape) : piece(b, shape);
    if (left.is_untyped && right.is_untyped)
        left = {typed(a, shape)};
    if (expr.text == "*")
        return {fmt::format("times({}, {})", left.text, right.text)};
    for (const Spelled& each : spelled)
        if (expr.text == each.verilog)
            return infix(left, each.bits, right, expr.new_line);
    return {expr.text};
}

/// Arithmetic modulo 2.
ExprText::Piece ExprText::of_bits(const Expr& expr) const {
    Piece a = piece(expr.operands[0], Shape::bit);
    const Piece b = piece(expr.operands[1], Shape::bit);
    if (expr.text == "&&" || expr.text == "*")
        return infix(a, "and", b);
    if (expr.text == "||")
        return infix(a, "or", b);
    if (expr.text == "/") // by 1
        return a;
    if (expr.text == "%")
        return {"'0'"};
    for (const Spelled& each : spelled)
        if (expr.text == each.verilog)
            return infix(a, each.bit, b);
    return {expr.text};
}

ExprText::Piece ExprText::shift(const Expr& expr) const {
    const ExprRef& x = expr.operands[0];
    const Shape shape = scope_.shape_of(*x);
    const std::string count = index(expr.operands[1], 0);
    if (shape == Shape::bit)
        return {fmt::format("choose({} = 0, {}, '0')", count, piece(x, shape).text)};
    return {fmt::format("{}({}, {})", expr.text == "<<" ? "shift_left" : "shift_right",
                        typed(x, shape), count)};
}

ExprText::Piece ExprText::joined(const Expr& expr) const {
    if (expr.operands.size() == 1) {
        const ExprRef& only = expr.operands[0];
        return piece(only, only->width == 1 ? Shape::bit : Shape::bits);
    }
    constexpr std::size_t short_text = 30; // parts this short share a line
    std::vector<std::string> texts;
    std::size_t longest = 0;
    for (const ExprRef& part : expr.operands) {
        const Piece each = piece(part, part->width == 1 ? Shape::bit : Shape::bits);
        texts.push_back(closed(each, "&"));
        longest = std::max(longest, texts.back().size());
    }
    const bool is_long = texts.size() > 2 && longest > short_text;
    return {
        (is_long ? std::string(1, line_mark) : std::string{}) +
            fmt::format("{}", fmt::join(texts, is_long ? std::string{" &"} + line_mark : " & ")),
        false, true, "&"};
}

ExprText::Piece ExprText::call(const Expr& expr) const {
    const auto found = scope_.functions.find(expr.text);
    std::string given;
    for (std::size_t k = 0; k < expr.operands.size(); ++k) {
        const rtl::Declared* input = nullptr;
        if (found != scope_.functions.end())
            input = &found->second->inputs[std::min(k, found->second->inputs.size() - 1)];
        const ExprRef& argument = expr.operands[k];
        given += (given.empty() ? "" : ", ") +
                 value(argument, input ? vhdl::shape_of(input->width, input->is_signed)
                                       : scope_.shape_of(*argument));
    }
    return {fmt::format("{}({})", scope_.names.of(expr.text), given)};
}

} // namespace sme::hdl::vhdl
