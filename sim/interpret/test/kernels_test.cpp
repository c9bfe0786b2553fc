// SPDX-License-Identifier: Apache-2.0
//
// Compares the loops with expr::evaluate, and expr::evaluate with exact arithmetic written here:
// all widths, both signs, extreme and random values, all lengths around the vector sizes.
#include "interpret/block/kernels.hpp"

#include <cstring>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include "bits/integer.hpp"
#include "expr/program/apply.hpp"

namespace {

using namespace sme;
using expr::Op;
using expr::Scalar;
using interpret::Kernel;

/// The number modulo 2^n, in the range of the type.
Integer wrapped(Integer value, Scalar type) {
    const Integer modulus = Integer{1} << type.width_bits;
    Integer rest = value % modulus;
    if (rest < 0)
        rest += modulus;
    return type.is_signed && rest >= modulus / 2 ? rest - modulus : rest;
}

Integer number(std::uint64_t canonical, Scalar type) {
    return type.is_signed ? Integer{static_cast<std::int64_t>(canonical)} : Integer{canonical};
}

bool bit(Integer value, unsigned place) {
    return (value >> place & 1) != 0;
}

/// The meaning of an operation on exact numbers, directly from the language definition.
Integer meaning(Op op, Scalar operand, Integer a, Integer b, Integer c) {
    const unsigned width = operand.width_bits;
    switch (op) {
    case Op::add: return a + b;
    case Op::subtract: return a - b;
    case Op::multiply: { // modulo 2^64, which types of at most 64 bits cannot distinguish
        const auto low = [](Integer x) { return static_cast<std::uint64_t>(x); };
        return Integer{low(a) * low(b)};
    }
    case Op::divide: return b == 0 ? 0 : a / b;
    case Op::remainder: return b == 0 ? 0 : a - a / b * b;
    case Op::negate: return -a;
    case Op::complement: return -a - 1;
    case Op::bit_and:
    case Op::logical_and: return a & b;
    case Op::bit_xor: return a ^ b;
    case Op::bit_or:
    case Op::logical_or: return a | b;
    case Op::shift_left: // by doubling; at most 64 bits are kept, so the number stays small
        for (Integer k = 0; k < b && k < 64; ++k)
            a = wrapped(a * 2, {64, true});
        return b >= width ? 0 : a;
    case Op::shift_right: // by halving, toward the lower number
        for (Integer k = 0; k < b && k < 64; ++k)
            a = (a - (bit(a, 0) ? 1 : 0)) / 2;
        return a;
    case Op::equal: return a == b;
    case Op::not_equal: return a != b;
    case Op::less: return a < b;
    case Op::less_equal: return a <= b;
    case Op::select: return a != 0 ? b : c;
    case Op::popcount: {
        Integer ones = 0;
        for (unsigned k = 0; k < width; ++k)
            ones += bit(a, k);
        return ones;
    }
    case Op::bit_reverse: {
        Integer turned = 0;
        for (unsigned k = 0; k < width; ++k)
            turned = turned * 2 + bit(a, k);
        return turned;
    }
    default: return a; // convert
    }
}

constexpr Op same_type[] = {Op::add,    Op::subtract,   Op::multiply, Op::divide,  Op::remainder,
                            Op::negate, Op::complement, Op::bit_and,  Op::bit_xor, Op::bit_or};
constexpr Op shifts[] = {Op::shift_left, Op::shift_right};
constexpr Op comparisons[] = {Op::equal, Op::not_equal, Op::less, Op::less_equal};

std::vector<Scalar> all_types() {
    std::vector<Scalar> types;
    for (unsigned width = 1; width <= 64; ++width)
        for (const bool is_signed : {false, true})
            types.push_back({static_cast<std::uint8_t>(width), is_signed});
    return types;
}

/// Canonical values of a type: the extremes first, then random ones of every size.
class Numbers {
public:
    explicit Numbers(unsigned seed) : random_{seed} {}

    std::uint64_t any(Scalar type) {
        const std::uint64_t bits = random_();
        const std::uint64_t pick = random_();
        const std::uint64_t top = std::uint64_t{1} << (type.width_bits - 1);
        const std::uint64_t extremes[] = {0, 1, 2, ~std::uint64_t{0}, top, top - 1, top + 1, 3};
        const std::uint64_t raw = pick % 3 == 0 ? extremes[pick / 3 % 8] : bits >> pick % 64;
        return canonical(raw, type.width_bits, type.is_signed);
    }
    std::uint64_t count(Scalar type) { // around the width, and far beyond
        const std::uint64_t pick = random_();
        return pick % 4 == 0 ? random_() >> pick % 61 : pick / 4 % (type.width_bits + 3u);
    }
    std::vector<std::uint64_t> many(Scalar type, std::size_t n) {
        std::vector<std::uint64_t> values;
        while (values.size() < n)
            values.push_back(any(type));
        return values;
    }
    std::vector<std::uint64_t> counts(Scalar type, std::size_t n) {
        std::vector<std::uint64_t> values;
        while (values.size() < n)
            values.push_back(count(type));
        return values;
    }

private:
    std::mt19937_64 random_;
};

/// A column with a margin that no kernel may write.
class Column {
public:
    Column(Scalar type, const std::vector<std::uint64_t>& values)
        : type_{type}, bytes_(values.size() * type.bytes() + margin, std::byte{0xa5}) {
        for (std::size_t k = 0; k < values.size(); ++k)
            std::memcpy(bytes_.data() + k * type.bytes(), &values[k], type.bytes());
    }
    void* data() { return bytes_.data(); }
    /// The stored element, sign-extended from its bytes but not made canonical.
    std::uint64_t at(std::size_t k) const {
        std::uint64_t bits = 0;
        std::memcpy(&bits, bytes_.data() + k * type_.bytes(), type_.bytes());
        return canonical(bits, type_.bytes() * 8, type_.is_signed);
    }
    bool margin_whole() const {
        for (std::size_t k = bytes_.size() - margin; k < bytes_.size(); ++k)
            if (bytes_[k] != std::byte{0xa5})
                return false;
        return true;
    }

private:
    static constexpr std::size_t margin = 64;
    Scalar type_;
    std::vector<std::byte> bytes_;
};

/// Runs an operation as the evaluator does and counts the differing elements.
std::size_t differences(Op op, Scalar result, Scalar operand, const std::vector<std::uint64_t>& a,
                        const std::vector<std::uint64_t>& b, const std::vector<std::uint64_t>& c) {
    const bool shift = op == Op::shift_left || op == Op::shift_right;
    const std::size_t n = a.size();
    Column x{op == Op::select ? Scalar{1, false} : operand, a};
    Column y{shift ? Scalar{64, false} : op == Op::select ? result : operand, b}, z{result, c};
    Column d{result, std::vector<std::uint64_t>(n, 0x5a)};
    const Kernel kernel = interpret::kernel_of(op, result, operand);
    REQUIRE((kernel != nullptr));
    kernel(d.data(), x.data(), y.data(), z.data(), n, operand.width_bits);
    if (interpret::needs_narrow(op, result, operand))
        interpret::narrow(result)(d.data(), d.data(), nullptr, nullptr, n, result.width_bits);
    std::size_t wrong = d.margin_whole() ? 0 : 1;
    for (std::size_t k = 0; k < n; ++k)
        wrong += d.at(k) != expr::evaluate(op, result, operand, a[k], b[k], c[k]);
    return wrong;
}

} // namespace

TEST_CASE("evaluate means what exact arithmetic modulo 2^n means") {
    Numbers numbers{1};
    for (const Scalar type : all_types()) {
        CAPTURE(int{type.width_bits});
        CAPTURE(type.is_signed);
        std::size_t wrong = 0;
        const auto compare = [&](Op op, Scalar result, Scalar operand, std::uint64_t a,
                                 std::uint64_t b, std::uint64_t c, Scalar other) {
            const Integer expected = wrapped(
                meaning(op, operand, number(a, op == Op::select ? Scalar{1, false} : operand),
                        number(b, other), number(c, result)),
                result);
            wrong += number(expr::evaluate(op, result, operand, a, b, c), result) != expected;
        };
        for (int k = 0; k < 60; ++k) {
            const std::uint64_t a = numbers.any(type), b = numbers.any(type), c = numbers.any(type);
            for (const Op op : same_type)
                compare(op, type, type, a, b, c, type);
            for (const Op op : comparisons)
                compare(op, {1, false}, type, a, k % 5 ? b : a, c, type);
            for (const Op op : shifts)
                compare(op, type, type, a, numbers.count(type), 0, {64, false});
            compare(Op::select, type, {1, false}, k % 2 ? 1 : 0, b, c, type);
            compare(Op::popcount, {8, false}, type, a, 0, 0, type);
            if (!type.is_signed)
                compare(Op::bit_reverse, type, type, a, 0, 0, type);
            for (const Scalar to : {Scalar{1, false}, Scalar{7, true}, Scalar{33, false},
                                    Scalar{64, true}, Scalar{64, false}})
                compare(Op::convert, to, type, a, 0, 0, type);
        }
        CHECK(wrong == 0);
    }
    CHECK(expr::evaluate(Op::divide, {8, true}, {8, true}, ~std::uint64_t{127}, ~std::uint64_t{0},
                         0) == ~std::uint64_t{127}); // −128 / −1 wraps
    CHECK(expr::evaluate(Op::remainder, {8, true}, {8, true}, ~std::uint64_t{6}, 3, 0) ==
          ~std::uint64_t{0}); // −7 % 3 is −1
    CHECK(expr::evaluate(Op::shift_right, {5, true}, {5, true}, ~std::uint64_t{0}, 1000, 0) ==
          ~std::uint64_t{0});
}

TEST_CASE("every loop does what evaluate says, for all types and lengths 0 to 70") {
    Numbers numbers{2};
    std::size_t length = 0;
    for (const Scalar type : all_types()) {
        CAPTURE(int{type.width_bits});
        CAPTURE(type.is_signed);
        std::size_t wrong = 0;
        const auto try_op = [&](Op op, Scalar result, Scalar operand) {
            for (int round = 0; round < 3; ++round) {
                const std::size_t n = round == 0 ? 70 : length++ % 71;
                const bool shift = op == Op::shift_left || op == Op::shift_right;
                wrong += differences(op, result, operand,
                                     numbers.many(op == Op::select ? Scalar{1, false} : operand, n),
                                     shift ? numbers.counts(operand, n)
                                           : numbers.many(op == Op::select ? result : operand, n),
                                     numbers.many(result, n));
            }
        };
        for (const Op op : same_type)
            try_op(op, type, type);
        for (const Op op : comparisons)
            try_op(op, {1, false}, type);
        for (const Op op : shifts)
            try_op(op, type, type);
        try_op(Op::select, type, {1, false});
        try_op(Op::popcount, {8, false}, type);
        if (!type.is_signed)
            try_op(Op::bit_reverse, type, type);
        CHECK(wrong == 0);
    }
    for (const Op op : {Op::logical_and, Op::logical_or})
        CHECK(differences(op, {1, false}, {1, false}, {0, 0, 1, 1}, {0, 1, 0, 1}, {0, 0, 0, 0}) ==
              0);
    // lengths 0 to 70, one by one
    for (std::size_t n = 0; n <= 70; ++n)
        for (const Scalar type :
             {Scalar{7, false}, Scalar{16, true}, Scalar{31, true}, Scalar{64, false}})
            for (const Op op : {Op::add, Op::multiply, Op::shift_left})
                CHECK(differences(op, type, type, numbers.many(type, n),
                                  op == Op::shift_left ? numbers.counts(type, n)
                                                       : numbers.many(type, n),
                                  numbers.many(type, n)) == 0);
}

TEST_CASE("conversions between all types keep the value modulo 2^n") {
    Numbers numbers{3};
    const std::vector<Scalar> types = all_types();
    for (const Scalar from : types) {
        CAPTURE(int{from.width_bits});
        CAPTURE(from.is_signed);
        const std::vector<std::uint64_t> values = numbers.many(from, 33);
        std::size_t wrong = 0;
        for (const Scalar to : types) {
            wrong += differences(Op::convert, to, from, values, values, values);
            if (!interpret::is_same_column(from, to))
                continue;
            Column column{from, values}; // the same bytes, read as the other type
            for (std::size_t k = 0; k < values.size(); ++k) {
                std::uint64_t bits = 0;
                std::memcpy(&bits, static_cast<std::byte*>(column.data()) + k * from.bytes(),
                            from.bytes());
                wrong += canonical(bits, to.bytes() * 8, to.is_signed) !=
                         expr::evaluate(Op::convert, to, from, values[k], 0, 0);
            }
        }
        CHECK(wrong == 0);
    }
    CHECK(interpret::is_same_column({5, false}, {8, true}));
    CHECK(interpret::is_same_column({8, false}, {8, true}));
    CHECK(!interpret::is_same_column({8, true}, {7, true}));
    CHECK(!interpret::is_same_column({5, true}, {7, false}));
}

TEST_CASE("shifts by a constant do what shifts by a column do") {
    Numbers numbers{4};
    for (const Scalar type : all_types()) {
        CAPTURE(int{type.width_bits});
        CAPTURE(type.is_signed);
        std::size_t wrong = 0;
        for (const Op op : shifts)
            for (const std::uint64_t count : {0u, 1u, 7u, 8u, 15u, 16u, 31u, 32u, 63u, 64u, 65u,
                                              type.width_bits - 1u, type.width_bits + 0u, 1000u}) {
                const std::vector<std::uint64_t> values = numbers.many(type, 35);
                Column x{type, values}, d{type, values};
                interpret::shift_by_constant(op, type)(d.data(), x.data(), nullptr, nullptr,
                                                       values.size(), count);
                if (interpret::needs_narrow(op, type, type))
                    interpret::narrow(type)(d.data(), d.data(), nullptr, nullptr, values.size(),
                                            type.width_bits);
                wrong += !d.margin_whole();
                for (std::size_t k = 0; k < values.size(); ++k)
                    wrong += d.at(k) != expr::evaluate(op, type, type, values[k], count, 0);
            }
        CHECK(wrong == 0);
    }
}

TEST_CASE("any_both finds one common lane, wherever it is") {
    for (std::size_t n = 0; n <= 70; ++n) {
        std::vector<std::uint8_t> a(n, 1), b(n, 0);
        CHECK(!interpret::any_both(a.data(), b.data(), n));
        for (std::size_t k = 0; k < n; ++k) {
            b[k] = 1;
            CHECK(interpret::any_both(a.data(), b.data(), n));
            a[k] = 0;
            CHECK(!interpret::any_both(a.data(), b.data(), n));
            a[k] = 1;
            b[k] = 0;
        }
    }
}
