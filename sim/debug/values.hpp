// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "debug/probe.hpp"
#include "sme/type.hpp"

namespace sme::debug {

enum class Radix : std::uint8_t { decimal, hexadecimal, binary };

/// A value in a slot: "{valid: 1, value: 20}", "[1, 2, 3]"; of an array the first elements.
std::string text_of(const Type& type, const std::byte* slot, Radix radix = Radix::decimal);

/// The bytes of a value as one of another type: equal types, or numbers and bools that fit.
/// Nothing when it does not fit.
std::optional<std::vector<std::byte>> converted(const ProbeValue& value, const Type& to);

/// The errors, in one line.
std::string messages_of(const Diagnostics& diagnostics);

} // namespace sme::debug
