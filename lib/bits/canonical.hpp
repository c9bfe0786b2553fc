// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "sme/type.hpp"

namespace sme {

/// Returns why the bytes of a slot of `type.size()` bytes are not a value of the type, as in
/// "'.state' is 7, which is no member of State"; `nullopt` if they are. For an enumeration 0 is
/// also valid, because an unwritten bus reads as 0. Ignores padding.
std::optional<std::string> wrong_value(const Type& type, const std::byte* slot);

} // namespace sme
