// SPDX-License-Identifier: Apache-2.0
#include "diff/difference_text.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace sme::validator {

using vcd::Kind;
using vcd::Value;

namespace {

constexpr std::size_t max_shown = 80;            // characters of a value; longer values are cut
constexpr std::uint64_t before = 16, after = 47; // characters shown around a difference

bool is_number(const Value& bits) {
    return !bits.text.empty() && std::all_of(bits.text.begin(), bits.text.end(), [](char digit) {
        return vcd::plain_digit(digit) == '0' || vcd::plain_digit(digit) == '1';
    });
}

bool is_long(const Value& bits) {
    if (!is_number(bits))
        return bits.width_bits > max_shown;
    const std::size_t zeros = std::min(bits.text.find_first_not_of("0lL"), bits.text.size());
    return bits.text.size() - zeros > 4 * (max_shown - 2); // after "0x"
}

/// Returns 4-bit or 1-bit digits from a position downwards, with dots for omitted ones.
std::string digits_around(const Value& bits, std::uint64_t width, std::uint64_t place, bool hex) {
    const std::uint64_t size = hex ? 4 : 1, count = (width + size - 1) / size, here = place / size;
    const std::uint64_t high = std::min(here + before, count - 1);
    const std::uint64_t low = here - std::min(here, after);
    std::string text = hex ? "0x" : "0b";
    text += high + 1 < count ? "..." : "";
    for (std::uint64_t k = high + 1; k-- > low;) {
        unsigned number = 0;
        for (unsigned bit = 0; hex && bit < 4; ++bit)
            number |= vcd::digit_at(bits, 4 * k + bit) == '1' ? 1u << bit : 0u;
        text += hex ? "0123456789abcdef"[number] : vcd::digit_at(bits, k);
    }
    return text + (low > 0 ? "..." : "");
}

DifferenceText bits_text(const Value& first, const Value& second, AnyX any_x) {
    const std::uint64_t width = std::max(first.width_bits, second.width_bits);
    std::uint64_t place = width - 1;
    while (place > 0 &&
           same_digit(vcd::digit_at(first, place), vcd::digit_at(second, place), any_x))
        --place;
    const bool hex = is_number(first) && is_number(second);
    return {digits_around(first, width, place, hex), digits_around(second, width, place, hex),
            fmt::format("bit {} is the highest that differs", place)};
}

std::string characters_around(std::string_view text, std::uint64_t place) {
    const std::uint64_t begin = place - std::min(place, before);
    const std::uint64_t end = std::min<std::uint64_t>(place + after, text.size());
    return fmt::format("'{}{}{}'", begin > 0 ? "..." : "",
                       begin < end ? text.substr(begin, end - begin) : std::string_view{},
                       end < text.size() ? "..." : "");
}

DifferenceText characters_text(std::string_view first, std::string_view second) {
    const auto place = static_cast<std::uint64_t>(
        std::mismatch(first.begin(), first.end(), second.begin(), second.end()).first -
        first.begin());
    return {characters_around(first, place), characters_around(second, place),
            fmt::format("character {} is the first that differs", place + 1)};
}

} // namespace

DifferenceText difference_text(const Value& first, const Value& second, const Sameness& sameness) {
    if (first.kind == Kind::bits && second.kind == Kind::bits &&
        (is_long(first) || is_long(second)))
        return bits_text(first, second, sameness.any_x);
    if (first.kind == Kind::text && second.kind == Kind::text &&
        std::max(first.text.size(), second.text.size()) > max_shown - 2)
        return characters_text(first.text, second.text);
    return {vcd::value_text(first), vcd::value_text(second), {}};
}

} // namespace sme::validator
