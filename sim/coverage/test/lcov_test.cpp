// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <filesystem>

#include "coverage/toggles.hpp"

using namespace sme::coverage;

TEST_CASE("a tracefile has the records of geninfo(1), in their order") {
    LineCoverage coverage;
    FileCoverage& file = coverage["models/../a.yaml"];
    file.lines = {{3, 12}, {7, 0}};
    file.branches[3] = {{0, 0, 12, true}, {0, 1, 0, true}, {1, 0, 0, false}};
    const std::string path = (std::filesystem::current_path() / "a.yaml").string();
    CHECK(lcov_text(coverage, "my test") == "TN:my_test\nSF:" + path +
                                                "\nBRDA:3,0,0,12\nBRDA:3,0,1,0\nBRDA:3,1,0,-\n"
                                                "BRF:3\nBRH:1\nDA:3,12\nDA:7,0\nLF:2\nLH:1\n"
                                                "end_of_record\n");
}

TEST_CASE("tracefiles are added, line by line and branch by branch") {
    LineCoverage one;
    one["/a.yaml"].lines = {{3, 12}, {7, 0}};
    one["/a.yaml"].branches[3] = {{0, 0, 12, true}, {0, 1, 0, true}, {1, 0, 0, false}};
    LineCoverage other;
    other["/a.yaml"].lines = {{7, 2}, {9, 0}};
    other["/a.yaml"].branches[3] = {{1, 0, 5, true}, {1, 1, 0, true}};
    other["/b.yaml"].lines = {{1, 1}};
    LineCoverage sum;
    add_lcov(lcov_text(one, "one"), sum);
    add_lcov(lcov_text(other, "other"), sum);
    LineCoverage expected;
    expected["/a.yaml"].lines = {{3, 12}, {7, 2}, {9, 0}};
    expected["/a.yaml"].branches[3] = {
        {0, 0, 12, true}, {0, 1, 0, true}, {1, 0, 5, true}, {1, 1, 0, true}};
    expected["/b.yaml"].lines = {{1, 1}};
    CHECK(lcov_text(sum, "") == lcov_text(expected, ""));
    add_lcov("SF\n:\nDA:\nBRDA:1\n\nSF:/c\nDA:x,y\nDA:1", sum); // no records
    CHECK(sum.at("/c").lines.empty());
}
