// SPDX-License-Identifier: Apache-2.0
//
// Finds carries by comparing unsigned words. A shift by a computed count first moves whole words,
// with a stage of selects for each bit of the word count, and then bits within pairs of words.
#include "expr/program/wide.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace sme::expr {

namespace {

constexpr unsigned word_bits = 64;
constexpr Scalar full{word_bits, false};

} // namespace

Scalar WideBuilder::word_type(unsigned width, std::size_t k) {
    const auto below = static_cast<unsigned>(word_bits * k);
    return {static_cast<std::uint8_t>(std::min(width - below, word_bits)), false};
}

Bits WideBuilder::constant(unsigned width, const std::vector<std::uint64_t>& words) {
    Bits result{width, {}};
    for (std::size_t k = 0; k < word_count(width); ++k)
        result.words.push_back(
            b_.constant(word_type(width, k), k < words.size() ? words[k] : std::uint64_t{0}));
    return result;
}

Bits WideBuilder::zero(unsigned width) {
    return constant(width, {});
}

Bits WideBuilder::of(NodeId scalar) {
    const unsigned width = b_.type(scalar).width_bits;
    return {width, {b_.convert(word_type(width, 0), scalar)}};
}

NodeId WideBuilder::word(const Bits& x, std::size_t k) {
    return k < x.words.size() ? b_.convert(full, x.words[k]) : number(0);
}

std::vector<NodeId> WideBuilder::full_words(const Bits& x) {
    std::vector<NodeId> words;
    for (const NodeId each : x.words)
        words.push_back(b_.convert(full, each));
    return words;
}

Bits WideBuilder::scalar_words(unsigned width, std::vector<NodeId> words) {
    words.resize(word_count(width), number(0));
    for (std::size_t k = 0; k < words.size(); ++k)
        words[k] = b_.convert(word_type(width, k), words[k]);
    return {width, std::move(words)};
}

Bits WideBuilder::resize(const Bits& x, unsigned width, bool is_signed) {
    if (width <= x.width || !is_signed)
        return scalar_words(width, x.words);
    const std::size_t top = x.words.size() - 1;
    const auto top_bits = static_cast<std::uint8_t>(word_type(x.width, top).width_bits);
    std::vector<NodeId> words = full_words(x);
    words[top] = b_.convert({word_bits, true}, b_.convert({top_bits, true}, x.words[top]));
    const NodeId sign =
        b_.operation(Op::shift_right, {word_bits, true}, words[top], number(word_bits - 1));
    words.resize(word_count(width), sign);
    return scalar_words(width, std::move(words));
}

Bits WideBuilder::slice(const Bits& x, unsigned low, unsigned width) {
    if (x.words.size() == 1) // keeps its type: short columns are fast
        return scalar_words(
            width, {b_.operation(Op::shift_right, b_.type(x.words[0]), x.words[0], number(low))});
    const std::size_t first = low / word_bits;
    const unsigned down = low % word_bits;
    std::vector<NodeId> words;
    for (std::size_t k = first; k < first + word_count(width); ++k) {
        NodeId found = do_op(Op::shift_right, word(x, k), number(down));
        if (down != 0 && (k - first) * word_bits + (word_bits - down) < width)
            found = do_op(Op::bit_or, found,
                          do_op(Op::shift_left, word(x, k + 1), number(word_bits - down)));
        words.push_back(found);
    }
    return scalar_words(width, std::move(words));
}

Bits WideBuilder::joined(const std::vector<Bits>& parts) {
    unsigned width = 0;
    for (const Bits& part : parts)
        width += part.width;
    Bits all = zero(width);
    unsigned at = width;
    for (const Bits& part : parts) {
        at -= part.width;
        const std::size_t first = at / word_bits;
        const unsigned up = at % word_bits;
        const auto put = [&](std::size_t k, NodeId bits) {
            const Scalar type = word_type(width, k);
            all.words[k] = b_.operation(Op::bit_or, type, all.words[k], b_.convert(type, bits));
        };
        for (std::size_t k = 0; k < part.words.size(); ++k) {
            const Scalar type = word_type(width, first + k);
            put(first + k,
                b_.operation(Op::shift_left, type, b_.convert(type, part.words[k]), number(up)));
            if (up + b_.type(part.words[k]).width_bits > word_bits)
                put(first + k + 1, do_op(Op::shift_right, word(part, k), number(word_bits - up)));
        }
    }
    return all;
}

Bits WideBuilder::bitwise(Op op, const Bits& x, const Bits& y) {
    Bits result{x.width, {}};
    for (std::size_t k = 0; k < x.words.size(); ++k)
        result.words.push_back(b_.operation(op, word_type(x.width, k), x.words[k], y.words[k]));
    return result;
}

Bits WideBuilder::complement(const Bits& x) {
    Bits result{x.width, {}};
    for (std::size_t k = 0; k < x.words.size(); ++k)
        result.words.push_back(b_.operation(Op::complement, word_type(x.width, k), x.words[k]));
    return result;
}

Bits WideBuilder::add(const Bits& x, const Bits& y) {
    computes();
    Bits result{x.width, {}};
    NodeId carry = b_.boolean(false);
    for (std::size_t k = 0; k < x.words.size(); ++k) {
        const Scalar type = word_type(x.width, k);
        const NodeId sum = b_.operation(Op::add, type, x.words[k], y.words[k]);
        const NodeId all = b_.operation(Op::add, type, sum, b_.convert(type, carry));
        carry = b_.any_of(compare(Op::less, sum, x.words[k]), compare(Op::less, all, sum));
        result.words.push_back(all);
    }
    return result;
}

Bits WideBuilder::subtract(const Bits& x, const Bits& y) {
    computes();
    Bits result{x.width, {}};
    NodeId borrow = b_.boolean(false);
    for (std::size_t k = 0; k < x.words.size(); ++k) {
        const Scalar type = word_type(x.width, k);
        const NodeId rest = b_.operation(Op::subtract, type, x.words[k], y.words[k]);
        const NodeId taken = b_.convert(type, borrow);
        result.words.push_back(b_.operation(Op::subtract, type, rest, taken));
        borrow =
            b_.any_of(compare(Op::less, x.words[k], y.words[k]), compare(Op::less, rest, taken));
    }
    return result;
}

/// Adds the halves of all products of words column by column.
Bits WideBuilder::multiply(const Bits& x, const Bits& y) {
    computes();
    const std::vector<NodeId> a = full_words(x), b = full_words(y);
    std::vector<NodeId> words;
    NodeId carries = number(0); // into the column
    for (std::size_t column = 0; column < a.size(); ++column) {
        NodeId sum = std::exchange(carries, number(0));
        const auto add = [&](NodeId term) {
            sum = do_op(Op::add, sum, term);
            carries = do_op(Op::add, carries, b_.convert(full, compare(Op::less, sum, term)));
        };
        for (std::size_t k = 0; k <= column; ++k)
            add(do_op(Op::multiply, a[k], b[column - k]));
        for (std::size_t k = 0; k < column; ++k)
            add(do_op(Op::multiply_high, a[k], b[column - 1 - k]));
        words.push_back(sum);
    }
    return scalar_words(x.width, std::move(words));
}

/// A step for each bit of x, from the highest: the remainder of the bits so far, less y where it
/// can be. The quotient moves into the place of x.
WideBuilder::Divided WideBuilder::divide(const Bits& x, const Bits& y, unsigned depth) {
    computes();
    const unsigned wide = y.width + 1; // of twice the remainder, and a bit
    const Bits divisor = resize(y, wide);
    const auto moved = [&](const Bits& from, NodeId bit) { // up, with a bit below
        return bitwise(Op::bit_or, shifted_left(from, 1), resize({1, {bit}}, from.width));
    };
    const auto step = [&](const Divided& now) {
        const Bits rest = moved(now.remainder, is_negative(now.quotient));
        const NodeId fits = b_.logical_not(less(rest, divisor));
        return Divided{moved(now.quotient, fits), select(fits, subtract(rest, divisor), rest)};
    };
    Divided begin{x, zero(wide)};
    if (is_known(x) && is_known(y)) {
        for (unsigned k = 0; k < x.width; ++k)
            begin = step(begin);
        return {begin.quotient, resize(begin.remainder, x.width)};
    }
    Loop loop{x.width, b_.step(x.width, depth), {}, {b_.next_site()}};
    Divided before = begin;
    for (Bits* each : {&before.quotient, &before.remainder})
        for (NodeId& word : each->words)
            word = b_.carried(b_.type(word));
    const Divided after = step(before);
    const auto carry = [&](Bits Divided::*part) {
        for (std::size_t k = 0; k < (before.*part).words.size(); ++k)
            loop.carried.push_back(
                {(before.*part).words[k], (begin.*part).words[k], (after.*part).words[k]});
    };
    carry(&Divided::quotient);
    carry(&Divided::remainder);
    const NodeId done = b_.loop(std::move(loop));
    std::uint32_t place = 0;
    for (Bits* each : {&before.quotient, &before.remainder})
        for (NodeId& word : each->words)
            word = b_.loop_result(done, place++);
    return {before.quotient, resize(before.remainder, x.width)};
}

bool WideBuilder::is_known(const Bits& x) const {
    return std::all_of(x.words.begin(), x.words.end(),
                       [&](NodeId word) { return b_.constant_value(word).has_value(); });
}

Bits WideBuilder::select(NodeId condition, const Bits& yes, const Bits& no) {
    Bits result{yes.width, {}};
    for (std::size_t k = 0; k < yes.words.size(); ++k)
        result.words.push_back(b_.select(condition, yes.words[k], no.words[k]));
    return result;
}

NodeId WideBuilder::equal(const Bits& x, const Bits& y) {
    computes();
    NodeId same = b_.boolean(true);
    for (std::size_t k = 0; k < x.words.size(); ++k)
        same = b_.all_of(same, compare(Op::equal, x.words[k], y.words[k]));
    return same;
}

NodeId WideBuilder::is_negative(const Bits& x) {
    const NodeId top = x.words.back();
    const std::uint64_t below = b_.type(top).width_bits - 1U;
    return b_.convert({1, false}, b_.operation(Op::shift_right, b_.type(top), top, number(below)));
}

NodeId WideBuilder::less(const Bits& x, const Bits& y, bool is_signed) {
    computes();
    if (is_signed) // the sign bits count the other way
        return b_.select(compare(Op::equal, is_negative(x), is_negative(y)), less(x, y),
                         is_negative(x));
    NodeId below = b_.boolean(false);
    for (std::size_t k = 0; k < x.words.size(); ++k)
        below = b_.any_of(compare(Op::less, x.words[k], y.words[k]),
                          b_.all_of(compare(Op::equal, x.words[k], y.words[k]), below));
    return below;
}

NodeId WideBuilder::is_zero(const Bits& x) {
    computes();
    NodeId any = word(x, 0);
    for (std::size_t k = 1; k < x.words.size(); ++k)
        any = do_op(Op::bit_or, any, word(x, k));
    return compare(Op::equal, any, number(0));
}

/// Moves whole words up or down by bits 6 and up of a count, as far as there are words.
std::vector<NodeId> WideBuilder::moved_words(std::vector<NodeId> words, NodeId count, bool up) {
    computes();
    for (unsigned stage = 0; std::size_t{1} << stage < words.size(); ++stage) {
        const std::size_t by = std::size_t{1} << stage;
        const NodeId chosen =
            b_.convert({1, false}, do_op(Op::shift_right, count, number(stage + 6)));
        std::vector<NodeId> next;
        for (std::size_t k = 0; k < words.size(); ++k) {
            const bool inside = up ? k >= by : k + by < words.size();
            next.push_back(
                b_.select(chosen, inside ? words[up ? k - by : k + by] : number(0), words[k]));
        }
        words = std::move(next);
    }
    return words;
}

/// Returns true if a count exceeds the bits that `moved_words` tests.
NodeId WideBuilder::beyond(const Bits& x, NodeId count) {
    const Node& node = b_.node(count);
    if (node.op == Op::convert && !b_.type(node.a).is_signed &&
        std::uint64_t{1} << std::min<unsigned>(b_.type(node.a).width_bits, 63) <=
            std::bit_ceil(x.words.size()) * word_bits)
        return b_.boolean(false);
    return compare(Op::less_equal, number(std::bit_ceil(x.words.size()) * word_bits), count);
}

Bits WideBuilder::shifted_left(const Bits& x, unsigned count) {
    if (count >= x.width)
        return zero(x.width);
    return joined({slice(x, 0, x.width - count), zero(count)});
}

Bits WideBuilder::shift_left(const Bits& x, NodeId count) {
    if (const auto known = b_.constant_value(count))
        return *known == 0
                   ? x
                   : shifted_left(x,
                                  static_cast<unsigned>(std::min<std::uint64_t>(*known, x.width)));
    const std::vector<NodeId> words = moved_words(full_words(x), count, true);
    const NodeId up = do_op(Op::bit_and, count, number(word_bits - 1));
    const NodeId rest = do_op(Op::subtract, number(word_bits - 1), up);
    std::vector<NodeId> result;
    for (std::size_t k = 0; k < words.size(); ++k) {
        NodeId found = do_op(Op::shift_left, words[k], up);
        if (k > 0) // 64 - up bits down, in two steps because the distance may be 64
            found = do_op(
                Op::bit_or, found,
                do_op(Op::shift_right, do_op(Op::shift_right, words[k - 1], number(1)), rest));
        result.push_back(found);
    }
    return select(beyond(x, count), zero(x.width), scalar_words(x.width, std::move(result)));
}

Bits WideBuilder::shift_right(const Bits& x, NodeId count, bool is_signed) {
    if (is_signed) { // a negative number: the complement of its complement, shifted
        const NodeId negative = is_negative(x);
        const Bits shifted = shift_right(select(negative, complement(x), x), count);
        return select(negative, complement(shifted), shifted);
    }
    if (const auto known = b_.constant_value(count)) {
        const auto low = static_cast<unsigned>(std::min<std::uint64_t>(*known, x.width));
        return low == x.width ? zero(x.width) : resize(slice(x, low, x.width - low), x.width);
    }
    const std::vector<NodeId> words = moved_words(full_words(x), count, false);
    const NodeId down = do_op(Op::bit_and, count, number(word_bits - 1));
    const NodeId rest = do_op(Op::subtract, number(word_bits - 1), down);
    std::vector<NodeId> result;
    for (std::size_t k = 0; k < words.size(); ++k) {
        NodeId found = do_op(Op::shift_right, words[k], down);
        if (k + 1 < words.size())
            found =
                do_op(Op::bit_or, found,
                      do_op(Op::shift_left, do_op(Op::shift_left, words[k + 1], number(1)), rest));
        result.push_back(found);
    }
    return select(beyond(x, count), zero(x.width), scalar_words(x.width, std::move(result)));
}

Bits WideBuilder::rotate_left(const Bits& x, NodeId count) {
    const NodeId rest = do_op(Op::subtract, number(x.width), count);
    return bitwise(Op::bit_or, shift_left(x, count), shift_right(x, rest));
}

NodeId WideBuilder::bit(const Bits& x, NodeId index) {
    computes();
    std::vector<NodeId> words = full_words(x);
    for (unsigned stage = 6; words.size() > 1; ++stage) {
        const NodeId odd = b_.convert({1, false}, do_op(Op::shift_right, index, number(stage)));
        std::vector<NodeId> next;
        for (std::size_t k = 0; k < words.size(); k += 2)
            next.push_back(
                b_.select(odd, k + 1 < words.size() ? words[k + 1] : number(0), words[k]));
        words = std::move(next);
    }
    const NodeId down = do_op(Op::bit_and, index, number(word_bits - 1));
    return b_.convert({1, false}, do_op(Op::shift_right, words[0], down));
}

Bits WideBuilder::bit_reverse(const Bits& x) {
    std::vector<Bits> parts; // the lowest word leftmost
    for (const NodeId each : x.words)
        parts.push_back(
            {b_.type(each).width_bits, {b_.operation(Op::bit_reverse, b_.type(each), each)}});
    return joined(parts);
}

NodeId WideBuilder::popcount(const Bits& x) {
    computes();
    constexpr Scalar type{16, false};
    NodeId sum = b_.constant(type, 0);
    for (const NodeId each : x.words)
        sum = b_.operation(Op::add, type, sum,
                           b_.convert(type, b_.operation(Op::popcount, {8, false}, each)));
    return sum;
}

NodeId WideBuilder::saturated(const Bits& x) {
    computes();
    if (x.words.size() == 1)
        return word(x, 0);
    const Bits high = slice(x, word_bits, x.width - word_bits);
    return b_.select(is_zero(high), x.words[0], number(~std::uint64_t{0}));
}

} // namespace sme::expr
