// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <memory>
#include <string>

#include "base/codes.hpp"
#include "base/diagnostic.hpp"
#include "base/source.hpp"

using namespace sme;

namespace {

SourceRef source_of(std::string text) {
    return std::make_shared<const Source>("a.yaml", std::move(text));
}

Location at(const SourceRef& source, std::uint32_t begin, std::uint32_t end) {
    Location location;
    location.source = source;
    location.begin = begin;
    location.end = end;
    return location;
}

Location in_cpp(const char* file, std::uint32_t line) {
    Location location;
    location.file = file;
    location.line = line;
    return location;
}

std::string rendered(const Location& where) {
    Diagnostics found;
    found.add(Code::unknown_name, where, "m");
    return render(found);
}

} // namespace

TEST_CASE("a byte offset has a line and a column counted from 1") {
    const Source source{"a", "ab\n\ncde"};
    const struct {
        std::uint32_t offset, line, column;
    } expected[] = {{0, 1, 1}, {2, 1, 3}, {3, 2, 1}, {4, 3, 1}, {6, 3, 3}, {7, 3, 4}};
    for (const auto& e : expected) {
        CAPTURE(e.offset);
        CHECK(source.position(e.offset).line == e.line);
        CHECK(source.position(e.offset).column == e.column);
        CHECK(source.offset(e.line, e.column) == e.offset);
    }
    CHECK(source.line_count() == 3);
}

TEST_CASE("an offset asked for outside the text is its end") {
    const Source source{"a", "ab\ncd"};
    CHECK(source.offset(0, 1) == 5);
    CHECK(source.offset(3, 1) == 5);
    CHECK(source.offset(2, 100) == 5);
}

TEST_CASE("a line is given without its line end, whether of Unix or of DOS") {
    const Source source{"a", "ab\r\n\ncd"};
    CHECK(source.line(1) == "ab");
    CHECK(source.line(2) == "");
    CHECK(source.line(3) == "cd");
    CHECK(source.line(0) == "");
    CHECK(source.line(4) == "");
    CHECK(Source{"a", ""}.line(1) == "");
}

TEST_CASE("a location is described as path, line and column, or as a line of a C++ file") {
    CHECK(describe(at(source_of("x: 1\ny: 2\n"), 8, 9)) == "a.yaml:2:4");
    CHECK(describe(in_cpp("ring.cpp", 12)) == "ring.cpp:12");
    CHECK(describe({}) == "");
    CHECK_FALSE(Location{}.known());
    CHECK(in_cpp("ring.cpp", 12).known());
}

TEST_CASE("a diagnostic is rendered as the style asks, with the place of every note") {
    const SourceRef source = source_of("total: u16\nstep:\n  total: sum + wide\n");
    Diagnostics found;
    found.add(Code::width_mismatch, at(source, 26, 36), "'total' is u16, but this is u32")
        .note(at(source, 7, 10), "'total' is declared u16 here");
    CHECK(render(found) == "a.yaml:3:10: error: 'total' is u16, but this is u32 [width-mismatch]\n"
                           "    total: sum + wide\n"
                           "           ^~~~~~~~~~\n"
                           "a.yaml:1:8: note: 'total' is declared u16 here\n"
                           "  total: u16\n"
                           "         ^~~\n");
}

TEST_CASE("a diagnostic without a place or with a line of C++ shows no excerpt") {
    CHECK(rendered({}) == "error: m [unknown-name]\n");
    CHECK(rendered(in_cpp("ring.cpp", 12)) == "ring.cpp:12: error: m [unknown-name]\n");
}

TEST_CASE("a caret stands at an empty place, past a line's end and under what runs on") {
    const SourceRef source = source_of("abc\ndef\n");
    CHECK(rendered(at(source, 1, 1)) == "a.yaml:1:2: error: m [unknown-name]\n  abc\n   ^\n");
    CHECK(rendered(at(source, 3, 3)) == "a.yaml:1:4: error: m [unknown-name]\n  abc\n     ^\n");
    CHECK(rendered(at(source, 1, 7)) == "a.yaml:1:2: error: m [unknown-name]\n  abc\n   ^~\n");
}

TEST_CASE("a tab counts as one column and control characters are not printed") {
    CHECK(rendered(at(source_of("\tx\x1b[y\n"), 1, 2)) ==
          "a.yaml:1:2: error: m [unknown-name]\n   x [y\n   ^\n");
}

TEST_CASE("a long line is cut around the caret") {
    const std::string a(50, 'a'), b(49, 'b');
    const SourceRef source =
        source_of(std::string(1000, 'a') + "X" + std::string(1000, 'b') + "\nshort\n");
    CHECK(rendered(at(source, 1000, 1001)) == "a.yaml:1:1001: error: m [unknown-name]\n"
                                              "  ..." +
                                                  a + "X" + b +
                                                  "...\n"
                                                  "  " +
                                                  std::string(53, ' ') + "^\n");
    CHECK(rendered(at(source, 3, 1500)) == "a.yaml:1:4: error: m [unknown-name]\n"
                                           "  " +
                                               std::string(100, 'a') +
                                               "...\n"
                                               "     ^" +
                                               std::string(96, '~') + "\n");
    CHECK(rendered(at(source, 1999, 2001)) == "a.yaml:1:2000: error: m [unknown-name]\n"
                                              "  ..." +
                                                  std::string(100, 'b') +
                                                  "\n"
                                                  "  " +
                                                  std::string(101, ' ') + "^~\n");
}

TEST_CASE("a letter of several bytes takes one column, and is not cut in two") {
    CHECK(rendered(at(source_of("\xc3\xa4\xe2\x82\xac: x\n"), 7, 8)) ==
          "a.yaml:1:8: error: m [unknown-name]\n  \xc3\xa4\xe2\x82\xac: x\n      ^\n");
    std::string letters;
    for (int k = 0; k < 200; ++k)
        letters += "\xe2\x82\xac";
    const std::string text = rendered(at(source_of(letters), 300, 303));
    const std::string line = text.substr(text.find("  ..."));
    CHECK(line.starts_with("  ...\xe2\x82\xac"));
    CHECK(line.substr(0, line.find('\n')).ends_with("\xe2\x82\xac..."));
    CHECK(line.ends_with("^\n"));
}

TEST_CASE("a finding has the severity of its code, and strict makes warnings errors") {
    Diagnostics found;
    CHECK(found.add(Code::unused, {}, "w").severity == Severity::warning);
    CHECK_FALSE(found.has_errors());
    CHECK(found.warnings() == 1);
    CHECK(found.add(Code::divide_by_zero, {}, "f").severity == Severity::fault);
    CHECK(found.has_errors());

    Diagnostics strict;
    strict.make_strict();
    CHECK(strict.add(Code::unused, {}, "w").severity == Severity::error);
    CHECK(strict.errors() == 1);
    CHECK(strict.warnings() == 0);
}

TEST_CASE("errors past the limit are counted, not kept, and said to be so") {
    Diagnostics found;
    for (std::size_t k = 0; k < Diagnostics::error_limit + 3; ++k)
        found.add(Code::unknown_name, {}, std::to_string(k)).note({}, "n");
    CHECK(found.all().size() == 50);
    CHECK(found.errors() == 53);
    CHECK(found.suppressed() == 3);
    CHECK(found.all().back().message == "49");
    found.add(Code::unused, {}, "a warning still comes through");
    CHECK(found.all().size() == 51);
    const std::string text = render(found);
    CHECK(text.ends_with("3 more errors are not shown\n"));
}

TEST_CASE("a near name is suggested, a far one is not") {
    const std::vector<std::string> known{"processes", "parameters", "buses"};
    CHECK(did_you_mean("proceses", known) == ", did you mean 'processes'?");
    CHECK(did_you_mean("busses", known) == ", did you mean 'buses'?");
    CHECK(did_you_mean("clock", known) == "");
    CHECK(did_you_mean("x", {"y"}) == ""); // no common letter
    CHECK(did_you_mean("ab", {"ac"}) == ", did you mean 'ac'?");
    CHECK(did_you_mean("x", {"yz"}) == "");
    CHECK(did_you_mean("foo", {"xor", "for_all"}) == ""); // one common letter of three
    CHECK(did_you_mean("chekc", {"chart", "check"}) == ", did you mean 'check'?"); // a swap
    CHECK(did_you_mean("tpye", {"tree", "type"}) == ", did you mean 'type'?");
    CHECK(did_you_mean(std::string(65, 'x'), {std::string(64, 'x')}) == "");
    CHECK(did_you_mean("buses", {}) == "");
}

TEST_CASE("of two names the nearer one is suggested") {
    CHECK(did_you_mean("count", {"counts_a", "counts"}) == ", did you mean 'counts'?");
}

TEST_CASE("findings within a text that was asked for elsewhere say where") {
    sme::Diagnostics diagnostics;
    {
        const sme::Diagnostics::Within outer{diagnostics, {}, "in instance 'a'"};
        const sme::Diagnostics::Within inner{diagnostics, {}, "in instance 'b'"};
        diagnostics.add(sme::Code::unknown_name, {}, "nothing is named 'x' here");
    }
    diagnostics.add(sme::Code::unknown_name, {}, "nothing is named 'y' here");
    REQUIRE(diagnostics.all()[0].notes.size() == 2);
    CHECK(diagnostics.all()[0].notes[0].message == "in instance 'b'");
    CHECK(diagnostics.all()[0].notes[1].message == "in instance 'a'");
    CHECK(diagnostics.all()[1].notes.empty());
}

TEST_CASE("what was found already is not given again, but an error counts") {
    sme::Diagnostics diagnostics;
    const auto source = std::make_shared<sme::Source>("n.yaml", "x: y");
    const sme::Location where{source, 0, 1};
    for (int turn = 0; turn < 2; ++turn) {
        diagnostics.add(sme::Code::unused, {}, "'x' is never used");
        diagnostics.add(sme::Code::unknown_name, where, "nothing is named 'x' here");
    }
    CHECK(diagnostics.warnings() == 1);
    CHECK(diagnostics.errors() == 2);
    CHECK(diagnostics.all().size() == 2);
    diagnostics.add(sme::Code::unknown_name, where, "nothing is named 'y' here");
    CHECK(diagnostics.all().size() == 3);
}
