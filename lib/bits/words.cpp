// SPDX-License-Identifier: Apache-2.0
#include "bits/words.hpp"

#include <bit>

#include "bits/integer.hpp"

namespace sme {

namespace {

/// Computes words * factor + addend.
void multiply_add(Words& words, unsigned factor, unsigned addend) {
    __extension__ using Double = unsigned __int128;
    Double carry = addend;
    for (std::uint64_t& word : words) {
        carry += Double{word} * factor;
        word = static_cast<std::uint64_t>(carry);
        carry >>= 64;
    }
    if (carry != 0)
        words.push_back(static_cast<std::uint64_t>(carry));
}

} // namespace

std::optional<Words> parse_words(std::string_view text, unsigned max_bits) {
    const std::optional<Digits> digits = digits_of(text);
    if (!digits)
        return std::nullopt;
    Words words{0};
    for (const char c : digits->text) {
        if (c == '_')
            continue;
        const auto digit = digit_value(c);
        if (digit >= digits->base)
            return std::nullopt;
        multiply_add(words, digits->base, digit);
        if (width_of(words) > max_bits)
            return std::nullopt;
    }
    return words;
}

unsigned width_of(const Words& words) {
    for (std::size_t k = words.size(); k-- > 0;)
        if (words[k] != 0)
            return static_cast<unsigned>(64 * k) + static_cast<unsigned>(std::bit_width(words[k]));
    return 0;
}

std::string hexadecimal(std::span<const std::uint64_t> words, unsigned width_bits) {
    std::string text = "0x";
    for (unsigned digit = (width_bits + 3) / 4; digit-- > 0;)
        text += "0123456789abcdef"[words[digit / 16] >> (digit % 16 * 4) & 15];
    return text;
}

} // namespace sme
