// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/codes.hpp"
#include "engine/engine.hpp"
#include "processes.hpp"

using namespace sme;
using namespace processes;

namespace {

/// Copies its input, and throws in one cycle.
class Thrower : public Process {
public:
    Thrower(In<int> x, Out<int> y, std::uint64_t when) : x_{x}, y_{y}, when_{when} {}
    void step() {
        if (cycle() == when_)
            throw std::runtime_error{"boom"};
        y_.write(x_.read() + 1);
        ++steps;
    }
    int steps = 0;

private:
    In<int> x_;
    Out<int> y_;
    std::uint64_t when_;
};

class CombThrower : public Process {
public:
    CombThrower(In<int> x, Out<int> y) : x_{x}, y_{y} {}
    void comb() const {
        if (x_.read() == 3)
            throw 3;
        y_.write(x_.read());
    }
    void comb_ports(CombinationalPorts& ports) const { ports.reads(x_).writes(y_); }
    void step() {}

private:
    In<int> x_;
    Out<int> y_;
};

/// Its step reads `b` and throws in cycle 1; its comb reads `a`.
class StepThrower : public Process {
public:
    StepThrower(In<int> a, In<int> b, Out<int> y) : a_{a}, b_{b}, y_{y} {}
    void comb() const { y_.write(a_.read()); }
    void comb_ports(CombinationalPorts& ports) const { ports.reads(a_).writes(y_); }
    void step() {
        if (cycle() == 1)
            throw std::runtime_error{std::to_string(b_.read())};
    }

private:
    In<int> a_, b_;
    Out<int> y_;
};

std::string fault_of(Simulator& simulator, std::uint64_t cycles) {
    return message_of<ModelFault>([&] { simulator.run(Cycles{cycles}); });
}

/// Requests every given ending in cycle 2.
class Asker final : public Group {
public:
    Asker(bool halt, bool fail, bool fault) : halt_{halt}, fail_{fail}, fault_{fault} {}
    void step(unsigned, Range, const Frame& frame) override {
        if (frame.cycle != 2)
            return;
        if (halt_)
            frame.control->halt();
        if (fail_)
            frame.control->fail();
        if (fault_)
            frame.control->fault(0, {Code::assert_failed, Severity::fault, {}, "no", {}});
    }

private:
    bool halt_, fail_, fault_;
};

struct Ended {
    RunEnd ending;
    std::uint64_t cycle;
};

Ended ending_of(bool halt, bool fail, bool fault, bool interrupted) {
    Graph graph;
    ProcessFamily asker;
    asker.name = "asker";
    asker.parts.resize(1);
    asker.kind = std::make_shared<const GroupFactory>(
        [=](const Build&) { return std::make_unique<Asker>(halt, fail, fault); });
    graph.processes.push_back(asker);
    Diagnostics diagnostics;
    const auto analysis = analyse(graph, diagnostics);
    REQUIRE(analysis.has_value());
    std::atomic<bool> interrupt{false};
    engine::Engine engine{graph, *analysis, {{}, &interrupt}, diagnostics};
    engine.run(2);
    interrupt = interrupted;
    const RunEnd ending = engine.run(10);
    CHECK(engine.run(10) == ending);
    CHECK(engine.faults().size() == (fault ? 1 : 0));
    return {ending, engine.cycle()};
}

} // namespace

TEST_CASE("an exception in a step is a fault with the cycle, the process and where it was added") {
    Network network{"n"};
    const auto bus = network.buses<int>("bus", 5);
    const int line = __LINE__ + 2;
    for (std::uint64_t k = 0; k < 5; ++k)
        network.add<Thrower>(indexed("node", k), in(bus[k]), out(bus[k]),
                             std::uint64_t{k == 2 ? 3u : 100u});
    Simulator simulator{network};
    CHECK(simulator.run(Cycles{3}) == 3);
    const std::string text = fault_of(simulator, 10);
    CHECK(holds(text, "fault_test.cpp:" + std::to_string(line) +
                          ": fault: in cycle 3, process 'node[2]': its step threw an exception: "
                          "boom [step-threw]\n"));
    CHECK(text.find("fault:") == text.rfind("fault:"));
    CHECK(simulator.cycle() == 4);
    CHECK(simulator.halted());
    CHECK(fault_of(simulator, 10) == text); // does not continue, and repeats the reason
    CHECK(simulator.cycle() == 4);
}

TEST_CASE("an exception of any type, in comb as well, is a fault") {
    Network network{"n"};
    const auto input = network.input<int>("input");
    const auto wire = network.bus<int>("wire", {.delay = 0});
    network.add<CombThrower>("comb", in(input), out(wire));
    Simulator simulator{network};
    simulator.step();
    simulator.poke(input, 3);
    CHECK(holds(fault_of(simulator, 1), "fault: in cycle 1, process 'comb': its step threw an "
                                        "exception of an unknown type [step-threw]"));
}

TEST_CASE("the other processes of the level of a fault still run, in both directions") {
    Network network{"n"};
    const auto bus = network.buses<int>("bus", 4);
    std::vector<Handle<Thrower>> nodes;
    for (std::uint64_t k = 0; k < 4; ++k)
        nodes.push_back(network.add<Thrower>(indexed("node", k), in(bus[k]), out(bus[k]),
                                             std::uint64_t{k == 1 ? 2u : 100u}));
    const auto probe = network.add<Probe<int>>("probe", in(bus[1]));
    Simulator simulator{network};
    fault_of(simulator, 10);
    CHECK(simulator.process(nodes[0]).steps == 3);
    CHECK(simulator.process(nodes[1]).steps == 2);
    CHECK(simulator.process(nodes[2]).steps == 3);
    CHECK(simulator.process(nodes[3]).steps == 3);
    CHECK(simulator.process(probe).seen == std::vector<int>{0, 1, 2});
    CHECK(simulator.peek(bus[0]) == 3); // written in the faulted cycle
    CHECK(simulator.peek(bus[1]) == 0); // not written
}

TEST_CASE("later levels do not run after a fault, and only its level reports") {
    Network network{"n"};
    const auto reg = network.buses<int>("reg", 3);
    const auto wire = network.buses<int>("wire", 3, {.delay = 0});
    const auto later = network.add<Probe<int>>("later", in(wire[0]));
    // level 1: would also fault in cycle 2, but does not run
    const auto second = network.add<Thrower>("second", in(wire[1]), out(reg[0]), std::uint64_t{2});
    network.add<Thrower>("first", in(reg[0]), out(wire[0]), std::uint64_t{2}); // level 0
    network.add<Thrower>("fine", in(reg[1]), out(wire[1]), std::uint64_t{100});
    network.add<Node>("a", in(reg[2]), out(reg[1]));
    network.add<Node>("b", in(reg[1]), out(reg[2]));
    Simulator simulator{network};
    const std::string text = fault_of(simulator, 10);
    CHECK(holds(text, "process 'first'"));
    CHECK_FALSE(holds(text, "process 'second'"));
    CHECK(simulator.process(later).seen.size() == 2);
    CHECK(simulator.process(second).steps == 2);
    CHECK(simulator.peek(reg[1]) == 3); // level 0 of cycle 2 was finished
}

TEST_CASE("all faults of a level are reported in source order, not in the order of slots") {
    Network network{"n"};
    const auto reg = network.bus<int>("reg");
    const auto wire = network.bus<int>("wire", {.delay = 0});
    const auto y = network.buses<int>("y", 6);
    network.add<Node>("source", in(reg), out(wire));
    // even ones read the wire and have level 1; odd ones have level 0 and come first
    for (std::uint64_t k = 0; k < 6; ++k)
        network.add<Thrower>(indexed("node", k), k % 2 == 0 ? in(wire) : in(reg), out(y[k]),
                             std::uint64_t{k % 2 == 0 ? 1u : 100u});
    network.add<Node>("sink", in(y[0]), out(reg));
    Simulator simulator{network};
    const std::string text = fault_of(simulator, 10);
    const std::size_t zero = text.find("'node[0]'"), two = text.find("'node[2]'"),
                      four = text.find("'node[4]'");
    REQUIRE(four != std::string::npos);
    CHECK(zero < two);
    CHECK(two < four);
    for (const char* odd : {"'node[1]'", "'node[3]'", "'node[5]'"})
        CHECK_FALSE(holds(text, odd));
}

TEST_CASE("faults are in source order when their instances lie in another order in one level") {
    Network network{"n"};
    const auto reg = network.bus<int>("reg");
    const auto early = network.bus<int>("early", {.delay = 0});
    const auto late = network.bus<int>("late", {.delay = 0});
    const auto y = network.buses<int>("y", 2, {.delay = 0});
    network.add<Node>("one", in(reg), out(early));
    network.add<Node>("two", in(early), out(late));
    // both steps have level 2; the combs have levels 1 and 0, so the second instance comes first
    network.add<StepThrower>(indexed("node", 0), in(early), in(late), out(y[0]));
    network.add<StepThrower>(indexed("node", 1), in(reg), in(late), out(y[1]));
    network.add<Node>("back", in(reg), out(reg));
    Simulator simulator{network};
    const std::string text = fault_of(simulator, 3);
    const std::size_t first = text.find("'node[0]'"), second = text.find("'node[1]'");
    REQUIRE(first != std::string::npos);
    REQUIRE(second != std::string::npos);
    CHECK(first < second);
}

TEST_CASE("faults of different classes come in the order in which these were first added") {
    Network network{"n"};
    const auto bus = network.buses<int>("bus", 2, {.unwritten = Unwritten::error});
    network.add<Probe<int>>("reader", in(bus[0])); // faults: nothing was written in cycle -1
    network.add<Thrower>("thrower", in(bus[1]), out(bus[0]), std::uint64_t{0});
    network.add<Script<int>>("script", out(bus[1]), std::vector<std::optional<int>>{});
    Simulator simulator{network};
    const std::string text = fault_of(simulator, 1);
    const std::size_t reader = text.find("'reader'"), thrower = text.find("'thrower'");
    REQUIRE(thrower != std::string::npos);
    CHECK(reader < thrower);
}

TEST_CASE("reading an error bus that nobody wrote is a fault, for registers, delays and wires") {
    for (const std::uint32_t delay : {0u, 1u, 2u, 3u}) {
        CAPTURE(delay);
        Network network{"n"};
        BusOptions<int> options{.delay = delay, .unwritten = Unwritten::error};
        if (delay > 0)
            options.initial = 9;
        const auto bus = network.bus<int>("bus", options);
        network.add<Script<int>>("script", out(bus),
                                 std::vector<std::optional<int>>{1, 2, std::nullopt, 4});
        const auto probe = network.add<Probe<int>>("probe", in(bus));
        Simulator simulator{network};
        const std::string text = fault_of(simulator, 20);
        CHECK(holds(text, "fault: in cycle " + std::to_string(2 + delay) +
                              ", process 'probe': it reads an error bus that was not written "
                              "[read-unwritten]"));
        std::vector<int> expected(delay, 9);
        expected.insert(expected.end(), {1, 2});
        CHECK(simulator.process(probe).seen == expected);
    }
}

TEST_CASE("an unwritten error bus is no fault as long as nobody reads it") {
    Network network{"n"};
    const auto bus = network.bus<int>("bus", {.unwritten = Unwritten::error});
    network.add<Script<int>>("script", out(bus), std::vector<std::optional<int>>{1});
    Simulator simulator{network};
    CHECK(simulator.run(Cycles{5}) == 5);
}

TEST_CASE("a fault outranks a failed check, which outranks a halt, which outranks an interrupt") {
    CHECK(ending_of(false, false, false, false).ending == RunEnd::completed);
    for (const bool interrupted : {false, true}) {
        for (const bool halt : {false, true}) {
            CHECK(ending_of(halt, true, false, interrupted).ending == RunEnd::check_failed);
            for (const bool fail : {false, true})
                CHECK(ending_of(halt, fail, true, interrupted).ending == RunEnd::faulted);
        }
        CHECK(ending_of(true, false, false, interrupted).ending == RunEnd::halted);
    }
    const Ended ended = ending_of(false, false, false, true);
    CHECK(ended.ending == RunEnd::stopped);
    CHECK(ended.cycle == 3); // the cycle of the request was finished
    CHECK(ending_of(true, false, false, false).cycle == 3);
}
