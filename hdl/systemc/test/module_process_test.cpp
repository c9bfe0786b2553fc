// SPDX-License-Identifier: Apache-2.0
//
// SystemC modules as processes: compares each cycle with an equivalent plain process, on any number
// of threads, and tests how they end.
#include <array>
#include <optional>
#include <set>
#include <string>
#include <thread>

#include <doctest/doctest.h>

#include <sme/sme.hpp>

#include "base/test/scratch.hpp"
#include "modules.hpp"
#include "systemc/module_process.hpp"

using sc_core::sc_in;
using sc_core::sc_out;
using namespace sme::test;
using sme::systemc::input;
using sme::systemc::output;

namespace {

struct Pair {
    std::uint8_t low;
    std::int16_t high;
};

} // namespace

SME_STRUCT(Pair, low, high)

namespace {

using Twelve = sme::Unsigned<12>;
using Seven = sme::Signed<7>;

/// Sums up, in SystemC.
class Summer : public sc_core::sc_module {
public:
    sc_in<bool> clk{"clk"};
    sc_in<bool> on{"on"};
    sc_in<sc_dt::sc_uint<12>> a{"a"};
    sc_in<sc_dt::sc_bigint<7>> b{"b"};
    sc_in<sc_dt::sc_bv<24>> pair{"pair"};
    sc_out<std::uint64_t> sum{"sum"};
    sc_out<sc_dt::sc_int<7>> c{"c"};
    sc_out<sc_dt::sc_bv<24>> swapped{"swapped"};
    std::set<std::thread::id> threads;

    explicit Summer(const sc_core::sc_module_name& name, std::uint64_t start = 0)
        : sc_module{name}, sum_{start} {
        SC_HAS_PROCESS(Summer);
        SC_METHOD(edge);
        sensitive << clk.pos();
        dont_initialize();
        SC_METHOD(look); // combinational, from the state that `edge` keeps
        sensitive << a << b;
    }

private:
    void look() { difference_ = a.read().to_int64() - b.read().to_int64(); }
    void edge() {
        threads.insert(std::this_thread::get_id());
        if (on.read())
            sum_ += static_cast<std::uint64_t>(difference_);
        sum.write(sum_);
        c.write(b.read().to_int() + 1);
        // {low, high} to {high's low byte, 8 zeros, low}
        sc_dt::sc_bv<24> turned;
        turned.range(23, 16) = pair.read().range(7, 0);
        turned.range(7, 0) = pair.read().range(23, 16);
        swapped.write(turned);
    }

    std::int64_t difference_ = 0;
    std::uint64_t sum_;
};

/// The same module in plain C++.
class PlainSummer : public sme::Process {
public:
    PlainSummer(sme::In<bool> on, sme::In<Twelve> a, sme::In<Seven> b, sme::In<Pair> pair,
                sme::Out<std::uint64_t> sum, sme::Out<Seven> c, sme::Out<Pair> swapped)
        : on_{on}, a_{a}, b_{b}, pair_{pair}, sum_{sum}, c_{c}, swapped_{swapped} {}
    void step() {
        if (on_.read())
            total_ += static_cast<std::uint64_t>(std::int64_t{a_.read()} - b_.read());
        sum_.write(total_);
        c_.write(b_.read() + 1);
        const Pair pair = pair_.read();
        swapped_.write({static_cast<std::uint8_t>(pair.high), pair.low});
    }

private:
    sme::In<bool> on_;
    sme::In<Twelve> a_;
    sme::In<Seven> b_;
    sme::In<Pair> pair_;
    sme::Out<std::uint64_t> sum_;
    sme::Out<Seven> c_;
    sme::Out<Pair> swapped_;
    std::uint64_t total_ = 0;
};

/// Pseudo-random numbers, different in every cycle.
class Numbers : public sme::Process {
public:
    Numbers(sme::Out<bool> on, sme::Out<Twelve> a, sme::Out<Seven> b, sme::Out<Pair> pair)
        : on_{on}, a_{a}, b_{b}, pair_{pair} {}
    void step() {
        state_ = state_ * 6364136223846793005U + 1442695040888963407U;
        on_.write(state_ >> 60 != 0);
        a_.write(state_ >> 20);
        b_.write(state_ >> 33);
        pair_.write(
            {static_cast<std::uint8_t>(state_ >> 12), static_cast<std::int16_t>(state_ >> 41)});
    }

private:
    sme::Out<bool> on_;
    sme::Out<Twelve> a_;
    sme::Out<Seven> b_;
    sme::Out<Pair> pair_;
    std::uint64_t state_ = 1;
};

/// Work for other threads.
class Busy : public sme::Process {
public:
    explicit Busy(sme::In<Twelve> x, sme::Out<Twelve> y) : x_{x}, y_{y} {}
    void step() {
        unsigned value = x_.read();
        for (int k = 0; k < 200; ++k)
            value = value * 5 + 3;
        y_.write(value);
    }

private:
    sme::In<Twelve> x_;
    sme::Out<Twelve> y_;
};

/// `on` and `a` are wires, so the module runs in a later level than its inputs' writer.
struct Side {
    sme::Network network{"side by side"};
    sme::Bus<bool> on = network.bus<bool>("on", {.delay = 0});
    sme::Bus<Twelve> a = network.bus<Twelve>("a", {.delay = 0});
    sme::Bus<Seven> b = network.bus<Seven>("b", {.delay = 2, .initial = Seven{-5}});
    sme::Bus<Pair> pair = network.bus<Pair>("pair");
    std::array<sme::Bus<std::uint64_t>, 2> sum{network.bus<std::uint64_t>("sum"),
                                               network.bus<std::uint64_t>("plain sum")};
    std::array<sme::Bus<Seven>, 2> c{network.bus<Seven>("c"), network.bus<Seven>("plain c")};
    std::array<sme::Bus<Pair>, 2> swapped{network.bus<Pair>("swapped"),
                                          network.bus<Pair>("plain swapped")};
    sme::Buses<Twelve> busy = network.buses<Twelve>("busy", 64);
    sme::Handle<sme::systemc::ModuleProcess<
        Summer, sme::systemc::internal::Binding<bool, sc_in<bool> Summer::*, false>,
        sme::systemc::internal::Binding<Twelve, sc_in<sc_dt::sc_uint<12>> Summer::*, false>,
        sme::systemc::internal::Binding<Seven, sc_in<sc_dt::sc_bigint<7>> Summer::*, false>,
        sme::systemc::internal::Binding<Pair, sc_in<sc_dt::sc_bv<24>> Summer::*, false>,
        sme::systemc::internal::Binding<std::uint64_t, sc_out<std::uint64_t> Summer::*, true>,
        sme::systemc::internal::Binding<Seven, sc_out<sc_dt::sc_int<7>> Summer::*, true>,
        sme::systemc::internal::Binding<Pair, sc_out<sc_dt::sc_bv<24>> Summer::*, true>>>
        summer;

    explicit Side(std::optional<bool> own_thread = true)
        : summer{sme::systemc::add<Summer>(
              network, "summer", {.clock = &Summer::clk, .own_thread = own_thread},
              input(on, &Summer::on), input(a, &Summer::a), input(b, &Summer::b),
              input(pair, &Summer::pair), output(sum[0], &Summer::sum), output(c[0], &Summer::c),
              output(swapped[0], &Summer::swapped))} {
        network.add<Numbers>("numbers", sme::out(on), sme::out(a), sme::out(b), sme::out(pair));
        network.add<PlainSummer>("plain", sme::in(on), sme::in(a), sme::in(b), sme::in(pair),
                                 sme::out(sum[1]), sme::out(c[1]), sme::out(swapped[1]));
        for (std::uint64_t k = 0; k < 64; ++k)
            network.add<Busy>(sme::indexed("busy", k), sme::in(busy[(k + 1) % 64]),
                              sme::out(busy[k]));
    }
};

} // namespace

TEST_CASE("a SystemC module does what the same process does in C++, on any number of threads") {
    for (const unsigned threads : {1U, 2U, 5U}) {
        const Side side;
        sme::Simulator simulator{
            side.network,
            {.threads = threads, .queue = sme::QueueKind::atomic, .serial_levels = false}};
        for (int t = 0; t < 400; ++t) {
            simulator.step();
            CAPTURE(t);
            REQUIRE(simulator.peek(side.sum[0]) == simulator.peek(side.sum[1]));
            REQUIRE(simulator.peek(side.c[0]) == simulator.peek(side.c[1]));
            REQUIRE(simulator.peek(side.swapped[0]).low == simulator.peek(side.swapped[1]).low);
            REQUIRE(simulator.peek(side.swapped[0]).high == simulator.peek(side.swapped[1]).high);
        }
        CHECK(simulator.peek(side.sum[0]) != 0);
        // always the same thread, and not an engine thread
        const Summer& module = simulator.process(side.summer).module();
        CHECK(module.threads.size() == 1);
        CHECK(module.threads.count(std::this_thread::get_id()) == 0);
    }
}

TEST_CASE("a module of methods alone needs no thread of its own, whichever thread steps it") {
    const Side side{std::nullopt};
    sme::Simulator simulator{
        side.network, {.threads = 2, .queue = sme::QueueKind::atomic, .serial_levels = false}};
    const auto steps = [&] {
        for (int t = 0; t < 200; ++t) {
            simulator.step();
            REQUIRE(simulator.peek(side.sum[0]) == simulator.peek(side.sum[1]));
        }
    };
    steps();
    std::thread elsewhere{steps};
    elsewhere.join();
    CHECK(simulator.peek(side.sum[0]) != 0);
}

TEST_CASE(
    "without a thread of its own a module runs where the simulator was made, and only there") {
    const Side side{false};
    {
        sme::Simulator simulator{side.network, {.threads = 1}};
        for (int t = 0; t < 100; ++t) {
            simulator.step();
            REQUIRE(simulator.peek(side.sum[0]) == simulator.peek(side.sum[1]));
        }
        const std::set<std::thread::id> here{std::this_thread::get_id()};
        CHECK(simulator.process(side.summer).module().threads == here);
    }
    sme::Simulator simulator{side.network, {.threads = 1}};
    std::string fault;
    std::thread elsewhere{
        [&] { fault = error_of<sme::ModelFault>([&] { simulator.run(sme::Cycles{5}); }); }};
    elsewhere.join();
    CHECK(contains(fault, "'summer'"));
    CHECK(contains(fault, "it has no thread of its own, and is stepped on another one"));
}

TEST_CASE("a module may be made with more than a name") {
    sme::Network network{"from 1000"};
    const auto on = network.input<bool>("on");
    const auto a = network.input<Twelve>("a");
    const auto b = network.input<Seven>("b");
    const auto pair = network.input<Pair>("pair");
    const auto sum = network.bus<std::uint64_t>("sum");
    sme::systemc::add<Summer>(
        network, "summer",
        {.clock = [](Summer& module) -> sc_in<bool>& { return module.clk; },
         .make = [](const char* name) { return std::make_unique<Summer>(name, 1000); },
         .clock_ps = 3},
        input(on, &Summer::on), input(a, &Summer::a), input(b, &Summer::b),
        input(pair, &Summer::pair), output(sum, &Summer::sum),
        output(network.bus<Seven>("c"), &Summer::c),
        output(network.bus<Pair>("swapped"), &Summer::swapped));
    sme::Simulator simulator{network};
    simulator.poke(on, true);
    simulator.poke(a, Twelve{30});
    simulator.poke(b, Seven{-12});
    simulator.step();
    CHECK(simulator.peek(sum) == 1042);
    simulator.step(); // no input poked: zero
    CHECK(simulator.peek(sum) == 1042);
}

#ifndef __SANITIZE_ADDRESS__ // which does not know the stacks of SystemC's coroutines

namespace {

/// Two SystemC threads: one waits for edges, one for a time after them.
class Threads : public sc_core::sc_module {
public:
    sc_in<bool> clk{"clk"};
    sc_in<int> x{"x"};
    sc_out<int> sum{"sum"};
    sc_out<int> late{"late"};

    explicit Threads(const sc_core::sc_module_name& name) : sc_module{name} {
        SC_HAS_PROCESS(Threads);
        SC_CTHREAD(add, clk.pos());
        SC_THREAD(wait_for_time);
        sensitive << clk.pos();
        dont_initialize();
    }

private:
    void add() {
        for (int total = 0;; wait())
            sum.write(total += x.read());
    }
    void wait_for_time() {
        for (;; wait()) {
            wait(3, sc_core::SC_NS); // of the 5 ns until the clock falls
            late.write(x.read());
            if (x.read() == 30)
                throw std::runtime_error{"from a thread"};
        }
    }
};

} // namespace

TEST_CASE("SystemC's threads and its time work inside a cycle") {
    sme::Network network{"threads"};
    const auto x = network.bus<int>("x");
    const auto sum = network.bus<int>("sum");
    const auto late = network.bus<int>("late");
    network.add<Count>("count", 1, sme::out(x));
    sme::systemc::add<Threads>(network, "threads", {.clock = &Threads::clk}, input(x, &Threads::x),
                               output(sum, &Threads::sum), output(late, &Threads::late));
    sme::Simulator simulator{network, {.threads = 2}};
    for (int t = 0; t < 20; ++t) {
        simulator.step();
        CHECK(simulator.peek(sum) == t * (t + 1) / 2); // x is t in cycle t
        CHECK(simulator.peek(late) == t);
    }
    CHECK(contains(error_of<sme::ModelFault>([&] { simulator.run(sme::Cycles{20}); }),
                   "from a thread"));
}

#endif
