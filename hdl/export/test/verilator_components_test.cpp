// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "examples.hpp"

TEST_CASE("every standard component agrees with its run in Verilator") {
    sme::test::run_in_verilator(sme::test::components(), "400");
}
