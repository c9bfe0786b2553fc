// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>

#include "sme/values.hpp"

using namespace sme;

namespace {

struct Gaps {
    bool flag;
    std::uint32_t word;
    Signed<5> tiny;
    std::array<Unsigned<12>, 2> pair;
};

/// A slot of 64 bytes with all bits set, aligned for every value.
class Slot {
public:
    Slot() { bytes_.fill(std::byte{0xff}); }
    std::byte* data() { return bytes_.data(); }
    std::uint8_t operator[](std::size_t k) const {
        return std::to_integer<std::uint8_t>(bytes_[k]);
    }
    void zero() { bytes_.fill(std::byte{0}); }

private:
    alignas(8) std::array<std::byte, 64> bytes_;
};

} // namespace

SME_STRUCT(Gaps, flag, word, tiny, pair)

static_assert(sizeof(Unsigned<5>) == 1 && sizeof(Signed<12>) == 2 && sizeof(Unsigned<17>) == 4 &&
              sizeof(Signed<33>) == 8);

TEST_CASE("an unsigned integer of 5 bits wraps at 32") {
    CHECK(Unsigned<5>{31} == 31);
    CHECK(Unsigned<5>{32} == 0);
    CHECK(Unsigned<5>{-1} == 31);
    CHECK(Unsigned<5>{1000} == 1000 % 32);
    Unsigned<5> counter = 30;
    for (int k = 0; k < 3; ++k)
        counter = counter + 1;
    CHECK(counter == 1);
    CHECK(Unsigned<5>{} == 0);
}

TEST_CASE("a signed integer of 12 bits wraps at 2048") {
    CHECK(Signed<12>{2047} == 2047);
    CHECK(Signed<12>{2048} == -2048);
    CHECK(Signed<12>{-2049} == 2047);
    CHECK(Signed<12>{0xfff} == -1);
    const Signed<12> most = 2047;
    CHECK(Signed<12>{most + 1} == -2048);
}

TEST_CASE("every width from 1 to 64 keeps a value modulo two to that width") {
    CHECK(Unsigned<1>{3} == 1);
    CHECK(Signed<1>{1} == -1);
    CHECK(Unsigned<8>{256} == 0);
    CHECK(Signed<8>{128} == -128);
    CHECK(Unsigned<33>{(std::uint64_t{1} << 33) + 5} == 5);
    CHECK(Signed<33>{std::int64_t{1} << 32} == -(std::int64_t{1} << 32));
    CHECK(Unsigned<64>{~std::uint64_t{0}} == ~std::uint64_t{0});
    CHECK(Signed<64>{~std::uint64_t{0}} == -1);
}

TEST_CASE("a stored value is canonical: high bits are zero or copies of the sign") {
    Slot slot;
    internal::store(slot.data(), Unsigned<5>{-1});
    CHECK(slot[0] == 0x1f);
    CHECK(slot[1] == 0xff); // no other byte changes
    internal::store(slot.data(), Signed<12>{0x801});
    CHECK(slot[0] == 0x01);
    CHECK(slot[1] == 0xf8);
    CHECK(slot[2] == 0xff);
    internal::store(slot.data(), Signed<5>{0x10});
    CHECK(slot[0] == 0xf0);
}

TEST_CASE("a stored bool is 0 or 1, whatever its memory held") {
    Slot slot;
    internal::store(slot.data(), true);
    CHECK(slot[0] == 1);
    internal::store(slot.data(), false);
    CHECK(slot[0] == 0);
}

TEST_CASE("storing a struct leaves its padding as it was prepared") {
    Slot slot;
    slot.zero();
    Gaps value;
    std::memset(static_cast<void*>(&value), 0xaa, sizeof value); // dirty padding
    value.flag = true;
    value.word = 0x01020304;
    value.tiny = -2;
    value.pair = {Unsigned<12>{0xfff}, Unsigned<12>{1}};
    internal::store(slot.data(), value);
    const std::array<std::uint8_t, 16> expected{1,    0, 0,    0,    4, 3, 2, 1,
                                                0xfe, 0, 0xff, 0x0f, 1, 0, 0, 0};
    static_assert(sizeof(Gaps) == 16);
    for (std::size_t k = 0; k < 16; ++k) {
        CAPTURE(k);
        CHECK(slot[k] == expected[k]);
    }
}

TEST_CASE("what was stored is loaded again") {
    Slot slot;
    const Gaps value{true, 7, -16, {Unsigned<12>{5}, Unsigned<12>{4095}}};
    internal::store(slot.data(), value);
    const Gaps again = internal::load<Gaps>(slot.data());
    CHECK(again.flag);
    CHECK(again.word == 7);
    CHECK(again.tiny == -16);
    CHECK(again.pair[0] == 5);
    CHECK(again.pair[1] == 4095);

    const std::array<std::array<std::int16_t, 2>, 2> grid{{{1, -2}, {3, -32768}}};
    internal::store(slot.data(), grid);
    CHECK(internal::load<std::array<std::array<std::int16_t, 2>, 2>>(slot.data()) == grid);
    internal::store(slot.data(), std::int64_t{-5});
    CHECK(internal::load<std::int64_t>(slot.data()) == -5);
}
