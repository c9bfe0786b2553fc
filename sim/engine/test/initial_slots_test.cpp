// SPDX-License-Identifier: Apache-2.0
#include "engine/slots/arenas.hpp"

#include <initializer_list>
#include <vector>

#include <doctest/doctest.h>

using namespace sme;

namespace {

using Bytes = std::vector<std::byte>;

Bytes bytes_of(std::initializer_list<int> values) {
    Bytes bytes;
    for (const int value : values)
        bytes.push_back(static_cast<std::byte>(value));
    return bytes;
}

/// Memory filled with 7s, after put_initial.
Bytes memory_after(const BusFamily& bus, const Segment& run, std::size_t size) {
    Bytes memory(size, std::byte{7});
    engine::put_initial(bus, run, memory.data());
    return memory;
}

/// u16 elements; with u8, size and count would be equal.
BusFamily family(std::initializer_list<int> initial) {
    BusFamily bus;
    bus.type = Type::unsigned_integer(16);
    bus.initial = bytes_of(initial);
    bus.has_initial = initial.size() != 0;
    return bus;
}

} // namespace

TEST_CASE("slots in a row take the values of their own elements") {
    const BusFamily bus = family({1, 2, 3, 4, 5, 6, 8, 9});
    CHECK(memory_after(bus, {1, 2, 2, 2}, 8) == bytes_of({7, 7, 3, 4, 5, 6, 7, 7}));
}

TEST_CASE("slots apart or in reverse take them too") {
    const BusFamily bus = family({1, 2, 3, 4, 5, 6, 8, 9});
    CHECK(memory_after(bus, {2, 2, 0, 4}, 8) == bytes_of({5, 6, 7, 7, 8, 9, 7, 7}));
    CHECK(memory_after(bus, {2, 2, 4, -2}, 8) == bytes_of({7, 7, 8, 9, 5, 6, 7, 7}));
}

TEST_CASE("one value is that of all slots, and none is zero") {
    CHECK(memory_after(family({1, 2}), {5, 2, 2, 2}, 8) == bytes_of({7, 7, 1, 2, 1, 2, 7, 7}));
    CHECK(memory_after(family({}), {5, 2, 2, 2}, 8) == bytes_of({7, 7, 0, 0, 0, 0, 7, 7}));
}

TEST_CASE("a slot with marks is marked as written only where there is an initial value") {
    BusFamily bus = family({1, 2, 3, 4});
    bus.marked = true;
    CHECK(memory_after(bus, {0, 2, 0, 4}, 9) == bytes_of({1, 2, 1, 0, 3, 4, 1, 0, 7}));
    bus.has_initial = false;
    CHECK(memory_after(bus, {1, 1, 0, 4}, 5) == bytes_of({3, 4, 0, 0, 7}));
    bus.initial = bytes_of({1, 2});
    bus.has_initial = true;
    CHECK(memory_after(bus, {0, 1, 0, 4}, 5) == bytes_of({1, 2, 1, 0, 7}));
}
