// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <functional>
#include <ranges>
#include <type_traits>

namespace sme {

/// Returns the digest of a message's value, not of its address. Supports integers, enumerations,
/// the objects owned by smart pointers, ranges, and types with std::hash. For your own type,
/// declare `std::uint64_t kahn_digest(const T&)` in its namespace; for other types only the number
/// of messages counts.
template <class T> std::uint64_t digest_of(const T& value) {
    if constexpr (requires {
                      { kahn_digest(value) } -> std::convertible_to<std::uint64_t>;
                  })
        return kahn_digest(value);
    else if constexpr (std::is_enum_v<T> || std::is_integral_v<T>)
        return static_cast<std::uint64_t>(value);
    else if constexpr (std::ranges::input_range<const T&>) {
        std::uint64_t digest = 0x9e37'79b9'7f4a'7c15;
        for (const auto& each : value)
            digest = (std::rotl(digest, 23) ^ digest_of(each)) * 0xff51'afd7'ed55'8ccd;
        return digest;
    } else if constexpr (requires { value ? digest_of(*value) : 0; } && !std::is_pointer_v<T>)
        return value ? digest_of(*value) + 1 : 0;
    else if constexpr (requires { std::hash<T>{}(value); } && !std::is_pointer_v<T>)
        return std::hash<T>{}(value);
    else
        return 0;
}

namespace detail {

/// A digest of the messages sent on a channel, in order.
struct ChannelHistory {
    std::uint64_t digest = 0;
    template <class T> void add(const T& message) {
        digest = (std::rotl(digest, 29) ^ (digest_of(message) + 0x9e37'79b9'7f4a'7c15)) *
                 0xc4ce'b9fe'1a85'ec53;
        digest ^= digest >> 32;
    }
};

} // namespace detail
} // namespace sme
