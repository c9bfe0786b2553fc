// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "base/program.hpp"
#include "base/test/scratch.hpp"

TEST_CASE("the example prints what was worked out by hand") {
    const sme::ProgramEnd end =
        sme::run_program(SME_BINARY_DIR "/hdl/verilator/example/window_in_network", {},
                         sme::ProgramStreams::output_taken);
    CHECK(end.exit_code == 0);
    CHECK(end.output ==
          sme::test::text_of(SME_SOURCE_DIR "/hdl/verilator/example/window_in_network.txt"));
}
