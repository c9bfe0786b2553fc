// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "sme/sme.hpp"

struct Pair {
    bool flag;
    std::uint16_t value;
};
SME_STRUCT(Pair, flag, value)

namespace sme::test {

/// Wraps, because mutants pass on arbitrary bits.
inline int sum(int a, int b) {
    return static_cast<int>(static_cast<unsigned>(a) + static_cast<unsigned>(b));
}

/// Adds one.
class Node : public Process {
public:
    Node(In<int> x, Out<int> y) : x_{x}, y_{y} {}
    void step() { y_.write(sum(x_.read(), 1)); }

private:
    In<int> x_;
    Out<int> y_;
};

/// Writes in every third cycle.
class Seldom : public Process {
public:
    Seldom(In<int> x, Out<Pair> y) : x_{x}, y_{y} {}
    void step() {
        if (cycle() % 3 == 1)
            y_.write({true, static_cast<std::uint16_t>(sum(x_.read(), 1000))});
    }

private:
    In<int> x_;
    Out<Pair> y_;
};

/// Reads a bus as a wire, and also as a bus.
class Follow : public Process {
public:
    Follow(In<int> x, Out<int> now, Out<Signed<12>> later) : x_{x}, now_{now}, later_{later} {}
    void comb() const { now_.write(sum(sum(x_.read(), x_.read()), x_.read())); }
    void comb_ports(CombinationalPorts& ports) const { ports.reads(x_).writes(now_); }
    void step() { later_.write(Signed<12>{~x_.read()}); }

private:
    In<int> x_;
    Out<int> now_;
    Out<Signed<12>> later_;
};

/// Covers every rule, every delay and a chain of wires.
struct Sample {
    Network network{"sample"};
    Buses<int> token = network.buses<int>("token", 8);
    Bus<Pair> pulse = network.bus<Pair>("pulse");
    Bus<Pair> held = network.bus<Pair>("held", {.unwritten = Unwritten::hold});
    Bus<int> wire = network.bus<int>("wire", {.delay = 0});
    Bus<int> second_wire = network.bus<int>("second_wire", {.delay = 0});
    Bus<int> late = network.bus<int>("late", {.delay = 3, .initial = 7});
    Bus<int> two = network.bus<int>("two", {.delay = 2});
    Bus<int> constant = network.bus<int>("constant", {.unwritten = Unwritten::hold, .initial = 42});
    Bus<Signed<12>> small = network.bus<Signed<12>>("small");
    Bus<Signed<12>> other = network.bus<Signed<12>>("other");
    Bus<int> given = network.input<int>("given");
    Bus<int> from_given = network.bus<int>("from_given");

    Sample() {
        for (std::uint64_t k = 0; k < token.size(); ++k)
            network.add<Node>(indexed("node", k), in(token[(k + 7) % 8]), out(token[k]));
        network.add<Seldom>("seldom", in(token[0]), out(pulse));
        network.add<Seldom>("holder", in(token[1]), out(held));
        network.add<Follow>("follow", in(token[2]), out(wire), out(small));
        network.add<Follow>("follow_on", in(wire), out(second_wire), out(other));
        network.add<Node>("delayed", in(second_wire), out(late));
        network.add<Node>("delayed_two", in(late), out(two));
        network.add<Node>("taker", in(given), out(from_given));
    }
};

} // namespace sme::test
