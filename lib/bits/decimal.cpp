// SPDX-License-Identifier: Apache-2.0
#include "bits/decimal.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

namespace sme {

namespace {

/// Divides in place; returns the remainder.
unsigned divide(Words& words, unsigned divisor) {
    __extension__ using Double = unsigned __int128;
    Double rest = 0;
    for (std::size_t k = words.size(); k-- > 0;) {
        rest = (rest << 64) | words[k];
        words[k] = static_cast<std::uint64_t>(rest / divisor);
        rest %= divisor;
    }
    return static_cast<unsigned>(rest);
}

/// Multiplies by 2^count.
void shift_left(Words& words, unsigned count) {
    words.insert(words.begin(), count / 64, 0);
    if (count % 64 == 0)
        return;
    words.push_back(0);
    for (std::size_t k = words.size(); k-- > 1;)
        words[k] = (words[k] << count % 64) | (words[k - 1] >> (64 - count % 64));
    words[0] <<= count % 64;
}

/// Divides by 2; returns the remainder.
bool halve(Words& words) {
    std::uint64_t rest = 0;
    for (std::size_t k = words.size(); k-- > 0;) {
        const std::uint64_t word = words[k];
        words[k] = (word >> 1) | (rest << 63);
        rest = word & 1;
    }
    return rest != 0;
}

void increment(Words& words) {
    for (std::uint64_t& word : words)
        if (++word != 0)
            return;
    words.push_back(1);
}

/// Returns 0 - words, in as many words.
Words negated(Words words) {
    for (std::uint64_t& word : words)
        word = ~word;
    const std::size_t count = words.size();
    increment(words);
    words.resize(count);
    return words;
}

bool is_zero(const Words& words) {
    return width_of(words) == 0;
}

} // namespace

std::optional<Decimal> parse_decimal(std::string_view text) {
    Decimal result;
    result.negative = text.starts_with('-');
    if (result.negative)
        text.remove_prefix(1);
    const std::size_t point = text.find('.');
    const std::string_view whole = text.substr(0, point);
    const std::string_view fraction =
        point == text.npos ? std::string_view{} : text.substr(point + 1);
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    const bool zero_first = whole.size() > 1 && whole[0] == '0';
    if (whole.empty() || !is_digit(whole[0]) || zero_first || whole.ends_with('_') ||
        (point != text.npos && (fraction.empty() || !is_digit(fraction[0]))))
        return std::nullopt;
    for (const char c : std::string{whole} + std::string{fraction}) {
        if (c == '_')
            continue;
        if (!is_digit(c))
            return std::nullopt;
        multiply_add(result.digits, 10, static_cast<unsigned>(c - '0'));
        if (width_of(result.digits) > 4 * Type::max_bits)
            return std::nullopt;
    }
    result.places =
        static_cast<unsigned>(std::count_if(fraction.begin(), fraction.end(), is_digit));
    return result;
}

std::optional<Rounding> rounding_named(std::string_view name) {
    constexpr std::array<std::string_view, 4> names{"floor", "nearest", "even", "zero"};
    const auto found = std::find(names.begin(), names.end(), name);
    return found == names.end() ? std::nullopt
                                : std::optional{static_cast<Rounding>(found - names.begin())};
}

Scaled scaled(const Decimal& number, unsigned fraction, Rounding rounding) {
    Scaled result{number.negative, number.digits, true};
    Words& units = result.units;
    shift_left(units, fraction + 1); // with half a unit
    bool more = false;               // something is left below half a unit
    for (unsigned place = 0; place < number.places; ++place)
        more = divide(units, 10) != 0 || more;
    const bool half = halve(units);
    result.exact = !half && !more;
    bool away = false; // from zero
    switch (rounding) {
    case Rounding::floor: away = number.negative && !result.exact; break;
    case Rounding::nearest: away = half && (more || !number.negative); break;
    case Rounding::even: away = half && (more || units[0] % 2 != 0); break;
    case Rounding::zero: break;
    }
    if (away)
        increment(units);
    result.negative = result.negative && !is_zero(units);
    return result;
}

std::optional<Words> words_of(const Scaled& number, const Type& type) {
    if (number.negative && !type.is_signed())
        return std::nullopt;
    const std::size_t count = type.leaf_count();
    Words words = number.units;
    words.resize(std::max(words.size(), count) + 1, 0);
    if (number.negative)
        words = negated(std::move(words));
    const auto width = static_cast<std::size_t>(type.width_bits());
    for (std::size_t bit = width - type.is_signed(); bit < 64 * words.size(); ++bit)
        if ((words[bit / 64] >> bit % 64 & 1) != (number.negative ? 1 : 0))
            return std::nullopt;
    words.resize(count);
    if (type.is_wide() && width % 64 != 0)
        words.back() = canonical(words.back(), width % 64, false);
    return words;
}

namespace {

/// A number without its sign.
struct Magnitude {
    bool negative;
    Words words;
};

Magnitude magnitude_of(const Type& type, const std::uint64_t* words) {
    const auto width = static_cast<unsigned>(type.width_bits());
    Words value{words, words + type.leaf_count()};
    const bool negative =
        type.is_signed() && (value[(width - 1) / 64] >> (width - 1) % 64 & 1) != 0;
    if (negative)
        value = negated(std::move(value));
    if (width % 64 != 0)
        value.back() = canonical(value.back(), width % 64, false);
    return {negative, std::move(value)};
}

std::string digits_of_number(Words words) {
    std::string text;
    do
        text += static_cast<char>('0' + divide(words, 10));
    while (!is_zero(words));
    std::reverse(text.begin(), text.end());
    return text;
}

} // namespace

std::string integer_text(const Type& type, const std::uint64_t* words) {
    if (!type.is_wide())
        return type.is_signed() ? fmt::format("{}", static_cast<std::int64_t>(*words))
                                : fmt::format("{}", *words);
    Magnitude value = magnitude_of(type, words);
    return (value.negative ? "-" : "") + digits_of_number(std::move(value.words));
}

std::string fixed_text(const Type& type, const std::uint64_t* words) {
    auto [negative, value] = magnitude_of(type, words);
    unsigned places = type.fraction_bits();
    if (is_zero(value))
        return "0.0";
    for (; places > 0 && value[0] % 2 == 0; --places)
        halve(value);
    for (unsigned k = 0; k < places; ++k)
        multiply_add(value, 5, 0);
    std::string text = digits_of_number(std::move(value)) + (places == 0 ? "0" : "");
    places = std::max(places, 1U);
    if (text.size() <= places)
        text.insert(0, places + 1 - text.size(), '0');
    text.insert(text.size() - places, ".");
    return (negative ? "-" : "") + text;
}

} // namespace sme
