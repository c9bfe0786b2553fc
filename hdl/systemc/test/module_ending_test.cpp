// SPDX-License-Identifier: Apache-2.0
//
// The ways SystemC modules in networks end, and the cases that are refused.
#include <stdexcept>
#include <string>

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

using Twelve = sme::Unsigned<12>;

/// Does what the number at its input selects.
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
    CHECK(contains(MoodyRun{400}.fault(), "it called sc_pause(), but nothing continues it"));
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
    sc_core::sc_get_curr_simcontext()->reset(); // the program's simulation has ended
    MoodyRun run{0};
    sme::Simulator simulator{run.network};
    CHECK(simulator.run(sme::Cycles{2}) == 2);
}

namespace {

/// An output that follows its input, and one with a value before the first edge.
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
    CHECK(contains(wrong_width, "module_ending_test.cpp:"));
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
