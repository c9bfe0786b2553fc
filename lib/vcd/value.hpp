// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "vcd/declarations.hpp"

namespace sme::vcd {

/// The value of a signal at a time. Bits are digits as in the file, most significant first; omitted
/// leading digits continue the first (IEEE 1364-2005, 18.2.1): x as x, z as z, others as zeros.
/// Without digits: no value yet, which is x. A real is the bytes of a double.
struct Value {
    Kind kind; // the kind of the signal, except `text` if a real has a text
    std::uint32_t width_bits;
    std::string_view text;

    double real() const; // NaN before the first value
};

/// Returns '0', '1', 'x' or 'z' for a digit of any simulator (including the nine values of IEEE
/// 1164: U, W and - are x, L is 0, H is 1); NUL for any other character.
char plain_digit(char digit);

/// Returns the digit at a place; 0 is the least significant. '0' beyond the width.
char digit_at(const Value& bits, std::uint64_t place);

/// Formats bits as a number ("0x1f") or, if some are x or z, as digits ("0b1x0z"); reals and texts
/// unchanged. Long values are shortened in the middle.
std::string value_text(const Value& value);

} // namespace sme::vcd
