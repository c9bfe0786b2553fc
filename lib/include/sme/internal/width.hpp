// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <type_traits>

namespace sme::internal {

template <unsigned Bits, bool Signed>
using Storage = std::conditional_t<
    Bits <= 8, std::conditional_t<Signed, std::int8_t, std::uint8_t>,
    std::conditional_t<
        Bits <= 16, std::conditional_t<Signed, std::int16_t, std::uint16_t>,
        std::conditional_t<Bits <= 32, std::conditional_t<Signed, std::int32_t, std::uint32_t>,
                           std::conditional_t<Signed, std::int64_t, std::uint64_t>>>>;

template <unsigned Bits>
concept AnyWidth = Bits >= 1 && Bits <= 4096;
template <unsigned Bits>
concept WideWidth = AnyWidth<Bits> &&(Bits > 64);

template <unsigned Bits, class T> constexpr T canonical(T value) {
    constexpr unsigned spare = sizeof(T) * 8 - Bits;
    using U = std::make_unsigned_t<T>;
    return static_cast<T>(static_cast<T>(static_cast<U>(static_cast<U>(value) << spare)) >> spare);
}

} // namespace sme::internal
