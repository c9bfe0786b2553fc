// SPDX-License-Identifier: Apache-2.0
#include "vcd/value.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

#include <fmt/format.h>

namespace sme::vcd {

namespace {

constexpr std::array<char, 256> make_digits() {
    std::array<char, 256> digits{};
    const auto set = [&](const char* from, char to) {
        for (; *from != '\0'; ++from)
            digits[static_cast<unsigned char>(*from)] = to;
    };
    set("0lL", '0');
    set("1hH", '1');
    set("xXuUwW-", 'x');
    set("zZ", 'z');
    return digits;
}

constexpr std::array<char, 256> digits = make_digits();

std::string cut_in_the_middle(std::string text) {
    constexpr std::size_t most = 80;
    if (text.size() > most)
        text = text.substr(0, most / 2) + "..." + text.substr(text.size() - most / 2);
    return text;
}

/// Returns all digits of a value that is not a number; long values are shortened.
std::string binary(const Value& bits) {
    constexpr std::uint64_t half = 40;
    std::string text;
    for (std::uint64_t place = bits.width_bits; place-- > 0;) {
        text += digit_at(bits, place);
        if (bits.width_bits > 2 * half && place == bits.width_bits - half) {
            text += "...";
            place = half;
        }
    }
    return bits.width_bits == 1 ? text : "0b" + text;
}

std::string hexadecimal(const Value& bits) {
    const std::uint64_t count =
        std::min<std::uint64_t>(bits.width_bits, std::max<std::size_t>(1, bits.text.size()));
    std::string text;
    for (std::uint64_t nibble = (count + 3) / 4; nibble-- > 0;) {
        unsigned number = 0;
        for (unsigned k = 0; k < 4; ++k)
            number |= digit_at(bits, 4 * nibble + k) == '1' ? 1u << k : 0u;
        if (number != 0 || !text.empty() || nibble == 0)
            text += "0123456789abcdef"[number];
    }
    return bits.width_bits == 1 ? text : cut_in_the_middle("0x" + text);
}

/// Returns a number of at most 64 bits.
std::string decimal(const Value& bits, bool is_signed) {
    std::uint64_t number = 0;
    for (std::uint64_t place = bits.width_bits; place-- > 0;)
        number = number << 1 | (digit_at(bits, place) == '1' ? 1u : 0u);
    if (!is_signed || digit_at(bits, bits.width_bits - 1) != '1')
        return fmt::format("{}", number);
    const std::uint64_t above = bits.width_bits < 64 ? ~std::uint64_t{0} << bits.width_bits : 0;
    return fmt::format("{}", static_cast<std::int64_t>(number | above));
}

} // namespace

double Value::real() const {
    double number = std::numeric_limits<double>::quiet_NaN();
    if (text.size() == sizeof number)
        std::memcpy(&number, text.data(), sizeof number);
    return number;
}

char plain_digit(char digit) {
    return digits[static_cast<unsigned char>(digit)];
}

char digit_at(const Value& bits, std::uint64_t place) {
    if (place >= bits.width_bits)
        return '0';
    if (bits.text.empty())
        return 'x';
    if (place < bits.text.size())
        return plain_digit(bits.text[bits.text.size() - 1 - place]);
    const char first = plain_digit(bits.text.front());
    return first == '1' ? '0' : first;
}

std::string value_text(const Value& value, Radix radix) {
    switch (value.kind) {
    case Kind::real: return fmt::format("{}", value.real());
    case Kind::text: return cut_in_the_middle(fmt::format("'{}'", value.text));
    case Kind::event: return "an event";
    case Kind::bits: break;
    }
    const bool number =
        !value.text.empty() && std::all_of(value.text.begin(), value.text.end(), [](char digit) {
            return plain_digit(digit) == '0' || plain_digit(digit) == '1';
        });
    if (!number)
        return binary(value);
    if (radix == Radix::hexadecimal || value.width_bits > 64)
        return hexadecimal(value);
    return decimal(value, radix == Radix::signed_decimal);
}

} // namespace sme::vcd
