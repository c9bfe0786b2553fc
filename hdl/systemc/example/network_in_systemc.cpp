// SPDX-License-Identifier: Apache-2.0
//
// A network in a SystemC platform: a mean of the last four samples, in SME, between a source of
// samples and a display in SystemC.
#include <cstdio>

#include <systemc>

#include <sme/sme.hpp>

#include "systemc/network_module.hpp"

namespace {

struct Sample {
    bool valid;
    std::int16_t value;
};

} // namespace

SME_STRUCT(Sample, valid, value)

namespace {

/// The mean of the last four valid samples.
class Mean : public sme::Process {
public:
    Mean(sme::In<Sample> x, sme::Out<Sample> y) : x_{x}, y_{y} {}
    void step() {
        const Sample sample = x_.read();
        if (!sample.valid)
            return;
        sum_ += sample.value - last_[next_];
        last_[next_] = sample.value;
        next_ = (next_ + 1) % 4;
        y_.write({true, static_cast<std::int16_t>(sum_ / 4)});
    }

private:
    sme::In<Sample> x_;
    sme::Out<Sample> y_;
    std::array<std::int16_t, 4> last_{};
    std::size_t next_ = 0;
    int sum_ = 0;
};

sme::Network mean_network() {
    sme::Network network{"mean"};
    const auto x = network.input<Sample>("x");
    const auto y = network.bus<Sample>("y");
    network.add<Mean>("mean", sme::in(x), sme::out(y));
    return network;
}

/// Sends 100, 200, 300, …, and pauses every third cycle.
class Source : public sc_core::sc_module {
public:
    sc_core::sc_in<bool> clk{"clk"};
    sc_core::sc_out<bool> valid{"valid"};
    sc_core::sc_out<sc_dt::sc_int<16>> value{"value"};

    explicit Source(const sc_core::sc_module_name& name) : sc_module{name} {
        SC_HAS_PROCESS(Source);
        SC_METHOD(edge);
        sensitive << clk.pos();
        dont_initialize();
    }

private:
    void edge() {
        ++time_;
        valid.write(time_ % 3 != 0);
        if (time_ % 3 != 0)
            value.write(sent_ += 100);
    }

    int time_ = 0;
    int sent_ = 0;
};

} // namespace

int sc_main(int, char**) {
    sc_core::sc_clock clk{"clk", 10, sc_core::SC_NS, 0.5, 5, sc_core::SC_NS};
    sc_core::sc_signal<bool> valid{"valid"};
    sc_core::sc_signal<bool> mean_valid{"mean_valid"};
    sc_core::sc_signal<sc_dt::sc_int<16>> value{"value"};
    sc_core::sc_signal<sc_dt::sc_int<16>> mean_value{"mean_value"};

    Source source{"source"};
    source.clk(clk);
    source.valid(valid);
    source.value(value);

    const sme::Network network = mean_network();
    sme::systemc::NetworkModule mean{"mean", network};
    mean.clk(clk);
    mean.in<bool>("x.valid")(valid); // one port per field; all of "x" would be an sc_bv<17>
    mean.in<sc_dt::sc_int<16>>("x.value")(value);
    mean.out<bool>("y.valid")(mean_valid);
    mean.out<sc_dt::sc_int<16>>("y.value")(mean_value);

    for (int cycle = 0; cycle < 12; ++cycle) {
        sc_core::sc_start(10, sc_core::SC_NS);
        std::printf("%2d  x %d %4d   y %d %4d\n", cycle, valid.read() ? 1 : 0,
                    value.read().to_int(), mean_valid.read() ? 1 : 0, mean_value.read().to_int());
    }
    return 0;
}
