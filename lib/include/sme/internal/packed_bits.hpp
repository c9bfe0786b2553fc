// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>

#include "sme/values.hpp"

namespace sme::internal {

/// The bits of T if known at compile time; otherwise 0.
template <class T> struct PackedBits { static constexpr std::uint64_t value = 0; };
template <> struct PackedBits<bool> { static constexpr std::uint64_t value = 1; };
template <std::integral T> struct PackedBits<T> {
    static constexpr std::uint64_t value = sizeof(T) * 8;
};
template <unsigned Bits> struct PackedBits<Unsigned<Bits>> {
    static constexpr std::uint64_t value = Bits;
};
template <unsigned Bits> struct PackedBits<Signed<Bits>> {
    static constexpr std::uint64_t value = Bits;
};
template <class T, std::size_t N> struct PackedBits<std::array<T, N>> {
    static constexpr std::uint64_t value = PackedBits<T>::value * N;
};

template <class T, unsigned Bits>
concept PacksInto = PackedBits<T>::value == 0 || PackedBits<T>::value == Bits;

} // namespace sme::internal
