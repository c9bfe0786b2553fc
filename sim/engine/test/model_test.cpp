// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "processes.hpp"

using namespace sme;
using namespace processes;

namespace {

using Rows = std::vector<std::optional<int>>;
constexpr auto nothing = std::nullopt;

/// The values that a probe reads in cycles 0 … n − 1 from a bus with a scripted writer.
std::vector<int> seen(const Rows& rows, const BusOptions<int>& options, std::uint64_t n,
                      bool reader_first = false) {
    Network network{"n"};
    const auto bus = network.bus<int>("bus", options);
    std::optional<Handle<Probe<int>>> probe;
    if (reader_first)
        probe = network.add<Probe<int>>("probe", in(bus));
    network.add<Script<int>>("script", out(bus), rows);
    if (!reader_first)
        probe = network.add<Probe<int>>("probe", in(bus));
    Simulator simulator{network};
    simulator.run(Cycles{n});
    return simulator.process(*probe).seen;
}

using Seen = std::vector<int>;

/// Writes several times per cycle, but not at all in every third one.
class Hesitant : public Process {
public:
    explicit Hesitant(Out<int> y) : y_{y} {}
    void step() {
        const int now = static_cast<int>(cycle());
        for (int k = 1; k <= 3 && now % 3 != 2; ++k)
            y_.write(10 * now + k);
    }

private:
    Out<int> y_;
};

/// Halts in a given cycle, before it writes.
class Halter : public Process {
public:
    Halter(Out<int> y, std::uint64_t when) : y_{y}, when_{when} {}
    void step() {
        if (cycle() == when_)
            halt();
        y_.write(static_cast<int>(cycle()) + 100);
    }

private:
    Out<int> y_;
    std::uint64_t when_;
};

} // namespace

TEST_CASE("a value written in a cycle is read in the next one, whoever was added first") {
    const Rows rows{11, 12, 13, 14};
    for (const bool reader_first : {false, true})
        CHECK(seen(rows, {}, 5, reader_first) == Seen{0, 11, 12, 13, 14});
}

TEST_CASE("a bus nobody wrote in a cycle reads as zero in the next one") {
    CHECK(seen({11, nothing, 13, nothing, nothing}, {}, 7) == Seen{0, 11, 0, 13, 0, 0, 0});
}

TEST_CASE("a held bus keeps its last value") {
    CHECK(seen({nothing, 11, nothing, nothing, 14}, {.unwritten = Unwritten::hold}, 7) ==
          Seen{0, 0, 11, 11, 11, 14, 14});
}

TEST_CASE("an initial value is read in cycle 0 only, but is what a held bus starts from") {
    CHECK(seen({nothing, 11, nothing}, {.initial = 5}, 4) == Seen{5, 0, 11, 0});
    CHECK(seen({nothing, 11, nothing}, {.unwritten = Unwritten::hold, .initial = 5}, 4) ==
          Seen{5, 5, 11, 11});
}

TEST_CASE("a bus with a delay of n shows in cycle t + n what was written in t") {
    const Rows rows{10, nothing, 12, 13, nothing, nothing, 16};
    CHECK(seen(rows, {.delay = 2, .initial = 5}, 10) == Seen{5, 5, 10, 0, 12, 13, 0, 0, 16, 0});
    CHECK(seen(rows, {.delay = 3, .initial = 5}, 11) == Seen{5, 5, 5, 10, 0, 12, 13, 0, 0, 16, 0});
    CHECK(seen(rows, {.delay = 7, .initial = 5}, 15) ==
          Seen{5, 5, 5, 5, 5, 5, 5, 10, 0, 12, 13, 0, 0, 16, 0});
    CHECK(seen(rows, {.delay = 7}, 9) == Seen{0, 0, 0, 0, 0, 0, 0, 10, 0});
}

TEST_CASE("hold with a delay repeats at the writer what the writer last wrote") {
    const Rows rows{nothing, 11, nothing, 13};
    CHECK(seen(rows, {.delay = 1, .unwritten = Unwritten::hold, .initial = 5}, 6) ==
          Seen{5, 5, 11, 11, 13, 13});
    CHECK(seen(rows, {.delay = 3, .unwritten = Unwritten::hold, .initial = 5}, 8) ==
          Seen{5, 5, 5, 5, 11, 11, 13, 13});
    CHECK(seen(rows, {.delay = 7, .unwritten = Unwritten::hold, .initial = 5}, 12) ==
          Seen{5, 5, 5, 5, 5, 5, 5, 5, 11, 11, 13, 13});
}

TEST_CASE("a wire is read in the cycle of its writing, and is zero when nobody writes it") {
    for (const bool reader_first : {false, true})
        CHECK(seen({10, nothing, 12, 13}, {.delay = 0}, 6, reader_first) ==
              Seen{10, 0, 12, 13, 0, 0});
}

TEST_CASE("a family of buses with a delay keeps its elements apart") {
    for (const std::uint32_t delay : {2u, 3u, 5u}) {
        CAPTURE(delay);
        Network network{"n"};
        const auto bus = network.buses<int>("bus", 3, {.delay = delay, .initial = -1});
        for (std::uint64_t k = 0; k < 3; ++k) {
            const int base = static_cast<int>(100 * k);
            network.add<Script<int>>(indexed("script", k), out(bus[2 - k]),
                                     Rows{base, base + 1, base + 2});
        }
        Simulator simulator{network};
        simulator.run(Cycles{delay});
        for (int t = 0; t < 3; ++t, simulator.step())
            for (int k = 0; k < 3; ++k)
                CHECK(simulator.peek(bus[2 - static_cast<std::uint64_t>(k)]) == 100 * k + t);
        CHECK(simulator.peek(bus[0]) == 0);
    }
}

TEST_CASE("the last write of a cycle stands") {
    Network network{"n"};
    const auto bus = network.bus<int>("bus");
    network.add<Hesitant>("writer", out(bus));
    const auto probe = network.add<Probe<int>>("probe", in(bus));
    Simulator simulator{network};
    simulator.run(Cycles{5});
    CHECK(simulator.process(probe).seen == Seen{0, 3, 13, 0, 33});
}

TEST_CASE("every reader of a bus sees the same, and its writer may read it, too") {
    Network network{"n"};
    const auto bus = network.bus<int>("bus", {.initial = 1});
    network.add<Node>("counter", in(bus), out(bus));
    const auto probe = network.add<Probe<int>>("a", in(bus));
    const auto other = network.add<Probe<int>>("b", in(bus));
    Simulator simulator{network};
    simulator.run(Cycles{4});
    CHECK(simulator.process(probe).seen == Seen{1, 2, 3, 4});
    CHECK(simulator.process(other).seen == Seen{1, 2, 3, 4});
}

TEST_CASE("cycles are numbered from 0 and go on through several runs") {
    Network network{"n"};
    const auto bus = network.bus<int>("bus");
    network.add<Halter>("process", out(bus), 1'000'000);
    Simulator simulator{network};
    CHECK(simulator.cycle() == 0);
    CHECK(simulator.peek(bus) == 0);
    CHECK(simulator.run(Cycles{3}) == 3);
    CHECK(simulator.cycle() == 3);
    CHECK(simulator.peek(bus) == 102); // written in cycle 2, read in cycle 3
    CHECK(simulator.run(Cycles{0}) == 0);
    simulator.step();
    CHECK(simulator.cycle() == 4);
    CHECK(simulator.peek(bus) == 103);
}

TEST_CASE("a halt ends the run after its cycle, which all processes finish") {
    for (const bool halter_first : {false, true}) {
        CAPTURE(halter_first);
        Network network{"n"};
        const auto bus = network.bus<int>("bus");
        const auto count = network.bus<int>("count");
        if (halter_first)
            network.add<Halter>("halter", out(bus), 3);
        network.add<Node>("counter", in(count), out(count));
        if (!halter_first)
            network.add<Halter>("halter", out(bus), 3);
        Simulator simulator{network};
        CHECK(simulator.run(Cycles{3}) == 3);
        CHECK_FALSE(simulator.halted());
        CHECK(simulator.run(Cycles{10}) == 1);
        CHECK(simulator.halted());
        CHECK(simulator.cycle() == 4);
        CHECK(simulator.peek(bus) == 103);
        CHECK(simulator.peek(count) == 4);
        CHECK(simulator.run(Cycles{10}) == 0);
        CHECK(simulator.cycle() == 4);
    }
}

TEST_CASE("run_until looks before every cycle and keeps to its limit") {
    Network network{"n"};
    const auto count = network.bus<int>("count");
    network.add<Node>("counter", in(count), out(count));
    const auto halter = network.bus<int>("halter");
    network.add<Halter>("halter", out(halter), 20);
    Simulator simulator{network};
    CHECK(simulator.run_until([&] { return simulator.peek(count) == 7; }, Cycles{100}) == 7);
    CHECK(simulator.cycle() == 7);
    CHECK(simulator.run_until([] { return true; }, Cycles{100}) == 0);
    CHECK(simulator.run_until([] { return false; }, Cycles{5}) == 5);
    CHECK(simulator.cycle() == 12);
    CHECK(simulator.run_until([] { return false; }, Cycles{100}) == 9); // cycles 12 … 20
    CHECK(simulator.halted());
}

TEST_CASE("what is poked is read in the next cycle, then the unwritten rule applies") {
    Network network{"n"};
    const auto zero = network.input<int>("zero");
    const auto held = network.input<int>("held", Unwritten::hold);
    const auto zeroes = network.add<Probe<int>>("a", in(zero));
    const auto helds = network.add<Probe<int>>("b", in(held));
    Simulator simulator{network};
    const auto poke = [&](int value) {
        simulator.poke(zero, value);
        simulator.poke(held, value);
        CHECK(simulator.peek(zero) == value);
    };
    simulator.step();
    poke(7);
    simulator.run(Cycles{2});
    poke(8);
    poke(9);
    simulator.run(Cycles{3});
    CHECK(simulator.process(zeroes).seen == Seen{0, 7, 0, 9, 0, 0});
    CHECK(simulator.process(helds).seen == Seen{0, 7, 7, 9, 9, 9});
}

TEST_CASE("an input may be poked before the first cycle") {
    Network network{"n"};
    const auto input = network.input<int>("input");
    const auto probe = network.add<Probe<int>>("probe", in(input));
    Simulator simulator{network};
    simulator.poke(input, 3);
    simulator.run(Cycles{2});
    CHECK(simulator.process(probe).seen == Seen{3, 0});
}

TEST_CASE("a poked error input can be read in its cycle") {
    Network network{"n"};
    const auto input = network.input<int>("input", Unwritten::error);
    const auto probe = network.add<Probe<int>>("probe", in(input));
    Simulator simulator{network};
    for (int k = 1; k <= 3; ++k) {
        simulator.poke(input, k);
        simulator.step();
    }
    CHECK(simulator.process(probe).seen == Seen{1, 2, 3});
    CHECK_THROWS_AS(simulator.step(), ModelFault);
}

TEST_CASE("a bus with an initial value that nobody writes follows its rule") {
    Network network{"n"};
    const auto zero = network.bus<int>("zero", {.initial = 5});
    const auto held = network.bus<int>("held", {.unwritten = Unwritten::hold, .initial = 5});
    const auto late = network.bus<int>("late", {.delay = 3, .initial = 5});
    const auto some = network.buses<int>("some", 3, {.initial = 5});
    const auto count = network.bus<int>("count");
    network.add<Node>("counter", in(count), out(some[1]));
    network.add<Node>("other", in(some[1]), out(count));
    Simulator simulator{network};
    for (std::uint64_t t = 0; t < 6; ++t, simulator.step()) {
        CAPTURE(t);
        CHECK(simulator.peek(zero) == (t == 0 ? 5 : 0));
        CHECK(simulator.peek(held) == 5);
        CHECK(simulator.peek(late) == (t < 3 ? 5 : 0));
        CHECK(simulator.peek(some[0]) == (t == 0 ? 5 : 0));
        CHECK(simulator.peek(some[2]) == (t == 0 ? 5 : 0));
    }
}

TEST_CASE("the same network runs the same way every time") {
    const auto digest = [](std::uint64_t cycles) {
        Network network{"n"};
        const auto bus = network.buses<int>("bus", 50, {.delay = 2, .initial = 1});
        for (std::uint64_t k = 0; k < 50; ++k)
            network.add<Node>(indexed("node", k), in(bus[(k * 7 + 3) % 50]), out(bus[k]));
        Simulator simulator{network};
        simulator.run(Cycles{cycles});
        std::vector<int> values;
        for (std::uint64_t k = 0; k < 50; ++k)
            values.push_back(simulator.peek(bus[k]));
        return values;
    };
    CHECK(digest(100) == digest(100));
    CHECK(digest(100) == std::vector<int>(50, 51)); // one more every two cycles
}
