// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "bits/integer.hpp"
#include "sme/type.hpp"

namespace sme {

/// A word of a scalar, in a slot and in the row of bits of the packed value: the first field of a
/// struct leftmost, element 0 of an array rightmost.
struct PackedWord {
    const Type* scalar;
    std::size_t offset; // in the slot
    std::size_t bytes;  // in the slot
    std::uint64_t leaf; // its index among the leaves of the value
    std::uint64_t bit;  // its lowest bit in the row
    unsigned width;     // 1 to 64
};

/// Calls visit(word) for every word of a value at `offset`, whose row begins at `bit`, from the
/// rightmost to the leftmost.
template <class Visit>
void for_each_packed_word(const Type& type, std::size_t offset, std::uint64_t bit, Visit&& visit,
                          std::uint64_t leaf = 0) {
    if (type.kind() == TypeKind::array) {
        const Type& element = *type.element();
        for (std::uint64_t k = 0; k < type.count(); ++k)
            for_each_packed_word(element, offset + k * element.size(),
                                 bit + k * element.width_bits(), visit,
                                 leaf + k * element.leaf_count());
    } else if (type.kind() == TypeKind::structure) {
        leaf += type.leaf_count();
        for (auto field = type.fields().rbegin(); field != type.fields().rend(); ++field) {
            leaf -= field->type->leaf_count();
            for_each_packed_word(*field->type, offset + field->offset, bit, visit, leaf);
            bit += field->type->width_bits();
        }
    } else {
        constexpr std::uint64_t word = 64;
        for (std::uint64_t low = 0; low < type.width_bits(); low += word)
            visit(PackedWord{&type, offset + static_cast<std::size_t>(low / 8),
                             type.is_wide() ? 8 : type.size(), leaf + low / word, bit + low,
                             static_cast<unsigned>(std::min(word, type.width_bits() - low))});
    }
}

/// Stores the low `width` bits of a word in a row of bits, which must be zero there.
inline void put_word(std::uint64_t* row, std::uint64_t bit, std::uint64_t word, unsigned width) {
    const std::size_t at = bit / 64;
    const auto shift = static_cast<unsigned>(bit % 64);
    word = canonical(word, width, false);
    row[at] |= word << shift;
    if (shift + width > 64)
        row[at + 1] |= word >> (64 - shift);
}

/// Returns `width` bits of a row.
inline std::uint64_t take_word(const std::uint64_t* row, std::uint64_t bit, unsigned width) {
    const std::size_t at = bit / 64;
    const auto shift = static_cast<unsigned>(bit % 64);
    std::uint64_t word = row[at] >> shift;
    if (shift + width > 64)
        word |= row[at + 1] << (64 - shift);
    return canonical(word, width, false);
}

/// Returns why the bytes of a slot of `type.size()` bytes are not a value of the type, as in
/// "'.count' has bits beyond u3"; `nullopt` if they are. An enumeration has any value of its width,
/// as a cast may give one that is no member. Ignores padding.
std::optional<std::string> wrong_value(const Type& type, const std::byte* slot);

} // namespace sme
