// SPDX-License-Identifier: Apache-2.0
//
// Which texts contain maps of fields, and which maps are YAML's.
#include "yaml/read/prescan.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "yaml/read/tree.hpp"

namespace {

using namespace sme;

/// Returns the file with '_' for each covered byte.
std::string covered(std::string text) {
    for (const std::size_t at : yaml::bytes_of_plain_maps(text))
        text[at] = '_';
    return text;
}

/// Returns the text under a key of the file.
std::string text_under(const std::string& text, const std::string& key) {
    Diagnostics diagnostics;
    const auto root = yaml::parse_tree(std::make_shared<Source>("n.yaml", text), diagnostics);
    INFO(render(diagnostics));
    REQUIRE(root.has_value());
    const yaml::Node* const found = root->find(key);
    REQUIRE(found);
    return found->is_text() ? found->text.text : "no text";
}

} // namespace

TEST_CASE("colons in the maps of plain texts are covered, and no others") {
    CHECK(covered("x: Pair = {a: 1, b: {c: 2}}  # {d: 3}\ny: {a: 1}\n") ==
          "x: Pair = {a_ 1, b_ {c_ 2}}  # {d: 3}\ny: {a: 1}\n");
    CHECK(covered("- at 3: x == {a: 1}\n- f({a: 1})\n- {a: 1} when c\n- {a: 1}\n") ==
          "- at 3: x == {a_ 1}\n- f({a_ 1})\n- _a_ 1} when c\n- {a: 1}\n");
    CHECK(covered("if x == {a: 1}:\n  y: 1\n") == "if x == {a_ 1}:\n  y: 1\n");
    CHECK(covered("x: [{a: 1},\n    b, {a: 2}]\ny: {a: 1,\n    b: 2, c: {a: 3}}\n") ==
          "x: [{a: 1},\n    b, {a: 2}]\ny: {a: 1,\n    b: 2, c: {a: 3}}\n");
    CHECK(covered("x: T[2] =\n    [{a: 1},\n     {a: 2}]\ny: {a: 1}\n") ==
          "x: T[2] =\n    [{a_ 1},\n     {a_ 2}]\ny: {a: 1}\n");
    CHECK(covered("x: T = {a: 1\ny: b\n") == "x: T = {a: 1\ny: b\n"); // never closed
    CHECK(covered("x:\n  - {a: 1}\n  - b: c\n    d: {e: 1}\n") ==
          "x:\n  - {a: 1}\n  - b: c\n    d: {e: 1}\n");
    CHECK(covered("a: b\n  {c: 1}\nd:\n  {c: 1}\n") == "a: b\n  {c_ 1}\nd:\n  {c: 1}\n");
    CHECK(covered("a: {b: 1} # {c: 1} when d\n") == "a: {b: 1} # {c: 1} when d\n");
    CHECK(covered("x: T = [{a: 1}, {b: {c: 2}}] + {d: 3}\n") ==
          "x: T = [{a_ 1}, {b_ {c_ 2}}] + {d_ 3}\n");
    CHECK(covered("x: { y {a: 1}\n") == "x: { y {a: 1}\n");
    CHECK(covered("").empty());
    CHECK(covered("a: {").size() == 4);
    CHECK(covered("a: x {") == "a: x {");
}

TEST_CASE("what was covered is read as it stands, quoted or not") {
    CHECK(text_under("x: Pair = {a: 1, b: 2}\n", "x") == "Pair = {a: 1, b: 2}");
    CHECK(text_under("x: \"Pair = {a: 1, b: 2}\"\n", "x") == "Pair = {a: 1, b: 2}");
    CHECK(text_under("x: |\n  Pair = {a: 1}\ny: z\n", "x") == "Pair = {a: 1}\n");
    CHECK(text_under("x: T =\n  {a: 1,\n   b: 2}\n", "x") == "T = {a: 1, b: 2}");
    CHECK(text_under("x: {a: 1} when c\n", "x") == "{a: 1} when c");
    CHECK(text_under("x: {a: 1}\n", "x") == "no text");
    CHECK(text_under("x: {a: f(b), c: [1, 2]}\n", "x") == "no text");
    CHECK(text_under("x: {a: m[0], b: 2}\n", "x") == "no text");
    CHECK(text_under("x: {a: m[0]} when c\n", "x") == "{a: m[0]} when c");
    CHECK(text_under("x: {a: \"m[0]\", b: 2}\n", "x") == "no text");
    CHECK(text_under("print: \"{a: 1}\" when {a: 1} == b\n", "print") ==
          "\"{a: 1}\" when {a: 1} == b");
}

TEST_CASE("expressions in a map or list of YAML are not cut at their brackets, commas and colons") {
    CHECK(covered("b: {x[4]: u8, m[2, k < 3]: P}  # {y[1]: u8}\n") ==
          "b: {x_4_: u8, m_2_ k < 3_: P}  # {y[1]: u8}\n");
    CHECK(covered("in: [x[0], y[i + 1]]\n- [a[0], {b: c[1]}]\n") ==
          "in: [x_0_, y_i + 1_]\n- [a_0_, {b: c_1_}]\n");
    CHECK(covered("s: {a: f(b, g(c, 1)), c: [1, h(2, 3)], d: u8[2] = [1, 2]}\n") ==
          "s: {a: f(b_ g(c_ 1)), c: [1, h(2_ 3)], d: u8_2_ = _1_ 2_}\n");
    CHECK(
        covered("s: {a: {b: m[0]},\n    # {c[0]}: [\n    d: {b: 1} when e, f: x[7:0]}\ny: [z]\n") ==
        "s: {a: {b: m_0_},\n    # {c[0]}: [\n    d: _b_ 1_ when e, f: x_7:0_}\ny: [z]\n");
    CHECK(covered("s: {a: \"m[0], {\", b: [\"c[1]\", 'd[2]']}\n") ==
          "s: {a: \"m[0], {\", b: [\"c[1]\", 'd[2]']}\n");
    Diagnostics diagnostics;
    const auto root = yaml::parse_tree(
        std::make_shared<Source>("n.yaml", "{x[4]: f(a, {b: 1}), y: [m[0], m[1]]}\n"), diagnostics);
    REQUIRE(root);
    CHECK(root->entries.size() == 2);
    CHECK(root->entries[0].key.text.text == "x[4]");
    CHECK(root->entries[0].value.text.text == "f(a, {b: 1})");
    CHECK(root->entries[1].value.items[1].text.text == "m[1]");
}

TEST_CASE("texts that other YAML parsers read only in quotes are found") {
    const auto lines = [](const std::string& text) {
        Diagnostics diagnostics;
        std::vector<Location> found;
        yaml::parse_tree(std::make_shared<Source>("n.yaml", text), diagnostics, 1, &found);
        std::string all;
        for (const Location& each : found)
            all += describe(each) + ' ';
        return all;
    };
    CHECK(lines("a: {x[4]: u8, y: u8}\nb: P = {c: 1}\nprint: \"d\" when e\nf: {g: 1} when h\n") ==
          "n.yaml:1:5 n.yaml:2:4 n.yaml:3:8 n.yaml:4:4 ");
    CHECK(lines("a: {\"x[4]\": u8}\nb: \"P = {c: 1}\"\nprint: \"d {e}\"\n"
                "f: |\n  P = {a: 1}\ng: x[0] + {}\n") == "");
}

TEST_CASE("null and ~ are texts like any other, as keys and as values") {
    for (const char* word : {"null", "Null", "NULL", "~"}) {
        const std::string text{word};
        CHECK(text_under("x: " + text + "\ny: 1\n", "x") == text);
        CHECK(text_under(text + ": u8\n", text) == "u8");
        CHECK(text_under("\"" + text + "\": u8\n", text) == "u8");
        CHECK(text_under("x:\n" + text + " : u8\n", text) == "u8");
        CHECK(text_under("x:\n" + text + ": u8\n", "x") == "no text");
        Diagnostics diagnostics;
        const auto root = yaml::parse_tree(
            std::make_shared<Source>("n.yaml", fmt::format("[a, {0}, {{{0}: {0}}}]\n", text)),
            diagnostics);
        REQUIRE(root);
        CHECK(root->items[1].text.text == text);
        CHECK(root->items[2].entries[0].key.text.text == text);
        CHECK(root->items[2].entries[0].value.text.text == text);
    }
}

TEST_CASE("braces that are never closed take no more time than others") {
    std::string text = "x: y ";
    for (unsigned k = 0; k < 200'000; ++k)
        text += "{ a: ";
    CHECK(yaml::bytes_of_plain_maps(text).empty());
    text += "} ";
    CHECK(yaml::bytes_of_plain_maps(text).size() == 1);
}
