// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "debug/names.hpp"
#include "sme/type.hpp"

namespace sme::debug {

enum class Radix : std::uint8_t { decimal, hexadecimal, binary };

/// Formats a value in a slot: "{valid: true, value: 20}", "[1, 2, 3]"; only the first elements of
/// an array.
std::string text_of(const Type& type, const std::byte* slot, Radix radix = Radix::decimal);

/// Converts a value to another type: an equal type, or numbers and bools that fit. `nullopt` if it
/// does not fit.
std::optional<std::vector<std::byte>> converted(const ProbeValue& value, const Type& to);

/// Joins the errors in one line.
std::string messages_of(const Diagnostics& diagnostics);

} // namespace sme::debug
