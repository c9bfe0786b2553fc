// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "sme/type.hpp"

namespace sme {

/// What of a slot of `type.size()` bytes is no value of the type, as in "'.state' is 7, which is no
/// member of State"; nothing when all of it is. Of an enumeration 0 is a value as well: what was
/// not written reads as 0. Padding is not looked at.
std::optional<std::string> wrong_value(const Type& type, const std::byte* slot);

} // namespace sme
