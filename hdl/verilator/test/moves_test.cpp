// SPDX-License-Identifier: Apache-2.0
#include "verilator/run/port_codec.hpp"

#include <cstring>

#include <doctest/doctest.h>

using namespace sme;
using verilator::PortCodec;

namespace {

const std::int64_t at_begin = 0;

/// Returns the port as one number of at most 64 bits.
std::uint64_t port_of(const TypeRef& type, const std::vector<std::byte>& slot) {
    std::uint64_t port = 0;
    PortCodec{type, 1, 0}.to_port(slot.data(), &at_begin, reinterpret_cast<std::byte*>(&port));
    return port;
}

std::vector<std::byte> bytes(std::initializer_list<int> values) {
    std::vector<std::byte> result;
    for (const int value : values)
        result.push_back(static_cast<std::byte>(value));
    return result;
}

} // namespace

TEST_CASE("a struct has its first field leftmost, an array its element 0 rightmost") {
    // {a: u4 = 0xa, b: u8[2] = [0x12, 0x34]}: a, then b[1], then b[0]
    const TypeRef type = Type::structure(
        "", {{"a", Type::unsigned_integer(4)}, {"b", Type::array(Type::unsigned_integer(8), 2)}});
    CHECK(port_of(type, bytes({0xa, 0x12, 0x34})) == 0xa3412);
    CHECK(PortCodec{type, 1, 0}.width() == 20);
}

TEST_CASE("a signed scalar has its own bits in the port, and its sign in the slot") {
    const TypeRef type = Type::signed_integer(5);
    CHECK(port_of(type, bytes({0xff})) == 0x1f); // -1
    const std::uint8_t port = 0x10;              // -16
    std::byte slot{};
    CHECK_FALSE(PortCodec{type, 1, 0}.from_port(reinterpret_cast<const std::byte*>(&port), &slot,
                                                &at_begin));
    CHECK(slot == static_cast<std::byte>(0xf0));
}

TEST_CASE("several slots are one port, whose bits may cross words") {
    // five elements of u33: element 1 begins at bit 33, element 2 at bit 66
    const TypeRef type = Type::unsigned_integer(33);
    const PortCodec moves{type, 5, 0};
    REQUIRE(moves.width() == 165);
    std::uint64_t slots[5] = {0x1'0000'0001, 0x1'2345'6789, 0, 0x0'ffff'ffff, 0x1'8000'0000};
    const std::int64_t places[5] = {0, 8, 16, 24, 32};
    std::uint32_t port[6] = {};
    CHECK(moves.to_port(reinterpret_cast<std::byte*>(slots), places,
                        reinterpret_cast<std::byte*>(port)));
    CHECK(port[0] == 0x0000'0001);
    CHECK(port[1] == (1U | 0x2345'6789U << 1)); // bit 32 of element 0, then element 1
    CHECK(port[2] == (0x2U | 0U));              // bit 32 of element 1 is bit 65
    CHECK_FALSE(moves.to_port(reinterpret_cast<std::byte*>(slots), places,
                              reinterpret_cast<std::byte*>(port)));
    std::uint64_t back[5] = {};
    moves.from_port(reinterpret_cast<std::byte*>(port), reinterpret_cast<std::byte*>(back), places);
    CHECK(std::memcmp(back, slots, sizeof back) == 0);
}

TEST_CASE("a wide integer has words of 64 bits in a slot and of 32 in a port") {
    const TypeRef type = Type::unsigned_integer(100);
    const std::uint64_t slot[2] = {0x0123'4567'89ab'cdef, 0x8'7654'3210};
    std::uint32_t port[4] = {};
    const PortCodec moves{type, 1, 0};
    CHECK(PortCodec::port_bytes(100) == 16);
    moves.to_port(reinterpret_cast<const std::byte*>(slot), &at_begin,
                  reinterpret_cast<std::byte*>(port));
    CHECK(port[0] == 0x89ab'cdef);
    CHECK(port[1] == 0x0123'4567);
    CHECK(port[2] == 0x7654'3210);
    CHECK(port[3] == 0x8);
}

TEST_CASE("a number that is no member of an enumeration is found") {
    const TypeRef type = Type::enumeration("Phase", 2, {{"idle", 0}, {"run", 1}});
    std::byte slot{};
    const auto shown = [&](std::uint8_t port) {
        return PortCodec{type, 1, 0}.from_port(reinterpret_cast<const std::byte*>(&port), &slot,
                                               &at_begin);
    };
    CHECK_FALSE(shown(1));
    CHECK(slot == std::byte{1});
    CHECK(shown(3) == "3, which is no member of Phase");
}
