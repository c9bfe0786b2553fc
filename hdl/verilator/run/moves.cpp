// SPDX-License-Identifier: Apache-2.0
#include "verilator/run/moves.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

namespace sme::verilator {

namespace {

constexpr unsigned word_bits = 64;

} // namespace

std::size_t Moves::port_bytes(std::uint64_t width) {
    if (width <= 8)
        return 1;
    if (width <= 16)
        return 2;
    if (width <= 32)
        return 4;
    return width <= 64 ? 8 : (width + 31) / 32 * 4;
}

Moves::Moves(const TypeRef& type, std::uint64_t count, std::size_t offset)
    : type_{type}, width_{type->width_bits() * count}, bytes_{port_bytes(width_)}, offset_{offset} {
    for (std::uint64_t k = 0; k < count; ++k)
        for_each_packed_word(*type, offset, k * type->width_bits(), [&](const PackedWord& word) {
            pieces_.push_back({k, word});
        });
    if (count == 1 && type->is_scalar() && !type->is_signed() &&
        type->kind() != TypeKind::enumeration)
        whole_ = std::min(bytes_, type->size());
}

bool Moves::to_port(const std::byte* base, const std::int64_t* slots, std::byte* port) const {
    if (whole_ > 0) {
        const std::byte* const from = base + slots[0] + offset_;
        if (std::memcmp(port, from, whole_) == 0)
            return false;
        std::memcpy(port, from, whole_);
        return true;
    }
    Words words;
    std::fill_n(words.begin(), (width_ + word_bits - 1) / word_bits, 0);
    for (const auto& [element, at] : pieces_) {
        std::uint64_t value = 0;
        std::memcpy(&value, base + slots[element] + at.offset, at.bytes);
        put_word(words.data(), at.bit, value, at.width);
    }
    if (std::memcmp(port, words.data(), bytes_) == 0)
        return false;
    std::memcpy(port, words.data(), bytes_);
    return true;
}

std::optional<std::string> Moves::from_port(const std::byte* port, std::byte* base,
                                            const std::int64_t* slots) const {
    if (whole_ > 0) {
        std::memcpy(base + slots[0] + offset_, port, whole_);
        return std::nullopt;
    }
    Words words;
    words[(width_ - 1) / word_bits] = 0;
    std::memcpy(words.data(), port, bytes_);
    std::optional<std::string> wrong;
    for (const auto& [element, at] : pieces_) {
        std::uint64_t value =
            canonical(take_word(words.data(), at.bit, at.width), at.width, at.scalar->is_signed());
        if (at.scalar->kind() == TypeKind::enumeration && !at.scalar->find_member(value)) {
            wrong = fmt::format("{}, which is no member of {}", value, at.scalar->name());
            value = 0;
        }
        std::memcpy(base + slots[element] + at.offset, &value, at.bytes);
    }
    return wrong;
}

} // namespace sme::verilator
