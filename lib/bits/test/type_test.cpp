// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "sme/type.hpp"
#include "sme/values.hpp"

using namespace sme;

namespace {

struct Inner {
    bool flag;
    std::int64_t wide;
    std::uint8_t small;
};

struct Outer {
    std::uint8_t first;
    std::array<Inner, 2> inner;
    std::array<std::array<std::uint16_t, 3>, 2> grid;
};

struct Swapped {
    std::uint8_t a;
    std::uint16_t b;
};

struct Forgotten {
    std::uint8_t a;
    std::uint32_t b;
    std::uint8_t c;
};

struct __attribute__((packed)) Packed {
    std::uint8_t a;
    std::uint32_t b;
};

} // namespace

SME_STRUCT(Inner, flag, wide, small)
SME_STRUCT(Outer, first, inner, grid)
SME_STRUCT(Swapped, b, a)
SME_STRUCT(Forgotten, a, b)
SME_STRUCT(Packed, a, b)

TEST_CASE("an integer takes the fewest of 1, 2, 4 and 8 bytes that hold it") {
    const struct {
        unsigned width;
        std::size_t bytes;
    } expected[] = {{1, 1}, {8, 1}, {9, 2}, {16, 2}, {17, 4}, {32, 4}, {33, 8}, {64, 8}};
    for (const auto& e : expected) {
        CAPTURE(e.width);
        for (const TypeRef& type :
             {Type::unsigned_integer(e.width), Type::signed_integer(e.width)}) {
            CHECK(type->size() == e.bytes);
            CHECK(type->alignment() == e.bytes);
            CHECK(type->width_bits() == e.width);
            CHECK(type->is_integer());
            CHECK(type->leaf_count() == 1);
        }
        CHECK(Type::signed_integer(e.width)->is_signed());
        CHECK_FALSE(Type::unsigned_integer(e.width)->is_signed());
    }
    CHECK(Type::boolean()->size() == 1);
    CHECK(Type::boolean()->is_scalar());
    CHECK_FALSE(Type::boolean()->is_integer());
}

TEST_CASE("fields lie in declared order at their natural alignment") {
    const TypeRef type = Type::structure("T", {{"a", Type::boolean()},
                                               {"b", Type::unsigned_integer(33)},
                                               {"c", Type::signed_integer(12)},
                                               {"d", Type::unsigned_integer(3)}});
    CHECK(type->fields()[0].offset == 0);
    CHECK(type->fields()[1].offset == 8);
    CHECK(type->fields()[2].offset == 16);
    CHECK(type->fields()[3].offset == 18);
    CHECK(type->size() == 24);
    CHECK(type->alignment() == 8);
    CHECK(type->width_bits() == 1 + 33 + 12 + 3);
    CHECK(type->find_field("c") == 2);
    CHECK(type->find_field("e") == -1);
}

TEST_CASE("a type is called what it is called in the language") {
    const TypeRef u8 = Type::unsigned_integer(8);
    CHECK(Type::boolean()->name() == "bool");
    CHECK(u8->name() == "u8");
    CHECK(Type::signed_integer(12)->name() == "i12");
    CHECK(Type::array(u8, 4)->name() == "u8[4]");
    CHECK(Type::array(Type::array(u8, 3), 2)->name() == "u8[2, 3]");
    CHECK(Type::structure("Pair", {{"a", u8}})->name() == "Pair");
    CHECK(Type::structure("", {{"a", u8}, {"b", Type::boolean()}})->name() == "{a: u8, b: bool}");
}

TEST_CASE("the scalars of a value have paths, offsets and the field they belong to") {
    const TypeRef pair =
        Type::structure("", {{"x", Type::unsigned_integer(8)}, {"y", Type::unsigned_integer(16)}});
    const TypeRef type = Type::structure("", {{"a", Type::boolean()}, {"b", Type::array(pair, 2)}});
    const std::vector<Leaf> leaves = type->leaves();
    REQUIRE(leaves.size() == 5);
    CHECK(type->leaf_count() == 5);
    const struct {
        const char* path;
        std::uint32_t offset, field;
    } expected[] = {
        {".a", 0, 0}, {".b[0].x", 2, 1}, {".b[0].y", 4, 1}, {".b[1].x", 6, 1}, {".b[1].y", 8, 1}};
    for (std::size_t k = 0; k < 5; ++k) {
        CHECK(leaves[k].path == expected[k].path);
        CHECK(leaves[k].offset == expected[k].offset);
        CHECK(leaves[k].field == expected[k].field);
    }
    CHECK(leaves[4].type->width_bits() == 16);
    REQUIRE(Type::boolean()->leaves().size() == 1);
    CHECK(Type::boolean()->leaves()[0].path == "");
    CHECK(Type::array(Type::boolean(), 3)->leaves()[2].path == "[2]");
}

TEST_CASE("equal fields make equal structs, whatever the structs are called") {
    const TypeRef u8 = Type::unsigned_integer(8);
    const TypeRef a = Type::structure("A", {{"x", u8}, {"y", Type::boolean()}});
    CHECK(*a == *Type::structure("B", {{"x", u8}, {"y", Type::boolean()}}));
    CHECK_FALSE(*a == *Type::structure("A", {{"y", Type::boolean()}, {"x", u8}}));
    CHECK_FALSE(*a == *Type::structure("A", {{"x", u8}, {"z", Type::boolean()}}));
    CHECK_FALSE(*a == *Type::structure("A", {{"x", u8}}));
}

TEST_CASE("types of one width that differ in kind, sign or shape are different") {
    const TypeRef u8 = Type::unsigned_integer(8);
    CHECK(*u8 == *Type::unsigned_integer(8));
    CHECK_FALSE(*u8 == *Type::unsigned_integer(7));
    CHECK_FALSE(*u8 == *Type::signed_integer(8));
    CHECK_FALSE(*Type::boolean() == *Type::unsigned_integer(1));
    CHECK_FALSE(*Type::array(u8, 1) == *u8);
    const TypeRef u4 = Type::unsigned_integer(4);
    CHECK_FALSE(*Type::array(u8, 2) == *Type::array(u4, 4));
    CHECK_FALSE(*Type::array(Type::array(u8, 3), 2) == *Type::array(Type::array(u8, 2), 3));
}

TEST_CASE("a wide integer is 64-bit words, the lowest first, listed as its words") {
    const struct {
        unsigned width;
        std::size_t bytes, words;
    } expected[] = {{65, 16, 2}, {128, 16, 2}, {129, 24, 3}, {256, 32, 4}, {4096, 512, 64}};
    for (const auto& e : expected) {
        CAPTURE(e.width);
        const TypeRef type = Type::unsigned_integer(e.width);
        CHECK(type->size() == e.bytes);
        CHECK(type->alignment() == 8);
        CHECK(type->leaf_count() == e.words);
        CHECK(type->is_wide());
        CHECK(type->is_scalar());
        CHECK(type->is_integer());
    }
    CHECK_FALSE(Type::unsigned_integer(64)->is_wide());
    const TypeRef type = Type::structure(
        "", {{"a", Type::boolean(), 0}, {"b", Type::array(Type::unsigned_integer(132), 2), 0}});
    CHECK(type->leaf_count() == 7);
    CHECK(type->width_bits() == 265);
    const std::vector<Leaf> leaves = type->leaves();
    REQUIRE(leaves.size() == 7);
    const struct {
        const char *path, *type;
        std::uint32_t offset, field;
    } words[] = {{".a", "bool", 0, 0},   {".b[0]", "u64", 8, 1},  {".b[0]", "u64", 16, 1},
                 {".b[0]", "u4", 24, 1}, {".b[1]", "u64", 32, 1}, {".b[1]", "u64", 40, 1},
                 {".b[1]", "u4", 48, 1}};
    for (std::size_t k = 0; k < leaves.size(); ++k) {
        CAPTURE(k);
        CHECK(leaves[k].path == words[k].path);
        CHECK(leaves[k].type->name() == words[k].type);
        CHECK(leaves[k].offset == words[k].offset);
        CHECK(leaves[k].field == words[k].field);
    }
    const std::vector<Leaf> scalars = type->scalars();
    REQUIRE(scalars.size() == 3);
    CHECK(scalars[2].path == ".b[1]");
    CHECK(scalars[2].type->name() == "u132");
    CHECK(scalars[2].offset == 32);
}

TEST_CASE("an enumeration is stored as the unsigned integer of its width") {
    const TypeRef phase = Type::enumeration("Phase", 1, {{"idle", 0}, {"run", 1}});
    const TypeRef op = Type::enumeration("Op", 9, {{"ADD", 0x33}, {"SUB", 0x100}});
    CHECK(phase->name() == "Phase");
    CHECK(phase->size() == 1);
    CHECK(op->size() == 2);
    CHECK(op->width_bits() == 9);
    CHECK(op->is_scalar());
    CHECK_FALSE(op->is_integer());
    CHECK_FALSE(op->is_wide());
    CHECK(op->leaf_count() == 1);
    REQUIRE(op->find_member("SUB"));
    CHECK(op->find_member("SUB")->value == 0x100);
    CHECK(op->find_member("MUL") == nullptr);
    REQUIRE(op->find_member(0x33));
    CHECK(op->find_member(0x33)->name == "ADD");
    CHECK(op->find_member(0) == nullptr);
    CHECK(Type::enumeration("", 1, {{"a", 0}, {"b", 1}})->name() == "[a, b]");
    CHECK(*phase == *Type::enumeration("Other", 1, {{"idle", 0}, {"run", 1}}));
    CHECK_FALSE(*phase == *Type::enumeration("Phase", 2, {{"idle", 0}, {"run", 1}}));
    CHECK_FALSE(*phase == *Type::enumeration("Phase", 1, {{"idle", 0}, {"go", 1}}));
    CHECK_FALSE(*phase == *Type::enumeration("Phase", 1, {{"idle", 1}, {"run", 0}}));
    CHECK_FALSE(*phase == *Type::unsigned_integer(1));
}

TEST_CASE("a C++ type has the type of the language that its name says") {
    CHECK(type_of<bool>()->name() == "bool");
    CHECK(type_of<std::int8_t>()->name() == "i8");
    CHECK(type_of<int>()->name() == "i32");
    CHECK(type_of<std::uint64_t>()->name() == "u64");
    CHECK(type_of<Unsigned<5>>()->name() == "u5");
    CHECK(type_of<Signed<12>>()->name() == "i12");
    CHECK(type_of<std::array<std::array<Unsigned<5>, 3>, 2>>()->name() == "u5[2, 3]");
}

TEST_CASE("nested structs and arrays have the layout that C++ gives them") {
    const TypeRef type = type_of<Outer>();
    CHECK(type->name() == "Outer");
    CHECK(type->size() == sizeof(Outer));
    CHECK(type->alignment() == alignof(Outer));
    CHECK(type->fields()[1].offset == offsetof(Outer, inner));
    CHECK(type->fields()[1].type->element()->fields()[1].offset == offsetof(Inner, wide));
    CHECK(type->fields()[2].offset == offsetof(Outer, grid));
    CHECK(type->leaf_count() == 1 + 2 * 3 + 2 * 3);
    CHECK(internal::leaf_count<Outer>() == 13);
    CHECK(type->width_bits() == 8 + 2 * (1 + 64 + 8) + 6 * 16);
}

TEST_CASE("a struct whose layout differs from a slot's is refused by name") {
    CHECK_THROWS_AS(type_of<Swapped>(), std::logic_error);
    CHECK_THROWS_AS(type_of<Forgotten>(), std::logic_error);
    CHECK_THROWS_AS(type_of<Packed>(), std::logic_error);
    std::string text;
    try {
        type_of<Forgotten>();
    } catch (const std::logic_error& error) {
        text = error.what();
    }
    CHECK(text.starts_with("SME_STRUCT(Forgotten): C++ lays it out in 12 bytes, but its fields in "
                           "this order take 8; "));
    try {
        type_of<Swapped>();
    } catch (const std::logic_error& error) {
        text = error.what();
    }
    CHECK(text.starts_with("SME_STRUCT(Swapped): C++ lays 'b' out at byte 2, but in the order of "
                           "the names here it lies at byte 0; "));
}

TEST_CASE("different types of one name are told apart by what they stand for") {
    const TypeRef narrow = Type::structure("Word", {{"a", Type::unsigned_integer(8)}});
    const TypeRef wide = Type::structure("Word", {{"a", Type::unsigned_integer(16)}});
    const TypeRef other = Type::structure("Other", {{"a", Type::unsigned_integer(16)}});
    using Names = std::pair<std::string, std::string>;
    CHECK(distinct_names(*narrow, *wide) == Names{"Word {a: u8}", "Word {a: u16}"});
    CHECK(distinct_names(*narrow, *other) == Names{"Word", "Other"});
    CHECK(distinct_names(*wide, *wide) == Names{"Word", "Word"});
    CHECK(distinct_names(*Type::array(narrow, 2), *Type::array(wide, 2)) ==
          Names{"Word {a: u8}[2]", "Word {a: u16}[2]"});
}
