// SPDX-License-Identifier: Apache-2.0
//
// Compares the counted toggles with a direct look at every bit in every cycle.
#include <doctest/doctest.h>

#include <bit>
#include <random>

#include "coverage/toggles.hpp"
#include "trace/test/trace_test.hpp"

using sme::Leaf;
using sme::Type;
using sme::TypeRef;
using sme::coverage::StateCoverage;
using sme::coverage::ToggleCoverage;
using sme::coverage::ToggleObserver;
using trace_test::Buses;

namespace {

TypeRef phase() {
    return Type::enumeration("Phase", 3, {{"idle", 0}, {"run", 2}, {"stop", 5}});
}

} // namespace

TEST_CASE("a bit has risen or fallen when it did so between two cycles") {
    Buses buses{"bits"};
    buses.add("x", Type::unsigned_integer(4), {{0, 2, {}}});
    buses.add("w", Type::boolean()).delay = 0;
    buses.lay_out();
    ToggleObserver observer;
    observer.open(buses);
    std::uint64_t cycle = 0;
    const auto step = [&](unsigned first, unsigned second, bool wire, bool settled = true) {
        buses.set(0, 0, 0, static_cast<std::uint8_t>(first));
        buses.set(0, 1, 0, static_cast<std::uint8_t>(second));
        buses.set(1, 0, 0, static_cast<std::uint8_t>(wire));
        observer.step(0, {0, 1}, buses.frame(cycle++, settled));
    };
    step(0b1001, 0, true); // the first cycle counts no toggles
    step(0b0011, 0, true);
    step(0b0010, 0, true);
    step(0b0010, 0b1000, false, false); // a wire without a value
    observer.close(4);
    REQUIRE(observer.toggles().size() == 2);
    const ToggleCoverage& x = observer.toggles()[0];
    CHECK(x.name == "x");
    CHECK(x.bits == 8);
    CHECK(x.rose == 2);
    CHECK(x.fell == 2);
    CHECK(x.missing == std::vector<std::string>{"x[0][0] never rose", "x[0][1] never fell",
                                                "x[0][2] never moved", "x[0][3] never rose",
                                                "x[1][0] never moved", "x[1][1] never moved",
                                                "x[1][2] never moved", "x[1][3] never fell"});
    const ToggleCoverage& w = observer.toggles()[1];
    CHECK(w.bits == 1);
    CHECK(w.missing == std::vector<std::string>{"w never moved"});
}

TEST_CASE("random values of every kind come out as a look at each bit says") {
    std::mt19937_64 random{3};
    Buses buses{"random"};
    buses.add("a", Type::signed_integer(33), {{0, 5, {}}});
    buses.add("s",
              Type::structure("S", {{"b", Type::boolean(), 0},
                                    {"v", Type::array(Type::unsigned_integer(7), 3), 0},
                                    {"w", Type::unsigned_integer(100), 0}}),
              {{0, 3, {}}});
    buses.add("e", Type::unsigned_integer(12)).unwritten = sme::Unwritten::error;
    buses.lay_out();
    ToggleObserver observer;
    observer.open(buses);
    struct Bits {
        std::uint64_t now = 0, rose = 0, fell = 0;
        bool known = false;
    };
    std::vector<Bits> found[3];
    for (int cycle = 0; cycle < 60; ++cycle) {
        std::size_t at[3] = {0, 0, 0};
        const auto put = [&](std::size_t bus, std::size_t element, const Leaf& leaf) {
            std::vector<Bits>& all = found[bus];
            if (all.size() == at[bus])
                all.emplace_back();
            Bits& bits = all[at[bus]++];
            const bool written = bus != 2 || random() % 3 > 0;
            std::uint64_t value = random() & random(); // some bits are rare
            value &= ~std::uint64_t{0} >> (64 - leaf.type->width_bits());
            const std::uint64_t slot = // sign-extended, like all slots
                leaf.type->is_signed() && (value >> 32 & 1) != 0 ? value | ~std::uint64_t{0} << 33
                                                                 : value;
            const std::size_t bytes = leaf.type->size();
            for (std::size_t k = 0; k < bytes; ++k)
                buses.set(bus, element, leaf.offset + k,
                          static_cast<std::uint8_t>(written ? slot >> 8 * k : 0));
            if (bus == 2)
                buses.set(bus, element, 2, static_cast<std::uint8_t>(written));
            if (!written)
                return;
            if (bits.known) {
                bits.rose |= value & ~bits.now;
                bits.fell |= bits.now & ~value;
            }
            bits.now = value;
            bits.known = true;
        };
        for (std::size_t bus = 0; bus < 3; ++bus)
            for (std::uint64_t k = 0; k < buses.graph().buses[bus].count; ++k)
                for (const Leaf& leaf : buses.graph().buses[bus].type->leaves())
                    put(bus, k, leaf);
        observer.step(0, {0, 1}, buses.frame(static_cast<std::uint64_t>(cycle)));
    }
    observer.close(60);
    for (std::size_t bus = 0; bus < 3; ++bus) {
        CAPTURE(bus);
        std::uint64_t rose = 0, fell = 0;
        for (const Bits& bits : found[bus]) {
            rose += static_cast<std::uint64_t>(std::popcount(bits.rose));
            fell += static_cast<std::uint64_t>(std::popcount(bits.fell));
        }
        CHECK(observer.toggles()[bus].rose == rose);
        CHECK(observer.toggles()[bus].fell == fell);
        CHECK(observer.toggles()[bus].bits ==
              buses.graph().buses[bus].count * buses.graph().buses[bus].type->width_bits());
    }
}

TEST_CASE("members and the ways between them are counted over all elements of a family") {
    Buses buses{"states"};
    buses.add("p", Type::structure("P", {{"v", Type::boolean(), 0}, {"phase", phase(), 0}}),
              {{0, 2, {}}});
    buses.lay_out();
    ToggleObserver observer;
    observer.open(buses);
    std::uint64_t cycle = 0;
    for (const auto& [a, b] : {std::pair{0, 0}, {2, 0}, {2, 7}, {0, 2}, {2, 2}, {2, 0}}) {
        buses.set(0, 0, 1, static_cast<std::uint8_t>(a));
        buses.set(0, 1, 1, static_cast<std::uint8_t>(b)); // 7 is not a member
        observer.step(0, {0, 1}, buses.frame(cycle++));
    }
    observer.close(cycle);
    REQUIRE(observer.states().size() == 1);
    const StateCoverage& found = observer.states()[0];
    CHECK(found.name == "p.phase");
    CHECK(found.entered == std::vector<std::uint64_t>{4, 3, 0});
    using Pair = std::pair<std::uint32_t, std::uint32_t>;
    CHECK(found.transitions == std::map<Pair, std::uint64_t>{{Pair{0, 1}, 3}, {Pair{1, 0}, 2}});
}
