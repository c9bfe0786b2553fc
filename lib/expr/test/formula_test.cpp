// SPDX-License-Identifier: Apache-2.0
//
// A formula returns the elaborator's value for the same indices; where the elaborator reports a
// diagnostic, it returns `nullopt`.
#include "expr/typing/formula.hpp"

#include <algorithm>
#include <array>
#include <random>

#include <doctest/doctest.h>

#include "expr/test/expression.hpp"

namespace {

using namespace sme;
using sme::test::SmallScope;
using sme::test::text_of;

using Indices = std::array<std::int64_t, 2>;

struct Outcome {
    std::optional<std::uint64_t> value;
    std::string said;
};

Outcome elaborated(const expr::Ast& ast, const TypeRef& type, const Indices& at) {
    Outcome result;
    SmallScope scope;
    Diagnostics diagnostics;
    expr::Builder builder;
    expr::Elaborator elaborator{builder, scope, diagnostics};
    elaborator.bind("x", expr::BoundExpr::number(at[0]));
    elaborator.bind("y", expr::BoundExpr::number(at[1]));
    const expr::BoundExpr value = elaborator.lowered(elaborator.bound_as(ast, type, "it"));
    result.said = test::first_of(diagnostics);
    if (value.ok())
        result.value = builder.constant_value(value.leaves[0]);
    return result;
}

/// Returns the value of the formula after it has visited all its parts.
std::optional<std::uint64_t> evaluated(expr::Formula& formula, const Indices& at) {
    for (std::size_t k = 0; k < expr::Formula::max_nodes; ++k)
        if (const auto value = formula.evaluate(at))
            return value;
    return std::nullopt;
}

constexpr std::int64_t corners[] = {0, 1, 2, 3, 7, 63, 64, 65, 127, 200, 1'000'000, -1, -2, -128};
constexpr expr::Range ranges[] = {{0, 3}, {-128, 1'000'000}};

/// Returns the number of values; `known`: formulas must support the expression for one of the
/// ranges.
std::size_t compare(const std::string& text, const std::string& type_name, bool known) {
    CAPTURE(text);
    CAPTURE(type_name);
    Diagnostics diagnostics;
    const expr::AstRef ast = expr::parse_expression(text_of(text), diagnostics);
    const expr::AstRef type_ast = expr::parse_expression(text_of(type_name), diagnostics);
    REQUIRE(ast);
    SmallScope scope;
    expr::Builder builder;
    const TypeRef type = expr::Elaborator{builder, scope, diagnostics}.type(*type_ast);
    REQUIRE(type);
    const std::uint64_t before = scope.fuel().left;
    std::size_t values = 0;
    bool is_known = false;
    std::string wrong;
    for (const expr::Range& range : ranges) {
        auto formula = expr::Formula::of(*ast, type, {{"x", range}, {"y", range}}, scope);
        CHECK(scope.fuel().left == before);
        is_known = is_known || formula;
        for (const std::int64_t x : corners)
            for (const std::int64_t y : corners) {
                if (!formula || std::min(x, y) < range.low || std::max(x, y) > range.high)
                    continue;
                const auto found = evaluated(*formula, {x, y});
                const Outcome wanted = found ? elaborated(*ast, type, {x, y}) : Outcome{};
                if (found && found != wanted.value)
                    wrong += fmt::format("{}, {}: {} {}\n", x, y, *found, wanted.said);
                values += std::size_t{found.has_value()};
            }
    }
    CHECK(wrong == "");
    CHECK((is_known || !known));
    return values;
}

/// Random expressions, most of them well typed.
class Texts {
public:
    explicit Texts(unsigned seed) : random_{seed} {}

    std::size_t below(std::size_t n) { return random_() % n; }
    template <std::size_t N> const char* any(const char* const (&of)[N]) { return of[below(N)]; }
    std::string type() { return any(types); }

    std::string exact(int depth) {
        switch (depth == 0 ? 9 : below(6)) {
        case 0: return fmt::format("(-{})", exact(depth - 1));
        case 1: return choice(depth, [&] { return exact(depth - 1); });
        case 2:
        case 3:
        case 4:
            return fmt::format("({} {} {})", exact(depth - 1),
                               any({"+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^"}),
                               exact(depth - 1));
        default: return any({"x", "y", "x", "y", "n", "0", "3", "64", "0xffff_ffff_ffff"});
        }
    }

    std::string typed(const std::string& type, int depth) {
        if (depth == 0)
            return type == "u8" && below(2) == 0 ? fmt::format("t[{}]", any({"x", "y", "3"}))
                   : type == "i4" && below(2) == 0
                       ? fmt::format("grid[{}", any({"x, y]", "x][y]", "1, y]"}))
                       : fmt::format("{}({})", type, exact(0));
        switch (below(8)) {
        case 0: return fmt::format("{}({})", type, typed(any(types), depth - 1));
        case 1: return fmt::format("({}{})", any({"~", "-"}), typed(type, depth - 1));
        case 2: return choice(depth, [&] { return typed(type, depth - 1); });
        case 3:
            return fmt::format("({} {} {})", typed(type, depth - 1), any({"<<", ">>"}),
                               below(2) ? exact(depth - 1) : typed("u8", depth - 1));
        case 4:
            return fmt::format("({} {} {})", exact(depth - 1), any(operators),
                               typed(type, depth - 1));
        case 5:
            if (type == "u3")
                return fmt::format("{}[6:4]", typed("u8", depth - 1));
            [[fallthrough]];
        default:
            return fmt::format("({} {} {})", typed(type, depth - 1), any(operators),
                               typed(type, depth - 1));
        }
    }

    std::string truth(int depth) {
        const std::string type = this->type();
        switch (depth == 0 ? 9 : below(8)) {
        case 0: return fmt::format("(not {})", truth(depth - 1));
        case 1:
        case 2:
            return fmt::format("({} {} {})", truth(depth - 1),
                               any({"and", "or", "implies", "&", "|", "^", "==", "!="}),
                               truth(depth - 1));
        case 3: return fmt::format("{}[{}]", typed(type, depth - 1), exact(depth - 1));
        case 4: return choice(depth, [&] { return truth(depth - 1); });
        case 5:
            return fmt::format("({} {} {})", typed(type, depth - 1), any(comparisons),
                               below(2) ? typed(type, depth - 1) : exact(depth - 1));
        case 9: return any({"true", "(x > y)", "pairs[x].c"});
        default:
            return fmt::format("({} {} {})", exact(depth - 1), any(comparisons), exact(depth - 1));
        }
    }

private:
    template <class Arm> std::string choice(int depth, Arm arm) {
        std::string result = fmt::format("(if {} then {} ", truth(depth - 1), arm());
        if (below(3) == 0)
            result += fmt::format("elif {} then {} ", truth(depth - 1), arm());
        return result + fmt::format("else {})", arm());
    }

    static constexpr const char* types[] = {"bool", "u3", "u8", "u64", "i4", "i8", "i64", "Word"};
    static constexpr const char* operators[] = {"+", "-", "*", "/", "%", "&", "|", "^"};
    static constexpr const char* comparisons[] = {"==", "!=", "<", "<=", ">", ">="};
    std::mt19937 random_;
};

} // namespace

TEST_CASE("a formula knows what initial values are made of") {
    struct Row {
        const char* text;
        const char* type;
    };
    for (const Row& row : {
             Row{"t[(y * 2 + x) % 4]", "u8"},
             {"grid[x, y]", "i4"},
             {"grid[x][u8(y)]", "i4"},
             {"pairs[x].b", "i4"},
             {"pairs[1].a + t[x]", "u8"},
             {"P(a = u8(x)).a", "u8"},
             {"x", "i8"},
             {"x * y", "i64"},
             {"-x", "u64"},
             {"u8(x) / u8(y)", "u8"},
             {"i64(x) / i64(y)", "i64"},
             {"i64(x) % i64(y)", "i64"},
             {"x / y", "i64"},
             {"x % y - n", "i64"},
             {"i8(x) / i8(y)", "i8"},
             {"u64(1) << x", "u64"},
             {"i64(x) >> y", "i64"},
             {"i8(-128) >> u8(y)", "i8"},
             {"1 << x", "u64"},
             {"(x << y) >> y", "i64"},
             {"u8(x)[7:4]", "u4"},
             {"i8(x)[7:1 + n]", "u2"},
             {"i8(x)[y]", "bool"},
             {"u64(x)[u8(y)]", "bool"},
             {"x == y or x < 3 and y > 2", "bool"},
             {"y != 0 and 8 / y > 1", "bool"},
             {"y > 0 implies t[x] > 11", "bool"},
             {"if x < 0 then 0 elif y < 4 and y >= 0 then t[y] else u8(n)", "u8"},
             {"if x < 0 then if y > 3 then 7 else t[y] else x", "u8"},
             {"if x > 3 then run else Phase(u3(0))", "Phase"},
             {"u3(run) + u3(x)", "u3"},
             {"run == run and ~(x == 1)", "bool"},
             {"u1(x > y) + 1", "u1"},
             {"i8(true) + 1", "i8"},
             {"Word(x) ^ 0xffff", "Word"},
             {"300 - u16(y)", "u16"},
         })
        CHECK(compare(row.text, row.type, true) > 0);
}

TEST_CASE("a formula leaves to the elaborator what has to know its indices") {
    for (const std::string text :
         {"z", "t", "1 << 126 << x", "true + 1", "u8(x) + u16(y)", "x + true", "~x", "u8(x)[y:0]",
          "sum(k < x, k)", "bool(x)", "not x"}) {
        CAPTURE(text);
        CHECK(compare(text, "u8", false) == 0);
    }
    std::string tall = "u64(x)";
    for (std::size_t k = 0; k < expr::Formula::max_nodes; ++k)
        tall += fmt::format(" + u64(x * {})", k);
    CHECK(compare(tall, "u64", false) == 0);
}

TEST_CASE("what is wrong for some indices only is left to the elaborator there") {
    SmallScope scope;
    Diagnostics diagnostics;
    const expr::AstRef ast =
        expr::parse_expression(text_of("if y == 0 then 12 / x else 1"), diagnostics);
    auto formula =
        expr::Formula::of(*ast, Type::unsigned_integer(8), {{"x", {-5, 5}}, {"y", {0, 9}}}, scope);
    REQUIRE(formula);
    CHECK_FALSE(formula->evaluate(Indices{3, 0})); // for the first time
    CHECK(formula->evaluate(Indices{3, 0}) == std::uint64_t{4});
    CHECK_FALSE(formula->evaluate(Indices{0, 0}));
    CHECK_FALSE(formula->evaluate(Indices{-3, 0}));
    CHECK(formula->evaluate(Indices{5, 0}) == std::uint64_t{2});
}

TEST_CASE("random formulas agree with the elaborator") {
    std::size_t values = 0;
    for (unsigned seed = 0; seed < 600; ++seed) {
        Texts texts{seed};
        const int depth = 1 + static_cast<int>(texts.below(4));
        const std::string type = texts.type();
        const std::string text = type == "bool"        ? texts.truth(depth)
                                 : texts.below(3) == 0 ? texts.exact(depth)
                                                       : texts.typed(type, depth);
        values += compare(text, type, false);
    }
    CHECK(values > 20'000);
}
