// SPDX-License-Identifier: Apache-2.0
#include "bits/decimal.hpp"

#include <doctest/doctest.h>

namespace sme {
namespace {

std::string text_of(const Type& type, std::int64_t bits) {
    const auto word = static_cast<std::uint64_t>(bits);
    return fixed_text(type, &word);
}

/// Returns the number of units with its sign.
std::int64_t units_of(const char* text, unsigned fraction, Rounding rounding) {
    const Scaled found = scaled(*parse_decimal(text), fraction, rounding);
    const auto units = static_cast<std::int64_t>(found.units[0]);
    return found.negative ? -units : units;
}

TEST_CASE("a fixed-point number is shown as an exact decimal") {
    const TypeRef type = Type::fixed(true, 4, 12);
    CHECK(text_of(*type, 0) == "0.0");
    CHECK(text_of(*type, 4096) == "1.0");
    CHECK(text_of(*type, 1) == "0.000244140625");
    CHECK(text_of(*type, -1) == "-0.000244140625");
    CHECK(text_of(*type, -32768) == "-8.0");
    CHECK(text_of(*type, 32767) == "7.999755859375");
    CHECK(text_of(*Type::fixed(false, 0, 8), 255) == "0.99609375");
    CHECK(text_of(*Type::fixed(true, 1, 63), std::int64_t{1} << 62) == "0.5");
    const std::uint64_t words[] = {1, 3};
    CHECK(fixed_text(*Type::fixed(false, 64, 64), words) ==
          "3.0000000000000000000542101086242752217003726400434970855712890625"); // 3 + 2^-64
}

TEST_CASE("decimals are read exactly, and other texts are refused") {
    CHECK(parse_decimal("-12.5")->places == 1);
    CHECK(parse_decimal("1_000.25")->digits == Words{100025});
    for (const char* const wrong :
         {"", "-", ".5", "5.", "1..2", "01.5", "1.5e3", "0x1.8", "1_.5", "1._5", "+1", " 1"})
        CHECK_FALSE(parse_decimal(wrong));
}

// 2.5, -2.5 and others in units of 1, by the rules of IEEE 754 (nearest is half up)
TEST_CASE("rounding chooses the unit that its name says") {
    const struct {
        const char* text;
        std::int64_t floor, nearest, even, zero;
    } cases[] = {{"2.5", 2, 3, 2, 2},      {"-2.5", -3, -2, -2, -2},  {"3.5", 3, 4, 4, 3},
                 {"-3.5", -4, -3, -4, -3}, {"2.51", 2, 3, 3, 2},      {"-2.51", -3, -3, -3, -2},
                 {"2.49", 2, 2, 2, 2},     {"-2.49", -3, -2, -2, -2}, {"-3.0", -3, -3, -3, -3},
                 {"-0.25", -1, 0, 0, 0}};
    for (const auto& each : cases) {
        CAPTURE(each.text);
        CHECK(units_of(each.text, 0, Rounding::floor) == each.floor);
        CHECK(units_of(each.text, 0, Rounding::nearest) == each.nearest);
        CHECK(units_of(each.text, 0, Rounding::even) == each.even);
        CHECK(units_of(each.text, 0, Rounding::zero) == each.zero);
    }
    CHECK(units_of("0.1", 15, Rounding::nearest) == 3277); // 3276.8
    CHECK(scaled(*parse_decimal("0.75"), 2).exact);
    CHECK_FALSE(scaled(*parse_decimal("0.75"), 1).exact);
}

TEST_CASE("a number that does not fit its type has no bits") {
    const TypeRef type = Type::fixed(true, 2, 2);
    const auto bits = [&](const char* text) {
        return words_of(scaled(*parse_decimal(text), 2), *type);
    };
    CHECK(bits("1.75") == Words{7});
    CHECK(bits("-2.0") == Words{~std::uint64_t{0} - 7});
    CHECK_FALSE(bits("2.0"));
    CHECK_FALSE(bits("-2.25"));
    CHECK_FALSE(words_of(scaled(*parse_decimal("-1"), 2), *Type::fixed(false, 2, 2)));
    CHECK(words_of(scaled(*parse_decimal("1"), 70), *Type::fixed(false, 1, 70)) == Words{0, 64});
}

} // namespace
} // namespace sme
