// SPDX-License-Identifier: Apache-2.0
#include "debug/values.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "bits/scalar_text.hpp"

namespace sme::debug {

namespace {

/// The words of a scalar, the lowest first, zero above its width.
std::vector<std::uint64_t> words_of(const Type& type, const std::byte* slot) {
    std::vector<std::uint64_t> words((type.width_bits() + 63) / 64);
    std::memcpy(words.data(), slot, std::min(type.size(), words.size() * 8));
    if (const unsigned rest = type.width_bits() % 64; rest != 0)
        words.back() &= (std::uint64_t{1} << rest) - 1;
    return words;
}

/// Formats all its bits, as digits of `bits` bits.
std::string digits(const Type& type, const std::byte* slot, unsigned bits) {
    const std::vector<std::uint64_t> words = words_of(type, slot);
    std::string text;
    for (std::uint64_t at = 0; at < type.width_bits(); at += bits) {
        const std::uint64_t digit = words[at / 64] >> at % 64 & ((1U << bits) - 1);
        text += "0123456789abcdef"[digit];
    }
    std::reverse(text.begin(), text.end());
    return (bits == 4 ? "0x" : "0b") + text;
}

/// The words of a scalar, sign-extended.
std::vector<std::uint64_t> leaves_of(const Type& type, const std::byte* slot) {
    std::vector<std::uint64_t> words = words_of(type, slot);
    if (type.is_signed() && (words[0] >> (type.width_bits() - 1) & 1) != 0 &&
        type.width_bits() < 64)
        words[0] |= ~std::uint64_t{0} << type.width_bits();
    return words;
}

std::string scalar(const Type& type, const std::byte* slot, Radix radix) {
    if (radix == Radix::decimal || type.kind() == TypeKind::boolean)
        return scalar_text(type, leaves_of(type, slot).data());
    return digits(type, slot, radix == Radix::hexadecimal ? 4 : 1);
}

bool is_number(const Type& type) {
    return type.is_integer() || type.kind() == TypeKind::boolean;
}

} // namespace

std::string text_of(const Type& type, const std::byte* slot, Radix radix) {
    constexpr std::uint64_t max_elements = 32;
    if (type.is_scalar())
        return scalar(type, slot, radix);
    std::string text;
    if (type.kind() == TypeKind::structure) {
        for (const Field& field : type.fields())
            text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", field.name,
                                text_of(*field.type, slot + field.offset, radix));
        return "{" + text + "}";
    }
    for (std::uint64_t k = 0; k < std::min(type.count(), max_elements); ++k)
        text += (k == 0 ? "" : ", ") +
                text_of(*type.element(), slot + k * type.element()->size(), radix);
    return "[" + text + (type.count() > max_elements ? ", ...]" : "]");
}

std::optional<std::vector<std::byte>> converted(const ProbeValue& value, const Type& to) {
    if (*value.type == to)
        return value.slot;
    if (!is_number(*value.type) || !is_number(to))
        return std::nullopt;
    std::vector<std::uint64_t> words = leaves_of(*value.type, value.slot.data());
    const bool negative = value.type->is_signed() && words.back() >> 63 != 0;
    if (negative && !to.is_signed())
        return std::nullopt;
    const std::uint64_t bits = to.width_bits() - (to.is_signed() ? 1 : 0); // without the sign
    const std::uint64_t fill = negative ? ~std::uint64_t{0} : 0;
    for (std::uint64_t at = bits; at < words.size() * 64; ++at)
        if ((words[at / 64] >> at % 64 & 1) != (fill & 1))
            return std::nullopt;
    words.resize(std::max<std::size_t>((to.size() + 7) / 8, 1), fill);
    std::vector<std::byte> made(to.size());
    std::memcpy(made.data(), words.data(), made.size()); // a signed slot is sign-extended
    return made;
}

std::string messages_of(const Diagnostics& diagnostics) {
    std::string text;
    for (const Diagnostic& found : diagnostics.all())
        if (found.severity != Severity::warning)
            text += (text.empty() ? "" : "; ") + found.message;
    return text;
}

} // namespace sme::debug
