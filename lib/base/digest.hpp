// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace sme {

/// An FNV-1a digest of everything added. It detects accidental differences, not deliberate forgery.
class Digest {
public:
    Digest& add(std::span<const std::byte> bytes) {
        for (const std::byte byte : bytes)
            value_ = (value_ ^ static_cast<std::uint8_t>(byte)) * 0x100000001b3;
        return *this;
    }
    Digest& add(std::string_view text) {
        return add(std::as_bytes(std::span{text.data(), text.size()}));
    }
    /// Adds the eight bytes of a number, lowest first.
    Digest& add(std::uint64_t number) {
        for (unsigned k = 0; k < 8; ++k)
            value_ = (value_ ^ (number >> 8 * k & 0xff)) * 0x100000001b3;
        return *this;
    }
    std::uint64_t value() const { return value_; }

private:
    std::uint64_t value_ = 0xcbf29ce484222325;
};

} // namespace sme
