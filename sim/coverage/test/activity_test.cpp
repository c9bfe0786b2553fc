// SPDX-License-Identifier: Apache-2.0
//
// Compares the counts with manually computed sums, and with a direct comparison of values.
#include <doctest/doctest.h>

#include <random>

#include "coverage/activity_observer.hpp"
#include "trace/test/trace_test.hpp"

using sme::BusActivity;
using sme::Type;
using sme::coverage::ActivityObserver;
using trace_test::Buses;

namespace {

std::uint8_t byte(unsigned value) {
    return static_cast<std::uint8_t>(value);
}

} // namespace

TEST_CASE("a bus is active when its value changes, a wire only while it has one") {
    Buses buses{"values"};
    buses.add("x", Type::unsigned_integer(8), {{0, 2, {}}});
    buses.add("w", Type::boolean()).delay = 0;
    buses.add("s", Type::unsigned_integer(8)).state = true;
    buses.lay_out();
    ActivityObserver observer;
    observer.open(buses);
    std::uint64_t cycle = 0;
    const auto step = [&](unsigned first, unsigned second, bool wire, bool settled = true) {
        buses.set(0, 0, 0, byte(first));
        buses.set(0, 1, 0, byte(second));
        buses.set(1, 0, 0, byte(wire));
        buses.set(2, 0, 0, byte(first));
        observer.step(0, {0, 1}, buses.frame(cycle++, settled));
    };
    step(7, 0, true); // the first cycle counts no changes
    step(8, 0, false);
    step(8, 0, true);
    step(9, 5, false, false); // the cycle after the last one
    observer.close(3);
    CHECK(observer.activity().cycles == 3);
    const BusActivity& x = observer.activity().buses[0];
    CHECK(x.active == 3);
    CHECK(x.most == 6); // two buses, three cycle transitions
    CHECK_FALSE(x.stream);
    const BusActivity& w = observer.activity().buses[1];
    CHECK(w.active == 2);
    CHECK(w.most == 2);
    CHECK(observer.activity().buses[2].most == 0);
}

TEST_CASE("a stream is active when an item moves, also when it is the one from before") {
    Buses buses{"streams"};
    const auto forward = Type::structure(
        "F", {{"data", Type::unsigned_integer(16), 0}, {"valid", Type::boolean(), 0}});
    buses.add("x", forward, {{0, 3, {}}}).bundle = true;
    buses.add("x.ready", Type::boolean(), {{0, 3, {}}}).reverse_field = "ready";
    buses.lay_out();
    ActivityObserver observer;
    observer.open(buses);
    std::uint64_t cycle = 0;
    const auto step = [&](unsigned valid, unsigned ready, bool settled = true) { // a bit each
        for (unsigned k = 0; k < 3; ++k) {
            buses.set(0, k, 2, byte(valid >> k & 1));
            buses.set(1, k, 0, byte(ready >> k & 1));
        }
        observer.step(0, {0, 1}, buses.frame(cycle++, settled));
    };
    step(0b011, 0b001);
    step(0b011, 0b001);
    step(0b111, 0b110);
    step(0b111, 0b111, false); // this cycle has not run
    observer.close(3);
    const BusActivity& x = observer.activity().buses[0];
    CHECK(x.stream);
    CHECK(x.active == 4);
    CHECK(x.most == 9);
    CHECK(observer.activity().buses[1].active == 4); // `ready` itself: 1, 1, 6, 7
}

TEST_CASE("a stream of a slow clock moves an item when that clock rises, also of a resumed run") {
    Buses buses{"domains"};
    buses.add_domain("fast", {});
    buses.add_domain("slow", {3, 1});
    const auto forward = Type::structure(
        "F", {{"data", Type::unsigned_integer(16), 0}, {"valid", Type::boolean(), 0}});
    sme::BusFamily& slow = buses.add("x", forward);
    slow.bundle = true;
    slow.domain = 1;
    buses.add("x.ready", Type::boolean()).reverse_field = "ready";
    buses.lay_out();
    buses.set(0, 0, 2, byte(1));
    buses.set(1, 0, 0, byte(1));
    ActivityObserver observer;
    observer.open(buses);
    for (std::uint64_t cycle = 100; cycle <= 110; ++cycle)
        observer.step(0, {0, 1}, buses.frame(cycle, cycle < 110));
    observer.close(110);
    CHECK(observer.activity().cycles == 10);
    CHECK(observer.activity().buses[0].active == 4); // 100, 103, 106, 109
    CHECK(observer.activity().buses[0].most == 10);
}

TEST_CASE("a run without a cycle has no activity") {
    Buses buses{"none"};
    buses.add("x", Type::unsigned_integer(8));
    buses.lay_out();
    ActivityObserver observer;
    observer.open(buses);
    observer.close(0);
    CHECK(observer.activity().buses[0].most == 0);
    CHECK(observer.activity().buses[0].share() == 0);
}

TEST_CASE("random values of every size change as often as a look at each says") {
    std::mt19937_64 random{5};
    Buses buses{"random"};
    const std::vector<sme::TypeRef> types{
        Type::boolean(),
        Type::unsigned_integer(16),
        Type::unsigned_integer(32),
        Type::signed_integer(64),
        Type::unsigned_integer(100),
        Type::array(Type::unsigned_integer(7), 3),
        Type::structure("S", {{"b", Type::boolean(), 0}, {"v", Type::unsigned_integer(30), 0}}),
        Type::unsigned_integer(8)};
    for (std::size_t k = 0; k < types.size(); ++k)
        buses.add("b" + std::to_string(k), types[k], {{0, 7, {}}});
    buses.add("e", types.back(), {{0, 2, {}}}).unwritten = sme::Unwritten::error;
    buses.lay_out();
    ActivityObserver observer;
    observer.open(buses);
    std::vector<std::uint64_t> changed(types.size() + 1);
    std::vector<std::vector<std::string>> before(types.size() + 1);
    for (std::uint64_t cycle = 0; cycle < 50; ++cycle) {
        for (std::size_t bus = 0; bus < changed.size(); ++bus) {
            before[bus].resize(bus < types.size() ? 7 : 2);
            for (std::size_t k = 0; k < before[bus].size(); ++k) {
                const unsigned value = random() % 3 == 0 ? 1 : 0;
                const bool written = bus < types.size() || random() % 2 == 0;
                buses.set(bus, k, 0, byte(value)); // the first scalar
                if (bus == types.size())
                    buses.set(bus, k, 1, byte(written));
                const std::string now = written ? std::to_string(value) : "x";
                changed[bus] += cycle > 0 && before[bus][k] != now ? 1u : 0u;
                before[bus][k] = now;
            }
        }
        observer.step(0, {0, 1}, buses.frame(cycle));
    }
    observer.close(49);
    for (std::size_t bus = 0; bus < changed.size(); ++bus) {
        CAPTURE(bus);
        CHECK(observer.activity().buses[bus].active == changed[bus]);
        CHECK(observer.activity().buses[bus].most == 49 * before[bus].size());
    }
}
