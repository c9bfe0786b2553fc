// SPDX-License-Identifier: Apache-2.0
//
// Random well-typed networks of every construct, written as VHDL: GHDL agrees with our run on every
// bus in every cycle.
#include "base/test/nightly.hpp"
#include "random_networks.hpp"
#include "vhdl_exported.hpp"

using namespace sme;

TEST_CASE("random networks written as VHDL do in GHDL what they do here") {
    if (!test::has_program("ghdl")) {
        MESSAGE("skipped: no GHDL");
        return;
    }
    test::write_random_networks<test::ExportedVhdl>(
        test::cases(20, 60), [](const test::ExportedVhdl& exported, std::uint64_t) {
            const std::string said = exported.ghdl();
            CAPTURE(said);
            CHECK(said.starts_with("PASS: "));
        });
}
