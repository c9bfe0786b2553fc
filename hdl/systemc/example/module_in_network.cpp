// SPDX-License-Identifier: Apache-2.0
//
// A SystemC module in a network: a Gray counter in SystemC, between two SME processes.
#include <cstdint>
#include <cstdio>

#include <systemc>

#include <sme/sme.hpp>

#include "systemc/module_process.hpp"

namespace {

/// Counts in Gray code while `enable` is high.
class Gray : public sc_core::sc_module {
public:
    sc_core::sc_in<bool> clk{"clk"};
    sc_core::sc_in<bool> enable{"enable"};
    sc_core::sc_out<sc_dt::sc_uint<4>> code{"code"};

    explicit Gray(const sc_core::sc_module_name& name) : sc_module{name} {
        SC_HAS_PROCESS(Gray);
        SC_METHOD(edge);
        sensitive << clk.pos();
        dont_initialize();
    }

private:
    void edge() {
        if (enable.read())
            ++count_;
        code.write(count_ ^ (count_ >> 1));
    }

    sc_dt::sc_uint<4> count_ = 0;
};

/// High for three cycles, low for one.
class Enable : public sme::Process {
public:
    explicit Enable(sme::Out<bool> y) : y_{y} {}
    void step() { y_.write(cycle() % 4 != 3); }

private:
    sme::Out<bool> y_;
};

/// Decodes the Gray code.
class Decode : public sme::Process {
public:
    Decode(sme::In<sme::Unsigned<4>> x, sme::Out<std::uint8_t> y) : x_{x}, y_{y} {}
    void step() {
        unsigned value = x_.read();
        value ^= value >> 2;
        value ^= value >> 1;
        y_.write(static_cast<std::uint8_t>(value));
    }

private:
    sme::In<sme::Unsigned<4>> x_;
    sme::Out<std::uint8_t> y_;
};

} // namespace

int main() {
    sme::Network network{"gray"};
    const auto enable = network.bus<bool>("enable");
    const auto code = network.bus<sme::Unsigned<4>>("code");
    const auto count = network.bus<std::uint8_t>("count");
    network.add<Enable>("enable", sme::out(enable));
    sme::systemc::add<Gray>(network, "gray", {.clock = &Gray::clk},
                            sme::systemc::input(enable, &Gray::enable),
                            sme::systemc::output(code, &Gray::code));
    network.add<Decode>("decode", sme::in(code), sme::out(count));

    sme::Simulator simulator{network};
    for (int cycle = 0; cycle < 16; ++cycle) {
        simulator.step();
        std::printf("%2d  enable %d  code %2u  count %2u\n", cycle, simulator.peek(enable) ? 1 : 0,
                    static_cast<unsigned>(simulator.peek(code)),
                    static_cast<unsigned>(simulator.peek(count)));
    }
}
