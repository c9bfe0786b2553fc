// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "sme/sme.hpp"
#include "sme/verilog.hpp"

struct Sample {
    bool valid;
    std::uint16_t value;
};
SME_STRUCT(Sample, valid, value)

namespace sme::test {

/// Feeds the values of a list, then repeats the last one.
template <class T> class List : public Process {
public:
    List(std::vector<T> values, Out<T> y) : values_{std::move(values)}, y_{y} {}
    void step() {
        y_.write(values_[next_]);
        if (next_ + 1 < values_.size())
            ++next_;
    }

private:
    std::vector<T> values_;
    Out<T> y_;
    std::size_t next_ = 0;
};

/// The buses of module `ports`; the test feeds its inputs.
struct PortBuses {
    explicit PortBuses(Network& network, const std::string& suffix = "")
        : level{network.input<Signed<12>>("level" + suffix)},
          bytes{network.input<std::array<std::uint8_t, 4>>("bytes" + suffix)},
          sample{network.input<Sample>("sample" + suffix)}, wide{network.input<Unsigned<100>>(
                                                                "wide" + suffix)},
          flip{network.input<bool>("flip" + suffix)}, total{network.bus<Signed<12>>("total" +
                                                                                    suffix)},
          swapped{network.bus<std::array<std::uint8_t, 4>>("swapped" + suffix)},
          kept{network.bus<Sample>("kept" + suffix)}, flipped{network.bus<Unsigned<100>>(
                                                          "flipped" + suffix, {.delay = 0})},
          count{network.bus<std::uint8_t>("count" + suffix)},
          noise{network.bus<std::uint32_t>("noise" + suffix)}, now{network.bus<std::uint64_t>(
                                                                   "now" + suffix)} {}

    template <class Class> typename Class::Ports ports() const {
        return {.level = in(level),
                .bytes = in(bytes),
                .sample = in(sample),
                .wide = in(wide),
                .template_ = in(flip),
                .total = out(total),
                .swapped = out(swapped),
                .kept = out(kept),
                .flipped = out(flipped),
                .count = out(count),
                .noise = out(noise),
                .now = out(now)};
    }
    VerilogConnections connections() const {
        return {{"level", in(level)},      {"bytes", in(bytes)},   {"sample", in(sample)},
                {"wide", in(wide)},        {"template", in(flip)}, {"total", out(total)},
                {"swapped", out(swapped)}, {"kept", out(kept)},    {"flipped", out(flipped)},
                {"count", out(count)},     {"noise", out(noise)},  {"now", out(now)}};
    }

    Bus<Signed<12>> level;
    Bus<std::array<std::uint8_t, 4>> bytes;
    Bus<Sample> sample;
    Bus<Unsigned<100>> wide;
    Bus<bool> flip;
    Bus<Signed<12>> total;
    Bus<std::array<std::uint8_t, 4>> swapped;
    Bus<Sample> kept;
    Bus<Unsigned<100>> flipped;
    Bus<std::uint8_t> count;
    Bus<std::uint32_t> noise;
    Bus<std::uint64_t> now;
};

} // namespace sme::test
