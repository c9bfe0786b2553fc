// SPDX-License-Identifier: Apache-2.0
#pragma once

// Included by sme/values.hpp, whose types it stores.

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "sme/internal/width.hpp"

namespace sme {

template <unsigned Bits>
requires internal::AnyWidth<Bits>
class Unsigned;
template <unsigned Bits>
requires(Bits >= 1 && Bits <= 64) class Signed;
template <class T> struct TypeOf;

} // namespace sme

namespace sme::internal {

/// Stores and loads use enumerations of the same size, which alias no other type. A store through a
/// character type would make the compiler reload the arena's bases after every step.
enum class Cell8 : std::uint8_t {};
enum class Cell16 : std::uint16_t {};
enum class Cell32 : std::uint32_t {};
enum class Cell64 : std::uint64_t {};

template <std::size_t Size> struct CellOf;
template <> struct CellOf<1> { using Type = Cell8; };
template <> struct CellOf<2> { using Type = Cell16; };
template <> struct CellOf<4> { using Type = Cell32; };
template <> struct CellOf<8> { using Type = Cell64; };

template <class T>
struct IsWord : std::bool_constant<std::is_integral_v<T> || std::is_enum_v<T>> {};
template <unsigned Bits> struct IsWord<Unsigned<Bits>> : std::bool_constant<Bits <= 64> {};
template <unsigned Bits> struct IsWord<Signed<Bits>> : std::true_type {};

template <class T> struct IsWide : std::false_type {};
template <unsigned Bits>
requires internal::WideWidth<Bits>
struct IsWide<Unsigned<Bits>> : std::true_type {
};

template <class T> struct IsArray : std::false_type {};
template <class T, std::size_t N> struct IsArray<std::array<T, N>> : std::true_type {};

/// Returns the number of leaves of a T (see Type::leaf_count), as a constant: slow paths of ports
/// must call no function that could change the bases, so that the bases stay in registers through a
/// loop of steps.
template <class T> constexpr std::size_t leaf_count() {
    if constexpr (IsWord<T>::value)
        return 1;
    else if constexpr (IsWide<T>::value)
        return T::word_count;
    else if constexpr (IsArray<T>::value)
        return std::tuple_size_v<T> * leaf_count<typename T::value_type>();
    else
        return TypeOf<T>::leaves();
}

/// Copies a value into a slot, scalar by scalar; padding stays zero.
template <class T> inline void store(std::byte* to, const T& value) {
    if constexpr (IsWord<T>::value) {
        using Cell = typename CellOf<sizeof(T)>::Type;
        using Word = std::underlying_type_t<Cell>;
        if constexpr (std::is_same_v<T, bool>)
            *reinterpret_cast<Cell*>(to) = Cell{static_cast<Word>(value ? 1 : 0)};
        else if constexpr (std::is_integral_v<T> || std::is_enum_v<T>)
            *reinterpret_cast<Cell*>(to) = Cell{static_cast<Word>(value)};
        else
            *reinterpret_cast<Cell*>(to) =
                Cell{static_cast<Word>(static_cast<typename T::Value>(value))};
    } else if constexpr (IsWide<T>::value) {
        store(to, value.words());
    } else if constexpr (IsArray<T>::value) {
        for (std::size_t k = 0; k < value.size(); ++k)
            store(to + k * sizeof(value[0]), value[k]);
    } else
        TypeOf<T>::each(value,
                        [to](std::size_t offset, const auto& field) { store(to + offset, field); });
}

template <class T> inline T load(const std::byte* from) {
    if constexpr (IsWord<T>::value) {
        using Cell = typename CellOf<sizeof(T)>::Type;
        const auto word =
            static_cast<std::underlying_type_t<Cell>>(*reinterpret_cast<const Cell*>(from));
        if constexpr (std::is_same_v<T, bool>)
            return word != 0;
        else
            return static_cast<T>(word);
    } else if constexpr (IsWide<T>::value) {
        return T{load<typename T::Words>(from)};
    } else {
        T value{};
        if constexpr (IsArray<T>::value) {
            for (std::size_t k = 0; k < value.size(); ++k)
                value[k] =
                    load<std::remove_reference_t<decltype(value[0])>>(from + k * sizeof(value[0]));
        } else
            TypeOf<T>::each(value, [from](std::size_t offset, auto& field) {
                field = load<std::remove_reference_t<decltype(field)>>(from + offset);
            });
        return value;
    }
}

} // namespace sme::internal
