// SPDX-License-Identifier: Apache-2.0
#include "diff/same_value.hpp"

#include <algorithm>
#include <cmath>

namespace sme::validator {

using vcd::Value;

namespace {

std::string_view without_zeros(std::string_view digits) {
    return digits.substr(std::min(digits.find_first_not_of('0'), digits.size()));
}

bool same_bits(const Value& first, const Value& second, AnyX any_x) {
    const std::string_view left = without_zeros(first.text), right = without_zeros(second.text);
    const bool zeros_in_front =
        !first.text.empty() && !second.text.empty() && (left.empty() || left.front() == '1');
    if (left == right && zeros_in_front)
        return true;
    const auto same_at = [&](std::uint64_t place) {
        return same_digit(vcd::digit_at(first, place), vcd::digit_at(second, place), any_x);
    };
    const std::uint64_t written = std::max(first.text.size(), second.text.size());
    for (std::uint64_t place = 0; place < written; ++place)
        if (!same_at(place))
            return false;
    // unwritten digits extend the value: one digit up to the narrower width, another above it
    const std::uint64_t narrower = std::min(first.width_bits, second.width_bits);
    return same_at(written) && same_at(std::max(narrower, written));
}

bool same_real(double first, double second, double tolerance) {
    if (std::isnan(first) || std::isnan(second))
        return std::isnan(first) == std::isnan(second);
    return first == second ||
           std::abs(first - second) <= tolerance * std::max(std::abs(first), std::abs(second));
}

} // namespace

bool same_digit(char first, char second, AnyX any_x) {
    return first == second || (first == 'x' && (any_x == AnyX::first || any_x == AnyX::both)) ||
           (second == 'x' && (any_x == AnyX::second || any_x == AnyX::both));
}

bool same_value(const Value& first, const Value& second, const Sameness& sameness) {
    if (first.kind != second.kind) // one of two reals is NaN
        return false;
    if (first.kind == vcd::Kind::real)
        return same_real(first.real(), second.real(), sameness.tolerance);
    return first.kind == vcd::Kind::bits ? same_bits(first, second, sameness.any_x)
                                         : first.text == second.text;
}

} // namespace sme::validator
