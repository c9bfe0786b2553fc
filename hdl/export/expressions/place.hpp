// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace sme::hdl {

/// Bits to number so many things: at least 1.
unsigned index_width(std::uint64_t count);

/// An identifier of the module, or some of its bits: it can be read, cut further, and, when it is
/// a variable, assigned.
struct Place {
    std::string name;
    std::uint64_t total = 1; // bits of what has that name, or of the word
    std::uint64_t low = 0;   // the first bit that is meant, when nothing moves it
    std::uint64_t width = 1;
    std::string moved;      // what is added to `low`, index_width(total) bits; empty: nothing
    bool is_signed = false; // as declared
    std::string word = {};  // of a memory: the index of the word; empty: it is no memory

    bool whole() const { return moved.empty() && width == total; }
    /// As Verilog writes it; unsigned unless it is whole.
    std::string text() const;
    /// Bits low … low + width − 1 of it.
    Place part(std::uint64_t from, std::uint64_t bits) const;
    /// `bits` bits from `by` · bits on, where `by` is an expression of index_width(total) bits.
    Place moved_by(const std::string& by, std::uint64_t bits) const;
};

} // namespace sme::hdl
