// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace models {

/// Sixteen bytes in the order of FIPS 197: column by column.
using AesBlock = std::array<std::uint8_t, 16>;

/// AES-128 (FIPS 197), encryption only, with a table per column. Not for secrets: its running time
/// depends on the key.
class Aes128 {
public:
    explicit Aes128(const AesBlock& key);
    /// Replaces each 16 bytes by their cipher (ECB). The number of bytes is a multiple of 16.
    void encrypt(std::span<std::uint8_t> bytes) const;

private:
    std::array<std::uint32_t, 44> keys_{}; // one column each, its first byte lowest
};

} // namespace models
