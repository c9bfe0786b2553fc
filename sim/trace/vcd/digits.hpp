// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

namespace sme::trace {

/// The eight binary digits of each byte.
inline constexpr auto byte_digits = [] {
    std::array<std::array<char, 8>, 256> table{};
    for (unsigned byte = 0; byte < 256; ++byte)
        for (unsigned k = 0; k < 8; ++k)
            table[byte][k] = (byte >> (7 - k)) & 1 ? '1' : '0';
    return table;
}();

} // namespace sme::trace
