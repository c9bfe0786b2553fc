// SPDX-License-Identifier: Apache-2.0
//
// Every model and every standard component as Verilog agrees with our run in Verilator, too.
#include <doctest/doctest.h>

#include "examples.hpp"

namespace {

using namespace sme::test;

void judge(const std::vector<Example>& examples, const std::string& cycles) {
    const Scratch runtime;
    for_all(examples, cycles, [&](const ExportedNetwork& exported) {
        const std::string said = exported.verilator(runtime);
        CAPTURE(said);
        CHECK(said.starts_with("PASS: "));
    });
}

} // namespace

TEST_CASE("every model agrees with its run in Verilator") {
    if (!skip("verilator"))
        judge(models(), "200");
}

TEST_CASE("every standard component agrees with its run in Verilator") {
    if (!skip("verilator"))
        judge(components(), "400");
}
