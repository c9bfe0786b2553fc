// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <systemc>
#include <type_traits>
#include <vector>

#include "sme/type.hpp"
#include "sme/values.hpp"

namespace sme::systemc {

/// A value as one vector of bits, packed as in hdl/README.md: the first field of a struct leftmost,
/// element 0 of an array rightmost. 64-bit words, the lowest first; unused high bits are zero.
using Bits = std::vector<std::uint64_t>;

/// Packs the value at `slot`.
void pack(const Type& type, const std::byte* slot, Bits& bits);

/// Unpacks a value. `bits` has at least `type.width_bits()` bits; further bits are ignored.
void unpack(const Type& type, const Bits& bits, std::byte* slot);

/// Returns the error in an external value: an enumeration without a member of that value.
std::optional<std::string> stranger_in(const Type& type, const std::byte* slot);

namespace internal {

/// A C++ type that buses carry directly.
template <class S>
concept OnBuses = requires {
    { TypeOf<S>::get() } -> std::same_as<TypeRef>;
};

/// "sc_uint<12>"
std::string templated(std::string_view name, int width);

template <class S, class Word> void words_to(S& value, const Bits& bits, int width) {
    for (int low = 0; low < width; low += 32) {
        const int high = low + 31 < width ? low + 31 : width - 1;
        const auto word = bits[static_cast<std::size_t>(low / 64)] >> (low % 64);
        value.range(high, low) = static_cast<Word>(word & 0xffff'ffff);
    }
}

template <class S> void words_from(const S& value, Bits& bits, int width) {
    bits.assign(static_cast<std::size_t>((width + 63) / 64), 0);
    for (int low = 0; low < width; low += 32) {
        const int high = low + 31 < width ? low + 31 : width - 1;
        const std::uint64_t word = value.range(high, low).to_uint();
        bits[static_cast<std::size_t>(low / 64)] |= word << (low % 64);
    }
}

} // namespace internal

/// Maps a SystemC type to values on a bus: whether it fits a type, and the conversions in both
/// directions. `matches` is exact: a conversion never changes width or sign. Only the
/// specialisations below exist; README.md explains why other types have no mapping.
template <class S> struct PortType;

/// bool, the C++ integers, and structs and arrays declared with SME_STRUCT or std::array.
template <internal::OnBuses S> struct PortType<S> {
    static bool matches(const Type& type) {
        if (type.kind() == TypeKind::enumeration)
            return std::is_unsigned_v<S> && !std::is_same_v<S, bool> &&
                   type.width_bits() == 8 * sizeof(S);
        return type == *type_of<S>();
    }
    static std::string name() { return type_of<S>()->name(); }
    static S load(const Type&, const std::byte* slot) { return sme::internal::load<S>(slot); }
    static void store(const Type&, std::byte* slot, const S& value) {
        sme::internal::store(slot, value);
    }
};

/// sc_uint: unsigned integers and enumerations of 1 to 64 bits, and bool as sc_uint<1>.
template <int W> struct PortType<sc_dt::sc_uint<W>> {
    static bool matches(const Type& type) {
        return type.is_scalar() && !type.is_signed() && type.width_bits() == W;
    }
    static std::string name() { return internal::templated("sc_uint", W); }
    static sc_dt::sc_uint<W> load(const Type& type, const std::byte* slot) {
        Bits bits;
        pack(type, slot, bits);
        return bits[0];
    }
    static void store(const Type& type, std::byte* slot, const sc_dt::sc_uint<W>& value) {
        unpack(type, {value.to_uint64()}, slot);
    }
};

/// sc_int: signed integers of 1 to 64 bits.
template <int W> struct PortType<sc_dt::sc_int<W>> {
    static bool matches(const Type& type) { return type.is_signed() && type.width_bits() == W; }
    static std::string name() { return internal::templated("sc_int", W); }
    static sc_dt::sc_int<W> load(const Type& type, const std::byte* slot) {
        Bits bits;
        pack(type, slot, bits);
        return static_cast<sc_dt::int64>(bits[0]);
    }
    static void store(const Type& type, std::byte* slot, const sc_dt::sc_int<W>& value) {
        unpack(type, {static_cast<std::uint64_t>(value.to_int64())}, slot);
    }
};

/// sc_biguint: unsigned integers of any width.
template <int W> struct PortType<sc_dt::sc_biguint<W>> {
    static bool matches(const Type& type) {
        return type.is_numeric() && !type.is_signed() && type.width_bits() == W;
    }
    static std::string name() { return internal::templated("sc_biguint", W); }
    static sc_dt::sc_biguint<W> load(const Type& type, const std::byte* slot) {
        Bits bits;
        pack(type, slot, bits);
        sc_dt::sc_biguint<W> value;
        internal::words_to<sc_dt::sc_biguint<W>, unsigned>(value, bits, W);
        return value;
    }
    static void store(const Type& type, std::byte* slot, const sc_dt::sc_biguint<W>& value) {
        Bits bits;
        internal::words_from(value, bits, W);
        unpack(type, bits, slot);
    }
};

/// sc_bigint: signed integers.
template <int W> struct PortType<sc_dt::sc_bigint<W>> {
    static bool matches(const Type& type) { return type.is_signed() && type.width_bits() == W; }
    static std::string name() { return internal::templated("sc_bigint", W); }
    static sc_dt::sc_bigint<W> load(const Type& type, const std::byte* slot) {
        return PortType<sc_dt::sc_int<W>>::load(type, slot).to_int64();
    }
    static void store(const Type& type, std::byte* slot, const sc_dt::sc_bigint<W>& value) {
        unpack(type, {static_cast<std::uint64_t>(value.to_int64())}, slot);
    }
};

/// sc_bv: every type, packed, including structs and arrays.
template <int W> struct PortType<sc_dt::sc_bv<W>> {
    static bool matches(const Type& type) { return type.width_bits() == W; }
    static std::string name() { return internal::templated("sc_bv", W); }
    static sc_dt::sc_bv<W> load(const Type& type, const std::byte* slot) {
        Bits bits;
        pack(type, slot, bits);
        sc_dt::sc_bv<W> value;
        internal::words_to<sc_dt::sc_bv<W>, unsigned>(value, bits, W);
        return value;
    }
    static void store(const Type& type, std::byte* slot, const sc_dt::sc_bv<W>& value) {
        Bits bits;
        internal::words_from(value, bits, W);
        unpack(type, bits, slot);
    }
};

} // namespace sme::systemc
