// SPDX-License-Identifier: Apache-2.0
//
// SystemC modules as processes: cycle by cycle beside the same thing as a plain process, on any
// number of threads, and what ends them.
#include <array>
#include <set>
#include <string>
#include <thread>

#include <doctest/doctest.h>

#include <sme/sme.hpp>

#include "base/test/scratch.hpp"
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
        SC_METHOD(look); // combinational, to what `edge` keeps
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

/// The same in plain C++.
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

/// Numbers that look random, different in every cycle.
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

/// Something for other threads to do.
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

/// `on` and `a` are wires, so the module runs in a later level than its numbers.
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
        Summer, sme::systemc::detail::Binding<bool, sc_in<bool> Summer::*, false>,
        sme::systemc::detail::Binding<Twelve, sc_in<sc_dt::sc_uint<12>> Summer::*, false>,
        sme::systemc::detail::Binding<Seven, sc_in<sc_dt::sc_bigint<7>> Summer::*, false>,
        sme::systemc::detail::Binding<Pair, sc_in<sc_dt::sc_bv<24>> Summer::*, false>,
        sme::systemc::detail::Binding<std::uint64_t, sc_out<std::uint64_t> Summer::*, true>,
        sme::systemc::detail::Binding<Seven, sc_out<sc_dt::sc_int<7>> Summer::*, true>,
        sme::systemc::detail::Binding<Pair, sc_out<sc_dt::sc_bv<24>> Summer::*, true>>>
        summer;

    Side()
        : summer{sme::systemc::add<Summer>(network, "summer", {.clock = &Summer::clk},
                                           input(on, &Summer::on), input(a, &Summer::a),
                                           input(b, &Summer::b), input(pair, &Summer::pair),
                                           output(sum[0], &Summer::sum), output(c[0], &Summer::c),
                                           output(swapped[0], &Summer::swapped))} {
        network.add<Numbers>("numbers", sme::out(on), sme::out(a), sme::out(b), sme::out(pair));
        network.add<PlainSummer>("plain", sme::in(on), sme::in(a), sme::in(b), sme::in(pair),
                                 sme::out(sum[1]), sme::out(c[1]), sme::out(swapped[1]));
        for (std::uint64_t k = 0; k < 64; ++k)
            network.add<Busy>(sme::indexed("busy", k), sme::in(busy[(k + 1) % 64]),
                              sme::out(busy[k]));
    }
};

/// What a simulator throws when it is made or run.
template <class Error, class Act> std::string error_of(Act act) {
    try {
        act();
    } catch (const Error& error) {
        return error.what();
    }
    return "nothing";
}

/// Does what the number at its input says.
class Moody : public sc_core::sc_module {
public:
    sc_in<bool> clk{"clk"};
    sc_in<int> x{"x"};
    sc_out<int> y{"y"};

    explicit Moody(const sc_core::sc_module_name& name) : sc_module{name} {
        SC_HAS_PROCESS(Moody);
        SC_METHOD(edge);
        sensitive << clk.pos();
        dont_initialize();
    }

private:
    void edge() {
        y.write(x.read() + 1);
        switch (x.read()) {
        case 3: sc_core::sc_stop(); break;
        case 103: SC_REPORT_ERROR("moody", "three and a hundred"); break;
        case 203: throw std::runtime_error{"three and two hundred"};
        case 303: SC_REPORT_FATAL("moody", "three and three hundred"); break;
        case 403: sc_core::sc_pause(); break;
        default: break;
        }
    }
};

/// Counts from a number on.
class Count : public sme::Process {
public:
    Count(int first, sme::Out<int> y) : next_{first}, y_{y} {}
    void step() { y_.write(next_++); }

private:
    int next_;
    sme::Out<int> y_;
};

struct MoodyRun {
    sme::Network network{"moods"};
    sme::Bus<int> x = network.bus<int>("x");
    sme::Bus<int> y = network.bus<int>("y");
    explicit MoodyRun(int first) {
        network.add<Count>("count", first, sme::out(x));
        sme::systemc::add<Moody>(network, "moody", {.clock = &Moody::clk}, input(x, &Moody::x),
                                 output(y, &Moody::y));
    }
    std::string fault() {
        return error_of<sme::ModelFault>([this] {
            sme::Simulator simulator{network, {.threads = 1}};
            simulator.run(sme::Cycles{20});
        });
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
        // always the same thread, and none of the engine's
        const Summer& module = simulator.process(side.summer).module();
        CHECK(module.threads.size() == 1);
        CHECK(module.threads.count(std::this_thread::get_id()) == 0);
    }
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
    simulator.step(); // nothing poked: zero
    CHECK(simulator.peek(sum) == 1042);
}

TEST_CASE("sc_stop halts the network after its cycle") {
    MoodyRun run{0};
    sme::Simulator simulator{run.network};
    // x is 3 in cycle 4: count writes 0 in cycle 0
    CHECK(simulator.run(sme::Cycles{20}) == 5);
    CHECK(simulator.halted());
    CHECK(simulator.peek(run.y) == 4);
}

TEST_CASE("errors, fatal errors, exceptions and pauses are faults of the process") {
    CHECK(contains(MoodyRun{100}.fault(), "three and a hundred"));
    CHECK(contains(MoodyRun{200}.fault(), "three and two hundred"));
    CHECK(contains(MoodyRun{300}.fault(), "three and three hundred"));
    CHECK(contains(MoodyRun{400}.fault(), "it called sc_pause(), but nobody is there to go on"));
    CHECK(contains(MoodyRun{400}.fault(), "'moody'"));
    CHECK(contains(MoodyRun{400}.fault(), "cycle 4"));
    CHECK(MoodyRun{500}.fault() == "nothing");
}

TEST_CASE("one process of one simulator at a time has the kernel; the next begins anew") {
    MoodyRun first{1000};
    MoodyRun second{2000};
    {
        sme::Simulator simulator{first.network};
        simulator.run(sme::Cycles{3});
        const std::string error =
            error_of<sme::NetworkError>([&] { sme::Simulator other{second.network}; });
        CHECK(contains(
            error, "SystemC has one kernel in a program, and 'moody' has it, so 'moody' cannot"));
        simulator.run(sme::Cycles{1}); // undisturbed
        CHECK(simulator.peek(first.y) == 1003);
    }
    sme::Simulator simulator{second.network};
    simulator.run(sme::Cycles{3});
    CHECK(simulator.peek(second.y) == 2002);

    sme::systemc::add<Moody>(first.network, "too many", {.clock = &Moody::clk},
                             input(first.x, &Moody::x),
                             output(first.network.bus<int>("z"), &Moody::y));
    CHECK(contains(error_of<sme::NetworkError>([&] { sme::Simulator both{first.network}; }),
                   "one kernel"));
}

TEST_CASE("a program that simulates with SystemC itself keeps its kernel") {
    {
        const sc_core::sc_signal<int> of_the_program{"of_the_program"};
        const sc_core::sc_event named{"event"};
        Moody module{"module"};
        MoodyRun run{0};
        CHECK(contains(
            error_of<sme::NetworkError>([&] { sme::Simulator simulator{run.network}; }),
            "this program uses it for a simulation of its own, so 'moody' cannot be a process"));
    }
    sc_core::sc_get_curr_simcontext()->reset(); // the program has ended with it
    MoodyRun run{0};
    sme::Simulator simulator{run.network};
    CHECK(simulator.run(sme::Cycles{2}) == 2);
}

namespace {

/// An output that follows its input, and one that shows something before the first edge.
class Loose : public sc_core::sc_module {
public:
    sc_in<bool> clk{"clk"};
    sc_in<int> x{"x"};
    sc_out<int> follows{"follows"};
    sc_out<int> seven{"seven"};

    explicit Loose(const sc_core::sc_module_name& name) : sc_module{name} {
        SC_HAS_PROCESS(Loose);
        SC_METHOD(follow);
        sensitive << x;
        SC_METHOD(begin);
    }

private:
    void follow() { follows.write(x.read()); }
    void begin() { seven.write(7); }
};

} // namespace

TEST_CASE("an output that follows an input within the cycle is a fault that names it") {
    sme::Network network{"loose"};
    const auto x = network.bus<int>("x");
    network.add<Count>("count", 1, sme::out(x));
    sme::systemc::add<Loose>(network, "loose", {.clock = &Loose::clk}, input(x, &Loose::x),
                             output(network.bus<int>("y"), &Loose::follows),
                             output(network.bus<int>("z", {.initial = 7}), &Loose::seven));
    sme::Simulator simulator{network};
    const std::string fault = error_of<sme::ModelFault>([&] { simulator.run(sme::Cycles{5}); });
    CHECK(contains(fault, "its output 'y' changed before the clock rose: it follows an input"));
    CHECK(contains(fault, "cycle 1"));
}

TEST_CASE("a bus must begin with what the module shows before the first edge") {
    sme::Network network{"loose"};
    const auto x = network.input<int>("x");
    sme::systemc::add<Loose>(network, "loose", {.clock = &Loose::clk}, input(x, &Loose::x),
                             output(network.bus<int>("y"), &Loose::follows),
                             output(network.bus<int>("z"), &Loose::seven));
    CHECK(
        contains(error_of<sme::NetworkError>([&] { sme::Simulator simulator{network}; }),
                 "process 'loose', a SystemC module: its output 'z' shows another value before the "
                 "first cycle than the bus does"));
}

TEST_CASE("a port that is bound to nothing is an error of SystemC's when the simulator is made") {
    sme::Network network{"loose"};
    const auto x = network.input<int>("x");
    sme::systemc::add<Loose>(network, "loose", {.clock = &Loose::clk}, input(x, &Loose::x));
    CHECK(contains(error_of<sme::NetworkError>([&] { sme::Simulator simulator{network}; }),
                   "process 'loose', a SystemC module: Error: (E109) complete binding failed: port "
                   "not bound"));
}

TEST_CASE("what does not fit a bus is refused where it is added") {
    sme::Network network{"fits not"};
    const auto twelve = network.bus<Twelve>("twelve");
    const auto wire = network.bus<int>("wire", {.delay = 0});
    const auto add = [&](auto... bindings) {
        return error_of<sme::NetworkError>([&] {
            sme::systemc::add<Moody>(network, "moody", {.clock = &Moody::clk}, bindings...);
        });
    };
    const std::string wrong_width = add(input(twelve, &Moody::x));
    CHECK(contains(wrong_width, "module_process_test.cpp:"));
    CHECK(contains(wrong_width,
                   "process 'moody', a SystemC module: bus 'twelve' is u12, but its port is i32"));
    CHECK(contains(add(output(wire, &Moody::y)),
                   "bus 'wire' is a wire, but a module's output is a register"));
    sme::Network other{"other"};
    for (int k = 0; k < 3; ++k)
        other.bus<int>(sme::indexed("x", static_cast<std::uint64_t>(k)));
    CHECK(contains(add(input(other.bus<int>("far"), &Moody::x)),
                   "bound to a bus of another network"));
}

#ifndef __SANITIZE_ADDRESS__ // which does not know the stacks of SystemC's coroutines

namespace {

/// Two threads of SystemC: one waits for edges, one for time after them.
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
