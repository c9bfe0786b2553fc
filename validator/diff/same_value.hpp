// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "vcd/value.hpp"

namespace sme::validator {

/// In which file a digit x agrees with every digit of the other.
enum class AnyX : std::uint8_t { neither, first, second, both };

/// When two values are the same.
struct Sameness {
    AnyX any_x = AnyX::neither;
    double tolerance = 0; // of reals, relative to the larger one
};

/// Whether two values of one kind are the same; bits as numbers: the narrower has zeros in front.
bool same_value(const vcd::Value& first, const vcd::Value& second, const Sameness& sameness);

/// Whether two digits of '0', '1', 'x' and 'z' are the same.
bool same_digit(char first, char second, AnyX any_x);

} // namespace sme::validator
