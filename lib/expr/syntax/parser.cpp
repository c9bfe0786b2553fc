// SPDX-License-Identifier: Apache-2.0
#include "expr/syntax/parser.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "bits/scalar_text.hpp"
#include "expr/syntax/expression_parser.hpp"
#include "expr/syntax/lexer.hpp"

namespace sme::expr {

namespace {

/// Parses the constructs around expressions: declarations, families and initial values.
class Parser : public ExpressionParser {
public:
    using ExpressionParser::ExpressionParser;

    AstRef whole_expression() {
        AstRef found = expression();
        expect_end();
        return found;
    }

    Guarded whole_guarded() {
        Guarded found;
        found.value = expression();
        if (accept("when"))
            found.when = expression();
        expect_end();
        return found;
    }

    PropertyText whole_property() {
        PropertyText found;
        const std::size_t begin = at_;
        found.first = expression();
        if (at("in")) {
            found.bins = bins(begin, found.first);
            if (accept("cross")) {
                const std::size_t second = at_;
                AstRef value = expression();
                found.bins = crossed(found.bins, bins(second, value));
            }
            found.first = found.bins.front().condition;
        } else if (accept("then")) {
            found.then = expression();
            if (accept("within"))
                found.to = expression();
            else if (accept("in")) {
                found.from = found.to = expression();
                found.one_cycle = !accept("to");
                if (!found.one_cycle)
                    found.to = expression();
            } else
                fail("'within n' or 'in n', which says when,");
        }
        expect_end();
        return found;
    }

    AstRef whole_initial() {
        AstRef found = initial();
        expect_end();
        return found;
    }

    AstRef whole_target() {
        takes_ranges_ = true;
        AstRef found = postfix();
        if (next().kind == Token::Kind::end)
            return found;
        diagnostics_.add(Code::bad_target, here(),
                         "a target is a state or an output, with .field or [index] after it");
        throw Broken{};
    }

    FunctionName whole_function_name() {
        FunctionName found;
        found.where = text_.all();
        check_name();
        found.name = std::string{name("a name")};
        expect("(");
        do {
            const std::size_t first = at_;
            std::string parameter{name("the name of an argument")};
            found.parameters.push_back({std::move(parameter), from(first)});
        } while (accept(","));
        expect(")");
        expect_end();
        return found;
    }

    /// Parses "a, b, 0b1??0"; empty for "else".
    std::vector<Pattern> whole_patterns() {
        std::vector<Pattern> found;
        if (accept("else")) {
            expect_end();
            return found;
        }
        do
            found.push_back(pattern());
        while (accept(","));
        expect_end();
        return found;
    }

    Declaration whole_declaration() {
        Declaration found;
        found.where = text_.all();
        if (accept("wire"))
            found.wire = true;
        else if (accept("delay"))
            found.delay = at("-") ? unary() : primary();
        if (accept("hold"))
            found.hold = true;
        else if (accept("error"))
            found.error = true;
        if (next().kind != Token::Kind::name || is_declaring(next().text))
            fail_declaration();
        found.type = postfix();
        if (accept("="))
            found.initial = initial();
        if (is_declaring(next().text))
            fail_declaration();
        expect_end();
        return found;
    }

    Declaration whole_channel() {
        Declaration found;
        found.where = text_.all();
        if (!is_alone() && accept("depth"))
            found.depth = at("-") ? unary() : primary();
        if (accept("delay"))
            found.delay = at("-") ? unary() : primary();
        if (next().kind != Token::Kind::name || is_declaring(next().text))
            fail("a type, as in 'depth 8 u24',");
        found.type = postfix();
        expect_end();
        return found;
    }

    Declaration whole_port() {
        const bool channel = !is_alone() && accept("channel");
        Declaration found = whole_declaration();
        found.channel = channel;
        return found;
    }

    FamilyName whole_family_name() {
        FamilyName found;
        found.where = text_.all();
        check_name();
        found.name = std::string{name("a name")};
        if (accept("[")) {
            do
                found.ranges.push_back(range());
            while (accept(","));
            expect("]");
        }
        expect_end();
        return found;
    }

private:
    static bool is_declaring(std::string_view word) {
        return word == "wire" || word == "delay" || word == "hold" || word == "error";
    }

    /// Returns true if no other word follows: the word is then the name of a type, even if
    /// reserved.
    bool is_alone() const {
        return next().kind == Token::Kind::end || tokens_[at_ + 1].kind == Token::Kind::end;
    }

    [[noreturn]] void fail_declaration() {
        if (!is_declaring(next().text))
            fail("a type");
        diagnostics_.add(Code::expression_syntax, here(),
                         fmt::format("'{}' is in the wrong place; a declaration is written "
                                     "'[wire | delay n] [hold | error] type [= initial]'",
                                     next().text));
        throw Broken{};
    }

    Pattern pattern() {
        const std::size_t first = at_;
        Pattern found;
        const std::string_view text = next().text;
        if (next().kind != Token::Kind::number || text.find('?') == text.npos) {
            found.value = binary(comparison);
            found.where = found.value->where;
            return found;
        }
        ++at_;
        found.where = from(first);
        bool fits = has_prefix(text, 'b');
        for (const char digit : text.substr(2)) {
            if (digit == '_')
                continue;
            fits = fits && (digit == '0' || digit == '1' || digit == '?') && ++found.digits <= 64;
            found.bits = found.bits << 1 | (digit == '1' ? 1u : 0u);
            found.mask = found.mask << 1 | (digit == '?' ? 0u : 1u);
        }
        if (!fits) {
            diagnostics_.add(Code::number_syntax, found.where,
                             fmt::format("'{}' is no pattern; write up to 64 of 0, 1 and ?, as in "
                                         "0b1??0",
                                         text.substr(0, 80)));
            throw Broken{};
        }
        return found;
    }

    /// Checks that the text before the brackets of a family or function is a single name.
    void check_name() {
        const std::string_view all = text_.text;
        const std::string_view written =
            all.substr(0, all.find_last_not_of(" \n", all.find_first_of("[(") - 1) + 1);
        if (is_identifier(written) && !is_reserved(written))
            return;
        const Location where = text_.at(0, std::max<std::size_t>(written.size(), 1));
        if (is_reserved(written))
            report_reserved(written, "a name", where, diagnostics_);
        else
            diagnostics_.add(Code::bad_name, where,
                             fmt::format("a name consists of letters, digits and '_' and does not "
                                         "begin with a digit, but this is '{}'",
                                         written.substr(0, 60)));
        throw Broken{};
    }

    RangeText range() {
        const std::size_t first = at_;
        RangeText found;
        AstRef whole = expression_or_range(found);
        found.where = from(first);
        if (whole)
            found.end = std::move(whole);
        return found;
    }
};

/// Runs one parsing function; an empty text is reported as empty.
template <class Result, class Parse>
std::optional<Result> parsed(const Text& text, Diagnostics& diagnostics, Parse parse) {
    const std::size_t errors = diagnostics.errors();
    try {
        Parser parser{text, diagnostics};
        if (diagnostics.errors() != errors) // the lexer has reported an error
            return std::nullopt;
        Result result = (parser.*parse)();
        if (diagnostics.errors() == errors)
            return result;
    } catch (const Broken&) {
    }
    return std::nullopt;
}

} // namespace

AstRef parse_expression(const Text& text, Diagnostics& diagnostics) {
    return parsed<AstRef>(text, diagnostics, &Parser::whole_expression).value_or(nullptr);
}

AstRef parse_target(const Text& text, Diagnostics& diagnostics) {
    return parsed<AstRef>(text, diagnostics, &Parser::whole_target).value_or(nullptr);
}

std::optional<FunctionName> parse_function_name(const Text& text, Diagnostics& diagnostics) {
    return parsed<FunctionName>(text, diagnostics, &Parser::whole_function_name);
}

std::optional<std::vector<Pattern>> parse_patterns(const Text& text, Diagnostics& diagnostics) {
    return parsed<std::vector<Pattern>>(text, diagnostics, &Parser::whole_patterns);
}

std::optional<Guarded> parse_guarded(const Text& text, Diagnostics& diagnostics) {
    return parsed<Guarded>(text, diagnostics, &Parser::whole_guarded);
}

std::optional<PropertyText> parse_property(const Text& text, Diagnostics& diagnostics) {
    return parsed<PropertyText>(text, diagnostics, &Parser::whole_property);
}

std::optional<Declaration> parse_declaration(const Text& text, Diagnostics& diagnostics) {
    return parsed<Declaration>(text, diagnostics, &Parser::whole_declaration);
}

std::optional<Declaration> parse_port(const Text& text, Diagnostics& diagnostics) {
    return parsed<Declaration>(text, diagnostics, &Parser::whole_port);
}

std::optional<Declaration> parse_channel(const Text& text, Diagnostics& diagnostics) {
    return parsed<Declaration>(text, diagnostics, &Parser::whole_channel);
}

std::optional<FamilyName> parse_family_name(const Text& text, Diagnostics& diagnostics) {
    return parsed<FamilyName>(text, diagnostics, &Parser::whole_family_name);
}

AstRef parse_initial(const Text& text, Diagnostics& diagnostics) {
    return parsed<AstRef>(text, diagnostics, &Parser::whole_initial).value_or(nullptr);
}

// Structs and arrays in literal form: {a: 1, b: true}, [1, 2] and file(name).

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
