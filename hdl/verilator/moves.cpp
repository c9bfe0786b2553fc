// SPDX-License-Identifier: Apache-2.0
#include "verilator/moves.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

namespace sme::verilator {

namespace {

constexpr unsigned word_bits = 64;

std::uint64_t mask_of(unsigned width) {
    return width >= word_bits ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
}

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
        place(*type, k, offset, k * type->width_bits());
    if (count == 1 && type->is_scalar() && !type->is_signed() &&
        type->kind() != TypeKind::enumeration)
        whole_ = std::min(bytes_, type->size());
}

void Moves::place(const Type& type, std::size_t element, std::size_t offset, std::uint64_t bit) {
    if (type.kind() == TypeKind::structure) {
        for (auto field = type.fields().rbegin(); field != type.fields().rend(); ++field) {
            place(*field->type, element, offset + field->offset, bit);
            bit += field->type->width_bits();
        }
        return;
    }
    if (type.kind() == TypeKind::array) {
        for (std::uint64_t k = 0; k < type.count(); ++k)
            place(*type.element(), element, offset + k * type.element()->size(),
                  bit + k * type.element()->width_bits());
        return;
    }
    for (std::uint64_t done = 0; done < type.width_bits(); done += word_bits) {
        const auto width =
            static_cast<unsigned>(std::min<std::uint64_t>(type.width_bits() - done, word_bits));
        const std::size_t bytes = type.is_wide() ? 8 : type.size();
        pieces_.push_back(
            {element, offset + done / 8, static_cast<unsigned>(bytes), width, bit + done, &type});
    }
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
    for (const Piece& piece : pieces_) {
        std::uint64_t value = 0;
        std::memcpy(&value, base + slots[piece.element] + piece.offset, piece.bytes);
        value &= mask_of(piece.width);
        const std::size_t word = piece.bit / word_bits;
        const auto shift = static_cast<unsigned>(piece.bit % word_bits);
        words[word] |= value << shift;
        if (shift + piece.width > word_bits)
            words[word + 1] |= value >> (word_bits - shift);
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
    for (const Piece& piece : pieces_) {
        const std::size_t word = piece.bit / word_bits;
        const auto shift = static_cast<unsigned>(piece.bit % word_bits);
        std::uint64_t value = words[word] >> shift;
        if (shift + piece.width > word_bits)
            value |= words[word + 1] << (word_bits - shift);
        value &= mask_of(piece.width);
        if (piece.type->is_signed() && (value >> (piece.width - 1)) != 0)
            value |= ~mask_of(piece.width);
        if (piece.type->kind() == TypeKind::enumeration && !piece.type->find_member(value)) {
            wrong = fmt::format("{}, which is no member of {}", value, piece.type->name());
            value = 0;
        }
        std::memcpy(base + slots[piece.element] + piece.offset, &value, piece.bytes);
    }
    return wrong;
}

} // namespace sme::verilator
