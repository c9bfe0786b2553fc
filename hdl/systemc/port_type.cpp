// SPDX-License-Identifier: Apache-2.0
#include "systemc/port_type.hpp"

#include <cstring>

#include <fmt/format.h>

#include "bits/packed.hpp"

namespace sme::systemc {

void pack(const Type& type, const std::byte* slot, Bits& bits) {
    bits.assign((type.width_bits() + 63) / 64, 0);
    for_each_packed_word(type, 0, 0, [&](const PackedWord& at) {
        std::uint64_t word = 0; // unused high bits may be copies of the sign
        std::memcpy(&word, slot + at.offset, at.bytes);
        put_word(bits.data(), at.bit, word, at.width);
    });
}

void unpack(const Type& type, const Bits& bits, std::byte* slot) {
    for_each_packed_word(type, 0, 0, [&](const PackedWord& at) {
        const std::uint64_t word = canonical(take_word(bits.data(), at.bit, at.width), at.width,
                                             at.scalar->extends_sign());
        std::memcpy(slot + at.offset, &word, at.bytes);
    });
}

std::optional<std::string> stranger_in(const Type& type, const std::byte* slot) {
    std::optional<std::string> found;
    for_each_packed_word(type, 0, 0, [&](const PackedWord& at) {
        if (at.scalar->kind() != TypeKind::enumeration)
            return;
        std::uint64_t value = 0;
        std::memcpy(&value, slot + at.offset, at.bytes);
        if (!at.scalar->find_member(value))
            found = fmt::format("{} is no member of {}", value, at.scalar->name());
    });
    return found;
}

} // namespace sme::systemc

namespace sme::systemc::internal {

std::string templated(std::string_view name, int width) {
    return fmt::format("{}<{}>", name, width);
}

} // namespace sme::systemc::internal
