// SPDX-License-Identifier: Apache-2.0
//
// How networks in SystemC end: normally, or by faults, with complete traces; and the places where
// they are refused.
#include <memory>
#include <string>

#include <doctest/doctest.h>

#include <sme/sme.hpp>
#include <sme/trace.hpp>

#include "platform.hpp"
#include "runtime/observer.hpp"
#include "systemc/module_process.hpp"
#include "systemc/network_module.hpp"

using sc_core::sc_signal;
using sme::systemc::NetworkModule;
using namespace sme::test;

TEST_CASE("a network that halts stops the simulation, and its last outputs are shown") {
    const Platform platform;
    const MoodyNetwork moody;
    Clock clock;
    sc_signal<int> x;
    sc_signal<int> y;
    NetworkModule module{"moody", moody.network};
    module.clk(clock.signal);
    module.in<int>("x")(x);
    module.out<int>("y")(y);
    x.write(5);
    clock.cycle();
    CHECK_FALSE(module.ended());
    x.write(7);
    const auto infos = sc_core::sc_report_handler::get_count(sc_core::SC_INFO);
    clock.cycle();
    CHECK(module.ended());
    CHECK(module.cycle() == 2);
    CHECK(y.read() == 14);
    CHECK(sc_core::sc_get_status() == sc_core::SC_STOPPED);
    CHECK(sc_core::sc_report_handler::get_count(sc_core::SC_INFO) > infos);
}

TEST_CASE("a fault is an error of sc_report that names the process, and leaves sc_start") {
    const Platform platform;
    const MoodyNetwork moody;
    Clock clock;
    sc_signal<int> x;
    NetworkModule module{"moody", moody.network};
    module.clk(clock.signal);
    module.in<int>("x")(x);
    x.write(8);
    const std::string report = report_of([&] { clock.cycle(); });
    CHECK(contains(report, "'twice'"));
    CHECK(contains(report, "eight is too much"));
    CHECK(module.ended());
}

TEST_CASE("when errors go on, a fault stops the simulation") {
    const Platform platform;
    const sc_core::sc_actions before =
        sc_core::sc_report_handler::set_actions(sc_core::SC_ERROR, sc_core::SC_CACHE_REPORT);
    const MoodyNetwork moody;
    Clock clock;
    sc_signal<int> x;
    NetworkModule module{"moody", moody.network};
    module.clk(clock.signal);
    module.in<int>("x")(x);
    x.write(8);
    clock.cycle();
    CHECK(module.ended());
    CHECK(sc_core::sc_get_status() == sc_core::SC_STOPPED);
    sc_core::sc_report_handler::set_actions(sc_core::SC_ERROR, before);
}

TEST_CASE("a failed check of a YAML network is an error") {
    const Platform platform;
    Clock clock;
    NetworkModule module{"counts", yaml(R"(network: counts
buses:
  n: u8
processes:
  count:
    out: n
    state:
      next: u8
    step:
      next: next + 1
      n: next
checks:
  - always: n < 3
)")};
    module.clk(clock.signal);
    for (int t = 0; t < 4; ++t)
        clock.cycle();
    CHECK(contains(report_of([&] { clock.cycle(); }),
                   "a check of network 'counts' failed in cycle 4"));
}

TEST_CASE("a trace is written as from a plain simulator") {
    const Scratch folder;
    const MoodyNetwork moody;
    {
        const Platform platform;
        Clock clock;
        sc_signal<int> x;
        NetworkModule module{"moody", moody.network};
        module.clk(clock.signal);
        module.in<int>("x")(x);
        sme::trace_vcd(module, folder.path("module.vcd"));
        for (const int value : {4, 5, 7}) {
            x.write(value);
            clock.cycle();
        }
    }
    sme::Simulator plain{moody.network, {.threads = 1}};
    sme::trace_vcd(plain, folder.path("plain.vcd"));
    for (const int value : {4, 5, 7}) {
        plain.poke(moody.x, value);
        plain.step();
    }
    plain.finish();
    CHECK(text_of(folder.path("module.vcd")) == text_of(folder.path("plain.vcd")));
    CHECK(contains(text_of(folder.path("plain.vcd")), "$var"));
}

namespace {

/// An observer whose disk is full at the end.
class FullDisk : public sme::Observer {
public:
    void open(const sme::Observed&) override {}
    void step(unsigned, sme::Range, const sme::Frame&) override {}
    void close(std::uint64_t cycles) override { full_ = cycles == 1; }
    std::string problem() const override { return full_ ? "the disk is full" : ""; }

private:
    bool full_ = false;
};

} // namespace

TEST_CASE("what an observer could not do is an error when the simulation ends") {
    const Platform platform;
    const MoodyNetwork moody;
    Clock clock;
    sc_signal<int> x;
    NetworkModule module{"moody", moody.network};
    module.clk(clock.signal);
    module.in<int>("x")(x);
    module.attach(std::make_shared<FullDisk>());
    x.write(7);
    CHECK(contains(report_of([&] { clock.cycle(); }), "the disk is full"));
}

namespace {

/// A module without any process.
class Twice : public sc_core::sc_module {
public:
    sc_core::sc_in<bool> clk{"clk"};
    sc_core::sc_in<int> x{"x"};
    sc_core::sc_out<int> y{"y"};
    explicit Twice(const sc_core::sc_module_name& name) : sc_module{name} {}
};

} // namespace

TEST_CASE("a network whose process is a SystemC module cannot stand in SystemC") {
    const Platform platform;
    sme::Network network{"turtles"};
    const auto x = network.bus<int>("x");
    const auto y = network.bus<int>("y");
    sme::systemc::add<Twice>(network, "twice", {.clock = &Twice::clk},
                             sme::systemc::input(x, &Twice::x), sme::systemc::output(y, &Twice::y));
    network.add<Moody>("back", sme::in(y), sme::out(x));
    {
        Clock clock;
        NetworkModule module{"turtles", network};
        module.clk(clock.signal);
        CHECK(contains(report_of([&] { clock.cycle(); }),
                       "this program uses it for a simulation of its own, so 'twice' cannot"));
    }
    sc_core::sc_get_curr_simcontext()->reset();
    const sme::Simulator simulator{network};
    CHECK(contains(report_of([&] {
                       NetworkModule module{"turtles", network};
                   }),
                   "network 'turtles' cannot run in a SystemC platform: SystemC has one kernel in "
                   "a program, and process 'twice' of another network has it"));
}
