// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sme/type.hpp"

namespace sme::systemc {

/// A value as one row of bits, as hdl/README.md packs it: the first field of a struct leftmost,
/// element 0 of an array rightmost. 64-bit words, the lowest first; unused high bits are zero.
using Bits = std::vector<std::uint64_t>;

/// Packs the value that lies at `slot`.
void pack(const Type& type, const std::byte* slot, Bits& bits);

/// The reverse. `bits` has at least `type.width_bits()` bits; those beyond are not looked at.
void unpack(const Type& type, const Bits& bits, std::byte* slot);

/// What is wrong with a value from outside: an enumeration in it that has no such member.
std::optional<std::string> stranger_in(const Type& type, const std::byte* slot);

} // namespace sme::systemc
