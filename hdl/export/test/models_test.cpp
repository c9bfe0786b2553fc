// SPDX-License-Identifier: Apache-2.0
//
// Every model and every standard component as Verilog: lint-clean, without latches and loops, and
// equal to our run in every cycle.
#include <doctest/doctest.h>

#include "examples.hpp"
#include "kept.hpp"

namespace {

using namespace sme;
using namespace sme::test;

} // namespace

TEST_CASE("every model agrees with its run in Icarus Verilog") {
    if (skip("iverilog"))
        return;
    int changes = 0;
    for_all(models(), "200", [&](const ExportedNetwork& exported) {
        CHECK(exported.icarus().starts_with("PASS: "));
        for (const Kept& kept : kept_in(exported.text(exported.top + ".v")))
            for (const long long value : {kept.low, kept.high}) {
                CAPTURE(kept.name);
                CAPTURE(value);
                CHECK(contains(changed(exported, kept, value), "PASS: "));
                ++changes;
            }
    });
    CHECK(changes > 1); // parameters that stay in the Verilog
}

TEST_CASE("every standard component agrees with its run in Icarus Verilog") {
    if (skip("iverilog"))
        return;
    for_all(components(), "400", [](const ExportedNetwork& exported) {
        CHECK(exported.icarus().starts_with("PASS: "));
    });
}

TEST_CASE("what is written is lint-clean, and Yosys finds neither latches nor loops") {
    const bool no_verilator = skip("verilator"), no_yosys = skip("yosys");
    const auto judge = [&](const ExportedNetwork& exported) {
        if (!no_verilator)
            CHECK(exported.lint() == "");
        if (!no_yosys)
            CHECK(exported.yosys() == "");
    };
    for_all(models(), "1", judge);
    for_all(components(), "1", judge);
}
