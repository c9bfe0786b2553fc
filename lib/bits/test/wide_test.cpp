// SPDX-License-Identifier: Apache-2.0
//
// Compares with the compiler's 128-bit integer, and with numbers computed by Python.
#include <random>
#include <type_traits>

#include <doctest/doctest.h>

#include "sme/values.hpp"

using namespace sme;

namespace {

__extension__ typedef unsigned __int128 Native;
using U100 = Unsigned<100>;

constexpr Native mask = (Native{1} << 100) - 1;

U100 of(Native value) {
    return U100{
        U100::Words{static_cast<std::uint64_t>(value), static_cast<std::uint64_t>(value >> 64)}};
}

} // namespace

TEST_CASE("what a wide integer computes is what the compiler's own computes") {
    std::mt19937_64 random{1};
    const auto draw = [&] {
        const Native bits = (Native{random()} << 64 | random()) & mask;
        switch (random() % 4) { // carries over many words, or no carry
        case 0: return bits >> random() % 100;
        case 1: return mask - (bits >> random() % 100);
        default: return bits;
        }
    };
    for (int round = 0; round < 2000; ++round) {
        const Native a = draw(), b = draw();
        CHECK(of(a) + of(b) == of((a + b) & mask));
        CHECK(of(a) - of(b) == of((a - b) & mask));
        CHECK((of(a) & of(b)) == of(a & b));
        CHECK((of(a) | of(b)) == of(a | b));
        CHECK((of(a) ^ of(b)) == of(a ^ b));
        CHECK(~of(a) == of(~a & mask));
        CHECK((of(a) < of(b)) == (a < b));
        CHECK((of(a) == of(b)) == (a == b));
        const auto by = static_cast<unsigned>(random() % 130);
        CHECK((of(a) << by) == of(by < 100 ? a << by & mask : 0));
        CHECK((of(a) >> by) == of(by < 100 ? a >> by : 0));
        CHECK(of(a).bit(by) == (by < 100 && (a >> by & 1) != 0));
        CHECK(of(a).slice<70, 60>() == static_cast<std::uint64_t>(a >> 60 & 0x7ff));
        CHECK(of(a).slice<99, 20>() == Unsigned<80>{of(a >> 20)});
        CHECK(U100::from_hex(of(a).hex()) == of(a));
    }
}

TEST_CASE("numbers go in and out modulo the width") {
    CHECK(Unsigned<65>{-1}.hex() == "1ffffffffffffffff");
    CHECK(Unsigned<128>{1} - Unsigned<128>{2} ==
          Unsigned<128>::from_hex("ffffffff_ffffffff_ffffffff_ffffffff"));
    CHECK(Unsigned<72>{Unsigned<128>::from_hex("0123456789abcdef0123456789abcdef")}.hex() ==
          "ef0123456789abcdef");
    CHECK(Unsigned<128>{Unsigned<72>{-1}}.hex() == "00000000000000ffffffffffffffffff");
    CHECK(cat(Unsigned<8>{0xab}, Unsigned<4>{0xc}) == 0xabc);
    CHECK(cat(Unsigned<8>{0xab}, Unsigned<64>{0xc}).hex() == "ab000000000000000c");
    CHECK(std::is_same_v<decltype(cat(Unsigned<100>{}, Unsigned<28>{})), Unsigned<128>>);
    CHECK_THROWS_AS(Unsigned<65>::from_hex("20000000000000000"), std::invalid_argument);
    CHECK_THROWS_AS(Unsigned<65>::from_hex("0x1"), std::invalid_argument);
    // 3^2584 is the largest power of 3 below 2^4096: its lowest and highest digits, by Python
    Unsigned<4096> power{1};
    for (int k = 0; k < 2584; ++k)
        power = power + power + power;
    CHECK(power.slice<63, 0>() == 0xc24bf274b76d40e1U);
    CHECK(power.slice<4095, 4032>() == 0xba82516b0bf03928U);
}

TEST_CASE("a wide value in a slot is its words, and knows its type") {
    CHECK(*type_of<Unsigned<128>>() == *Type::unsigned_integer(128));
    CHECK(internal::leaf_count<Unsigned<129>>() == Type::unsigned_integer(129)->leaf_count());
    CHECK(sizeof(Unsigned<129>) == Type::unsigned_integer(129)->size());
    std::array<std::byte, 24> slot{};
    const auto value = Unsigned<129>::from_hex("1_0011223344556677_8899aabbccddeeff");
    internal::store(slot.data(), value);
    CHECK(slot[0] == std::byte{0xff});
    CHECK(slot[8] == std::byte{0x77});
    CHECK(slot[16] == std::byte{1});
    CHECK(internal::load<Unsigned<129>>(slot.data()) == value);
}
