// SPDX-License-Identifier: Apache-2.0
#include "export/modules/hdl_value.hpp"

#include <algorithm>
#include <cstring>

#include "bits/packed.hpp"

namespace sme::hdl {

TypeRef type_between(Integer low, Integer high) {
    unsigned width = 1;
    const bool is_signed = low < 0;
    while (width < 64 && (low < smallest(width, is_signed) || high > largest(width, is_signed)))
        ++width;
    return is_signed ? Type::signed_integer(width) : Type::unsigned_integer(width);
}

HdlValue identifier(const std::string& name, const TypeRef& type) {
    return HdlValue::at(type, Place::all_of(name, type->width_bits(), type->is_signed()));
}

HdlValue HdlValue::of_number(TypeRef type, Integer value, bool hexadecimal) {
    const auto width = static_cast<unsigned>(type->width_bits());
    const bool is_signed = type->is_signed();
    const Integer modulus = Integer{1} << width;
    Integer number = ((value % modulus) + modulus) % modulus;
    if (is_signed && number > largest(width, true))
        number -= modulus;
    HdlValue result = of(std::move(type), rtl::literal(number, width, is_signed, hexadecimal));
    result.literal = number;
    return result;
}

void put_bits(Words& into, std::uint64_t at, const Words& from, std::uint64_t width) {
    if (into.size() * 64 < at + width)
        into.resize((at + width + 63) / 64);
    for (std::uint64_t bit = 0; bit < width; ++bit) {
        const std::uint64_t source = bit / 64 < from.size() ? from[bit / 64] >> (bit % 64) & 1 : 0;
        into[(at + bit) / 64] |= source << ((at + bit) % 64);
    }
}

Words packed(const Type& type, const std::uint64_t* leaves) {
    Words result((type.width_bits() + 63) / 64);
    for_each_packed_word(type, 0, 0, [&](const PackedWord& at) {
        put_word(result.data(), at.bit, leaves[at.leaf], at.width);
    });
    return result;
}

Words packed_slot(const Type& type, const std::byte* slot) {
    Words result((type.width_bits() + 63) / 64);
    for_each_packed_word(type, 0, 0, [&](const PackedWord& at) {
        std::uint64_t word = 0;
        std::memcpy(&word, slot + at.offset, at.bytes);
        put_word(result.data(), at.bit, word, at.width);
    });
    return result;
}

bool is_zero(const Words& words) {
    return std::all_of(words.begin(), words.end(), [](std::uint64_t word) { return word == 0; });
}

rtl::Declared declared(const std::string& name, const Type& type) {
    return {name, type.width_bits(), type.is_signed(), false};
}

} // namespace sme::hdl
