// SPDX-License-Identifier: Apache-2.0
//
// Compares the output of the examples with results worked out by hand.
#include <array>
#include <cstdio>
#include <string>

#include <doctest/doctest.h>

#include "base/test/scratch.hpp"

namespace {

std::string output_of(const std::string& program) {
    std::FILE* const pipe = ::popen((program + " 2>/dev/null").c_str(), "r");
    REQUIRE(pipe);
    std::string text;
    std::array<char, 4096> part{};
    while (const std::size_t read = std::fread(part.data(), 1, part.size(), pipe))
        text.append(part.data(), read);
    CHECK(::pclose(pipe) == 0);
    return text;
}

} // namespace

TEST_CASE("the examples print what was worked out by hand") {
    for (const std::string name : {"network_in_systemc", "module_in_network"}) {
        CAPTURE(name);
        CHECK(output_of(SME_BINARY_DIR "/hdl/systemc/" + name) ==
              sme::test::text_of(SME_SOURCE_DIR "/hdl/systemc/example/" + name + ".txt"));
    }
}
