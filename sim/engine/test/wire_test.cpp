// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "processes.hpp"

using namespace sme;
using namespace processes;

namespace {

/// One bit of an adder; all its ports are wires. It has one part, so a plain step is enough.
class StepAdder : public Process {
public:
    StepAdder(In<bool> a, In<bool> b, In<bool> carry, Out<bool> sum, Out<bool> next)
        : a_{a}, b_{b}, carry_{carry}, sum_{sum}, next_{next} {}
    void step() { add(); }

protected:
    void add() const {
        const int total = a_.read() + b_.read() + carry_.read();
        sum_.write(total % 2 == 1);
        next_.write(total >= 2);
    }
    In<bool> a_, b_, carry_;
    Out<bool> sum_, next_;
};

/// The same adder with `comb`; counts the calls of each method.
class CombAdder : public StepAdder {
public:
    using StepAdder::StepAdder;
    void comb() const {
        add();
        ++combs;
    }
    void comb_ports(CombinationalPorts& ports) const {
        ports.reads(a_, b_, carry_).writes(sum_, next_);
    }
    void step() { ++steps; }
    mutable int combs = 0;
    int steps = 0;
};

/// Adds two 20-bit numbers on a ripple chain whose bits were added to the network in random order.
template <class Adder> void check_ripple() {
    constexpr std::size_t bits = 20;
    std::mt19937 random{7};
    Network network{"ripple"};
    std::vector<Bus<bool>> a, b;
    for (std::size_t k = 0; k < bits; ++k) {
        a.push_back(network.input<bool>(indexed("a", k)));
        b.push_back(network.input<bool>(indexed("b", k)));
    }
    const auto carry = network.buses<bool>("carry", bits, {.delay = 0});
    const auto sum = network.buses<bool>("sum", bits, {.delay = 0});
    const auto none = network.input<bool>("none");
    std::vector<std::size_t> order(bits);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::shuffle(order.begin(), order.end(), random);
    std::vector<Handle<Adder>> adders;
    for (const std::size_t k : order)
        adders.push_back(network.add<Adder>(indexed("adder", k), in(a[k]), in(b[k]),
                                            k ? in(carry[k - 1]) : in(none), out(sum[k]),
                                            out(carry[k])));
    Simulator simulator{network};
    for (int round = 0; round < 50; ++round) {
        const std::uint32_t x = random() % (1u << bits), y = random() % (1u << bits);
        for (std::size_t k = 0; k < bits; ++k) {
            simulator.poke(a[k], (x >> k) % 2 == 1);
            simulator.poke(b[k], (y >> k) % 2 == 1);
        }
        simulator.step();
        std::uint32_t total = simulator.peek(carry[bits - 1]) ? 1u << bits : 0;
        for (std::size_t k = 0; k < bits; ++k)
            total |= simulator.peek(sum[k]) ? 1u << k : 0;
        CHECK(total == x + y);
    }
    if constexpr (std::is_same_v<Adder, CombAdder>)
        for (const auto& adder : adders) {
            CHECK(simulator.process(adder).combs == 50);
            CHECK(simulator.process(adder).steps == 50);
        }
}

/// A pipeline register with ready and valid. It accepts a value when it is empty or its value
/// leaves in this cycle: ready follows the next stage's ready within the cycle.
class Stage : public Process {
public:
    Stage(In<bool> valid, In<int> data, Out<bool> ready, Out<bool> next_valid, Out<int> next_data,
          In<bool> next_ready)
        : valid_{valid}, data_{data}, ready_{ready}, next_valid_{next_valid}, next_data_{next_data},
          next_ready_{next_ready} {}
    void comb() const {
        ready_.write(!held_ || next_ready_.read());
        next_valid_.write(held_.has_value());
        next_data_.write(held_.value_or(0));
    }
    void comb_ports(CombinationalPorts& ports) const {
        ports.reads(next_ready_).writes(ready_, next_valid_, next_data_);
    }
    void step() {
        if (next_ready_.read())
            held_.reset();
        if (valid_.read() && !held_)
            held_ = data_.read();
    }

private:
    In<bool> valid_;
    In<int> data_;
    Out<bool> ready_, next_valid_;
    Out<int> next_data_;
    In<bool> next_ready_;
    std::optional<int> held_;
};

/// Always offers the next number.
class Producer : public Process {
public:
    Producer(Out<bool> valid, Out<int> data, In<bool> ready)
        : valid_{valid}, data_{data}, ready_{ready} {}
    void comb() const {
        valid_.write(true);
        data_.write(next_);
    }
    void comb_ports(CombinationalPorts& ports) const { ports.writes(valid_, data_); }
    void step() { next_ += ready_.read() ? 1 : 0; }

private:
    Out<bool> valid_;
    Out<int> data_;
    In<bool> ready_;
    int next_ = 1;
};

/// Accepts a value in cycles divisible by 3.
class Consumer : public Process {
public:
    Consumer(In<bool> valid, In<int> data, Out<bool> ready)
        : valid_{valid}, data_{data}, ready_{ready} {}
    void comb() const { ready_.write(cycle() % 3 == 0); }
    void comb_ports(CombinationalPorts& ports) const { ports.writes(ready_); }
    void step() { taken.push_back(cycle() % 3 == 0 && valid_.read() ? data_.read() : 0); }
    std::vector<int> taken;

private:
    In<bool> valid_;
    In<int> data_;
    Out<bool> ready_;
};

/// A Mealy machine: its answer follows `x` within the cycle; its state follows `y`.
class Mealy : public Process {
public:
    Mealy(In<int> x, Out<int> answer, In<int> y, Out<int> registered)
        : x_{x}, answer_{answer}, y_{y}, registered_{registered} {}
    void comb() const { answer_.write(x_.read() + state_); }
    void comb_ports(CombinationalPorts& ports) const { ports.reads(x_).writes(answer_); }
    void step() {
        state_ += y_.read();
        registered_.write(state_);
    }

private:
    In<int> x_;
    Out<int> answer_;
    In<int> y_;
    Out<int> registered_;
    int state_ = 1;
};

} // namespace

TEST_CASE("a ripple chain inside one family settles within the cycle, in any order of its bits") {
    SUBCASE("of steps that are one part") {
        check_ripple<StepAdder>();
    }
    SUBCASE("of combs that run once a cycle, as do the steps") {
        check_ripple<CombAdder>();
    }
}

TEST_CASE("ready goes back through a chain of stages within the cycle") {
    constexpr std::size_t stages = 4;
    Network network{"chain"};
    const auto valid = network.buses<bool>("valid", stages + 1, {.delay = 0});
    const auto data = network.buses<int>("data", stages + 1, {.delay = 0});
    const auto ready = network.buses<bool>("ready", stages + 1, {.delay = 0});
    const auto consumer =
        network.add<Consumer>("consumer", in(valid[stages]), in(data[stages]), out(ready[stages]));
    for (std::size_t k = 0; k < stages; ++k)
        network.add<Stage>(indexed("stage", k), in(valid[k]), in(data[k]), out(ready[k]),
                           out(valid[k + 1]), out(data[k + 1]), in(ready[k + 1]));
    network.add<Producer>("producer", out(valid[0]), out(data[0]), in(ready[0]));
    Simulator simulator{network};
    constexpr std::size_t cycles = 60;
    simulator.run(Cycles{cycles});

    // The first value needs 4 cycles. From then on all stages fill up, and the whole chain advances
    // whenever the consumer accepts a value: in cycles 6, 9, 12, … the numbers in order.
    std::vector<int> expected(cycles, 0);
    for (std::size_t t = 6, value = 1; t < cycles; t += 3)
        expected[t] = static_cast<int>(value++);
    CHECK(simulator.process(consumer).taken == expected);
}

TEST_CASE("two Mealy machines that answer each other are no loop when the parts form none") {
    Network network{"handshake"};
    const auto question = network.bus<int>("question", {.delay = 0});
    const auto answer = network.bus<int>("answer", {.delay = 0});
    const auto start = network.input<int>("start");
    const auto a = network.bus<int>("a");
    const auto b = network.bus<int>("b");
    // the first asks from its input; the second answers within the cycle; the first takes it
    network.add<Mealy>("second", in(question), out(answer), in(answer), out(b));
    network.add<Mealy>("first", in(start), out(question), in(answer), out(a));
    Simulator simulator{network};
    // first: s1 = 1, second: s2 = 1; question = start + s1, answer = question + s2, both add answer
    int s1 = 1, s2 = 1;
    for (int t = 0; t < 8; ++t) {
        CAPTURE(t);
        simulator.poke(start, t);
        simulator.step();
        const int asked = t + s1, answered = asked + s2;
        s1 += answered;
        s2 += answered;
        CHECK(simulator.peek(question) == asked);
        CHECK(simulator.peek(answer) == answered);
        CHECK(simulator.peek(a) == s1);
        CHECK(simulator.peek(b) == s2);
    }
}

TEST_CASE("a family whose instances have different levels keeps its objects and names apart") {
    // Node k reads the wire of node k + 1; the last reads a register that the first feeds.
    constexpr std::size_t n = 5;
    Network network{"n"};
    const auto wire = network.buses<int>("wire", n, {.delay = 0});
    const auto start = network.input<int>("start");
    std::vector<Handle<Probe<int>>> probes;
    for (std::size_t k = 0; k < n; ++k)
        network.add<Node>(indexed("node", k), k + 1 < n ? in(wire[k + 1]) : in(start),
                          out(wire[k]));
    for (std::size_t k = 0; k < n; ++k)
        probes.push_back(network.add<Probe<int>>(indexed("probe", k), in(wire[k])));
    Simulator simulator{network};
    simulator.poke(start, 10);
    simulator.run(Cycles{2});
    for (std::size_t k = 0; k < n; ++k) {
        const int steps = static_cast<int>(n - k);
        CHECK(simulator.process(probes[k]).seen == std::vector<int>{10 + steps, steps});
    }
}

TEST_CASE("a chain of 10,000 wires declared one by one settles in every cycle") {
    constexpr int n =
        10'000; // each is a level; the cost of a level must not grow with their number
    Network network{"n"};
    const auto start = network.input<int>("start", Unwritten::hold);
    std::vector<Bus<int>> wires{start};
    for (int k = 0; k < n; ++k) {
        const Bus<int> next =
            network.bus<int>(indexed("wire", static_cast<std::uint64_t>(k)), {.delay = 0});
        network.add<Node>(indexed("node", static_cast<std::uint64_t>(k)), in(wires.back()),
                          out(next));
        wires.push_back(next);
    }
    Simulator simulator{network};
    simulator.poke(start, 5);
    simulator.run(Cycles{30});
    CHECK(simulator.peek(wires[n]) == n + 5);
    CHECK(simulator.peek(wires[n / 2]) == n / 2 + 5);
}

TEST_CASE("wires and registers of one process do not disturb each other") {
    Network network{"n"};
    const auto start = network.input<int>("start");
    std::vector<Bus<int>> chain{start};
    for (std::uint32_t k = 0; k < 12; ++k) // delays 0 1 2 0 1 2 …
        chain.push_back(network.bus<int>(indexed("stage", k), {.delay = k % 3}));
    for (std::size_t k = 12; k-- > 0;)
        network.add<Node>(indexed("node", k), in(chain[k]), out(chain[k + 1]));
    const auto probe = network.add<Probe<int>>("probe", in(chain[12]));
    Simulator simulator{network};
    for (int t = 0; t < 20; ++t) {
        simulator.poke(start, 100 * t);
        simulator.step();
    }
    // in all 12 cycles of delay: 4 · (0 + 1 + 2)
    const std::vector<int>& seen = simulator.process(probe).seen;
    for (std::size_t t = 12; t < 20; ++t)
        CHECK(seen[t] == 100 * (static_cast<int>(t) - 12) + 12);
}

TEST_CASE("a loop of wires is refused with the whole loop and where its processes were added") {
    Network network{"n"};
    const auto wire = network.buses<int>("wire", 3, {.delay = 0});
    const int first_line = __LINE__ + 2;
    for (std::uint64_t k = 0; k < 3; ++k)
        network.add<Node>(indexed("node", k), in(wire[(k + 2) % 3]), out(wire[k]));
    const std::string text = message_of<NetworkError>([&] { const Simulator simulator{network}; });
    CHECK(holds(text, "[wire-loop]"));
    for (const char* part :
         {"'wire[0]'", "'wire[1]'", "'wire[2]'", "'node[0]'", "'node[1]'", "'node[2]'"})
        CHECK(holds(text, part));
    CHECK(holds(text, "wire_test.cpp:" + std::to_string(first_line) + ": error: "));
}

TEST_CASE("a wire has neither an initial value nor hold") {
    Network network{"n"};
    const int line = __LINE__ + 2;
    const std::string text =
        message_of<NetworkError>([&] { network.bus<int>("w", {.delay = 0, .initial = 3}); });
    CHECK(holds(text, "wire_test.cpp:" + std::to_string(line) + ": 'w' is a wire"));
    CHECK_THROWS_AS(network.bus<int>("w", {.delay = 0, .unwritten = Unwritten::hold}),
                    NetworkError);
    CHECK_THROWS_AS(network.buses<int>("w", 3, {.delay = 0, .initial = 0}), NetworkError);
}
