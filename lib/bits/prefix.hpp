// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace sme {

/// Returns whether a text begins with 0 and a letter, in lower or upper case: "0x1f" and "0X1F".
inline bool has_prefix(std::string_view text, char letter) {
    return text.size() >= 2 && text[0] == '0' && (text[1] | 0x20) == letter;
}

} // namespace sme
