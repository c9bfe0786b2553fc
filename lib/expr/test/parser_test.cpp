// SPDX-License-Identifier: Apache-2.0
//
// Texts as trees, printed with every parenthesis, and the errors for invalid texts.
#include "expr/test/expression.hpp"

#include <doctest/doctest.h>

namespace {

using namespace sme;
using expr::Ast;
using test::first_of;
using test::text_of;

std::string written(const Ast& ast) {
    const auto operands = [&](std::size_t first) {
        std::string result;
        for (std::size_t k = first; k < ast.operands.size(); ++k)
            result += (k > first ? ", " : "") + written(*ast.operands[k]);
        return result;
    };
    switch (ast.kind) {
    case Ast::Kind::number: return to_string(ast.value);
    case Ast::Kind::boolean: return ast.value != 0 ? "true" : "false";
    case Ast::Kind::decimal:
    case Ast::Kind::name: return ast.text;
    case Ast::Kind::index: return written(*ast.operands[0]) + "[" + operands(1) + "]";
    case Ast::Kind::slice:
        return written(*ast.operands[0]) + "[" + written(*ast.operands[1]) + ":" +
               written(*ast.operands[2]) + "]";
    case Ast::Kind::field: return written(*ast.operands[0]) + "." + ast.text;
    case Ast::Kind::call: return written(*ast.operands[0]) + "(" + operands(1) + ")";
    case Ast::Kind::named: return ast.text + " = " + written(*ast.operands[0]);
    case Ast::Kind::unary:
        return fmt::format("({} {})", spelling(ast.op), written(*ast.operands[0]));
    case Ast::Kind::binary:
        return fmt::format("({} {} {})", written(*ast.operands[0]), spelling(ast.op),
                           written(*ast.operands[1]));
    case Ast::Kind::conditional: return "if(" + operands(0) + ")";
    case Ast::Kind::fields: return "{" + operands(0) + "}";
    case Ast::Kind::list: return "[" + operands(0) + "]";
    case Ast::Kind::file: return "file(" + ast.text + ")";
    case Ast::Kind::range:
        return (ast.operands.size() > 1 ? written(*ast.operands[1]) + " <= " : "") + ast.text +
               " < " + written(*ast.operands[0]);
    }
    return "?";
}

std::string parsed_target(const std::string& text) {
    Diagnostics diagnostics;
    const expr::AstRef ast = expr::parse_target(text_of(text), diagnostics);
    return ast ? written(*ast) : first_of(diagnostics);
}

/// Prints each pattern as its expression or its bits, with '?' for ignored bits.
std::string parsed_patterns(const std::string& text) {
    Diagnostics diagnostics;
    const auto patterns = expr::parse_patterns(text_of(text), diagnostics);
    if (!patterns)
        return first_of(diagnostics);
    std::string result;
    for (const expr::Pattern& pattern : *patterns) {
        result += result.empty() ? "" : "; ";
        for (unsigned bit = pattern.value ? 0 : pattern.digits; bit-- > 0;)
            result += (pattern.mask >> bit & 1) == 0   ? "?"
                      : (pattern.bits >> bit & 1) != 0 ? "1"
                                                       : "0";
        if (pattern.value)
            result += written(*pattern.value);
    }
    return result;
}

std::string parsed(const std::string& text) {
    Diagnostics diagnostics;
    const expr::AstRef ast = expr::parse_expression(text_of(text), diagnostics);
    return ast ? written(*ast) : first_of(diagnostics);
}

} // namespace

TEST_CASE("expressions become the trees that the table of operators says") {
    CHECK(parsed("a + b * c - d") == "((a + (b * c)) - d)");
    CHECK(parsed("a << b + c & d") == "((a << (b + c)) & d)");
    CHECK(parsed("a | b ^ c & d == e") == "((a | (b ^ (c & d))) == e)");
    CHECK(parsed("not a == b and c or d implies e") == "((((not (a == b)) and c) or d) implies e)");
    CHECK(parsed("a implies b implies c") == "(a implies (b implies c))");
    CHECK(parsed("a - b - c") == "((a - b) - c)");
    CHECK(parsed("-a.b[1].c") == "(- a.b[1].c)");
    CHECK(parsed("- - a") == "(- (- a))");
    CHECK(parsed("~-a") == "(~ (- a))");
    CHECK(parsed("not not a") == "(not (not a))");
    CHECK(parsed("x[7:0][3]") == "x[7:0][3]");
    CHECK(parsed("f(a, b = c)(d)[e, f]") == "f(a, b = c)(d)[e, f]");
    CHECK(parsed("u(n + 1)(x)") == "u((n + 1))(x)");
    CHECK(parsed("if a then b elif c then d else e + f") == "if(a, b, c, d, (e + f))");
    CHECK(parsed("a + if b then c else d + e") == "(a + if(b, c, (d + e)))");
    CHECK(parsed("a and not b") == "(a and (not b))");
    CHECK(parsed("0x_") != "0");
    CHECK(parsed("a # a comment\n + b") == "(a + b)");
    CHECK(parsed("{a: 1, b: {c: x}} == y.d") == "({a = 1, b = {c = x}} == y.d)");
    CHECK(parsed("{a:x[7:0]}.a") == "{a = x[7:0]}.a");
    CHECK(parsed("whenever + iffy") == "(whenever + iffy)");
}

TEST_CASE("what is no expression is refused with what belongs there") {
    const auto begins = [](const char* text, const std::string& message) {
        CAPTURE(text);
        CHECK(parsed(text).substr(0, message.size()) == message);
    };
    begins("", "expression-syntax: ");
    begins("a +", "expression-syntax: a value is missing at the end");
    begins("a b", "expression-syntax: 'b' is written where an operator or the end belongs");
    begins("(a", "expression-syntax: ')' is missing at the end");
    begins("a < b < c", "expression-syntax: comparisons do not chain; write 'a < b and b < c'");
    begins("a == b != c", "expression-syntax: comparisons do not chain");
    begins("a && b", "expression-syntax: '&&' is written 'and' here");
    begins("a || b", "expression-syntax: '||' is written 'or' here");
    begins("!a", "expression-syntax: '!' is written 'not' here");
    begins("a ? b : c", "expression-syntax: '?' is written 'if a then b else c' here");
    begins("1 + not a", "expression-syntax: 'not' binds weaker than this operator");
    begins("if a then b", "expression-syntax: 'else' is missing at the end");
    begins("a $ b", "expression-syntax: '$' is no part of an expression");
    begins("f(a,)", "expression-syntax: ");
    begins("file(x)", "expression-syntax: file(...) is allowed only after '='");
    begins("[1, 2]", "expression-syntax: ");
    begins("{}", "expression-syntax: '}' is written where a field, as in {a: 1}, belongs");
    begins("{a, b}",
           "expression-syntax: a field of a map has a value, as in {a: 1}; bits are joined");
    begins("{0b1, a}", "expression-syntax: a field of a map has a value, as in {a: 1}; bits are");
    begins("{a: [1]}", "expression-syntax: '[' is written where a value belongs");
    begins("{a: 1", "expression-syntax: '}' is missing at the end");
    begins("010", "number-syntax: '010' begins with a zero");
    begins("12ab", "number-syntax: '12ab' is no number");
    begins("0x", "number-syntax: ");
    begins("then", "expression-syntax: 'then' is written where a value belongs");
}

TEST_CASE("an expression that is too deep is refused, however it is nested") {
    const auto times = [](const std::string& text, int n) {
        std::string result;
        for (int k = 0; k < n; ++k)
            result += text;
        return result;
    };
    CHECK(parsed(times("(", 50) + "a" + times(")", 50)) == "a");
    CHECK_FALSE(parsed("a" + times(" - a", 1999)).starts_with("too-deep"));
    CHECK(parsed("a" + times(" - a", 2000)).starts_with("too-deep: the expression has more than"));
    for (const std::string& text :
         {times("(", 100'000), times("-", 100'000) + "a", times("not ", 100'000) + "a",
          times("f(", 100'000), times("a[", 100'000), "a" + times(".a", 100'000),
          "a" + times(" + a", 100'000), times("if ", 100'000),
          times("a implies ", 100'000) + "a"}) {
        const std::string found = parsed(text);
        CHECK((found.starts_with("too-deep: ") || found.starts_with("expression-syntax: ")));
    }
}

TEST_CASE("declarations, guarded values, family names and initial values") {
    Diagnostics diagnostics;
    const auto wire = expr::parse_declaration(text_of("wire u8"), diagnostics);
    REQUIRE(wire);
    CHECK(wire->wire);
    CHECK(written(*wire->type) == "u8");
    const auto late = expr::parse_declaration(text_of("delay 3 hold P[2, 3] = 1 + 2"), diagnostics);
    REQUIRE(late);
    CHECK(written(*late->delay) == "3");
    CHECK(late->hold);
    CHECK(!late->error);
    CHECK(written(*late->type) == "P[2, 3]");
    CHECK(written(*late->initial) == "(1 + 2)");
    const auto list = expr::parse_declaration(text_of("u8[] = [1, [2, x]]"), diagnostics);
    REQUIRE(list);
    CHECK(written(*list->initial) == "[1, [2, x]]");
    const auto file = expr::parse_declaration(text_of("u8[4] = file(a/b-1.hex)"), diagnostics);
    REQUIRE(file);
    CHECK(written(*file->initial) == "file(a/b-1.hex)");
    const auto guarded =
        expr::parse_guarded(text_of("if a then b else c when d or e"), diagnostics);
    REQUIRE(guarded);
    CHECK(written(*guarded->value) == "if(a, b, c)");
    CHECK(written(*guarded->when) == "(d or e)");
    const auto family =
        expr::parse_family_name(text_of("x[k < n + 1, 3, 2 <= j < m]"), diagnostics);
    REQUIRE(family);
    REQUIRE(family->ranges.size() == 3);
    CHECK(family->ranges[0].index == "k");
    CHECK(written(*family->ranges[0].end) == "(n + 1)");
    CHECK(!family->ranges[0].low);
    CHECK(family->ranges[1].index.empty());
    CHECK(family->ranges[2].index == "j");
    CHECK(written(*family->ranges[2].low) == "2");
    CHECK(diagnostics.all().empty());
    for (const char* broken : {"wire", "u8 =", "hold hold u8", "u8 u8", "wire delay 2 u8"}) {
        CAPTURE(broken);
        CHECK(!expr::parse_declaration(text_of(broken), diagnostics));
    }
    for (const char* broken : {"x[", "x[k < ]", "x[1 <= k]", "3", "x y", "if"}) {
        CAPTURE(broken);
        CHECK(!expr::parse_family_name(text_of(broken), diagnostics));
    }
}

TEST_CASE("a property is a condition or a sequence") {
    Diagnostics diagnostics;
    const auto of = [&](const char* text) {
        return expr::parse_property(text_of(text), diagnostics);
    };
    const auto plain = of("if a then b else c");
    REQUIRE(plain);
    CHECK(written(*plain->first) == "if(a, b, c)");
    CHECK(!plain->then);
    const auto within = of("a or b then not c within n + 1");
    REQUIRE(within);
    CHECK(written(*within->first) == "(a or b)");
    CHECK(written(*within->then) == "(not c)");
    CHECK(!within->from);
    CHECK(written(*within->to) == "(n + 1)");
    const auto exact = of("if a then b else c then d in 2");
    REQUIRE(exact);
    CHECK(exact->one_cycle);
    CHECK(written(*exact->first) == "if(a, b, c)");
    CHECK(written(*exact->from) == "2");
    const auto window = of("a then b in 2 to 5");
    REQUIRE(window);
    CHECK(!window->one_cycle);
    CHECK(written(*window->from) == "2");
    CHECK(written(*window->to) == "5");
    REQUIRE(of("within then to within in")); // ordinary names elsewhere
    CHECK(diagnostics.all().empty());
    for (const char* broken : {"a then b", "a then", "then b within 3", "a then b within",
                               "a then b in 2 to", "a then b within 3 then c within 2",
                               "a within 3", "a then b within 2 to 3", "(a then b within 3)"}) {
        CAPTURE(broken);
        CHECK(!of(broken));
    }
}

TEST_CASE("diagnostics point at what was written") {
    Diagnostics diagnostics;
    CHECK(!expr::parse_expression(text_of("abc + && d"), diagnostics));
    REQUIRE(diagnostics.all().size() == 1);
    CHECK(diagnostics.all()[0].where.begin == 6);
    CHECK(diagnostics.all()[0].where.end == 8);
    Diagnostics more;
    const auto ast = expr::parse_expression(text_of("a + (b * c)"), more);
    REQUIRE(ast);
    CHECK(ast->where.begin == 0);
    CHECK(ast->where.end == 11);
    CHECK(ast->operands[1]->where.begin == 5);
    CHECK(ast->operands[1]->where.end == 10);
}

TEST_CASE("a target may have ranges in its brackets") {
    CHECK(parsed_target("y") == "y");
    CHECK(parsed_target("y.f[k < n, 1 <= j < n - 1][2]") == "y.f[k < n, 1 <= j < (n - 1)][2]");
    CHECK(parsed_target("y[7:4]") == "y[7:4]");
    CHECK(parsed_target("y[a + 1 < n]") ==
          "bad-range: a range is written 'n', 'k < n' or '1 <= k < n'");
    CHECK(parsed_target("y + 1") ==
          "bad-target: a target is a state or an output, with .field or [index] after it");
    CHECK(parsed("y[k < n]") == "y[(k < n)]");
}

TEST_CASE("patterns are constants and bits that do not matter") {
    CHECK(parsed_patterns("3, -1, 0x1f, true") == "3; (- 1); 31; true");
    CHECK(parsed_patterns("0b1??0") == "1??0");
    CHECK(parsed_patterns("0b1_??_0, JAL, Phase.idle, n + 1") == "1??0; JAL; Phase.idle; (n + 1)");
    CHECK(parsed_patterns("else") == "");
    CHECK(parsed_patterns("0b12?") ==
          "number-syntax: '0b12?' is no pattern; write up to 64 of 0, 1 and ?, as in 0b1??0");
    CHECK(parsed_patterns("1,") == "expression-syntax: a value is missing at the end");
    CHECK(parsed_patterns("else, 1") ==
          "expression-syntax: ',' is written where an operator or the end belongs");
    CHECK(parsed("0b1??0") ==
          "number-syntax: '0b1??0' is a pattern, which is allowed only in the arms of a match");
}

TEST_CASE("the name of a function is followed by those of its arguments") {
    Diagnostics diagnostics;
    const auto name = expr::parse_function_name(text_of("after(p, q)"), diagnostics);
    REQUIRE(name);
    CHECK(name->name == "after");
    REQUIRE(name->parameters.size() == 2);
    CHECK(name->parameters[1].name == "q");
    const auto refused = [](const char* text) {
        Diagnostics found;
        CHECK_FALSE(expr::parse_function_name(text_of(text), found));
        return first_of(found);
    };
    CHECK(refused("f()") ==
          "expression-syntax: ')' is written where the name of an argument belongs");
    CHECK(refused("f") == "expression-syntax: '(' is missing at the end");
    CHECK(refused("f(a: u8)") == "expression-syntax: ':' is written where ')' belongs");
    CHECK(refused("f(a, 1)") ==
          "expression-syntax: '1' is written where the name of an argument belongs");
}
