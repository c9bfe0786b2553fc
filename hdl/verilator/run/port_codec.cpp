// SPDX-License-Identifier: Apache-2.0
#include "verilator/run/port_codec.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

namespace sme::verilator {

namespace {

constexpr unsigned word_bits = 64;

} // namespace

std::size_t PortCodec::port_bytes(std::uint64_t width, std::uint64_t elements) {
    if (elements > 0)
        return elements * port_bytes(width / elements);
    if (width <= 8)
        return 1;
    if (width <= 16)
        return 2;
    if (width <= 32)
        return 4;
    return width <= 64 ? 8 : (width + 31) / 32 * 4;
}

PortCodec::PortCodec(const TypeRef& type, std::uint64_t count, std::size_t offset,
                     std::uint64_t elements)
    : type_{type}, width_{type->width_bits() * count}, bytes_{port_bytes(width_, elements)},
      offset_{offset}, elements_{elements} {
    for (std::uint64_t k = 0; k < count; ++k)
        for_each_packed_word(*type, offset, k * type->width_bits(), [&](const PackedWord& word) {
            pieces_.push_back({k, word});
        });
    if (elements == 0 && count == 1 && type->is_scalar() && !type->is_signed() &&
        type->kind() != TypeKind::enumeration)
        whole_ = std::min(bytes_, type->size());
}

bool PortCodec::to_port(const std::byte* base, const std::int64_t* slots, std::byte* port) const {
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
    if (elements_ > 0)
        return spread(words, port);
    if (std::memcmp(port, words.data(), bytes_) == 0)
        return false;
    std::memcpy(port, words.data(), bytes_);
    return true;
}

/// Calls visit(position in the port, bytes there, first bit in the vector, bits) for the words of
/// each element of an unpacked array.
template <class Visit> void PortCodec::each_element_word(Visit visit) const {
    const std::uint64_t each = width_ / elements_;
    const std::size_t bytes = port_bytes(each);
    for (std::uint64_t element = 0; element < elements_; ++element)
        for (std::uint64_t low = 0; low < each; low += word_bits) {
            const auto bits = static_cast<unsigned>(std::min<std::uint64_t>(word_bits, each - low));
            visit(element * bytes + low / 8, std::min<std::size_t>(8, bytes - low / 8),
                  element * each + low, bits);
        }
}

bool PortCodec::spread(const Words& words, std::byte* port) const {
    bool changed = false;
    each_element_word([&](std::size_t at, std::size_t bytes, std::uint64_t bit, unsigned bits) {
        const std::uint64_t value = take_word(words.data(), bit, bits);
        changed = changed || std::memcmp(port + at, &value, bytes) != 0;
        std::memcpy(port + at, &value, bytes);
    });
    return changed;
}

void PortCodec::collect(const std::byte* port, Words& words) const {
    std::fill_n(words.begin(), (width_ + word_bits - 1) / word_bits, 0);
    each_element_word([&](std::size_t at, std::size_t bytes, std::uint64_t bit, unsigned bits) {
        std::uint64_t value = 0;
        std::memcpy(&value, port + at, bytes);
        put_word(words.data(), bit, value, bits);
    });
}

std::optional<std::string> PortCodec::from_port(const std::byte* port, std::byte* base,
                                                const std::int64_t* slots) const {
    if (whole_ > 0) {
        std::memcpy(base + slots[0] + offset_, port, whole_);
        return std::nullopt;
    }
    Words words;
    words[(width_ - 1) / word_bits] = 0;
    if (elements_ > 0)
        collect(port, words);
    else
        std::memcpy(words.data(), port, bytes_);
    std::optional<std::string> wrong;
    for (const auto& [element, at] : pieces_) {
        std::uint64_t value = canonical(take_word(words.data(), at.bit, at.width), at.width,
                                        at.scalar->extends_sign());
        if (at.scalar->kind() == TypeKind::enumeration && !at.scalar->find_member(value)) {
            wrong = fmt::format("{}, which is no member of {}", value, at.scalar->name());
            value = 0;
        }
        std::memcpy(base + slots[element] + at.offset, &value, at.bytes);
    }
    return wrong;
}

} // namespace sme::verilator
