// SPDX-License-Identifier: Apache-2.0
//
// Wires follow what is poked between two cycles, and nothing else happens.
#include <doctest/doctest.h>

#include <cstdint>

#include "engine/access.hpp"
#include "processes.hpp"
#include "session/run/run.hpp"

using namespace sme;
using namespace processes;

namespace {

/// Its output follows its input and its state within the cycle.
class WireAdder : public Process {
public:
    WireAdder(In<std::uint32_t> x, Out<std::uint32_t> y) : x_{x}, y_{y} {}
    void comb_ports(CombinationalPorts& ports) const { ports.reads(x_).writes(y_); }
    void comb() const { y_.write(x_.read() + steps_); }
    void step() { ++steps_; }

private:
    In<std::uint32_t> x_;
    Out<std::uint32_t> y_;
    std::uint32_t steps_ = 0;
};

/// All its outputs are wires, but it has state and no `comb`.
class StatefulWire : public Process {
public:
    StatefulWire(In<std::uint32_t> x, Out<std::uint32_t> y) : x_{x}, y_{y} {}
    void step() { y_.write(x_.read() + ++steps_); }

private:
    In<std::uint32_t> x_;
    Out<std::uint32_t> y_;
    std::uint32_t steps_ = 0;
};

} // namespace

TEST_CASE("settling computes wires of chains, and changes no state") {
    Network network{"settles"};
    const auto x = network.input<std::uint32_t>("x");
    const auto y = network.bus<std::uint32_t>("y", {.delay = 0});
    const auto z = network.bus<std::uint32_t>("z", {.delay = 0});
    const auto stateful = network.bus<std::uint32_t>("stateful", {.delay = 0});
    network.add<WireAdder>("second", in(y), out(z));
    network.add<WireAdder>("first", in(x), out(y));
    network.add<StatefulWire>("counter", in(x), out(stateful));
    Simulator simulator{network}, other{network};
    for (std::uint32_t cycle = 0; cycle < 5; ++cycle) {
        for (const std::uint32_t value : {7u, 100u, 30u + cycle}) {
            simulator.poke(x, value);
            simulator.settle();
            CHECK(simulator.peek(y) == value + cycle);
            CHECK(simulator.peek(z) == value + 2 * cycle);
        }
        if (cycle > 0)
            CHECK(simulator.peek(stateful) == 29 + cycle + cycle); // of the last cycle
        simulator.step();
        other.poke(x, 30u + cycle);
        other.step();
        CHECK(simulator.peek(z) == other.peek(z));
        CHECK(simulator.peek(stateful) == other.peek(stateful));
    }
}

namespace {

class Copies : public Process {
public:
    Copies(In<std::uint32_t> x, Out<std::uint32_t> y) : x_{x}, y_{y} {}
    void step() const { y_.write(x_.read()); }

private:
    In<std::uint32_t> x_;
    Out<std::uint32_t> y_;
};

} // namespace

TEST_CASE("resetting buses restores their initial values, also those on their way, but no inputs") {
    for (const unsigned delay : {1u, 2u, 5u}) {
        Network network{"resets"};
        const auto x = network.input<std::uint32_t>("x", Unwritten::hold);
        const auto y = network.bus<std::uint32_t>("y", {.delay = delay, .initial = 9});
        network.add<Copies>("copies", in(x), out(y));
        Simulator simulator{network};
        simulator.poke(x, 4u);
        for (unsigned round = 0; round < 3; ++round) {
            for (unsigned cycle = 0; cycle < 7 + round; ++cycle) {
                CHECK(simulator.peek(y) == (cycle < delay ? 9 : 4));
                simulator.step();
            }
            SimulatorAccess::engine(simulator).access().reset();
            CHECK(simulator.peek(x) == 4);
        }
    }
}
