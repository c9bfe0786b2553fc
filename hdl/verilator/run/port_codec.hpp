// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bits/packed.hpp"

namespace sme::verilator {

/// Copies bits between a module's port and the slots of buses: the first field of a struct
/// leftmost, element 0 rightmost.
class PortCodec {
public:
    /// `count` elements of a type, each in its own slot, `offset` bytes from its start. A port that
    /// is an unpacked array has `elements` elements.
    PortCodec(const TypeRef& type, std::uint64_t count, std::size_t offset,
              std::uint64_t elements = 0);

    std::uint64_t width() const { return width_; }

    /// Returns the number of bytes if the whole move is a plain copy, else 0. They start `offset()`
    /// bytes into the slot.
    std::size_t whole() const { return whole_; }
    std::size_t offset() const { return offset_; }

    /// Copies the slots at `slots` (one per element, relative to `base`) to the port. Returns true
    /// if the port changed.
    bool to_port(const std::byte* base, const std::int64_t* slots, std::byte* port) const;
    /// Copies the port to slots. Returns the scalar that is not a value of its type, if any.
    std::optional<std::string> from_port(const std::byte* port, std::byte* base,
                                         const std::int64_t* slots) const;

    /// A word of a slot, and its position in the port.
    struct Piece {
        std::size_t element;
        PackedWord word;
    };
    const std::vector<Piece>& pieces() const { return pieces_; }

    /// Returns the size in a model of a port of `width` bits.
    static std::size_t port_bytes(std::uint64_t width, std::uint64_t elements = 0);

private:
    TypeRef type_;
    std::uint64_t width_;
    std::size_t bytes_;     // of the port
    std::size_t whole_ = 0; // if the move is a plain copy
    std::size_t offset_;
    std::vector<Piece> pieces_;
    std::uint64_t elements_; // of an unpacked array; 0: not an array
    static constexpr std::size_t max_words = Type::max_bits / 64;
    using Words = std::array<std::uint64_t, max_words + 1>;

    template <class Visit> void each_element_word(Visit visit) const;
    bool spread(const Words& words, std::byte* port) const;
    void collect(const std::byte* port, Words& words) const;
};

} // namespace sme::verilator
