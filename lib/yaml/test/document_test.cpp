// SPDX-License-Identifier: Apache-2.0
//
// Texts, lists and maps, written and read back by the parser of network files.
#include "yaml/print/document.hpp"

#include <doctest/doctest.h>

#include <random>

#include "yaml/read/tree.hpp"

using namespace sme;
using yaml::Document;
using yaml::Node;

namespace {

bool same(const Document& written, const Node& read) {
    if (written.empty()) // {} and [] are maps and lists
        return read.entries.empty() && read.items.empty() && !read.is_text();
    if (written.is_text())
        return read.is_text() && read.text.text == written.text;
    if (written.items.size() != read.items.size() || written.entries.size() != read.entries.size())
        return false;
    for (std::size_t k = 0; k < read.items.size(); ++k)
        if (!same(written.items[k], read.items[k]))
            return false;
    for (std::size_t k = 0; k < read.entries.size(); ++k)
        if (written.entries[k].key != read.entries[k].key.text.text ||
            !same(written.entries[k].value, read.entries[k].value))
            return false;
    return true;
}

void check_read_back(const Document& map) {
    const std::string text = yaml::write(map);
    CAPTURE(text);
    Diagnostics diagnostics;
    const auto read =
        yaml::parse_tree(std::make_shared<Source>("document.yaml", text), diagnostics);
    INFO(render(diagnostics));
    REQUIRE(read.has_value());
    CHECK(!diagnostics.has_errors());
    CHECK(same(map, *read));
}

std::string value_of(const std::string& text) {
    Document map = Document::map();
    map.set("x", text);
    check_read_back(map);
    const std::string written = yaml::write(map);
    return written.substr(3, written.size() - 4);
}

std::string key_of(const std::string& text) {
    Document map = Document::map();
    map.set(text, "1");
    check_read_back(map);
    const std::string written = yaml::write(map);
    return written.substr(0, written.size() - 4);
}

} // namespace

TEST_CASE("texts are quoted where YAML needs it, and not elsewhere") {
    for (const char* plain : {"a",    "a + b", "-x",  "-1",  "x[7:0]",  "~x",   "0b1??0", "no",
                              "010",  "1.5",   "a#b", "a:b", "f(a, b)", "true", "?x",     "a \"b\"",
                              "it's", "x{y}",  "--a", "<<",  "=",       "a  b", ".a",     "/a"})
        CHECK(value_of(plain) == plain);
    for (const char* quoted :
         {"",    " a", "a ",   "a: b", "a:",   "a #b", "#a",  "[a]", "{a}", "&a",    "*a",
          "!a",  "|",  ">",    "%a",   "@a",   "`a",   "- a", "-",   "?",   "? a",   ":",
          ": a", ",",  "null", "Null", "NULL", "~",    "'a'", "]",   "---", "--- a", "..."})
        CHECK(value_of(quoted) == '"' + std::string{quoted} + '"');
    CHECK(value_of("\"a\"") == "'\"a\"'");
    CHECK(value_of("\"a's\": \\") == "'\"a''s\": \\'");
    CHECK(value_of("a\nb\t\"\x01") == "\"a\\x0ab\\x09\\\"\\x01\"");
    CHECK(value_of("\xc3\xbc # \xe2\x82\xac") == "\"\xc3\xbc # \xe2\x82\xac\"");
    for (const char* plain : {"if a == b", "0b1??0", "-1, 2", "node[k < n]", "true", "back ready"})
        CHECK(key_of(plain) == plain);
    for (const char* quoted : {"", "null", "a: b", "#1.csv", "[a]", "- a", "? a"})
        CHECK(key_of(quoted) == '"' + std::string{quoted} + '"');
}

TEST_CASE("short lists and maps stand on a line, others in blocks") {
    Document map = Document::map();
    Document names = Document::list(true);
    names.push(Document::of("a"));
    names.push(Document::of("b = 0x2"));
    map.set("names", names);
    names.push(Document::of("b[1]"));
    map.set("elements", names);
    Document ports = Document::map(true);
    ports.set("x", "a");
    ports.set("y", Document::list(true));
    map.set("none", Document::map());
    ports.entries.pop_back();
    ports.set("z", "f(1)");
    map.set("ports", ports);
    ports.set("w[k < 2]", "c");
    map.set("more", ports);
    Document list = Document::list();
    list.push(ports);
    list.push(names);
    list.push(Document::of("last"));
    map.set("list", list);
    check_read_back(map);
    CHECK(yaml::write(map) == R"(names: [a, b = 0x2]
elements:
  - a
  - b = 0x2
  - b[1]
none: {}
ports: {x: a, z: f(1)}
more:
  x: a
  z: f(1)
  w[k < 2]: c
list:
  - x: a
    z: f(1)
    w[k < 2]: c
  - - a
    - b = 0x2
    - b[1]
  - last
)");
}

TEST_CASE("long texts go on behind an operator, on deeper lines") {
    Document map = Document::map();
    std::string sum = "first";
    for (int k = 0; k < 30; ++k)
        sum += k % 2 == 0 ? " + second" : " - third";
    map.set("key", sum);
    Document list = Document::list();
    list.push(Document::of(sum));
    map.set("list", list);
    Document members = Document::list(true);
    for (int k = 0; k < 30; ++k)
        members.push(Document::of("member_" + std::to_string(k)));
    map.set("members", members);
    map.set(std::string(90, 'k'), sum);
    check_read_back(map);
    const std::string text = yaml::write(map);
    CAPTURE(text);
    std::size_t longest = 0;
    for (std::size_t begin = 0, end = 0; begin < text.size(); begin = end + 1) {
        end = text.find('\n', begin);
        longest = std::max(longest, end - begin);
        const std::size_t first = text.find_first_not_of(' ', begin);
        CHECK((text[first] != '+' && (text[first] != '-' || text[first + 2] == 'f')));
    }
    CHECK(longest <= 100);
}

TEST_CASE("a key that is too long for YAML's short form gets the other one") {
    std::string key = "a";
    while (key.size() < 3000)
        key += " + b";
    for (const Document& value : {Document::of("1"), Document::map()}) {
        Document map = Document::map(), inner = Document::map();
        inner.set(key, value);
        inner.set("next", "2");
        map.set("outer", inner);
        Document deep = Document::map();
        deep.set("c", "3");
        map.entries[0].value.set(key + " + c", deep);
        check_read_back(map);
    }
}

TEST_CASE("random texts come back as they went in") {
    std::mt19937 random{1};
    const std::string letters = "ab01 :#-?,[]{}&*!|>'\"%@`~=<.\\/()\n\t";
    for (int round = 0; round < 20'000; ++round) {
        std::string text;
        for (std::size_t k = random() % 12; k-- > 0;)
            text += letters[random() % letters.size()];
        CAPTURE(text);
        value_of(text);
    }
}
