// SPDX-License-Identifier: Apache-2.0
#include "yaml/fuzz/plain_bits.hpp"

#include <algorithm>

namespace sme::fuzz {

Bits bits_of(std::uint64_t value, unsigned width) {
    Bits made(width);
    for (unsigned k = 0; k < width && k < 64; ++k)
        made[k] = (value >> k & 1) != 0;
    return made;
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
        return "-" + std::to_string(number_of(negated(bits)));
    std::string digits;
    for (std::size_t k = 0; k < bits.size(); k += 4)
        digits += "0123456789abcdef"[number_of(
            cut(bits, static_cast<unsigned>(k),
                static_cast<unsigned>(std::min<std::size_t>(4, bits.size() - k))))];
    while (digits.size() > 1 && digits.back() == '0')
        digits.pop_back();
    return "0x" + std::string{digits.rbegin(), digits.rend()};
}

Bits resized(const Bits& a, unsigned width, bool is_signed) {
    Bits made = a;
    made.resize(width, is_signed && !a.empty() && a.back());
    return made;
}

Bits cut(const Bits& a, unsigned low, unsigned width) {
    const auto begin = a.begin() + static_cast<std::ptrdiff_t>(low);
    return {begin, begin + static_cast<std::ptrdiff_t>(width)};
}

void put(Bits& into, unsigned low, const Bits& part) {
    std::copy(part.begin(), part.end(), into.begin() + static_cast<std::ptrdiff_t>(low));
}

Bits joined(const std::vector<Bits>& parts) {
    Bits made;
    for (std::size_t k = parts.size(); k-- > 0;)
        made.insert(made.end(), parts[k].begin(), parts[k].end());
    return made;
}

Bits added(const Bits& a, const Bits& b, bool carry) {
    Bits made(a.size());
    for (std::size_t k = 0; k < a.size(); ++k) {
        const int sum = int{a[k]} + int{b[k]} + int{carry};
        made[k] = sum % 2 != 0;
        carry = sum > 1;
    }
    return made;
}

Bits inverted(const Bits& a) {
    Bits made = a;
    made.flip();
    return made;
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
    Division made{Bits(width), Bits(width + 1)};
    const Bits divisor = resized(b, width + 1, false);
    for (std::size_t k = width; k-- > 0;) {
        made.rest = shifted_left(made.rest, 1);
        made.rest[0] = a[k];
        if (is_less(made.rest, divisor, false))
            continue;
        made.rest = subtracted(made.rest, divisor);
        made.quotient[k] = true;
    }
    made.rest.pop_back();
    return made;
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
    Bits made(a.size());
    for (std::size_t k = 0; k < a.size(); ++k)
        made[k] = op == '&' ? a[k] && b[k] : op == '|' ? a[k] || b[k] : a[k] != b[k];
    return made;
}

Bits shifted_left(const Bits& a, std::uint64_t by) {
    Bits made(a.size());
    for (std::size_t k = 0; k + by < a.size() && by < a.size(); ++k)
        made[k + by] = a[k];
    return made;
}

Bits shifted_right(const Bits& a, std::uint64_t by, bool is_signed) {
    Bits made(a.size(), is_signed && a.back());
    for (std::size_t k = 0; by < a.size() && k + by < a.size(); ++k)
        made[k] = a[k + by];
    return made;
}

Bits rotated_left(const Bits& a, std::uint64_t by) {
    Bits made(a.size());
    for (std::size_t k = 0; k < a.size(); ++k)
        made[(k + by % a.size()) % a.size()] = a[k];
    return made;
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
