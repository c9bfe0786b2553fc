// SPDX-License-Identifier: Apache-2.0
#include "vcd/real_number.hpp"

#include <cmath>
#include <limits>

#include <doctest/doctest.h>

namespace {

using sme::vcd::real_number;

TEST_CASE("a text is a real number only as a whole") {
    CHECK(real_number("-1.5e3") == -1500);
    CHECK(real_number(".25") == 0.25);
    CHECK(real_number("7") == 7);
    CHECK(real_number("-inf") == -std::numeric_limits<double>::infinity());
    CHECK(std::isnan(real_number("NaN").value()));
    for (const char* const text :
         {"", "-", ".", " 1", "1 ", "+1", "--1", "0x10", "-0x1p3", "1e", "1,5", "one", "-+1"})
        CHECK_MESSAGE(!real_number(text), text);
}

TEST_CASE("a real number that a double cannot hold is infinity or zero") {
    CHECK(real_number("1e999") == std::numeric_limits<double>::infinity());
    CHECK(real_number("-1e999") == -std::numeric_limits<double>::infinity());
    CHECK(real_number("1e-999") == 0);
    CHECK(real_number("5e-324") == std::numeric_limits<double>::denorm_min());
}

} // namespace
