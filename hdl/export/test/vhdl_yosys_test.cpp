// SPDX-License-Identifier: Apache-2.0
//
// A separate test, because Debian 12 has no package of the plug-in; on other systems it may run.
#include "examples.hpp"
#include "vhdl_exported.hpp"

TEST_CASE("Yosys, with the plug-in of GHDL, finds neither latches nor loops in VHDL") {
    using namespace sme::test;
    if (Command{"yosys -m ghdl -p help", Command::any_program}.exit_code != 0) {
        MESSAGE("skipped: no Yosys with the plug-in of GHDL");
        return;
    }
    for (const char* name : {"cpu", "fir", "life", "riscv", "sha256", "traffic", "uart"}) {
        CAPTURE(name);
        const ExportedVhdl exported{
            fmt::format("{}/models/{}/network.yaml --cycles 1", SME_SOURCE_DIR, name)};
        REQUIRE(exported.written.exit_code == 0);
        CHECK(exported.yosys() == "");
    }
}
