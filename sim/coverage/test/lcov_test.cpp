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
