// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "sme/type.hpp"

namespace sme {

/// Returns whether a text begins with 0 and a letter, in lower or upper case: "0x1f" and "0X1F".
inline bool has_prefix(std::string_view text, char letter) {
    return text.size() >= 2 && text[0] == '0' && (text[1] | 0x20) == letter;
}

/// Returns a scalar as text for people: a bool as "true" or "false"; other values as `data_text`.
/// `words` are its leaves, canonical and sign-extended.
std::string scalar_text(const Type& type, const std::uint64_t* words);
/// Returns a scalar as text for data files: decimal, a bool as "0" or "1"; a fixed-point number
/// with its point; a wide unsigned integer in hexadecimal, with all digits of its width; an
/// enumeration as the name of its member, or as a number if no member has this value.
std::string data_text(const Type& type, const std::uint64_t* words);
/// The same for a scalar of a value in a slot.
std::string data_text(const Leaf& scalar, const std::byte* slot);

/// Returns a value in a slot as text for messages: "{valid: true, data: 12}", with at most eight
/// scalars; given `other`, only the scalars that differ.
std::string value_text(const Type& type, const std::byte* slot, const std::byte* other = nullptr);

} // namespace sme
