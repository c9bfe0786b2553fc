// SPDX-License-Identifier: Apache-2.0
//
// Random well-typed networks of every construct, written as Verilog: Icarus Verilog agrees with our
// run on every bus in every cycle.
#include "base/test/nightly.hpp"
#include "exported.hpp"
#include "random_networks.hpp"

using namespace sme;

TEST_CASE("random networks written as Verilog do in Icarus Verilog what they do here") {
    if (!test::has_program("iverilog")) {
        MESSAGE("skipped: no Icarus Verilog");
        return;
    }
    test::write_random_networks<test::ExportedNetwork>(
        test::cases(40, 120), [](const test::ExportedNetwork& exported, std::uint64_t seed) {
            const std::string said = exported.icarus();
            CAPTURE(said);
            CHECK(said.starts_with("PASS: "));
            if (seed % 4 == 0) { // a random network may compare with the limit of a range
                CHECK(exported.lint("-Wno-UNSIGNED -Wno-CMPCONST -Wno-UNUSEDSIGNAL ") == "");
                CHECK(exported.yosys() == "");
            }
        });
}
