// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "sme/type.hpp"

namespace sme {

/// A scalar as it is written for people: decimal; a wide integer in hexadecimal digits, as many as
/// its width needs; an enumeration by the name of its member, or as a number that is none.
/// `words` are its leaves, canonical and sign-extended.
std::string scalar_text(const Type& type, const std::uint64_t* words);

/// The same of a scalar of a value in a slot.
std::string scalar_text(const Leaf& scalar, const std::byte* slot);

/// A value in a slot, for messages: "{valid: 1, data: 12}", at most eight of its scalars; with
/// another one, what differs only.
std::string value_text(const Type& type, const std::byte* slot, const std::byte* other = nullptr);

} // namespace sme
