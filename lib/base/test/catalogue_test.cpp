// SPDX-License-Identifier: Apache-2.0
//
// Tests the parser of entries and that every code has one. sim/cli/test/texts/catalogue_test.cpp
// tests with the command that the examples are correct.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>

#include "base/codes.hpp"

using namespace sme;

TEST_CASE("an entry is a text, a wrong and a right example, each of files and commands") {
    const Explanation read = parse_explanation("What it means.\nAnd why.\n\nWhat to do.\n\n"
                                               "## Wrong\n\n```yaml a.yaml\nx: 1\n\ny: 2\n```\n\n"
                                               "```console\n$ sme check a.yaml\nerror\n```\n\n"
                                               "## Right\n\n```yaml a.yaml\nx: 2\n```\n"
                                               "```csv b.csv\n1\n```\n");
    CHECK(read.problem == "");
    CHECK(read.text == "What it means.\nAnd why.\n\nWhat to do.");
    REQUIRE(read.wrong.files.size() == 1);
    CHECK(read.wrong.files[0].name == "a.yaml");
    CHECK(read.wrong.files[0].text == "x: 1\n\ny: 2\n");
    CHECK(read.wrong.session == "$ sme check a.yaml\nerror\n");
    REQUIRE(read.right.files.size() == 2);
    CHECK(read.right.files[1].text == "1\n");
    CHECK(read.right.session == "");
}

TEST_CASE("what is missing in an entry is named") {
    const std::string wrong = "## Wrong\n```console\n$ false\n```\n";
    const std::string right = "## Right\n```yaml a.yaml\n```\n";
    CHECK(parse_explanation("Text.\n" + wrong + right).problem == "");
    CHECK(parse_explanation(wrong + right).problem.find("no explanation") != std::string::npos);
    CHECK(parse_explanation("Text.\n" + right).problem.find("'## Wrong'") != std::string::npos);
    CHECK(parse_explanation("Text.\n" + wrong).problem.find("'## Right'") != std::string::npos);
    CHECK(parse_explanation("Text.\n" + wrong + right + "```c d\n").problem.find("does not end") !=
          std::string::npos);
    CHECK(parse_explanation("Text.\n" + wrong + "loose\n" + right).problem.find("loose") !=
          std::string::npos);
    CHECK(parse_explanation("Text.\n```yaml a\n```\n" + wrong + right).problem != "");
    CHECK(parse_explanation("Text.\n" + wrong + right + "```yaml\n```\n").problem != "");
    CHECK(parse_explanation("").problem != "");
}

TEST_CASE("every code has an entry in the catalogue, and every entry a code") {
    for (const CodeInfo& code : all_codes()) {
        const std::string problem = explanation(code.slug).problem;
        CHECK_MESSAGE(problem.empty(), code.slug << ": " << problem);
    }
    for (const std::string_view slug : explained_slugs())
        CHECK_MESSAGE(std::any_of(all_codes().begin(), all_codes().end(),
                                  [&](const CodeInfo& code) { return code.slug == slug; }),
                      "no code has the slug of lib/base/catalogue/" << slug << ".md");
}

TEST_CASE("an explanation has two to six sentences") {
    for (const std::string_view slug : explained_slugs()) {
        CAPTURE(slug);
        const std::string text = explanation(slug).text + " ";
        std::size_t sentences = 0;
        for (std::size_t at = 1; at + 1 < text.size(); ++at)
            sentences += (text[at] == '.' || text[at] == '?') && text[at - 1] != ' ' &&
                                 (text[at + 1] == ' ' || text[at + 1] == '\n')
                             ? 1u
                             : 0u;
        CHECK(sentences >= 2);
        CHECK(sentences <= 6);
    }
}
