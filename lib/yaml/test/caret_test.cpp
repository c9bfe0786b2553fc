// SPDX-License-Identifier: Apache-2.0
//
// However YAML folds, strips or quotes a text, a diagnostic points at the original bytes.
#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.hpp"
#include "expr/syntax/parser.hpp"
#include "yaml/read/tree.hpp"

using namespace sme;

namespace {

/// Returns the value of the key "x" of a file.
yaml::Node value_of(const std::string& file) {
    Diagnostics diagnostics;
    auto root = yaml::parse_tree(std::make_shared<Source>("a.yaml", file), diagnostics);
    CAPTURE(render(diagnostics));
    REQUIRE(root);
    const yaml::Node* value = root->find("x");
    REQUIRE(value);
    return *value;
}

/// The expression 'a + b * wrong' in one of YAML's text styles.
struct Style {
    const char* name;
    const char* file;
};
const std::vector<Style> styles{
    {"plain", "x: a + b * wrong\n"},
    {"plain on the next line", "x:\n  a + b * wrong\n"},
    {"plain over lines", "x: a +\n  b\n\n  * wrong\n"},
    {"plain with a comment behind", "x: a + b * wrong   # wrong\n"},
    {"single quotes", "x: 'a + b * wrong'\n"},
    {"double quotes", "x: \"a + b * wrong\"\n"},
    {"double quotes over lines", "x: \"a +\n\n  b * \\\n  wrong\"\n"},
    {"literal", "x: |\n  a +\n  b\n  * wrong\n"},
    {"literal, stripped", "x: |-\n    a +\n      b\n\n    * wrong\n"},
    {"literal, kept, with lines before it", "x: |+\n\n\n  a +\n  b * wrong\n\n\n"},
    {"literal with its indentation", "x: |2\n    a +\n  b * wrong\n"},
    {"literal with a comment behind the bar", "x: | # wrong\n  a + b * wrong\n"},
    {"folded", "x: >\n  a +\n  b\n\n  * wrong\n"},
    {"folded, stripped, with deeper lines", "x: >-\n  a +\n     b\n  * wrong\n"},
    {"after letters of several bytes", "# \xc3\xa4\xe2\x82\xac\nx: a + b * wrong\n"},
    {"after a byte order mark", "\xef\xbb\xbfx: a + b * wrong\n"},
    {"with the line ends of DOS", "y: 1\r\nx: >\r\n  a +\r\n  b * wrong\r\n"},
};

} // namespace

TEST_CASE("every byte of a text knows the byte of the file it came from") {
    for (const Style& style : styles) {
        CAPTURE(style.name);
        const expr::Text text = value_of(style.file).text;
        const std::string file = style.file;
        REQUIRE(text.offsets.size() == text.text.size() + 1);
        for (std::size_t k = 0; k < text.text.size(); ++k) {
            CAPTURE(k);
            CHECK(text.offsets[k + 1] >= text.offsets[k]);
            if (text.text[k] != ' ' && text.text[k] != '\n')
                CHECK(file[text.offsets[k]] == text.text[k]);
        }
        const std::size_t word = text.text.find("wrong");
        REQUIRE(word != std::string::npos);
        const Location where = text.at(word, word + 5);
        const std::size_t wanted = file.rfind("* wrong") == std::string::npos
                                       ? file.rfind("wrong")
                                       : file.rfind("* wrong") + 2;
        CHECK(where.begin == wanted);
        CHECK(where.end == wanted + 5);
    }
}

TEST_CASE("escapes in quotes count as what they stand for") {
    const auto places = [](const std::string& file, const std::string& part) {
        const expr::Text text = value_of(file).text;
        const std::size_t at = text.text.find(part);
        REQUIRE(at != std::string::npos);
        const Location where = text.at(at, at + part.size());
        return file.substr(where.begin, where.end - where.begin);
    };
    CHECK(places("x: 'it''s wrong'\n", "wrong") == "wrong");
    CHECK(places("x: \"\\\"\\\\\\t wrong\"\n", "wrong") == "wrong");
    CHECK(places("x: \"\\x41\\u20ac\\U0001F600 wrong\"\n", "wrong") == "wrong");
    CHECK(places("x: \"\\u20ac\"\n", "\xe2\x82\xac").starts_with("\\"));
}

namespace {

/// Counts the texts of a tree that have a misplaced byte; adds the number of checked texts to
/// `texts`.
int misplaced(const yaml::Node& node, std::string_view raw, int& texts) {
    int found = 0;
    if (node.is_text()) {
        ++texts;
        for (std::size_t k = 0; k < node.text.text.size(); ++k) {
            const char c = node.text.text[k], there = raw[node.text.offsets[k]];
            if (c != ' ' && c != '\n' && c != there && there != '\\')
                return 1;
        }
    }
    for (const yaml::Node& item : node.items)
        found += misplaced(item, raw, texts);
    for (const auto& [key, value] : node.entries)
        found += misplaced(key, raw, texts) + misplaced(value, raw, texts);
    return found;
}

} // namespace

TEST_CASE("in every network of the tree every text is where it says") {
    namespace fs = std::filesystem;
    int texts = 0;
    for (const char* top : {"lib", "models"})
        for (const auto& entry : fs::recursive_directory_iterator{fs::path{SME_SOURCE_DIR} / top}) {
            if (entry.path().extension() != ".yaml")
                continue;
            CAPTURE(entry.path());
            const FileText file = read_file(entry.path(), yaml::Limits::file_bytes);
            REQUIRE(file.text);
            Diagnostics ignored;
            const auto root =
                yaml::parse_tree(std::make_shared<Source>("a.yaml", *file.text), ignored);
            if (root)
                CHECK(misplaced(*root, *file.text, texts) == 0);
        }
    CHECK(texts > 5000);
}

TEST_CASE("what is missing at the end is missing behind the last word, not lines below") {
    for (const char* file :
         {"x: a +\ny: 1\n", "x: |\n  a +\ny: 1\n", "x: |+\n  a +\n\n\ny: 1\n", "x: >\n  a +\n\n\n",
          "x: a\n  +\n\ny: 1\n", "x: 'a +'\n", "x: a +   # and nothing\n", "x: |\n  a + # b\n"}) {
        CAPTURE(file);
        Diagnostics diagnostics;
        expr::parse_expression(value_of(file).text, diagnostics);
        REQUIRE(diagnostics.all().size() == 1);
        const std::string text = file;
        const Location where = diagnostics.all()[0].where;
        const std::size_t plus = text.find('+', text.find('a'));
        CHECK(where.begin >= plus);
        CHECK(where.begin <= plus + 1);
    }
}
