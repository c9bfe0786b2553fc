// SPDX-License-Identifier: Apache-2.0
//
// Compares kmeans with a sequential program, models/kmeans/expected.py.
#include <string>

#include <doctest/doctest.h>

#include "program.hpp"

using sme::test::Command;
using sme::test::model;
using sme::test::Scratch;
using sme::test::text_of;

TEST_CASE("kmeans: both networks find the groups of a sequential program") {
    const Scratch scratch;
    const std::string folder = SME_SOURCE_DIR "/models/kmeans";
    const Command result{"python3 -B " + folder + "/expected.py " + scratch.path(""),
                         Command::any_program};
    REQUIRE(result.exit_code == 0);
    CHECK(text_of(scratch.path("points.csv")) == text_of(folder + "/points.csv"));
    const std::string expected = text_of(folder + "/expected.csv");
    CHECK(text_of(scratch.path("expected.csv")) == expected);
    for (const char* way :
         {"", " --workers 1", " --workers 50 --runners 2", " --pairs",
          " --pairs --workers 30 --runners 2", " --map-reduce",
          " --map-reduce --workers 30 --runners 2", " --map-reduce --threads", " --workers 700"}) {
        CAPTURE(way);
        const Command run = model("kmeans --groups 12 --input " + folder + "/points.csv --output " +
                                  scratch.path("groups.csv") + way);
        CHECK(run.exit_code == 0);
        CHECK(run.out.find(result.out) != std::string::npos); // the number of rounds
        CHECK(text_of(scratch.path("groups.csv")) == expected);
    }
}

TEST_CASE("kmeans: random points depend on the seed alone") {
    const Scratch scratch;
    const auto groups = [&](const std::string& options) {
        const Command run = model("kmeans --points 1000 --groups 9 --output " +
                                  scratch.path("groups.csv") + options);
        CHECK(run.exit_code == 0);
        return text_of(scratch.path("groups.csv"));
    };
    const std::string first = groups("");
    CHECK(groups(" --map-reduce --workers 3") == first);
    CHECK(groups(" --seed 2") != first);
}

TEST_CASE("kmeans: what it cannot work with") {
    const Scratch scratch;
    scratch.write("points.csv", "1,2,3\n4,5\n");
    CHECK(model("kmeans --input " + scratch.path("points.csv")).err ==
          "kmeans: " + scratch.path("points.csv") +
              ":2: give three whole numbers from 0 to 999, such as 12,3,456\n");
    scratch.write("points.csv", "1,2,1000\n");
    CHECK(model("kmeans --input " + scratch.path("points.csv")).exit_code == 2);
    scratch.write("points.csv", "1,2,3\n");
    CHECK(model("kmeans --groups 2 --input " + scratch.path("points.csv")).err ==
          "kmeans: 2 groups of 1 points; give --groups less\n");
    CHECK(model("kmeans --groups 0").exit_code == 2);
    CHECK(model("kmeans --input /dev/zero").exit_code == 2);
}
