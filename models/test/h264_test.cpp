// SPDX-License-Identifier: Apache-2.0
//
// h264: the shares of table 2, and the same result for every way to run.
#include <doctest/doctest.h>

#include <string>

#include "program.hpp"

using sme::test::Command;
using sme::test::model;

namespace {

std::string digest_of(const Command& run) {
    const std::size_t at = run.out.find("digest ");
    return at == std::string::npos ? "none" : run.out.substr(at);
}

} // namespace

TEST_CASE("h264: the work has the shares of table 2") {
    const Command run = model("h264 --frames 20 --work 1");
    CHECK(run.exit_code == 0);
    for (const char* line :
         {"intra or inter      8.08 %    8.08 %", "intra analysis      5.02 %    5.02 %",
          "motion             34.36 %   34.36 %", "prediction         23.83 %   23.83 %",
          "macroblocks         8.69 %    8.69 %", "entropy coding      6.72 %    6.72 %",
          "other              13.30 %   13.30 %", "20 frames in order"})
        CHECK(run.out.find(line) != std::string::npos);
}

TEST_CASE("h264: frames come in order with the same digest, whatever the workers and runners") {
    const std::string expected = digest_of(model("h264 --work 1"));
    CHECK(expected.size() > 20);
    for (const char* way : {"--workers 2", "--workers 100 --runners 2", "--workers 7 --threads",
                            "--workers 1000", "--pace 10000 --runners 2"}) {
        CAPTURE(way);
        const Command run = model(std::string{"h264 --work 1 "} + way);
        CHECK(run.exit_code == 0);
        CHECK(run.out.find("300 frames in order") != std::string::npos);
        CHECK(digest_of(run) == expected);
    }
    const Command paced = model("h264 --work 1 --frames 21 --pace 200");
    CHECK(std::stod(paced.out.substr(paced.out.find(" s, of processors") - 5)) >= 0.1);
    const Command other = model("h264 --work 2 --frames 300");
    CHECK(digest_of(other) != expected);
}

TEST_CASE("h264: with a clock, the result is the same, and more workers take fewer cycles") {
    const std::string expected = digest_of(model("h264 --work 1 --frames 5"));
    const Command one = model("h264 --work 1 --frames 5 --clocked");
    const Command ten = model("h264 --work 1 --frames 5 --clocked --workers 10");
    CHECK(one.exit_code == 0);
    CHECK(digest_of(one) == expected);
    CHECK(digest_of(ten) == expected);
    const auto cycles = [](const Command& run) {
        return std::stoi(run.out.substr(run.out.find(" cycles a frame") - 5));
    };
    CHECK(cycles(ten) < cycles(one));
}

TEST_CASE("h264: what it cannot work with") {
    CHECK(model("h264 --workers 0").err.find("from 1 to 1000") != std::string::npos);
    CHECK(model("h264 --workers 1001").exit_code == 2);
    CHECK(model("h264 --frames none").exit_code == 2);
}
