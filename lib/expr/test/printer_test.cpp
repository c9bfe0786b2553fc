// SPDX-License-Identifier: Apache-2.0
//
// The printed text, and that the parser reads it as the same tree.
#include "expr/syntax/printer.hpp"
#include "expr/test/expression.hpp"
#include "expr/test/random_tree.hpp"

#include <doctest/doctest.h>

namespace {

using namespace sme;
using expr::Ast;
using expr::AstRef;
using test::text_of;

/// Parses and prints a text; returns the error if it is invalid.
template <class Parse> std::string again(Parse parse, const std::string& text) {
    Diagnostics diagnostics;
    const auto found = parse(text_of(text), diagnostics);
    return found ? expr::print(*found) : test::first_of(diagnostics);
}

std::string again(const std::string& text) {
    return again(expr::parse_expression, text);
}

std::string target_again(const std::string& text) {
    Diagnostics diagnostics;
    const AstRef found = expr::parse_target(text_of(text), diagnostics);
    return found ? expr::print_target(*found) : test::first_of(diagnostics);
}

} // namespace

TEST_CASE("parentheses are printed where the table of operators needs them, and not elsewhere") {
    for (const char* text : {"a + b * c - d",
                             "random(u8) x where x > 3 and x != a",
                             "1 + (random(u8) x where x > 3)",
                             "random(T) o where (if a then o.b else c) + 1",
                             "random(3, random(u8) x where a, 1, b)",
                             "(a + b) * c",
                             "a - (b - c)",
                             "a - b - c",
                             "a * (b / c)",
                             "-(a + b)",
                             "-a.b[1].c",
                             "(-a).b",
                             "~-a",
                             "--a",
                             "(a << b) + c",
                             "a << (b + c)",
                             "(a + b) & ~c",
                             "a << -b",
                             "a << b << c",
                             "(a << b) >> c",
                             "a << b == c << d",
                             "a & (b == c)",
                             "(a & b) == c",
                             "a & b & c",
                             "a & (b & c)",
                             "a | (b ^ (c & d))",
                             "(a | b) ^ c",
                             "not a == b",
                             "(not a) == b",
                             "a == (not b)",
                             "not not a",
                             "not (a and b)",
                             "not a and b",
                             "a and not b",
                             "a or b and c",
                             "(a or b) and c",
                             "a implies b implies c",
                             "(a implies b) implies c",
                             "(a < b) == (c < d)",
                             "(a < b) < c",
                             "a < b and b < c",
                             "f(a)(b)[c].d[7:0]",
                             "S(old, f = a or b)",
                             "{a: 1, b: x + {c: if d then e else f}.c}",
                             "sum(k < n, x[k])",
                             "(a + b)[3:0]",
                             "x[a < b]",
                             "x[]",
                             "if a then b elif c then d else e",
                             "a + (if b then c else d)",
                             "if a then (if b then c else d) else e",
                             "if a then b else if c then d else e",
                             "if (if a then b else c) then d else e",
                             "(if a then b else c).f",
                             "u(n + 1)(x)",
                             "cat(a, if b then c else d)",
                             "true.x",
                             "5[0]"}) {
        CAPTURE(text);
        CHECK(again(text) == text);
    }
    CHECK(again("((a)) + (b*c)") == "a + b * c");
    CHECK(again("(a and b) and (c)") == "a and b and c");
    CHECK(again("a | b ^ c & d << e + f == g") == "(a | (b ^ (c & (d << (e + f))))) == g");
    CHECK(again("a + if b then c else d") == "a + (if b then c else d)");
    CHECK(again("a ==\n  b # a comment") == "a == b");
}

TEST_CASE("numbers are printed as they were written, those nobody wrote in decimal digits") {
    CHECK(again("0x00ff + 1_000 + 0b0101 + 12") == "0x00ff + 1_000 + 0b0101 + 12");
    const std::string wide = "0x1_0000_0000_0000_0000_0000_0000_0000_0000_0000";
    CHECK(again(wide) == wide);
    Ast result;
    result.kind = Ast::Kind::number;
    result.value = 255;
    CHECK(expr::print(result) == "255");
    result.words = std::make_shared<const Words>(Words{7, 0, 1});
    CHECK(expr::print(result) == "0x100000000000000000000000000000007");
}

TEST_CASE("what stands around expressions is printed as it is read") {
    for (const char* text : {"a when b", "if a then b else c when d", "a or b when c or d"})
        CHECK(again(expr::parse_guarded, text) == text);
    for (const char* text :
         {"u8", "wire u8", "delay 2 hold u8 = 3", "delay (n + 1) u8", "delay n error T[4, n]",
          "delay -1 u8", "hold Stream(u8)[3] = if a then b else c", "u(clog2(n)) = -1",
          "u8[2][2] = [[1, 2], [0x3, n + 1]]", "S = {a: [1, {b: file(c d.hex)}], e: x[0]}",
          "u8[] = file(a b/c-d.hex)", "u8[] = file(\xc3\xbc @'/x (1)/#2.hex)",
          "u8[1][1] = [file(a.hex), file(b(c).hex)]", "bool[] = [true]"})
        CHECK(again(expr::parse_declaration, text) == text);
    for (const char* text :
         {"a", "if a then b else c", "a then b within 3", "a or b then not c in 2",
          "a then b in n + 1 to if c then 3 else 4", "if a then b else c then d within n"})
        CHECK(again(expr::parse_property, text) == text);
    CHECK(again(expr::parse_property, "(a)then  b in(2)to 3") == "a then b in 2 to 3");
    CHECK(again(expr::parse_declaration, "delay f(2) u8").starts_with("expression-syntax"));
    for (const char* text : {"a", "a[n]", "a[k < n]", "a[1 <= k < n + 1, 3]", "a[(n < m)]",
                             "a[k < (if b then 2 else 3)]", "a[1 + 1 <= k < 4]"})
        CHECK(again(expr::parse_family_name, text) == text);
    CHECK(again(expr::parse_function_name, "f( a,b )") == "f(a, b)");
    for (const char* text :
         {"else", "0, 0x10, -1", "idle", "0b1??0, 0b0?", "(a == b), true", "(not a)", "a + b"})
        CHECK(again(expr::parse_patterns, text) == text);
    CHECK(again(expr::parse_patterns, "0b1_0?") == "0b10?");
    for (const char* text : {"x", "x.f[3].g", "x[7:0]", "y[k < n]", "y[1 <= k < n, 3]",
                             "y[(a < b)]", "y[x[(a == b)], k < n]", "y[(a and b):0]"})
        CHECK(target_again(text) == text);
}

TEST_CASE("the line of a print is printed with its styles and escapes") {
    for (const char* text :
         {R"("")", R"("x")", R"("at {cycle}: {x:04x} {y[7:0]:b}{z:3d}" when a < b)",
          R"("{{{a + b * c}}}, \"quoted\" \\ \n\t" when f(x = 1))", R"("{c:c}{w:0}{w:12}")"})
        CHECK(again(expr::parse_print, text) == text);
    CHECK(again(expr::parse_print, R"("{(x)}"  when  (y))") == R"("{x}" when y)");
}

TEST_CASE("random trees are read back as they were printed") {
    for (unsigned seed = 0; seed < 20'000; ++seed) {
        test::RandomTree random{seed};
        const AstRef result = random.expression(static_cast<int>(seed % 7));
        const std::string text = expr::print(*result);
        CAPTURE(text);
        Diagnostics diagnostics;
        const AstRef read = expr::parse_expression(text_of(text), diagnostics);
        REQUIRE(read != nullptr);
        REQUIRE(test::same(*result, *read));
        REQUIRE(expr::print(*read) == text);
        const AstRef target = random.target(static_cast<int>(seed % 5));
        const std::string written = expr::print_target(*target);
        CAPTURE(written);
        const AstRef found = expr::parse_target(text_of(written), diagnostics);
        REQUIRE(found != nullptr);
        REQUIRE(test::same(*target, *found));
    }
}
