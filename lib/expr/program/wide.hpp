// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "expr/program/builder.hpp"

namespace sme::expr {

/// A number of 1 to 4096 bits as nodes: 64-bit words, lowest first; the last word has the type of
/// the remaining bits. An integer's leaves in a program are these words.
struct Bits {
    unsigned width = 0;
    std::vector<NodeId> words;
};

/// Operations on multi-word numbers, built from operations on 64-bit scalars. Two operands have
/// equal widths. No operation faults.
class WideBuilder {
public:
    explicit WideBuilder(Builder& builder) : b_{builder} {}

    /// Returns the type of word `k` of a number.
    static Scalar word_type(unsigned width, std::size_t k);
    static std::size_t word_count(unsigned width) { return (width + 63) / 64; }

    Bits zero(unsigned width);
    Bits constant(unsigned width, const std::vector<std::uint64_t>& words);
    /// Returns the bits of a scalar.
    Bits of(NodeId scalar);

    /// Returns the value modulo 2^width; `is_signed`: extends with copies of the highest bit.
    Bits resize(const Bits& x, unsigned width, bool is_signed = false);
    /// Returns bits low … low + width − 1.
    Bits slice(const Bits& x, unsigned low, unsigned width);
    /// Joins parts; the first is leftmost.
    Bits joined(const std::vector<Bits>& parts);

    Bits bitwise(Op op, const Bits& x, const Bits& y);
    Bits complement(const Bits& x);
    Bits add(const Bits& x, const Bits& y);
    Bits subtract(const Bits& x, const Bits& y);
    Bits multiply(const Bits& x, const Bits& y);
    /// Divides numbers without a sign. By zero, the quotient has all bits set and the remainder is
    /// x. `depth` is the number of loops around.
    struct Divided {
        Bits quotient, remainder;
    };
    Divided divide(const Bits& x, const Bits& y, unsigned depth);
    Bits negate(const Bits& x) { return subtract(zero(x.width), x); }
    Bits select(NodeId condition, const Bits& yes, const Bits& no);

    NodeId equal(const Bits& x, const Bits& y);
    NodeId less(const Bits& x, const Bits& y, bool is_signed = false);
    NodeId is_negative(const Bits& x);
    NodeId is_zero(const Bits& x);

    /// Shifts by a count in 64 bits; a count of at least the width shifts all bits out.
    Bits shift_left(const Bits& x, NodeId count);
    Bits shift_right(const Bits& x, NodeId count, bool is_signed = false);
    /// Rotates by a count below the width.
    Bits rotate_left(const Bits& x, NodeId count);
    /// Returns bit number `index`, in 64 bits and below the width.
    NodeId bit(const Bits& x, NodeId index);

    Bits bit_reverse(const Bits& x);
    /// Returns the number of set bits, in 16 bits.
    NodeId popcount(const Bits& x);

    /// Returns the number in 64 bits, saturated at the largest such number.
    NodeId saturated(const Bits& x);

private:
    bool is_known(const Bits& x) const;
    NodeId word(const Bits& x, std::size_t k);
    NodeId number(std::uint64_t value) { return b_.constant({64, false}, value); }
    NodeId do_op(Op op, NodeId x, NodeId y) { return b_.operation(op, {64, false}, x, y); }
    NodeId compare(Op op, NodeId x, NodeId y) { return b_.operation(op, {1, false}, x, y); }
    /// Assembles a number from 64-bit words.
    Bits scalar_words(unsigned width, std::vector<NodeId> words);
    std::vector<NodeId> full_words(const Bits& x);
    Bits shifted_left(const Bits& x, unsigned count);
    std::vector<NodeId> moved_words(std::vector<NodeId> words, NodeId count, bool up);
    NodeId beyond(const Bits& x, NodeId count);

    /// Notes that a word of a number depends on its other words.
    void computes() { b_.program().computes_wide = true; }

    Builder& b_;
};

} // namespace sme::expr
