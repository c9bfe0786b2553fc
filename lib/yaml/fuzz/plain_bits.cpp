// SPDX-License-Identifier: Apache-2.0
#include "yaml/fuzz/plain_bits.hpp"

#include <algorithm>

namespace sme::fuzz {

Bits bits_of(std::uint64_t value, unsigned width) {
    Bits result(width);
    for (unsigned k = 0; k < width && k < 64; ++k)
        result[k] = (value >> k & 1) != 0;
    return result;
}

std::uint64_t number_of(const Bits& bits, std::uint64_t most) {
    std::uint64_t found = 0;
    for (std::size_t k = bits.size(); k-- > 0;) {
        if (bits[k] && k >= 64)
            return most;
        if (k < 64)
            found |= std::uint64_t{bits[k]} << k;
    }
    return std::min(found, most);
}

bool is_zero(const Bits& bits) {
    return std::none_of(bits.begin(), bits.end(), [](bool bit) { return bit; });
}

std::string text_of(const Bits& bits, bool is_signed) {
    if (is_signed && !bits.empty() && bits.back())
        return "-" + (bits.size() > 64 ? text_of(negated(bits), false)
                                       : std::to_string(number_of(negated(bits))));
    std::string digits;
    for (std::size_t k = 0; k < bits.size(); k += 4)
        digits += "0123456789abcdef"[number_of(
            cut(bits, static_cast<unsigned>(k),
                static_cast<unsigned>(std::min<std::size_t>(4, bits.size() - k))))];
    while (digits.size() > 1 && digits.back() == '0')
        digits.pop_back();
    return "0x" + std::string{digits.rbegin(), digits.rend()};
}

std::string number_text(const Bits& bits, bool is_signed) {
    return is_signed && bits.size() > 64
               ? "i" + std::to_string(bits.size()) + "(u" + std::to_string(bits.size()) + "(" +
                     text_of(bits, false) + "))"
               : text_of(bits, is_signed);
}

Bits resized(const Bits& a, unsigned width, bool is_signed) {
    Bits result = a;
    result.resize(width, is_signed && !a.empty() && a.back());
    return result;
}

Bits cut(const Bits& a, unsigned low, unsigned width) {
    const auto begin = a.begin() + static_cast<std::ptrdiff_t>(low);
    return {begin, begin + static_cast<std::ptrdiff_t>(width)};
}

void put(Bits& into, unsigned low, const Bits& part) {
    std::copy(part.begin(), part.end(), into.begin() + static_cast<std::ptrdiff_t>(low));
}

Bits joined(const std::vector<Bits>& parts) {
    Bits result;
    for (std::size_t k = parts.size(); k-- > 0;)
        result.insert(result.end(), parts[k].begin(), parts[k].end());
    return result;
}

Bits added(const Bits& a, const Bits& b, bool carry) {
    Bits result(a.size());
    for (std::size_t k = 0; k < a.size(); ++k) {
        const int sum = int{a[k]} + int{b[k]} + int{carry};
        result[k] = sum % 2 != 0;
        carry = sum > 1;
    }
    return result;
}

Bits inverted(const Bits& a) {
    Bits result = a;
    result.flip();
    return result;
}

Bits negated(const Bits& a) {
    return added(inverted(a), Bits(a.size()), true);
}

Bits subtracted(const Bits& a, const Bits& b) {
    return added(a, inverted(b), true);
}

Bits multiplied(const Bits& a, const Bits& b) {
    Bits sum(a.size());
    for (std::size_t k = 0; k < b.size(); ++k)
        if (b[k])
            sum = added(sum, shifted_left(a, k));
    return sum;
}

namespace {

struct Division {
    Bits quotient, rest;
};

/// Divides unsigned numbers, digit by digit from the left.
Division long_division(const Bits& a, const Bits& b) {
    const auto width = static_cast<unsigned>(a.size());
    Division result{Bits(width), Bits(width + 1)};
    const Bits divisor = resized(b, width + 1, false);
    for (std::size_t k = width; k-- > 0;) {
        result.rest = shifted_left(result.rest, 1);
        result.rest[0] = a[k];
        if (is_less(result.rest, divisor, false))
            continue;
        result.rest = subtracted(result.rest, divisor);
        result.quotient[k] = true;
    }
    result.rest.pop_back();
    return result;
}

Bits magnitude(const Bits& a, bool is_signed) {
    return is_signed && a.back() ? negated(a) : a;
}

} // namespace

Bits divided(const Bits& a, const Bits& b, bool is_signed) {
    const Bits found = long_division(magnitude(a, is_signed), magnitude(b, is_signed)).quotient;
    return is_signed && a.back() != b.back() ? negated(found) : found;
}

Bits remainder_of(const Bits& a, const Bits& b, bool is_signed) {
    const Bits found = long_division(magnitude(a, is_signed), magnitude(b, is_signed)).rest;
    return is_signed && a.back() ? negated(found) : found;
}

Bits bitwise(char op, const Bits& a, const Bits& b) {
    Bits result(a.size());
    for (std::size_t k = 0; k < a.size(); ++k)
        result[k] = op == '&' ? a[k] && b[k] : op == '|' ? a[k] || b[k] : a[k] != b[k];
    return result;
}

Bits shifted_left(const Bits& a, std::uint64_t by) {
    Bits result(a.size());
    for (std::size_t k = 0; k + by < a.size() && by < a.size(); ++k)
        result[k + by] = a[k];
    return result;
}

Bits shifted_right(const Bits& a, std::uint64_t by, bool is_signed) {
    Bits result(a.size(), is_signed && a.back());
    for (std::size_t k = 0; by < a.size() && k + by < a.size(); ++k)
        result[k] = a[k + by];
    return result;
}

Bits rotated_left(const Bits& a, std::uint64_t by) {
    Bits result(a.size());
    for (std::size_t k = 0; k < a.size(); ++k)
        result[(k + by % a.size()) % a.size()] = a[k];
    return result;
}

Bits reversed(const Bits& a) {
    return {a.rbegin(), a.rend()};
}

unsigned ones(const Bits& a) {
    return static_cast<unsigned>(std::count(a.begin(), a.end(), true));
}

bool is_less(const Bits& a, const Bits& b, bool is_signed) {
    for (std::size_t k = a.size(); k-- > 0;)
        if (a[k] != b[k])
            return is_signed && k + 1 == a.size() ? a[k] : b[k];
    return false;
}

} // namespace sme::fuzz
