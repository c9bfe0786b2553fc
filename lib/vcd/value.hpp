// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "vcd/declarations.hpp"

namespace sme::vcd {

/// What a signal is at a time. Bits are digits as the file has them, the most significant first;
/// those that are left out continue the first (IEEE 1364-2005, 18.2.1): x as x, z as z, others as
/// zeros. No digits at all: no value yet, which is x. A real is the bytes of a double.
struct Value {
    Kind kind; // that of the signal, but text when a real has one
    std::uint32_t width_bits;
    std::string_view text;

    double real() const; // not a number while there is no value yet
};

/// '0', '1', 'x' or 'z' for a digit of any simulator (the nine values of IEEE 1164 among them: U, W
/// and - are x, L is 0, H is 1); NUL when it is none.
char plain_digit(char digit);

/// The digit at a place, 0 being the least significant; beyond the width: '0'.
char digit_at(const Value& bits, std::uint64_t place);

/// Bits as a number ("0x1f") or, when some are x or z, as digits ("0b1x0z"); reals and texts as
/// such. Long ones are cut in the middle.
std::string value_text(const Value& value);

} // namespace sme::vcd
