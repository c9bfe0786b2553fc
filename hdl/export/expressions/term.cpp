// SPDX-License-Identifier: Apache-2.0
#include "export/expressions/term.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "bits/packed.hpp"

namespace sme::hdl {

TypeRef type_between(Integer low, Integer high) {
    unsigned width = 1;
    const bool is_signed = low < 0;
    while (width < 64 && (low < smallest(width, is_signed) || high > largest(width, is_signed)))
        ++width;
    return is_signed ? Type::signed_integer(width) : Type::unsigned_integer(width);
}

Term identifier(const std::string& name, const TypeRef& type) {
    return Term::at(type, {name, type->width_bits(), 0, type->width_bits(), {}, type->is_signed()});
}

Term Term::of_number(TypeRef type, Integer value, bool hexadecimal) {
    const auto width = static_cast<unsigned>(type->width_bits());
    const bool is_signed = type->is_signed();
    const Integer modulus = Integer{1} << width;
    Integer number = ((value % modulus) + modulus) % modulus;
    if (is_signed && number > largest(width, true))
        number -= modulus;
    const bool negative = number < 0 && !hexadecimal && number != smallest(width, true);
    Term made = of(std::move(type), sme::hdl::literal(number, width, is_signed, hexadecimal),
                   negative ? Level::unary : Level::primary);
    made.literal = number;
    return made;
}

std::string literal(Integer value, unsigned width, bool is_signed, bool hexadecimal) {
    if (width == 1 && !is_signed)
        return (value & 1) != 0 ? "1'b1" : "1'b0";
    const Integer modulus = Integer{1} << width;
    value = ((value % modulus) + modulus) % modulus;
    const char* sign = is_signed ? "s" : "";
    if (is_signed && !hexadecimal && value > largest(width, true))
        value -= modulus;
    if (hexadecimal || (is_signed && value == smallest(width, true))) // has no positive twin
        return fmt::format("{}'{}h{:x}", width, sign,
                           static_cast<std::uint64_t>((value + modulus) % modulus));
    if (value < 0)
        return fmt::format("-{}'sd{}", width, to_string(-value));
    return fmt::format("{}'{}d{}", width, sign, to_string(value));
}

std::string literal(const Words& words, std::uint64_t width) {
    if (width <= 64) {
        const std::uint64_t value = words.empty() ? 0 : words[0];
        return literal(static_cast<Integer>(value), static_cast<unsigned>(width), false,
                       value >= 1024);
    }
    Words all = words;
    all.resize((width + 63) / 64);
    std::string digits = hexadecimal(all, static_cast<unsigned>(width)).substr(2);
    digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size() - 1));
    return fmt::format("{}'h{}", width, digits);
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
    Words made((type.width_bits() + 63) / 64);
    for_each_packed_word(type, 0, 0, [&](const PackedWord& at) {
        put_word(made.data(), at.bit, leaves[at.leaf], at.width);
    });
    return made;
}

Words packed_slot(const Type& type, const std::byte* slot) {
    Words made((type.width_bits() + 63) / 64);
    for_each_packed_word(type, 0, 0, [&](const PackedWord& at) {
        std::uint64_t word = 0;
        std::memcpy(&word, slot + at.offset, at.bytes);
        put_word(made.data(), at.bit, word, at.width);
    });
    return made;
}

bool is_zero(const Words& words) {
    return std::all_of(words.begin(), words.end(), [](std::uint64_t word) { return word == 0; });
}

std::string range_of(std::uint64_t width) {
    return width == 1 ? std::string{} : fmt::format("[{}:0] ", width - 1);
}

std::string range_of(const Type& type) {
    return (type.is_signed() ? "signed " : "") + range_of(type.width_bits());
}

} // namespace sme::hdl
