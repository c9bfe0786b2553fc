// SPDX-License-Identifier: Apache-2.0
//
// Compares edges with waveforms drawn by hand: each character is the level at the beginning of a
// cycle.
#include "base/clock_rate.hpp"

#include <doctest/doctest.h>

using sme::ClockRate;

namespace {

/// Returns "_" for low and "~" for high at the beginning of each cycle.
std::string drawn(const ClockRate& rate, unsigned cycles) {
    std::string result;
    for (unsigned cycle = 0; cycle < cycles; ++cycle)
        result += rate.is_high_before(cycle) ? '~' : '_';
    return result;
}

} // namespace

TEST_CASE("a clock is high for half of its period") {
    CHECK(drawn({1, 0}, 4) == "~~~~"); // it falls in the middle of each cycle
    CHECK(drawn({2, 0}, 6) == "_~_~_~");
    CHECK(drawn({2, 1}, 6) == "~_~_~_");
    CHECK(drawn({4, 1}, 10) == "__~~__~~__");
    CHECK(drawn({3, 0}, 7) == "_~~_~~_"); // it falls in the middle of the second
}

TEST_CASE("the edges of a clock are where its level changes") {
    for (std::uint64_t every = 1; every < 8; ++every)
        for (std::uint64_t offset = 0; offset < every; ++offset) {
            const ClockRate rate{every, offset};
            CHECK(rate.problem().empty());
            bool high = rate.is_high_before(0);
            for (std::uint64_t cycle = 0; cycle < 30; ++cycle) {
                CHECK(rate.is_high_before(cycle) == high);
                CHECK_FALSE((rate.falls_within(cycle) && rate.falls_after(cycle)));
                if (rate.falls_within(cycle) || rate.falls_after(cycle)) {
                    CHECK(high);
                    high = false;
                }
                if (rate.rises_after(cycle)) {
                    CHECK_FALSE(high);
                    CHECK(cycle % every == offset);
                    high = true;
                }
            }
        }
}

TEST_CASE("a rate is read as it is written, and what is wrong with it is said") {
    for (const ClockRate& rate : {ClockRate{1, 0}, ClockRate{12, 0}, ClockRate{7, 3}})
        CHECK(ClockRate::parse(rate.text()) == rate);
    CHECK(ClockRate{7, 3}.text() == "every 7 offset 3");
    for (const char* wrong : {"", "2", "every", "every ", "every 2 offset", "every 2 offset 1 ",
                              "every -1", "every 99999999999999999999"})
        CHECK_FALSE(ClockRate::parse(wrong).has_value());
    CHECK(ClockRate{0, 0}.problem() ==
          "a clock has an edge every 1 or more cycles, but this is every 0");
    CHECK(ClockRate{4, 6}.problem() == "the offset of a clock is below its period, but 6 is not "
                                       "below 4; write 'every 4 offset 2'");
}
