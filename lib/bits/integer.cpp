// SPDX-License-Identifier: Apache-2.0
#include "bits/integer.hpp"

#include <algorithm>
#include <bit>

#include "bits/scalar_text.hpp"

namespace sme {

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

Words integer_words(Integer value, std::uint64_t width_bits) {
    Words words((width_bits + 63) / 64, value < 0 ? ~std::uint64_t{0} : 0);
    for (std::size_t k = 0; k < words.size() && k < 2; ++k)
        words[k] = static_cast<std::uint64_t>(value >> (64 * k));
    return words;
}

std::string to_string(Integer value) {
    const bool negative = value < 0;
    std::string digits;
    do {
        const int digit = static_cast<int>(value % 10);
        digits += static_cast<char>('0' + (digit < 0 ? -digit : digit));
        value /= 10;
    } while (value != 0);
    if (negative)
        digits += '-';
    std::reverse(digits.begin(), digits.end());
    return digits;
}

unsigned digit_value(char c) {
    if (c >= '0' && c <= '9')
        return static_cast<unsigned>(c - '0');
    if (c >= 'a' && c <= 'f')
        return static_cast<unsigned>(c - 'a') + 10;
    if (c >= 'A' && c <= 'F')
        return static_cast<unsigned>(c - 'A') + 10;
    return 99;
}

std::optional<Digits> digits_of(std::string_view text) {
    unsigned base = 10;
    if (text.size() > 2 && (has_prefix(text, 'x') || has_prefix(text, 'b'))) {
        base = has_prefix(text, 'x') ? 16 : 2;
        text.remove_prefix(2);
    } else if (text.size() > 1 && text[0] == '0')
        return std::nullopt;
    if (text.empty() || text.front() == '_' || text.back() == '_')
        return std::nullopt;
    return Digits{base, text};
}

std::optional<Integer> parse_integer(std::string_view text) {
    const std::optional<Digits> digits = digits_of(text);
    if (!digits)
        return std::nullopt;
    const auto base = static_cast<Integer>(digits->base);
    constexpr Integer most = (Integer{1} << 126) - 1;
    Integer value = 0;
    for (const char c : digits->text) {
        if (c == '_')
            continue;
        const auto digit = static_cast<Integer>(digit_value(c));
        if (digit >= base || value > (most - digit) / base)
            return std::nullopt;
        value = value * base + digit;
    }
    return value;
}

std::optional<Integer> exact_add(Integer a, Integer b) {
    Integer result;
    return __builtin_add_overflow(a, b, &result) ? std::nullopt : std::optional{result};
}

std::optional<Integer> exact_subtract(Integer a, Integer b) {
    Integer result;
    return __builtin_sub_overflow(a, b, &result) ? std::nullopt : std::optional{result};
}

std::optional<Integer> exact_multiply(Integer a, Integer b) {
    Integer result;
    return __builtin_mul_overflow(a, b, &result) ? std::nullopt : std::optional{result};
}

std::optional<Integer> exact_divide(Integer a, Integer b) {
    if (b == 0)
        return std::nullopt;
    if (b == -1)
        return exact_subtract(0, a);
    return a / b;
}

std::optional<Integer> exact_remainder(Integer a, Integer b) {
    if (b == 0)
        return std::nullopt;
    return b == -1 ? Integer{0} : a % b;
}

unsigned ceil_log2(Integer count) {
    unsigned bits = 0;
    for (Integer rest = count - 1; rest > 0; rest >>= 1)
        ++bits;
    return bits;
}

Integer smallest(unsigned width_bits, bool is_signed) {
    return is_signed ? -(Integer{1} << (width_bits - 1)) : Integer{0};
}

Integer largest(unsigned width_bits, bool is_signed) {
    return (Integer{1} << (is_signed ? width_bits - 1 : width_bits)) - 1;
}

} // namespace sme
