// SPDX-License-Identifier: Apache-2.0
#include "expr/syntax/expression_parser.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "bits/decimal.hpp"
#include "expr/syntax/lexer.hpp"
#include "sme/type.hpp"

namespace sme::expr {

namespace {

/// Finds a comment after the text: YAML ends a plain text at " #", which may explain a truncated
/// line.
std::optional<Location> comment_behind(const Text& text) {
    const std::string_view all = text.source->text();
    const std::size_t end = text.offsets.back();
    const std::size_t hash = end < all.size() ? all.find_first_not_of(" \t", end) : all.npos;
    if (hash == all.npos || all[hash] != '#')
        return std::nullopt;
    Location where;
    where.source = text.source;
    where.begin = static_cast<std::uint32_t>(hash);
    where.end = static_cast<std::uint32_t>(std::min(all.find('\n', hash), all.size()));
    return where;
}

} // namespace

bool ExpressionParser::at(std::string_view word) const {
    const Token& token = next();
    return token.kind != Token::Kind::end && is_same(token.text, word);
}
bool ExpressionParser::accept(std::string_view word) {
    if (!at(word))
        return false;
    ++at_;
    return true;
}
Location ExpressionParser::here() const {
    const Token& token = next();
    if (token.kind == Token::Kind::end && at_ > 0)
        return text_.at(tokens_[at_ - 1].begin, tokens_[at_ - 1].end);
    return text_.at(token.begin, token.end);
}
void ExpressionParser::fail(std::string_view wanted) {
    const Token& token = next();
    const auto is_value = [](const Token& before) {
        return before.kind == Token::Kind::number || before.text == ")" || before.text == "]" ||
               before.text == "}" ||
               (before.kind == Token::Kind::name && !is_reserved(before.text));
    };
    const bool behind = at_ > 0 && is_value(tokens_[at_ - 1]);
    const std::string_view before = behind ? tokens_[at_ - 1].text : std::string_view{};
    std::string_view foreign = token.text, here_called = foreign_symbol(foreign);
    if (here_called.empty() && behind && token.kind == Token::Kind::name)
        here_called = foreign_operator(foreign);
    if (here_called.empty() && is_loop_word(before))
        foreign = before, here_called = loop_form, --at_;
    if (here_called.empty() && wanted == "a value" && token.kind == Token::Kind::name &&
        report_reserved_value(token.text, here(), diagnostics_))
        throw Broken{};
    std::string message;
    if (!here_called.empty())
        message = fmt::format("'{}' is written {} here{}", foreign, here_called,
                              foreign == "=" ? "; a step assigns with a colon, as in 'y: a'" : "");
    else if (token.kind == Token::Kind::end)
        message = fmt::format("{} is missing at the end", wanted);
    else
        message = fmt::format("'{}' is written where {} belongs", token.text, wanted);
    Diagnostic& found = diagnostics_.add(Code::expression_syntax, here(), std::move(message));
    if (token.kind == Token::Kind::end)
        if (const auto comment = comment_behind(text_))
            found.note(*comment, "'#' begins a comment, which is no part of the expression");
    throw Broken{};
}
void ExpressionParser::expect(std::string_view word) {
    if (!accept(word))
        fail(fmt::format("'{}'", word));
}
void ExpressionParser::expect_end() {
    if (next().kind != Token::Kind::end)
        fail("an operator or the end");
}
std::string_view ExpressionParser::name(std::string_view wanted) {
    if (next().kind != Token::Kind::name || is_reserved(next().text))
        fail(wanted);
    return tokens_[at_++].text;
}

Location ExpressionParser::from(std::size_t first_token) const {
    return text_.at(tokens_[first_token].begin, tokens_[std::max(at_, first_token + 1) - 1].end);
}
void ExpressionParser::too_deep() {
    diagnostics_.add(Code::too_deep, here(),
                     fmt::format("the expression is nested more than {} deep; name parts of it "
                                 "in 'let'",
                                 deepest));
    throw Broken{};
}
void ExpressionParser::too_many_terms() {
    diagnostics_.add(Code::too_deep, here(),
                     fmt::format("the expression has more than {} terms side by side; name parts "
                                 "of it in 'let', or write sum, all or any over a range",
                                 max_terms));
    throw Broken{};
}
AstRef ExpressionParser::make(Ast::Kind kind, std::size_t first_token, std::vector<AstRef> operands,
                              std::string_view word, Operator op, int depth) {
    auto result = std::make_shared<Ast>();
    result->kind = kind;
    result->op = op;
    result->where = from(first_token);
    result->text = std::string{word};
    result->operands = std::move(operands);
    if (depth > 0)
        result->depth = depth;
    else
        for (const AstRef& operand : result->operands)
            result->depth = std::max(result->depth, operand->depth + 1);
    if (result->depth > deepest)
        too_deep();
    return result;
}

std::vector<const Ast*> chain_of(const Ast& binary) {
    std::vector<const Ast*> found;
    for (const Ast* at = &binary; at->kind == Ast::Kind::binary; at = at->operands[0].get())
        found.push_back(at);
    return found;
}

AstRef ExpressionParser::expression() {
    const Deeper deeper{*this};
    return at("if") ? conditional() : binary(0);
}

AstRef ExpressionParser::conditional() {
    const std::size_t first = at_;
    std::vector<AstRef> operands;
    do {
        ++at_; // if or elif
        operands.push_back(expression());
        expect("then");
        operands.push_back(expression());
    } while (at("elif"));
    expect("else");
    operands.push_back(expression());
    return make(Ast::Kind::conditional, first, std::move(operands));
}

AstRef ExpressionParser::binary(int weakest) {
    const Deeper deeper{*this};
    const std::size_t first = at_;
    AstRef left = weakest < comparison && at("not") ? negation() : unary();
    int chained = 0; // strength of the preceding operators
    std::size_t terms = 1;
    for (;;) {
        const OperatorRow* rule =
            next().kind == Token::Kind::end ? nullptr : binary_operator(next().text);
        if (!rule || rule->strength <= weakest)
            return left;
        ++at_;
        // implies is right-associative; comparisons do not associate
        const int right_side =
            rule->name == Operator::implies ? rule->strength - 1 : rule->strength;
        AstRef right = at("if") ? conditional() : binary(right_side);
        terms = rule->strength == chained ? terms + 1 : 2;
        if (terms > max_terms)
            too_many_terms();
        const int before = rule->strength == chained ? left->depth : left->depth + 1;
        left = make(Ast::Kind::binary, first, {left, right}, {}, rule->name,
                    std::max(before, right->depth + 1));
        chained = rule->strength;
        if (rule->strength == comparison && next().kind != Token::Kind::end)
            if (const OperatorRow* again = binary_operator(next().text);
                again && again->strength == comparison) {
                diagnostics_.add(Code::expression_syntax, here(),
                                 "comparisons do not chain; write 'a < b and b < c'");
                throw Broken{};
            }
    }
}

AstRef ExpressionParser::negation() {
    const std::size_t first = at_++;
    AstRef operand = binary(comparison - 1);
    return make(Ast::Kind::unary, first, {operand}, {}, Operator::logical_not);
}

AstRef ExpressionParser::unary() {
    const Deeper deeper{*this};
    const std::size_t first = at_;
    if (accept("-"))
        return make(Ast::Kind::unary, first, {unary()}, {}, Operator::negate);
    if (accept("~"))
        return make(Ast::Kind::unary, first, {unary()}, {}, Operator::complement);
    if (at("not")) {
        diagnostics_.add(Code::expression_syntax, here(),
                         "'not' binds weaker than this operator; put it in parentheses");
        throw Broken{};
    }
    return postfix();
}

AstRef ExpressionParser::postfix() {
    const std::size_t first = at_;
    AstRef base = primary();
    for (;;) {
        if (accept("[")) {
            base = brackets(first, std::move(base));
        } else if (at(".") && tokens_[at_ + 1].text != "." && accept(".")) { // not a range: 1..9
            const std::string_view field = name("a field");
            base = make(Ast::Kind::field, first, {base}, field);
        } else if (at("(") && (base->kind == Ast::Kind::name || base->kind == Ast::Kind::call)) {
            ++at_;
            base = call(first, std::move(base));
            if (base->operands[0]->text == "random" && next().kind == Token::Kind::name &&
                tokens_[at_ + 1].text == "where")
                return drawn_by_rule(first, *base);
        } else
            return base;
        if (++chain_ > 1000)
            fail("a shorter expression");
    }
}

AstRef ExpressionParser::brackets(std::size_t first, AstRef base) {
    if (accept("]")) // T[]: the file gives the length
        return make(Ast::Kind::index, first, {std::move(base)});
    std::vector<AstRef> operands{std::move(base), index()};
    if (accept(":")) {
        operands.push_back(expression());
        expect("]");
        return make(Ast::Kind::slice, first, std::move(operands));
    }
    while (accept(","))
        operands.push_back(index());
    expect("]");
    return make(Ast::Kind::index, first, std::move(operands));
}

/// Parses an index; in a target it may be a range.
AstRef ExpressionParser::index() {
    const std::size_t first = at_;
    if (!takes_ranges_)
        return expression();
    RangeText range;
    if (AstRef plain = expression_or_range(range))
        return plain;
    auto result = std::make_shared<Ast>(*make(Ast::Kind::range, first, {range.end}, range.index));
    if (range.low)
        result->operands.push_back(range.low);
    return result;
}

/// Returns the expression for "n"; for "k < n" and "low <= k < n", fills `found` and returns null.
AstRef ExpressionParser::expression_or_range(RangeText& found) {
    AstRef left = binary(comparison);
    if (accept("<=")) {
        found.low = std::move(left);
        found.index = std::string{name("an index")};
        expect("<");
        found.end = binary(comparison);
        return nullptr;
    }
    if (!accept("<"))
        return left;
    if (left->kind != Ast::Kind::name) {
        diagnostics_.add(Code::bad_range, left->where,
                         "a range is written 'n', 'k < n' or '1 <= k < n'");
        throw Broken{};
    }
    found.index = left->text;
    found.end = binary(comparison);
    return nullptr;
}

AstRef ExpressionParser::call(std::size_t first, AstRef callee) {
    if (callee->text == "file" && callee->kind == Ast::Kind::name) {
        diagnostics_.add(Code::expression_syntax, callee->where,
                         "file(...) is allowed only after '=' of a constant or an initial value");
        throw Broken{};
    }
    std::vector<AstRef> operands{std::move(callee)};
    if (!accept(")")) {
        do
            operands.push_back(argument());
        while (accept(","));
        expect(")");
    }
    return make(Ast::Kind::call, first, std::move(operands));
}

/// random(T) x where condition: a call with the named argument x.
AstRef ExpressionParser::drawn_by_rule(std::size_t first, const Ast& plain) {
    const std::size_t begin = at_;
    const std::string_view drawn = name("a name");
    ++at_; // where
    std::vector<AstRef> operands = plain.operands;
    operands.push_back(make(Ast::Kind::named, begin, {expression()}, drawn));
    return make(Ast::Kind::call, first, std::move(operands));
}

AstRef ExpressionParser::argument() {
    const std::size_t first = at_;
    if (next().kind == Token::Kind::name && tokens_[at_ + 1].kind == Token::Kind::symbol &&
        tokens_[at_ + 1].text == "=") {
        const std::string_view field = name("a field");
        ++at_;
        return make(Ast::Kind::named, first, {expression()}, field);
    }
    return expression();
}

AstRef ExpressionParser::primary() {
    const Deeper deeper{*this};
    const std::size_t first = at_;
    const Token token = next();
    if (token.kind == Token::Kind::number)
        return number();
    if (accept("true") || accept("false")) {
        auto result = std::make_shared<Ast>(*make(Ast::Kind::boolean, first, {}));
        result->value = token.text == "true" ? 1 : 0;
        return result;
    }
    if (accept("(")) {
        AstRef inner = expression();
        expect(")");
        return inner;
    }
    if (at("{"))
        return fields();
    return make(Ast::Kind::name, first, {}, name("a value"));
}

namespace {

/// Returns true if a text is a number of any size.
bool is_number(std::string_view text) {
    const std::optional<Digits> digits = digits_of(text);
    return digits && std::all_of(digits->text.begin(), digits->text.end(),
                                 [&](char c) { return c == '_' || digit_value(c) < digits->base; });
}

} // namespace

AstRef ExpressionParser::number() {
    const std::size_t first = at_;
    const std::string_view digits = next().text;
    if (digits.find('.') != digits.npos && parse_decimal(digits)) {
        ++at_;
        return make(Ast::Kind::decimal, first, {}, digits);
    }
    const std::optional<Integer> value = parse_integer(digits);
    std::optional<Words> words;
    if (!value)
        words = parse_words(digits, Type::max_bits);
    if (!value && !words) {
        const bool zero_first =
            digits.size() > 1 && digits[0] == '0' && digits[1] >= '0' && digits[1] <= '9';
        diagnostics_.add(
            Code::number_syntax, here(),
            digits.find('?') != digits.npos
                ? fmt::format("'{}' is a pattern, which is allowed only in the arms of a match",
                              digits.substr(0, 40))
            : zero_first ? fmt::format("'{}' begins with a zero, which means eight in some "
                                       "tools; write it without",
                                       digits)
            : is_number(digits)
                ? fmt::format("'{}' is larger than any number here (2^4096)", digits.substr(0, 40))
                : fmt::format("'{}' is no number; write 12, 1_000, 0.75, 0x1f or 0b1010",
                              digits.substr(0, 40)));
        throw Broken{};
    }
    ++at_;
    auto result = std::make_shared<Ast>(*make(Ast::Kind::number, first, {}));
    if (value)
        result->value = *value;
    else {
        result->value = Integer{1} << 126; // for code that only reads `value`
        result->words = std::make_shared<const Words>(std::move(*words));
    }
    return result;
}

} // namespace sme::expr
