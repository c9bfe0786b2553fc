// SPDX-License-Identifier: Apache-2.0
//
// Arithmetic on lists of bits, one bit at a time, as taught at school: a second implementation of
// the language's values of any width, which shares no code with the simulator.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sme::fuzz {

/// Bit k has the value 2^k. Every value of the language is such a list: a struct has its first
/// field leftmost (highest), an array has element 0 rightmost.
using Bits = std::vector<bool>;

Bits bits_of(std::uint64_t value, unsigned width);
/// Returns the bits as an unsigned number, at most `most`.
std::uint64_t number_of(const Bits& bits, std::uint64_t most = ~std::uint64_t{0});
bool is_zero(const Bits& bits);
/// Returns "0x1f", or a negative number if the top bit is set.
std::string text_of(const Bits& bits, bool is_signed);
/// Returns the same for an expression; a signed number of more than 64 bits has its type.
std::string number_text(const Bits& bits, bool is_signed);

/// Returns the value modulo 2^width, sign-extended if signed.
Bits resized(const Bits& a, unsigned width, bool is_signed);
Bits cut(const Bits& a, unsigned low, unsigned width);
void put(Bits& into, unsigned low, const Bits& part);
/// Joins parts; the first is leftmost.
Bits joined(const std::vector<Bits>& parts);

Bits added(const Bits& a, const Bits& b, bool carry = false);
Bits inverted(const Bits& a);
Bits negated(const Bits& a);
Bits subtracted(const Bits& a, const Bits& b);
Bits multiplied(const Bits& a, const Bits& b);
/// Divides and rounds toward zero; the divisor is not zero.
Bits divided(const Bits& a, const Bits& b, bool is_signed);
Bits remainder_of(const Bits& a, const Bits& b, bool is_signed);
/// `op` is '&', '|' or '^'.
Bits bitwise(char op, const Bits& a, const Bits& b);
Bits shifted_left(const Bits& a, std::uint64_t by);
Bits shifted_right(const Bits& a, std::uint64_t by, bool is_signed);
Bits rotated_left(const Bits& a, std::uint64_t by);
Bits reversed(const Bits& a);
unsigned ones(const Bits& a);
bool is_less(const Bits& a, const Bits& b, bool is_signed);

} // namespace sme::fuzz
