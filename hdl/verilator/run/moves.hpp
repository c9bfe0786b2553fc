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

/// How the bits of a module's port lie in the slots of buses: the first field of a struct leftmost,
/// element 0 rightmost.
class Moves {
public:
    /// `count` elements of a type, each in a slot of its own, `offset` bytes from its begin. A port
    /// that is an unpacked array has `elements` elements.
    Moves(const TypeRef& type, std::uint64_t count, std::size_t offset, std::uint64_t elements = 0);

    std::uint64_t width() const { return width_; }

    /// How many bytes are copied as they are, when that is all there is to do; else 0. They begin
    /// `offset()` bytes behind the begin of the slot.
    std::size_t whole() const { return whole_; }
    std::size_t offset() const { return offset_; }

    /// Bits of the slots at `slots` (one for each element, plus `base`) → the port. Whether it
    /// changed.
    bool to_port(const std::byte* base, const std::int64_t* slots, std::byte* port) const;
    /// The port → slots. The scalar that is no value of its type, if there is one.
    std::optional<std::string> from_port(const std::byte* port, std::byte* base,
                                         const std::int64_t* slots) const;

    /// A word of a slot, and its place in the port.
    struct Piece {
        std::size_t element;
        PackedWord word;
    };
    const std::vector<Piece>& pieces() const { return pieces_; }

    /// Bytes that a port of so many bits has in a model.
    static std::size_t port_bytes(std::uint64_t width, std::uint64_t elements = 0);

private:
    TypeRef type_;
    std::uint64_t width_;
    std::size_t bytes_;     // of the port
    std::size_t whole_ = 0; // bytes that are simply copied, when that is all
    std::size_t offset_;
    std::vector<Piece> pieces_;
    std::uint64_t elements_; // of an unpacked array; 0: it is none
    static constexpr std::size_t max_words = Type::max_bits / 64;
    using Words = std::array<std::uint64_t, max_words + 1>;

    template <class Visit> void each_element_word(Visit visit) const;
    bool spread(const Words& words, std::byte* port) const;
    void collect(const std::byte* port, Words& words) const;
};

} // namespace sme::verilator
