// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "vcd/value.hpp"

namespace sme::validator {

/// The file in which a digit x matches every digit of the other.
enum class AnyX : std::uint8_t { neither, first, second, both };

/// The rules of equality.
struct Sameness {
    AnyX any_x = AnyX::neither;
    double tolerance = 0; // for reals, relative to the larger one
};

/// Tests two values of one kind for equality; bits as numbers: the narrower one is zero-extended.
bool same_value(const vcd::Value& first, const vcd::Value& second, const Sameness& sameness);

/// Tests two digits of '0', '1', 'x' and 'z' for equality.
bool same_digit(char first, char second, AnyX any_x);

} // namespace sme::validator
