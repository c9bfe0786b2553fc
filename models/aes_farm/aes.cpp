// SPDX-License-Identifier: Apache-2.0
#include "aes.hpp"

#include <bit>

namespace models {
namespace {

constexpr std::uint8_t doubled(std::uint8_t x) {
    return static_cast<std::uint8_t>((x << 1) ^ ((x & 0x80) != 0 ? 0x1b : 0));
}

/// Computes the S-box (FIPS 197, 5.1.1): the inverse in GF(2^8), then an affine map. Powers of 3
/// reach every element.
constexpr std::array<std::uint8_t, 256> make_sbox() {
    std::array<std::uint8_t, 256> power{};
    std::array<std::uint8_t, 256> log{};
    std::uint8_t x = 1;
    for (unsigned k = 0; k < 255; ++k) {
        power[k] = x;
        log[x] = static_cast<std::uint8_t>(k);
        x = static_cast<std::uint8_t>(x ^ doubled(x));
    }
    std::array<std::uint8_t, 256> sbox{};
    for (unsigned k = 0; k < 256; ++k) {
        const std::uint8_t inverse = k == 0 ? std::uint8_t{0} : power[(255U - log[k]) % 255U];
        sbox[k] =
            static_cast<std::uint8_t>(inverse ^ std::rotl(inverse, 1) ^ std::rotl(inverse, 2) ^
                                      std::rotl(inverse, 3) ^ std::rotl(inverse, 4) ^ 0x63);
    }
    return sbox;
}
constexpr std::array<std::uint8_t, 256> sbox = make_sbox();

/// Returns the contribution of a first-row byte to its column after SubBytes and MixColumns; rotate
/// it by r bytes for row r.
constexpr std::array<std::uint32_t, 256> make_columns() {
    std::array<std::uint32_t, 256> columns{};
    for (unsigned k = 0; k < 256; ++k) {
        const std::uint32_t s = sbox[k];
        const std::uint32_t two = doubled(sbox[k]);
        columns[k] = two | (s << 8U) | (s << 16U) | ((two ^ s) << 24U);
    }
    return columns;
}
constexpr std::array<std::uint32_t, 256> columns = make_columns();

constexpr std::uint8_t byte_of(std::uint32_t column, int row) {
    return static_cast<std::uint8_t>(column >> (8 * row));
}

std::uint32_t substituted(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
    return sbox[byte_of(a, 0)] | (std::uint32_t{sbox[byte_of(b, 1)]} << 8U) |
           (std::uint32_t{sbox[byte_of(c, 2)]} << 16U) |
           (std::uint32_t{sbox[byte_of(d, 3)]} << 24U);
}

std::uint32_t mixed(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
    return columns[byte_of(a, 0)] ^ std::rotl(columns[byte_of(b, 1)], 8) ^
           std::rotl(columns[byte_of(c, 2)], 16) ^ std::rotl(columns[byte_of(d, 3)], 24);
}

std::uint32_t column_at(const std::uint8_t* bytes) {
    return bytes[0] | (std::uint32_t{bytes[1]} << 8U) | (std::uint32_t{bytes[2]} << 16U) |
           (std::uint32_t{bytes[3]} << 24U);
}

} // namespace

Aes128::Aes128(const AesBlock& key) {
    for (std::size_t k = 0; k < 4; ++k)
        keys_[k] = column_at(&key[4 * k]);
    std::uint8_t power = 1; // the round constant, a power of x
    for (std::size_t k = 4; k < keys_.size(); ++k) {
        std::uint32_t next = keys_[k - 1];
        if (k % 4 == 0) {
            next = std::rotr(next, 8);
            next = substituted(next, next, next, next) ^ power;
            power = doubled(power);
        }
        keys_[k] = keys_[k - 4] ^ next;
    }
}

void Aes128::encrypt(std::span<std::uint8_t> bytes) const {
    for (std::size_t at = 0; at + 16 <= bytes.size(); at += 16) {
        std::array<std::uint32_t, 4> s{};
        for (std::size_t k = 0; k < 4; ++k)
            s[k] = column_at(&bytes[at + 4 * k]) ^ keys_[k];
        for (std::size_t round = 1; round < 10; ++round) {
            const std::uint32_t* key = &keys_[4 * round];
            s = {mixed(s[0], s[1], s[2], s[3]) ^ key[0], mixed(s[1], s[2], s[3], s[0]) ^ key[1],
                 mixed(s[2], s[3], s[0], s[1]) ^ key[2], mixed(s[3], s[0], s[1], s[2]) ^ key[3]};
        }
        for (std::size_t k = 0; k < 4; ++k) {
            const std::uint32_t last =
                substituted(s[k], s[(k + 1) % 4], s[(k + 2) % 4], s[(k + 3) % 4]) ^ keys_[40 + k];
            for (int row = 0; row < 4; ++row)
                bytes[at + 4 * k + static_cast<std::size_t>(row)] = byte_of(last, row);
        }
    }
}

} // namespace models
