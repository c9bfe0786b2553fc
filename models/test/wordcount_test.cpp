// SPDX-License-Identifier: Apache-2.0
//
// Compares wordcount with sort and uniq.
#include <cstdlib>
#include <string>

#include <doctest/doctest.h>

#include "program.hpp"

using sme::test::Command;
using sme::test::model;
using sme::test::Scratch;
using sme::test::text_of;

TEST_CASE("wordcount: both networks count as sort and uniq do") {
    const Scratch scratch;
    // the language guide is a text of some length
    const std::string text =
        text_of(SME_SOURCE_DIR "/lib/yaml/README.md") + text_of(SME_SOURCE_DIR "/CHANGELOG.md");
    scratch.write("text", text);
    const std::string in_order =
        "LC_ALL=C tr -c A-Za-z '\\n' < " + scratch.path("text") +
        " | tr a-z A-Z | grep . | LC_ALL=C sort | uniq -c | LC_ALL=C sort -k1,1nr -k2,2"
        " | sed 's/^ *//' > " +
        scratch.path("expected");
    REQUIRE(std::system(in_order.c_str()) == 0);
    const std::string expected = text_of(scratch.path("expected"));
    REQUIRE(expected.size() > 5000);
    for (const char* way :
         {"", " --workers 1", " --workers 100 --runners 2", " --pairs", " --pairs --runners 2",
          " --map-reduce", " --map-reduce --workers 5 --runners 2", " --map-reduce --threads"}) {
        CAPTURE(way);
        const Command run = model("wordcount --input " + scratch.path("text") + " --output " +
                                  scratch.path("counts") + way);
        CHECK(run.exit_code == 0);
        CHECK(text_of(scratch.path("counts")) == expected);
    }
}

TEST_CASE("wordcount: texts without words, and with more workers than letters") {
    const Scratch scratch;
    scratch.write("none", "1 2 3\n");
    scratch.write("bytes", std::string("\0\xff\x80 a\0B\n", 8));
    for (const char* way : {"", " --map-reduce"}) {
        const Command none = model("wordcount --input " + scratch.path("none") + way);
        CHECK(none.exit_code == 0);
        CHECK(none.out.starts_with("0 words, 0 different"));
        const Command run = model("wordcount --workers 50 --input " + scratch.path("bytes") +
                                  " --output " + scratch.path("counts") + way);
        CHECK(run.exit_code == 0);
        CHECK(text_of(scratch.path("counts")) == "1 A\n1 B\n");
    }
}

TEST_CASE("wordcount: what it cannot work with") {
    const Scratch scratch;
    scratch.write("empty", "");
    CHECK(model("wordcount").err == "wordcount: no text; give --input FILE\n");
    CHECK(model("wordcount --input /no/such/file").err ==
          "wordcount: '/no/such/file': there is no such file\n");
    CHECK(model("wordcount --input " + scratch.path("empty")).err.find("is empty") !=
          std::string::npos);
    CHECK(model("wordcount --input / ").exit_code == 2);
    CHECK(model("wordcount --workers 0 --input " + scratch.path("empty")).exit_code == 2);
}
