// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cstdint>
#include <optional>
#include <string>

#include "bits/integer.hpp"

using namespace sme;

namespace {

constexpr Integer most = ~(Integer{1} << 127);
constexpr Integer least = Integer{1} << 127;

/// doctest cannot print 128-bit integers.
std::string shown(const std::optional<Integer>& value) {
    return value ? to_string(*value) : "nothing";
}

} // namespace

TEST_CASE("integers are written in decimal, up to the ends of 128 bits") {
    CHECK(to_string(0) == "0");
    CHECK(to_string(-7) == "-7");
    CHECK(to_string(1000000) == "1000000");
    CHECK(to_string(most) == "170141183460469231731687303715884105727");
    CHECK(to_string(least) == "-170141183460469231731687303715884105728");
}

TEST_CASE("decimal, hexadecimal and binary numbers are read, with underscores inside") {
    CHECK(shown(parse_integer("0")) == "0");
    CHECK(shown(parse_integer("12")) == "12");
    CHECK(shown(parse_integer("1_000")) == "1000");
    CHECK(shown(parse_integer("0x1f")) == "31");
    CHECK(shown(parse_integer("0xAbC")) == "2748");
    CHECK(shown(parse_integer("0b1010")) == "10");
    CHECK(shown(parse_integer("0b1111_0000")) == "240");
    CHECK(shown(parse_integer("0x00ff")) == "255");
    CHECK(shown(parse_integer("0X1f")) == "31"); // capitals, as in the output of other tools
    CHECK(shown(parse_integer("0B101")) == "5");
    CHECK(shown(parse_integer("18446744073709551615")) == "18446744073709551615");
}

TEST_CASE("what is no number is refused") {
    for (const char* text :
         {"",   "010", "00",   "0x",  "0b",  "0b2", "0xg", "12a", "a",   "-3", "+3",
          "_1", "1_",  "0x_1", "1.5", "1e3", " 1",  "1 ",  "0X",  "0B2", "7:0"}) {
        CAPTURE(text);
        CHECK(shown(parse_integer(text)) == "nothing");
    }
}

TEST_CASE("a number of 126 bits is read in every base, and one more is refused") {
    const char* const largest_read = "85070591730234615865843651857942052863"; // 2^126 - 1
    CHECK(shown(parse_integer(largest_read)) == largest_read);
    CHECK(shown(parse_integer("0x3fffffffffffffffffffffffffffffff")) == largest_read);
    CHECK(shown(parse_integer("0b" + std::string(126, '1'))) == largest_read);
    CHECK(shown(parse_integer("85070591730234615865843651857942052864")) == "nothing");
    CHECK(shown(parse_integer("0x40000000000000000000000000000000")) == "nothing");
    CHECK(shown(parse_integer("0b1" + std::string(126, '0'))) == "nothing");
    CHECK(shown(parse_integer(std::string(1000, '9'))) == "nothing");
    CHECK(shown(parse_integer("0x" + std::string(1000, '0') + "5")) == "5");
}

TEST_CASE("exact arithmetic gives nothing where it leaves 128 bits") {
    CHECK(shown(exact_add(2, -5)) == "-3");
    CHECK(shown(exact_add(most, 1)) == "nothing");
    CHECK(shown(exact_add(least, -1)) == "nothing");
    CHECK(shown(exact_subtract(2, 5)) == "-3");
    CHECK(shown(exact_subtract(least, 1)) == "nothing");
    CHECK(shown(exact_subtract(0, least)) == "nothing");
    CHECK(shown(exact_multiply(-4, 5)) == "-20");
    CHECK(shown(exact_multiply(most, 2)) == "nothing");
    CHECK(shown(exact_multiply((Integer{1} << 63) - 1, (Integer{1} << 63) - 1)) ==
          "85070591730234615847396907784232501249"); // (2^63 - 1)^2
}

TEST_CASE("division truncates toward zero, and by zero there is nothing") {
    CHECK(shown(exact_divide(7, 2)) == "3");
    CHECK(shown(exact_divide(-7, 2)) == "-3");
    CHECK(shown(exact_divide(7, -2)) == "-3");
    CHECK(shown(exact_divide(7, -1)) == "-7");
    CHECK(shown(exact_divide(least, -1)) == "nothing");
    CHECK(shown(exact_divide(7, 0)) == "nothing");
    CHECK(shown(exact_remainder(7, 2)) == "1");
    CHECK(shown(exact_remainder(-7, 2)) == "-1");
    CHECK(shown(exact_remainder(7, -2)) == "1");
    CHECK(shown(exact_remainder(least, -1)) == "0");
    CHECK(shown(exact_remainder(7, 0)) == "nothing");
}

TEST_CASE("the bits that number a count of things") {
    const struct {
        Integer count;
        unsigned bits;
    } expected[] = {{0, 0},
                    {1, 0},
                    {2, 1},
                    {3, 2},
                    {4, 2},
                    {5, 3},
                    {8, 3},
                    {9, 4},
                    {256, 8},
                    {257, 9},
                    {Integer{1} << 64, 64},
                    {(Integer{1} << 64) + 1, 65}};
    for (const auto& e : expected) {
        CAPTURE(to_string(e.count));
        CHECK(ceil_log2(e.count) == e.bits);
    }
}

TEST_CASE("the ends of the integers of a width") {
    CHECK(to_string(smallest(1, false)) == "0");
    CHECK(to_string(largest(1, false)) == "1");
    CHECK(to_string(smallest(1, true)) == "-1");
    CHECK(to_string(largest(1, true)) == "0");
    CHECK(to_string(smallest(12, true)) == "-2048");
    CHECK(to_string(largest(12, true)) == "2047");
    CHECK(to_string(largest(64, false)) == "18446744073709551615");
    CHECK(to_string(smallest(64, true)) == "-9223372036854775808");
    CHECK(to_string(largest(64, true)) == "9223372036854775807");
}

TEST_CASE("a canonical pattern has its high bits zero or copies of the sign") {
    CHECK(canonical(0xff, 5, false) == 0x1f);
    CHECK(canonical(0x0f, 5, true) == 0x0f);
    CHECK(canonical(0x1f, 5, true) == ~std::uint64_t{0});
    CHECK(canonical(0x10, 5, true) == 0xffff'ffff'ffff'fff0);
    CHECK(canonical(1, 1, true) == ~std::uint64_t{0});
    CHECK(canonical(2, 1, false) == 0);
    CHECK(canonical(0x8000'0000'0000'0001, 64, false) == 0x8000'0000'0000'0001);
    CHECK(canonical(0x8000'0000'0000'0001, 64, true) == 0x8000'0000'0000'0001);
}

TEST_CASE("canonical agrees with arithmetic modulo two to the width") {
    std::uint64_t bits = 0x9e37'79b9'7f4a'7c15;
    for (unsigned width = 1; width <= 64; ++width)
        for (int k = 0; k < 50; ++k) {
            bits = bits * 6364136223846793005u + 1442695040888963407u;
            const Integer modulus = Integer{1} << width;
            Integer value = Integer{bits} % modulus;
            CHECK(Integer{canonical(bits, width, false)} == value);
            if (value >= modulus / 2)
                value -= modulus;
            CHECK(Integer{static_cast<std::int64_t>(canonical(bits, width, true))} == value);
        }
}

TEST_CASE("a number of any width continues its sign in words") {
    constexpr std::uint64_t ones = ~std::uint64_t{0};
    CHECK(integer_words(5, 64) == Words{5});
    CHECK(integer_words(-14, 65) == Words{ones - 13, ones});
    CHECK(integer_words(-14, 257) == Words{ones - 13, ones, ones, ones, ones});
    CHECK(integer_words((Integer{7} << 64) + 2, 200) == Words{2, 7, 0, 0});
}
