// SPDX-License-Identifier: Apache-2.0
#include "vcd/declarations.hpp"

#include <array>

namespace sme::vcd {

namespace {

struct Unit {
    std::string_view name;
    Femtoseconds length;
};

constexpr std::array units{Unit{"s", 1'000'000'000'000'000},
                           Unit{"ms", 1'000'000'000'000},
                           Unit{"us", 1'000'000'000},
                           Unit{"ns", 1'000'000},
                           Unit{"ps", 1'000},
                           Unit{"fs", 1}};

Femtoseconds length_of(std::string_view unit) {
    for (const Unit& each : units)
        if (each.name == unit)
            return each.length;
    return 0;
}

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

} // namespace

std::optional<Femtoseconds> parse_timescale(std::string_view text) {
    const std::size_t digits = text.starts_with("100") ? 3 : text.starts_with("10") ? 2 : 1;
    if (!text.starts_with('1'))
        return std::nullopt;
    std::string_view unit = text.substr(digits);
    while (unit.starts_with(' '))
        unit.remove_prefix(1);
    const Femtoseconds length = length_of(unit);
    if (length == 0)
        return std::nullopt;
    return length * (digits == 3 ? 100 : digits == 2 ? 10 : 1);
}

std::optional<Femtoseconds> parse_time(std::string_view text) {
    const bool negative = text.starts_with('-');
    if (negative || text.starts_with('+'))
        text.remove_prefix(1);
    Femtoseconds digits = 0, divisor = 1;
    std::size_t at = 0, count = 0;
    bool point = false;
    for (; at < text.size() && (is_digit(text[at]) || (text[at] == '.' && !point)); ++at) {
        if (text[at] == '.') {
            point = true;
            continue;
        }
        if (++count > 18)
            return std::nullopt;
        digits = digits * 10 + (text[at] - '0');
        divisor *= point ? 10 : 1;
    }
    std::string_view unit = text.substr(at);
    while (unit.starts_with(' '))
        unit.remove_prefix(1);
    const Femtoseconds length = length_of(unit);
    if (count == 0 || length == 0 || digits * length % divisor != 0)
        return std::nullopt;
    const Femtoseconds time = digits * length / divisor;
    return negative ? -time : time;
}

std::string_view unit_of(Femtoseconds tick) {
    for (const Unit& each : units)
        if (tick % each.length == 0)
            return each.name;
    return "fs";
}

std::string time_text(Femtoseconds time, std::string_view unit) {
    const Femtoseconds length = length_of(unit);
    const bool negative = time < 0;
    if (negative)
        time = -time;
    std::string text = (negative ? "-" : "") + to_string(time / length);
    if (Femtoseconds rest = time % length; rest != 0) {
        text += '.';
        for (Femtoseconds digit = length / 10; rest != 0; digit /= 10) {
            text += static_cast<char>('0' + static_cast<int>(rest / digit));
            rest %= digit;
        }
    }
    return text + " " + std::string{unit};
}

} // namespace sme::vcd
