// SPDX-License-Identifier: Apache-2.0
//
// Compares operations on multi-word numbers with bit-by-bit arithmetic. The operands are loads, so
// nothing is folded; counts are loads and constants.
#include "expr/program/wide.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <random>

#include "expr/program/apply.hpp"

using namespace sme;
using namespace sme::expr;

namespace {

using Naive = std::vector<bool>; // bit 0 first

/// Loaded numbers, and the values of nodes built from them.
class Bench {
public:
    Bits load(const Naive& bits) {
        Bits result{static_cast<unsigned>(bits.size()), {}};
        for (std::size_t k = 0; k < WideBuilder::word_count(result.width); ++k) {
            std::uint64_t word = 0;
            for (std::size_t b = 64 * k; b < bits.size() && b < 64 * (k + 1); ++b)
                word |= std::uint64_t{bits[b]} << (b - 64 * k);
            result.words.push_back(load(WideBuilder::word_type(result.width, k), word));
        }
        return result;
    }
    NodeId load(Scalar type, std::uint64_t value) {
        loaded_.push_back(value);
        return builder.leaf({Op::load, type, 0, no_node, no_node, loaded_.size() - 1});
    }

    std::uint64_t worth(NodeId wanted) {
        const std::vector<Node>& nodes = builder.program().nodes;
        for (auto id = static_cast<NodeId>(known_.size()); id <= wanted; ++id) {
            const Node& node = nodes[id];
            const auto of = [&](NodeId operand) {
                return operand == no_node ? 0 : known_[operand];
            };
            known_.push_back(node.op == Op::constant ? node.immediate
                             : node.op == Op::load
                                 ? loaded_[node.immediate]
                                 : evaluate(node.op, node.type, nodes[node.a].type, of(node.a),
                                            of(node.b), of(node.c)));
        }
        return known_[wanted];
    }
    Naive worth(const Bits& bits) {
        REQUIRE(bits.words.size() == WideBuilder::word_count(bits.width));
        Naive result;
        for (std::size_t k = 0; k < bits.words.size(); ++k) {
            REQUIRE(builder.type(bits.words[k]) == WideBuilder::word_type(bits.width, k));
            for (unsigned b = 0; b < 64 && result.size() < bits.width; ++b)
                result.push_back(worth(bits.words[k]) >> b & 1);
        }
        return result;
    }

    Builder builder;
    WideBuilder wide{builder};

private:
    std::vector<std::uint64_t> loaded_, known_;
};

class Random {
public:
    /// Returns runs of equal bits, which carry far.
    Naive bits(std::size_t width) {
        Naive result;
        while (result.size() < width) {
            const bool bit = below(2) == 1;
            const std::uint64_t run = below(3) == 0 ? 1 + below(90) : 1 + below(3);
            for (std::uint64_t k = 0; k < run && result.size() < width; ++k)
                result.push_back(bit);
        }
        return result;
    }
    std::uint64_t below(std::uint64_t end) { return engine_() % end; }

private:
    std::mt19937_64 engine_{20261121};
};

Naive sum(const Naive& a, const Naive& b, bool carry) {
    Naive result;
    for (std::size_t k = 0; k < a.size(); ++k) {
        const int digits = int{a[k]} + int{b[k]} + int{carry};
        result.push_back(digits % 2 == 1);
        carry = digits > 1;
    }
    return result;
}

Naive inverted(Naive a) {
    a.flip();
    return a;
}

/// Bit k of the result is bit k + by of the operand, if it exists.
Naive moved(const Naive& a, std::int64_t by) {
    Naive result;
    for (std::int64_t k = 0; k < static_cast<std::int64_t>(a.size()); ++k) {
        const std::int64_t from = k + by;
        result.push_back(from >= 0 && from < static_cast<std::int64_t>(a.size()) &&
                         a[static_cast<std::size_t>(from)]);
    }
    return result;
}

bool is_less(const Naive& a, const Naive& b) {
    for (std::size_t k = a.size(); k-- > 0;)
        if (a[k] != b[k])
            return b[k];
    return false;
}

constexpr unsigned widths[] = {1,   2,   31,  63,  64,  65,  66,  100, 127, 128,
                               129, 190, 191, 192, 193, 256, 300, 511, 512, 4096};

} // namespace

TEST_CASE("sums, differences, bits and comparisons of any width are those of the digits") {
    Random random;
    for (const unsigned width : widths)
        for (int round = 0; round < 20; ++round) {
            CAPTURE(width);
            Bench bench;
            const Naive a = random.bits(width);
            const Naive b = round % 5 == 0 ? a : random.bits(width);
            const Bits x = bench.load(a), y = bench.load(b);
            WideBuilder& wide = bench.wide;
            CHECK(bench.worth(wide.add(x, y)) == sum(a, b, false));
            CHECK(bench.worth(wide.subtract(x, y)) == sum(a, inverted(b), true));
            CHECK(bench.worth(wide.complement(x)) == inverted(a));
            const Naive both = bench.worth(wide.bitwise(Op::bit_and, x, y));
            const Naive either = bench.worth(wide.bitwise(Op::bit_xor, x, y));
            for (unsigned k = 0; k < width; ++k) {
                REQUIRE(both[k] == (a[k] && b[k]));
                REQUIRE(either[k] == (a[k] != b[k]));
            }
            CHECK((bench.worth(wide.equal(x, y)) != 0) == (a == b));
            CHECK((bench.worth(wide.less(x, y)) != 0) == is_less(a, b));
            CHECK((bench.worth(wide.is_zero(x)) != 0) ==
                  (std::count(a.begin(), a.end(), true) == 0));
            CHECK(bench.worth(wide.popcount(x)) ==
                  static_cast<std::uint64_t>(std::count(a.begin(), a.end(), true)));
            CHECK(bench.worth(wide.bit_reverse(x)) == Naive{a.rbegin(), a.rend()});
        }
}

TEST_CASE("shifts, rotations and bits by counts known and unknown") {
    Random random;
    for (const unsigned width : widths)
        for (int round = 0; round < 20; ++round) {
            CAPTURE(width);
            Bench bench;
            const Naive a = random.bits(width);
            const Bits x = bench.load(a);
            const std::uint64_t inside = random.below(width);
            const std::uint64_t beyond[] = {width, width + 1, width + random.below(200), 8192,
                                            ~std::uint64_t{0}};
            const std::uint64_t count = round < 15 ? inside : beyond[round % 5];
            CAPTURE(count);
            const auto by = static_cast<std::int64_t>(std::min<std::uint64_t>(count, 5000));
            // in 64 bits, as fewer bits extended to 64, and constant
            std::vector<NodeId> counts{bench.load({64, false}, count),
                                       bench.builder.constant({64, false}, count)};
            if (count < 65536)
                counts.push_back(
                    bench.builder.convert({64, false}, bench.load({16, false}, count)));
            if (count < 256)
                counts.push_back(bench.builder.convert({64, false}, bench.load({8, false}, count)));
            for (const NodeId node : counts) {
                CHECK(bench.worth(bench.wide.shift_left(x, node)) == moved(a, -by));
                CHECK(bench.worth(bench.wide.shift_right(x, node)) == moved(a, by));
                if (count >= width)
                    continue;
                Naive turned = a;
                std::rotate(turned.begin(), turned.end() - by, turned.end());
                CHECK(bench.worth(bench.wide.rotate_left(x, node)) == turned);
                CHECK((bench.worth(bench.wide.bit(x, node)) != 0) == a[count]);
            }
        }
}

TEST_CASE("slices, joints and other widths") {
    Random random;
    for (const unsigned width : widths)
        for (int round = 0; round < 20; ++round) {
            CAPTURE(width);
            Bench bench;
            const Naive a = random.bits(width);
            const Bits x = bench.load(a);
            const auto low = static_cast<unsigned>(random.below(width));
            const auto size = static_cast<unsigned>(1 + random.below(width - low));
            CHECK(bench.worth(bench.wide.slice(x, low, size)) ==
                  Naive(a.begin() + low, a.begin() + low + size));
            const auto other = static_cast<unsigned>(1 + random.below(600));
            Naive unsigned_one = a, signed_one = a;
            unsigned_one.resize(other, false);
            signed_one.resize(other, a.back());
            CHECK(bench.worth(bench.wide.resize(x, other)) == unsigned_one);
            CHECK(bench.worth(bench.wide.resize(x, other, true)) == signed_one);
            std::vector<Bits> parts;
            Naive all;
            for (unsigned k = 0; k < 1 + random.below(6); ++k) {
                const Naive part = random.bits(1 + random.below(150));
                parts.push_back(bench.load(part));
                all.insert(all.begin(), part.begin(), part.end());
            }
            CHECK(bench.worth(bench.wide.joined(parts)) == all);
            const bool large =
                std::find(a.begin() + std::min(width, 64u), a.end(), true) != a.end();
            CHECK(bench.worth(bench.wide.saturated(x)) ==
                  (large ? ~std::uint64_t{0} : bench.worth(x.words[0])));
        }
}
