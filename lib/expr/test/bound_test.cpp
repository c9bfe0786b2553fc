// SPDX-License-Identifier: Apache-2.0
//
// Bound expressions: types, ranges, and no arms that can never be chosen.
#include <algorithm>

#include <doctest/doctest.h>

#include "expr/program/builder.hpp"
#include "expr/program/parts.hpp"
#include "expr/test/expression.hpp"

using namespace sme;

namespace {

/// Returns the type, such as "u8" or "bool"; for an exact number, its range.
std::string type_text(const expr::BoundExpr& bound) {
    if (bound.is_constant())
        return to_string(bound.low);
    return bound.is_exact() ? fmt::format("{}..{}", to_string(bound.low), to_string(bound.high))
                            : bound.type->name();
}

/// Returns "name", or "(type operand operand)".
std::string tree_text(const expr::BoundRef& tree) {
    if (!tree)
        return "-";
    const bool is_name = tree->ast && tree->ast->kind == expr::Ast::Kind::name;
    if (tree->kind == expr::BoundExpr::Kind::leaf)
        return is_name ? tree->ast->text : type_text(*tree);
    std::string result = "(" + type_text(*tree);
    for (const expr::BoundRef& operand : tree->operands)
        result += " " + tree_text(operand);
    return result + ")";
}

/// Returns "first..last tree" for each run of an array.
std::string runs_text(const expr::BoundExpr& array) {
    std::string result;
    for (const expr::BoundRun& run : array.more().runs) {
        result += result.empty() ? "" : ", ";
        for (const expr::BoundRange& range : run.ranges)
            result += fmt::format("{}..{} ", range.first, range.first + range.count - 1);
        result += tree_text(run.element);
    }
    return result;
}

/// An expression of `x` (u8), `y` (bool) and `k`, which is 0 to 9.
struct Bound {
    explicit Bound(const std::string& text, std::uint64_t loops_from = 0) {
        elaborator.bind_into(bindings);
        builder.loops().from = loops_from;
        const auto unknown = [&](std::uint8_t width, std::uint32_t port) {
            return builder.leaf(
                {expr::Op::load, {width, false}, port, expr::no_node, expr::no_node, 0});
        };
        elaborator.bind("x", expr::BoundExpr::of(Type::unsigned_integer(8), {unknown(8, 0)}));
        elaborator.bind("y", expr::BoundExpr::of(Type::boolean(), {unknown(1, 1)}));
        elaborator.bind("k", expr::BoundExpr::between(unknown(8, 2), 0, 9));
        nodes_before = builder.size();
        ast = expr::parse_expression(test::text_of(text), diagnostics);
        if (ast)
            value = elaborator.bound_value(*ast);
    }

    test::SmallScope scope;
    expr::Builder builder;
    Diagnostics diagnostics;
    expr::Elaborator elaborator{builder, scope, diagnostics};
    expr::Bindings bindings;
    expr::AstRef ast;
    expr::BoundExpr value;
    std::size_t nodes_before = 0;
};

/// Returns the tree of such an expression, or its runs.
std::string tree_of(const std::string& text, std::uint64_t loops_from = 0, bool runs = false) {
    const Bound bound{text, loops_from};
    if (!bound.value.ok() || bound.diagnostics.has_errors())
        return test::first_of(bound.diagnostics);
    return runs ? runs_text(bound.value)
                : tree_text(std::make_shared<const expr::BoundExpr>(bound.value));
}

} // namespace

TEST_CASE("a tree has the type, or the range, of each part of an expression") {
    CHECK(tree_of("x + 1") == "(u8 x 1)");
    CHECK(tree_of("k * 3 - n") == "(-5..22 (0..27 k 3) n)");
    CHECK(tree_of("u16(x)[8:1]") == "(u8 (u16 x) 8 1)");
    CHECK(tree_of("t[k]") == "(u8 t k)");
    CHECK(tree_of("x[k] and y") == "(bool (bool x k) y)");
    CHECK(tree_of("P(b = -1, a = x)") == "(P - x (-1 1) -)");
    CHECK(tree_of("if y then 1 else if x == 3 then 20 else k") ==
          "(0..20 y 1 (0..20 (bool x 3) 20 k))");
}

TEST_CASE("what is known before the run is a leaf, and what is never chosen is not in a tree") {
    CHECK(tree_of("n") == "n");
    CHECK(tree_of("n + 1 + 2") == "(8 (6 n 1) 2)");
    CHECK(tree_of("if n == 5 then x else t[9]") == "x");
    CHECK(tree_of("if y then x elif n == 5 then u8(1) else t[9]") == "(u8 y x (u8 1))");
    CHECK(tree_of("n == 5 and y") == "y");
    CHECK(tree_of("n == 4 and t[9] == 1") == "bool");
    CHECK(tree_of("min(7, 3, x, n)") == "(u8 3 x n)");
    CHECK(tree_of("len(t) + k") == "(4..13 4 k)");
}

TEST_CASE("a reducer has a term for each step, and as a loop one for all") {
    CHECK(tree_of("any(i < 3, x[i])") == "(bool (bool x i) (bool x i) (bool x i))");
    CHECK(tree_of("fold(i < 2, a = x, a + u8(i))") == "(u8 x (u8 a (u8 i)) (u8 a (u8 i)))");
    CHECK(tree_of("any(i < 3, x[i])", 2) == "(bool 3 (bool x i))");
    CHECK(tree_of("fold(i < 3, a = x, a + 1)", 2) == "(u8 3 x (u8 a 1))");
}

TEST_CASE("nodes are made only to compute constants") {
    const auto nodes_of = [](const std::string& text, std::uint64_t loops_from = 0) {
        Bound bound{text, loops_from};
        REQUIRE(bound.value.ok());
        const std::size_t before = bound.builder.size();
        bound.elaborator.lowered(bound.value);
        CHECK(bound.builder.size() > before);
        return before - bound.nodes_before;
    };
    for (const char* text :
         {"x + k * 2", "if y then x else u8(k)", "x[k] and y", "cat(x, x)", "P(a = x).a", "t[k]",
          "sum(i < 4, x + i)", "fold(i < 4, a = x, a * x)"})
        CHECK_MESSAGE(nodes_of(text) == 0, text);
    for (const char* text :
         {"sum(i < 4, x + i)", "fold(i < 4, a = x, a * x + i)", "max(i < 9, x ^ i)",
          "first(i < 9, x[i % 8] and any(j < 9, x > i + j))"})
        CHECK_MESSAGE(nodes_of(text, 2) == 0, text);
}

TEST_CASE("a bool is known if one operand decides and the other cannot fault") {
    const auto known = [](const std::string& text) -> std::string {
        CAPTURE(text);
        const Bound bound{text};
        CHECK(test::first_of(bound.diagnostics) == "");
        REQUIRE(bound.value.is_bool());
        return bound.value.known ? *bound.value.known != 0 ? "true" : "false" : "unknown";
    };
    CHECK(known("y and false") == "false");
    CHECK(known("y or true") == "true");
    CHECK(known("y implies true") == "true");
    CHECK(known("y or false") == "unknown");
    CHECK(known("t[k % 4] == 1 and false") == "false");
    CHECK(known("t[k] == 1 and false") == "unknown");
    CHECK(known("x[x & 7] and false") == "unknown");
    CHECK(known("x[u3(x)] and false") == "false");
    CHECK(known("x / u8(3) == 1 and false") == "false");
    CHECK(known("x / x == 1 and false") == "unknown");
    CHECK(known("any(i < 8, x[i]) and false") == "false");
    CHECK(known("fold(i < 9, a = x, a / x) == 1 and false") == "unknown");
    CHECK(known("P(a = x, c = true).c") == "true");
    CHECK(known("P(P(a = x, c = true), a = x).c") == "true");
    CHECK(known("P(a = x).c") == "false");
    CHECK(known("array(i < 3, if i == 1 then true else y)[1]") == "true");
}

TEST_CASE("elements of an array that differ in the index only are one expression of it") {
    const auto runs_of = [](const std::string& text) { return tree_of(text, 0, true); };
    CHECK(runs_of("array(i < 8, x[i] and y)") == "0..7 (bool (bool x i) y)");
    CHECK(runs_of("array(i < 8, x + i * 2)") == "0..7 (u8 x (0..14 i 2))");
    CHECK(runs_of("array(i < 4, x ^ t[3 - i])") == "0..3 (u8 x (u8 t (0..3 3 i)))");
    // interrupted runs, runs of fewer than four, and constants
    CHECK(runs_of("array(i < 9, if i == 4 then x else x + i)") == "0..3 (u8 x i), 5..8 (u8 x i)");
    CHECK(runs_of("array(i < 3, x[i])") == "");
    CHECK(runs_of("array(i < 4, u8(i))") == "");
    CHECK(runs_of("array(i < 4, t)") == "");
    CHECK(runs_of("array(i < 4, grid[1])") == "");
    CHECK(runs_of("array(i < 8, if i % 2 == 0 then x else u8(k))") == "");
    // the index must be known: bounds of a slice, end of a range
    CHECK(runs_of("array(i < 4, x[i + 1:i])") == "");
    CHECK(runs_of("array(i < 4, sum(j < i + 1, x))") == "");
    CHECK(runs_of("array(i < 3, j < 2, x + i * 2 + j)") == "0..2 0..1 (u8 (u8 x (0..4 i 2)) j)");
    CHECK(runs_of("array(i < 4, j < 3, if j == 1 then x else x + j)") ==
          "0..3 0..0 (u8 x j), 0..3 1..1 x, 0..3 2..2 (u8 x j)");
    CHECK(runs_of("array(i < 4, j < 8, if i == 2 then x else x + j)") == "0..1 0..7 (u8 x j)");
    CHECK(runs_of("array(i < 4, array(j < 4, x + i + j))") ==
          "0..3 (u8[4] (u8 (u8 x i) j) (u8 (u8 x i) j) (u8 (u8 x i) j) (u8 (u8 x i) j))");
    CHECK(runs_of("array(i < 4, j < 4, u8(i + j))") == "");
}

TEST_CASE("many values are combined in a tree of little depth") {
    using namespace sme::expr;
    Builder builder;
    std::vector<NodeId> values;
    for (std::uint64_t k = 0; k < 100'000; ++k)
        values.push_back(builder.leaf({Op::load, {1, false}, 0, no_node, no_node, k}));
    const NodeId all = builder.all_of(values);
    std::vector<int> depth(builder.size(), 0);
    for (NodeId id = 0; id < builder.size(); ++id)
        for_each_operand(builder.node(id), [&](NodeId operand) {
            depth[id] = std::max(depth[id], depth[operand] + 1);
        });
    CHECK(depth[all] == 17);
    CHECK(builder.constant_value(builder.all_of(std::vector<NodeId>{})) == std::uint64_t{1});
    CHECK(builder.constant_value(builder.any_of(std::vector<NodeId>{})) == std::uint64_t{0});
}
