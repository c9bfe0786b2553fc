// SPDX-License-Identifier: Apache-2.0
//
// Packed values, compared with bit strings assembled digit by digit.
#include <array>
#include <cstring>
#include <random>
#include <string>

#include <doctest/doctest.h>

#include <sme/sme.hpp>

#include "systemc/port_type.hpp"

using namespace sme;

namespace {

/// Returns the lowest `width` bits, the highest leftmost.
std::string digits(std::uint64_t value, unsigned width) {
    std::string text;
    for (unsigned k = width; k-- > 0;)
        text += (value >> k & 1) != 0 ? '1' : '0';
    return text;
}

std::string digits(const systemc::Bits& bits, std::uint64_t width) {
    std::string text;
    for (std::uint64_t k = width; k-- > 0;)
        text += (bits[k / 64] >> (k % 64) & 1) != 0 ? '1' : '0';
    return text;
}

} // namespace

TEST_CASE("the first field is leftmost, element 0 rightmost, across all words, and back again") {
    const TypeRef type = Type::structure("Mixed", {{"a", Type::unsigned_integer(40)},
                                                   {"b", Type::unsigned_integer(40)},
                                                   {"c", Type::unsigned_integer(100)},
                                                   {"d", Type::array(Type::signed_integer(7), 3)},
                                                   {"e", Type::boolean()}});
    const std::uint64_t width = 40 + 40 + 100 + 21 + 1;
    REQUIRE(type->width_bits() == width);
    std::mt19937_64 random{1};
    const auto at = [&](const char* field) {
        return type->fields()[static_cast<std::size_t>(type->find_field(field))].offset;
    };
    for (int k = 0; k < 200; ++k) {
        std::vector<std::byte> slot(type->size());
        const std::uint64_t a = random() >> 24;
        const std::uint64_t b = random() >> 24;
        const std::uint64_t low = random();
        const std::uint64_t high = random() >> 28;
        std::array<std::int8_t, 3> d{};
        for (std::int8_t& element : d)
            element = static_cast<std::int8_t>(static_cast<int>(random() % 128) - 64);
        const bool e = random() % 2 != 0;
        std::memcpy(slot.data() + at("a"), &a, 8);
        std::memcpy(slot.data() + at("b"), &b, 8);
        std::memcpy(slot.data() + at("c"), &low, 8);
        std::memcpy(slot.data() + at("c") + 8, &high, 8);
        std::memcpy(slot.data() + at("d"), d.data(), 3);
        std::memcpy(slot.data() + at("e"), &e, 1);
        systemc::Bits bits;
        systemc::pack(*type, slot.data(), bits);
        CHECK(bits.size() == 4);
        CHECK((bits[3] >> (width - 192)) == 0);
        const auto seven = [](std::int8_t value) {
            return digits(static_cast<std::uint64_t>(value), 7);
        };
        const std::string expected = digits(a, 40) + digits(b, 40) + digits(high, 36) +
                                     digits(low, 64) + seven(d[2]) + seven(d[1]) + seven(d[0]) +
                                     (e ? "1" : "0");
        REQUIRE(digits(bits, width) == expected);
        std::vector<std::byte> back(type->size());
        bits[3] |= ~std::uint64_t{0} << (width - 192); // bits past the width do not matter
        systemc::unpack(*type, bits, back.data());
        REQUIRE(back == slot);
    }
}

TEST_CASE("a value of an enumeration that no member has is found wherever it lies") {
    const TypeRef color = Type::enumeration("Color", 3, {{"red", 0}, {"blue", 5}});
    const TypeRef type =
        Type::structure("", {{"n", Type::unsigned_integer(8)}, {"c", Type::array(color, 2)}});
    const std::array<std::byte, 3> good{std::byte{7}, std::byte{5}, std::byte{0}};
    const std::array<std::byte, 3> bad{std::byte{0}, std::byte{0}, std::byte{2}};
    CHECK_FALSE(systemc::stranger_in(*type, good.data()));
    CHECK(systemc::stranger_in(*type, bad.data()) == "2 is no member of Color");
}
