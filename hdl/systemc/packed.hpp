// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sme/type.hpp"

namespace sme::systemc {

/// A value as one vector of bits, packed as in hdl/README.md: the first field of a struct leftmost,
/// element 0 of an array rightmost. 64-bit words, the lowest first; unused high bits are zero.
using Bits = std::vector<std::uint64_t>;

/// Packs the value at `slot`.
void pack(const Type& type, const std::byte* slot, Bits& bits);

/// Unpacks a value. `bits` has at least `type.width_bits()` bits; further bits are ignored.
void unpack(const Type& type, const Bits& bits, std::byte* slot);

/// Returns the error in an external value: an enumeration without a member of that value.
std::optional<std::string> stranger_in(const Type& type, const std::byte* slot);

} // namespace sme::systemc
