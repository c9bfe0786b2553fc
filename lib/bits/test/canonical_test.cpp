// SPDX-License-Identifier: Apache-2.0
#include "bits/packed.hpp"

#include <array>

#include <doctest/doctest.h>

using namespace sme;

namespace {

/// Returns the problem of these bytes; empty if they are a value.
template <class... Byte> std::string wrong(const TypeRef& type, Byte... bytes) {
    const std::array<std::byte, sizeof...(Byte)> slot{static_cast<std::byte>(bytes)...};
    REQUIRE(slot.size() == type->size());
    return wrong_value(*type, slot.data()).value_or("");
}

} // namespace

TEST_CASE("bytes are a value when no bit lies beyond its type") {
    CHECK(wrong(Type::boolean(), 1) == "");
    CHECK(wrong(Type::boolean(), 2) == "a value has bits beyond bool");
    CHECK(wrong(Type::unsigned_integer(5), 31) == "");
    CHECK(wrong(Type::unsigned_integer(5), 32) == "a value has bits beyond u5");
    CHECK(wrong(Type::unsigned_integer(8), 255) == "");
    CHECK(wrong(Type::unsigned_integer(12), 255, 15) == "");
    CHECK(wrong(Type::unsigned_integer(12), 255, 16) == "a value has bits beyond u12");
    CHECK(wrong(Type::signed_integer(5), 15) == "");
    CHECK(wrong(Type::signed_integer(5), 0xf0) == ""); // -16
    CHECK(wrong(Type::signed_integer(5), 0x10) == "a value has bits beyond i5");
    CHECK(wrong(Type::signed_integer(5), 0x70) == "a value has bits beyond i5");
    CHECK(wrong(Type::unsigned_integer(66), 1, 2, 3, 4, 5, 6, 7, 255, 3, 0, 0, 0, 0, 0, 0, 0) ==
          "");
    CHECK(wrong(Type::unsigned_integer(66), 1, 2, 3, 4, 5, 6, 7, 255, 4, 0, 0, 0, 0, 0, 0, 0) ==
          "a value has bits beyond u66");
}

TEST_CASE("of an enumeration all bits of its width are values, as a cast may give them") {
    const TypeRef phase = Type::enumeration("Phase", 3, {{"run", 2}, {"stop", 5}});
    for (const int value : {0, 2, 3, 5})
        CHECK(wrong(phase, value) == "");
    CHECK(wrong(phase, 200) == "a value has bits beyond Phase");
    const TypeRef pair =
        Type::structure("", {{"a", Type::unsigned_integer(8)}, {"p", Type::array(phase, 2)}});
    CHECK(wrong(pair, 255, 2, 4) == "");
    CHECK(wrong(pair, 255, 2, 8) == "'.p[1]' has bits beyond Phase");
}
