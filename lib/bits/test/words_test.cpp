// SPDX-License-Identifier: Apache-2.0
#include "bits/integer.hpp"

#include <doctest/doctest.h>

using namespace sme;

TEST_CASE("numbers of many words are read in every base") {
    // 2^64, 2^128 - 1 and 10^20 as printed by bc
    CHECK(parse_words("18446744073709551616", 4096) == Words{0, 1});
    CHECK(parse_words("340282366920938463463374607431768211455", 4096) == Words{~0ull, ~0ull});
    CHECK(parse_words("100000000000000000000", 4096) == Words{0x6bc75e2d63100000, 5});
    CHECK(parse_words("0x1_0000000000000002_0000000000000003", 4096) == Words{3, 2, 1});
    CHECK(parse_words("0b1" + std::string(70, '0'), 4096) == Words{0, 64});
    CHECK(parse_words("0", 4096) == Words{0});
    CHECK(parse_words("7", 4096) == Words{7});
}

TEST_CASE("what is no number, or too long, is refused") {
    for (const char* text : {"", "0x", "_1", "1_", "0b12", "12a", "012", "0x1g", "-1"}) {
        CAPTURE(text);
        CHECK_FALSE(parse_words(text, 4096));
    }
    CHECK(parse_words("0x" + std::string(1024, 'f'), 4096));
    CHECK_FALSE(parse_words("0x1" + std::string(1024, '0'), 4096));
    CHECK_FALSE(parse_words(std::string(1'000'000, '9'), 4096)); // and quickly
    CHECK(parse_words("0x" + std::string(10'000, '0') + "1", 4096) == Words{1});
}

TEST_CASE("widths and hexadecimal digits") {
    CHECK(width_of({0}) == 0);
    CHECK(width_of({0, 0}) == 0);
    CHECK(width_of({5}) == 3);
    CHECK(width_of({0, 1}) == 65);
    CHECK(width_of({~0ull, ~0ull}) == 128);
    const Words words{0x0123456789abcdef, 0x1f};
    CHECK(hexadecimal(words, 69) == "0x1f0123456789abcdef");
    CHECK(hexadecimal(words, 77) == "0x001f0123456789abcdef");
    CHECK(hexadecimal(Words{1}, 1) == "0x1");
}
