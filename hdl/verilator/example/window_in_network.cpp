// SPDX-License-Identifier: Apache-2.0
//
// A Verilog module in a network of C++ processes, in lockstep with a model of it in C++.
#include <array>
#include <cstdint>
#include <cstdio>
#include <string>

#include <sme/lockstep.hpp>
#include <sme/sme.hpp>

#include "Window.hpp" // made by sme_add_verilog

namespace {

/// Samples that rise and fall.
class Source : public sme::Process {
public:
    explicit Source(sme::Out<std::uint8_t> sample) : sample_{sample} {}
    void step() {
        sample_.write(static_cast<std::uint8_t>(next_ < 64 ? next_ : 128 - next_));
        next_ = (next_ + 5) % 128;
    }

private:
    sme::Out<std::uint8_t> sample_;
    unsigned next_ = 0;
};

/// What the module is to be.
class Model : public sme::Process {
public:
    Model(unsigned limit, sme::In<std::uint8_t> sample, sme::Out<sme::Unsigned<10>> total,
          sme::Out<bool> loud)
        : limit_{limit}, sample_{sample}, total_{total}, loud_{loud} {}

    void comb() const { loud_.write(sum() > limit_); }
    void comb_ports(sme::CombinationalPorts& ports) const { ports.reads(sample_).writes(loud_); }

    void step() {
        total_.write(sum());
        before_ = {sample_.read(), before_[0], before_[1]};
    }

private:
    unsigned sum() const { return 0U + sample_.read() + before_[0] + before_[1] + before_[2]; }

    unsigned limit_;
    sme::In<std::uint8_t> sample_;
    sme::Out<sme::Unsigned<10>> total_;
    sme::Out<bool> loud_;
    std::array<unsigned, 3> before_{};
};

} // namespace

int main() {
    sme::Network network{"window"};
    const auto sample = network.bus<std::uint8_t>("sample");
    const auto total = network.bus<sme::Unsigned<10>>("total");
    const auto loud = network.bus<bool>("loud", {.delay = 0});
    const auto model_total = network.bus<sme::Unsigned<10>>("model_total");
    const auto model_loud = network.bus<bool>("model_loud", {.delay = 0});

    network.add<Source>("source", sme::out(sample));
    network.add<Window>(
        "window", {.sample = sme::in(sample), .total = sme::out(total), .loud = sme::out(loud)});
    network.add<Model>("model", 200U, sme::in(sample), sme::out(model_total), sme::out(model_loud));
    const auto agreement =
        sme::compare(network, "window", {{total, model_total}, {loud, model_loud}}, {sample});

    sme::Simulator simulator{network, {.threads = 1, .print = [](const std::string& line) {
                                           std::printf("%s\n", line.c_str());
                                       }}};
    simulator.run(sme::Cycles{40});
    std::printf("%llu cycles agree; the total is %u\n",
                static_cast<unsigned long long>(agreement->cycles),
                unsigned{simulator.peek(total)});
    std::printf("%s", agreement->text().c_str());
    return agreement->difference ? 1 : 0;
}
