// SPDX-License-Identifier: Apache-2.0
//
// Expressions in Verilog, with parentheses only where they are needed, or where a reader who knows
// other languages would misread the text.
#include "export/verilog/verilog_text.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace sme::hdl::rtl {

namespace {

std::string written(const Expr& expr);

/// Writes an expression whose surrounding operator binds at `around`.
std::string written(const ExprRef& expr, Level around) {
    std::string text = written(*expr);
    return expr->level <= around && around != Level::conditional ? "(" + text + ")" : text;
}

std::string literal_text(const Expr& expr) {
    const std::uint64_t width = expr.width;
    if (!expr.digits.empty())
        return fmt::format("{}'b{}", width, expr.digits);
    if (expr.is_bit())
        return expr.words[0] != 0 ? "1'b1" : "1'b0";
    const char* sign = expr.is_signed ? "s" : "";
    if (width > 64) {
        std::string digits = hexadecimal(expr.words, static_cast<unsigned>(width)).substr(2);
        digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size() - 1));
        return fmt::format("{}'{}h{}", width, sign, digits);
    }
    if (expr.style == Expr::Style::hexadecimal)
        return fmt::format("{}'{}h{:x}", width, sign, expr.words[0]);
    if (expr.level == Level::unary)
        return fmt::format("-{}'sd{}", width,
                           to_string((Integer{1} << width) - static_cast<Integer>(expr.words[0])));
    return fmt::format("{}'{}d{}", width, sign, expr.words[0]);
}

/// Adds parentheses to bit operators and comparisons too, because their precedence differs between
/// languages.
std::string side(const Expr& around, const Expr& operand, bool left) {
    const Level level = around.level;
    const bool chains = left && !around.strict && operand.level == level &&
                        level != Level::equality && level != Level::relation;
    const bool mixes = !around.strict && level <= Level::bit_and && level >= Level::bit_or &&
                       operand.level != level && operand.level < Level::unary;
    const bool closed = mixes ? operand.level <= Level::product : !chains && operand.level <= level;
    return closed ? "(" + written(operand) + ")" : written(operand);
}

std::string binary_text(const Expr& expr) {
    const std::string a = side(expr, *expr.operands[0], true);
    const std::string b = side(expr, *expr.operands[1], false);
    const bool is_long = expr.new_line && a.size() + b.size() > long_operands;
    return fmt::format("{} {}{}{}", a, expr.text, is_long ? line_mark : ' ', b);
}

/// Writes a chain of selections in sequence.
std::string select_text(const Expr& first) {
    std::string text;
    const auto inside = [](const ExprRef& each) {
        return written(each,
                       each->level == Level::conditional ? Level::logical_or : Level::conditional);
    };
    const Expr* at = &first;
    for (; at->kind == Expr::Kind::select; at = at->operands[2].get()) {
        if (at->begins_line)
            text += line_mark;
        text += fmt::format("{} ? {} :{}", inside(at->operands[0]), inside(at->operands[1]),
                            at->new_line ? line_mark : ' ');
    }
    return text + written(*at);
}

/// Joins parts; several short ones share a line.
std::string joined_text(const Expr& expr) {
    constexpr std::size_t short_text = 30;
    std::vector<std::string> texts;
    std::size_t longest = 0;
    for (const ExprRef& part : expr.operands) {
        texts.push_back(written(*part));
        longest = std::max(longest, texts.back().size());
    }
    if (!expr.new_line || texts.size() < 3 || longest <= short_text)
        return fmt::format("{{{}}}", fmt::join(texts, ", "));
    return fmt::format("{{{0}{1}}}", line_mark, fmt::join(texts, std::string{","} + line_mark));
}

std::string call_text(const Expr& expr) {
    std::string given;
    for (const ExprRef& argument : expr.operands)
        given += (given.empty() ? "" : ", ") + written(*argument);
    return fmt::format("{}({})", expr.text, given);
}

std::string integer_text(const Expr& expr) {
    if (expr.operands.size() == 1)
        return expr.text + written(*expr.operands[0]);
    return fmt::format("{} {} {}", written(*expr.operands[0]), expr.text,
                       written(*expr.operands[1]));
}

std::string written(const Expr& expr) {
    switch (expr.kind) {
    case Expr::Kind::literal: return literal_text(expr);
    case Expr::Kind::place: return verilog(expr.place);
    case Expr::Kind::unary: return expr.text + written(expr.operands[0], Level::unary);
    case Expr::Kind::binary: return binary_text(expr);
    case Expr::Kind::select: return select_text(expr);
    case Expr::Kind::joined: return joined_text(expr);
    case Expr::Kind::repeated:
        return fmt::format("{{{}{{{}}}}}", expr.count, written(*expr.operands[0]));
    case Expr::Kind::as_signed: return fmt::format("$signed({})", written(*expr.operands[0]));
    case Expr::Kind::as_unsigned: return fmt::format("$unsigned({})", written(*expr.operands[0]));
    case Expr::Kind::call: return call_text(expr);
    case Expr::Kind::number: return to_string(expr.value);
    case Expr::Kind::integer: return integer_text(expr);
    case Expr::Kind::grouped: return "(" + written(*expr.operands[0]) + ")";
    case Expr::Kind::verbatim: break;
    }
    return expr.text;
}

} // namespace

std::string verilog(const ExprRef& expr) {
    return written(*expr);
}

std::string verilog(const Place& place) {
    std::string all =
        place.word ? fmt::format("{}[{}]", place.name, verilog(place.word)) : place.name;
    if (place.whole())
        return all;
    const std::uint64_t low = place.low, width = place.width;
    if (!place.moved)
        return width == 1 ? fmt::format("{}[{}]", all, low)
                          : fmt::format("{}[{}:{}]", all, low + width - 1, low);
    std::string at = verilog(place.moved);
    if (low != 0)
        at = is_integer(*place.moved)
                 ? fmt::format("{} + {}", at, low)
                 : fmt::format("{} + {}'d{}", at, index_width(place.total), low);
    return width == 1 ? fmt::format("{}[{}]", all, at)
                      : fmt::format("{}[{} +: {}]", all, at, width);
}

std::string verilog(const std::vector<Given>& given) {
    std::string result;
    for (const Given& each : given)
        result +=
            fmt::format("{}.{}({})", result.empty() ? "" : ", ", each.name, verilog(each.value));
    return result.empty() ? result : " #(" + result + ")";
}

std::string range_of(std::uint64_t width) {
    return width == 1 ? std::string{} : fmt::format("[{}:0] ", width - 1);
}

} // namespace sme::hdl::rtl
