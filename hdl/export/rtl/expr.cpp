// SPDX-License-Identifier: Apache-2.0
#include "export/rtl/expr.hpp"

#include <bit>

namespace sme::hdl {

unsigned index_width(std::uint64_t count) {
    return count <= 2 ? 1 : static_cast<unsigned>(std::bit_width(count - 1));
}

} // namespace sme::hdl

namespace sme::hdl::rtl {

namespace {

Expr result(Expr::Kind kind, std::uint64_t width, bool is_signed, std::vector<ExprRef> operands) {
    Expr expr;
    expr.kind = kind;
    expr.width = width;
    expr.is_signed = is_signed;
    expr.operands = std::move(operands);
    return expr;
}

ExprRef shared(const Expr& expr) {
    return std::make_shared<Expr>(expr);
}

ExprRef times_integer(const ExprRef& by, std::uint64_t bits) {
    const bool is_sum = by->kind == Expr::Kind::integer &&
                        (by->operands.size() == 1 || by->text == "+" || by->text == "-");
    return integer("*", is_sum ? grouped(by) : by, number(static_cast<Integer>(bits)));
}

} // namespace

Expr::~Expr() {
    std::vector<ExprRef> open = std::move(operands);
    while (!open.empty()) {
        const ExprRef last = std::move(open.back());
        open.pop_back();
        if (last && last.use_count() == 1) { // created by `shared`, so not a constant
            auto& behind = const_cast<Expr&>(*last).operands;
            open.insert(open.end(), behind.begin(), behind.end());
            behind.clear();
        }
    }
}

Place Place::part(std::uint64_t from, std::uint64_t bits) const {
    Place cut = *this;
    cut.low += from;
    cut.width = bits;
    return cut;
}

Place Place::moved_by(const ExprRef& by, std::uint64_t bits) const {
    Place cut = *this;
    cut.width = bits;
    cut.steps.clear();
    const unsigned own = index_width(total);
    const ExprRef step =
        bits == 1 ? by
                  : binary("*", Level::product, by, literal(static_cast<Integer>(bits), own), true);
    cut.moved = moved ? binary("+", Level::sum, moved, step) : step;
    return cut;
}

Place Place::moved_by(const Step& step) const {
    Place cut = moved_by(step.by, step.bits);
    if (!moved || !steps.empty()) {
        cut.steps = steps;
        cut.steps.push_back(step);
    }
    return cut;
}

Place Place::with_first(std::uint64_t index) const {
    Place cut = *this;
    cut.moved = nullptr;
    cut.steps.clear();
    for (std::size_t k = 1; k < steps.size(); ++k)
        cut = cut.moved_by(steps[k]);
    cut.low = low + index * steps[0].bits;
    cut.width = width;
    return cut;
}

Place Place::moved_by_integer(const ExprRef& by, std::uint64_t bits) const {
    Place cut = *this;
    cut.width = bits;
    cut.low = 0;
    cut.steps.clear();
    cut.moved = bits == 1 ? by : times_integer(by, bits);
    if (low != 0)
        cut.moved = rtl::integer("+", cut.moved, number(static_cast<Integer>(low)));
    if (moved)
        cut.moved = rtl::integer("+", moved, cut.moved);
    return cut;
}

ExprRef literal(Integer value, std::uint64_t width, bool is_signed, bool hexadecimal) {
    if (width > 64)
        return literal(integer_words(value, width), width, is_signed);
    const Integer modulus = Integer{1} << width;
    value = ((value % modulus) + modulus) % modulus;
    Expr expr = result(Expr::Kind::literal, width, is_signed, {});
    expr.words = {static_cast<std::uint64_t>(value)};
    const Integer smallest_bits = Integer{1} << (width - 1); // has no positive counterpart
    if (hexadecimal || (is_signed && value == smallest_bits))
        expr.style = Expr::Style::hexadecimal;
    else if (is_signed && value > smallest_bits)
        expr.level = Level::unary;
    return shared(expr);
}

ExprRef literal(const Words& words, std::uint64_t width, bool is_signed) {
    if (width <= 64) {
        const std::uint64_t value = words.empty() ? 0 : words[0];
        return literal(static_cast<Integer>(value), width, is_signed, !is_signed && value >= 1024);
    }
    Expr expr = result(Expr::Kind::literal, width, is_signed, {});
    expr.words = words;
    expr.words.resize((width + 63) / 64);
    if (width % 64 != 0)
        expr.words.back() &= (std::uint64_t{1} << (width % 64)) - 1;
    expr.style = Expr::Style::hexadecimal;
    return shared(expr);
}

ExprRef literal_of_digits(const std::string& digits) {
    Expr expr = result(Expr::Kind::literal, digits.size(), false, {});
    expr.digits = digits;
    expr.style = Expr::Style::binary;
    expr.words.resize((digits.size() + 63) / 64);
    for (std::size_t bit = 0; bit < digits.size(); ++bit)
        if (digits[digits.size() - 1 - bit] == '1')
            expr.words[bit / 64] |= std::uint64_t{1} << (bit % 64);
    return shared(expr);
}

ExprRef zero(std::uint64_t width) {
    return literal(Words{0}, width);
}

ExprRef at(Place place) {
    Expr expr = result(Expr::Kind::place, place.width, place.is_signed && place.whole(), {});
    expr.place = std::move(place);
    return shared(expr);
}

ExprRef unary(const char* op, const ExprRef& x) {
    const bool is_truth = *op == '!' || *op == '|';
    Expr expr = result(Expr::Kind::unary, is_truth ? 1 : x->width, !is_truth && x->is_signed, {x});
    expr.text = op;
    expr.level = Level::unary;
    return shared(expr);
}

ExprRef binary(const char* op, Level level, const ExprRef& a, const ExprRef& b, bool strict) {
    const bool is_truth = level == Level::equality || level == Level::relation ||
                          level == Level::logical_and || level == Level::logical_or;
    Expr expr =
        result(Expr::Kind::binary, is_truth ? 1 : a->width, !is_truth && a->is_signed, {a, b});
    expr.text = op;
    expr.level = level;
    expr.strict = strict;
    return shared(expr);
}

ExprRef select(const ExprRef& condition, const ExprRef& yes, const ExprRef& no, bool new_line) {
    const auto bit = [](const Expr& expr) {
        return expr.kind == Expr::Kind::literal && expr.is_bit() && expr.digits.empty()
                   ? std::optional{expr.words[0] != 0}
                   : std::nullopt;
    };
    if (const auto one = bit(*yes), other = bit(*no); one && other && *one != *other)
        return *one ? condition : unary("!", condition);
    Expr expr = result(Expr::Kind::select, yes->width, yes->is_signed, {condition, yes, no});
    expr.level = Level::conditional;
    expr.new_line = new_line;
    return shared(expr);
}

ExprRef over_lines(const ExprRef& binary) {
    Expr expr = *binary;
    expr.new_line = true;
    return shared(expr);
}

ExprRef at_line_begin(const ExprRef& chosen) {
    Expr expr = *chosen;
    expr.begins_line = true;
    return shared(expr);
}

ExprRef joined(std::vector<ExprRef> parts, bool new_line) {
    std::uint64_t width = 0;
    for (const ExprRef& part : parts)
        width += part->width;
    Expr expr = result(Expr::Kind::joined, width, false, std::move(parts));
    expr.new_line = new_line;
    return shared(expr);
}

ExprRef repeated(std::uint64_t count, const ExprRef& x) {
    Expr expr = result(Expr::Kind::repeated, count * x->width, false, {x});
    expr.count = count;
    return shared(expr);
}

ExprRef as_signed(const ExprRef& x) {
    return shared(result(Expr::Kind::as_signed, x->width, true, {x}));
}

ExprRef as_unsigned(const ExprRef& x) {
    return shared(result(Expr::Kind::as_unsigned, x->width, false, {x}));
}

ExprRef call(const std::string& name, std::vector<ExprRef> arguments, std::uint64_t width,
             bool is_signed) {
    Expr expr = result(Expr::Kind::call, width, is_signed, std::move(arguments));
    expr.text = name;
    return shared(expr);
}

ExprRef number(Integer value) {
    Expr expr = result(Expr::Kind::number, 32, true, {});
    expr.value = value;
    return shared(expr);
}

ExprRef integer(std::string_view op, const ExprRef& a, const ExprRef& b) {
    Expr expr = result(Expr::Kind::integer, 32, true, {a, b});
    expr.text = op;
    return shared(expr);
}

ExprRef minus(const ExprRef& a) {
    Expr expr = result(Expr::Kind::integer, 32, true, {a});
    expr.text = "-";
    return shared(expr);
}

bool is_integer(const Expr& expr) {
    switch (expr.kind) {
    case Expr::Kind::number:
    case Expr::Kind::integer: return true;
    case Expr::Kind::grouped: return is_integer(*expr.operands[0]);
    case Expr::Kind::place: return expr.place.is_integer && expr.place.whole();
    default: return false;
    }
}

std::optional<Integer> integer_value(const Expr& expr, const Variables& variables) {
    const auto of = [&](std::size_t k) { return integer_value(*expr.operands[k], variables); };
    switch (expr.kind) {
    case Expr::Kind::number: return expr.value;
    case Expr::Kind::grouped: return of(0);
    case Expr::Kind::place: {
        const auto found = variables.find(expr.place.name);
        return found != variables.end() && expr.place.whole() ? std::optional{found->second}
                                                              : std::nullopt;
    }
    case Expr::Kind::integer: break;
    default: return std::nullopt;
    }
    const auto a = of(0);
    if (expr.operands.size() == 1)
        return a ? std::optional{-*a} : std::nullopt;
    const auto b = of(1);
    if (!a || !b)
        return std::nullopt;
    switch (expr.text[0]) {
    case '+': return *a + *b;
    case '-': return *a - *b;
    case '*': return *a * *b;
    case '/': return *b == 0 ? std::nullopt : std::optional{*a / *b};
    case '%': return *b == 0 ? std::nullopt : std::optional{*a % *b};
    default: return std::nullopt;
    }
}

ExprRef grouped(const ExprRef& x) {
    return shared(result(Expr::Kind::grouped, x->width, x->is_signed, {x}));
}

ExprRef verbatim(const std::string& text) {
    Expr expr = result(Expr::Kind::verbatim, 1, false, {});
    expr.text = text;
    return shared(expr);
}

} // namespace sme::hdl::rtl
