// SPDX-License-Identifier: Apache-2.0
#include "bits/scalar_text.hpp"

#include <cstring>
#include <vector>

#include <fmt/format.h>

#include "bits/decimal.hpp"
#include "bits/integer.hpp"

namespace sme {

std::string scalar_text(const Type& type, const std::uint64_t* words) {
    if (type.kind() == TypeKind::boolean)
        return *words != 0 ? "true" : "false";
    return data_text(type, words);
}

std::string data_text(const Type& type, const std::uint64_t* words) {
    if (type.is_fixed())
        return fixed_text(type, words);
    if (type.is_wide() && !type.is_signed())
        return hexadecimal({words, words + type.leaf_count()},
                           static_cast<unsigned>(type.width_bits()));
    const Member* member =
        type.kind() == TypeKind::enumeration ? type.find_member(*words) : nullptr;
    return member ? member->name : integer_text(type, words);
}

namespace {

/// Returns the words of a scalar in a slot, canonical and sign-extended.
std::vector<std::uint64_t> words_of(const Leaf& scalar, const std::byte* slot) {
    const Type& type = *scalar.type;
    const auto words = static_cast<unsigned>(type.leaf_count());
    std::vector<std::uint64_t> value(words);
    std::memcpy(value.data(), slot + scalar.offset, type.is_wide() ? words * 8 : type.size());
    const auto width = static_cast<unsigned>(type.width_bits());
    if (type.is_signed() && width < 64 && (value[0] >> (width - 1) & 1) != 0)
        value[0] |= ~std::uint64_t{0} << width;
    return value;
}

} // namespace

std::string data_text(const Leaf& scalar, const std::byte* slot) {
    return data_text(*scalar.type, words_of(scalar, slot).data());
}

std::string value_text(const Type& type, const std::byte* slot, const std::byte* other) {
    constexpr std::size_t scalars_shown = 8;
    std::string text;
    std::size_t shown = 0;
    for (const Leaf& scalar : type.scalars()) {
        const std::size_t bytes =
            scalar.type->is_wide() ? scalar.type->leaf_count() * 8 : scalar.type->size();
        if (other && std::memcmp(slot + scalar.offset, other + scalar.offset, bytes) == 0)
            continue;
        if (shown++ == scalars_shown)
            return "{" + text + ", ...}";
        const std::string& path = scalar.path;
        text += fmt::format("{}{}{}", text.empty() ? "" : ", ",
                            path.empty() ? "" : path.substr(path[0] == '.' ? 1 : 0) + ": ",
                            scalar_text(*scalar.type, words_of(scalar, slot).data()));
    }
    return type.is_scalar() ? text : "{" + text + "}";
}

} // namespace sme
