// SPDX-License-Identifier: Apache-2.0
//
// A module with two clocks in a C++ network, as a class and built at run time: the FIFO returns its
// input in order, one word per edge of the reading clock.
#include <cstdlib>
#include <optional>

#include <doctest/doctest.h>

#include "AsyncFifo.hpp"
#include "base/test/scratch.hpp"
#include "verilator/test/class_parts.hpp"

using namespace sme;
using namespace sme::test;

namespace {

/// Writes numbers; each follows when the previous word is taken.
class Writer : public Process {
public:
    Writer(In<bool> ready, Out<std::uint8_t> word) : ready_{ready}, word_{word} {}
    void step() {
        next_ = static_cast<std::uint8_t>(next_ + (ready_.read() ? 1 : 0));
        word_.write(next_);
    }

private:
    In<bool> ready_;
    Out<std::uint8_t> word_;
    std::uint8_t next_ = 0;
};

/// A FIFO that is written and read all the time.
struct Flow {
    Flow(Network& network, const std::string& name)
        : word{network.bus<std::uint8_t>(name + ".word")}, ready{network.bus<bool>(name +
                                                                                   ".ready")},
          valid{network.bus<bool>(name + ".valid")}, shown{network.bus<std::uint8_t>(name +
                                                                                     ".shown")} {
        network.add<Writer>(name + ".writer", in(ready), out(word));
    }
    Bus<std::uint8_t> word;
    Bus<bool> ready, valid;
    Bus<std::uint8_t> shown;
};

void add_built(Network& network, const Flow& flow, const std::string& name,
               const VerilogSource::Clock& clock) {
    const char* const cache = std::getenv("XDG_CACHE_HOME");
    add_verilog(network, name,
                {.files = {SME_SOURCE_DIR "/hdl/verilator/test/async_fifo.v"},
                 .top = "async_fifo",
                 .clock = "s_clk",
                 .clocks = {clock},
                 .resets = {{"s_rst_n", false, 3}, {"m_rst"}}},
                {{"s_valid", constant(true)},
                 {"s_data", in(flow.word)},
                 {"s_ready", out(flow.ready)},
                 {"s_level", std::nullopt},
                 {"m_valid", out(flow.valid)},
                 {"m_data", out(flow.shown)},
                 {"m_ready", constant(true)}},
                {.folder = std::string{cache ? cache : "/tmp"} + "/sme/verilog"});
}

/// Checks the words taken at the edges of a clock, each after the one before; returns their number.
unsigned taken(Simulator& simulator, const Flow& flow, unsigned every, unsigned offset,
               std::uint8_t& next) {
    unsigned count = 0;
    for (unsigned k = 0; k < 80; ++k, simulator.step())
        if (simulator.cycle() % every == offset && simulator.peek(flow.valid)) {
            CHECK(simulator.peek(flow.shown) == next++);
            ++count;
        }
    return count;
}

} // namespace

TEST_CASE("modules with two clocks: each word once, at the edges of the clock that reads") {
    Network network{"flows"};
    const Flow half{network, "half"}, quarter{network, "quarter"}, result{network, "made"};
    network.add<AsyncFifo>("made", {.s_valid = constant(true),
                                    .s_data = in(result.word),
                                    .s_ready = out(result.ready),
                                    .m_valid = out(result.valid),
                                    .m_data = out(result.shown),
                                    .m_ready = constant(true)});
    add_built(network, half, "half", {"m_clk", 2, 1});
    add_built(network, quarter, "quarter", {"m_clk", 4});
    Simulator simulator{network}, other{network}, whole{network};
    for (unsigned k = 0; k < 20; ++k, whole.step()) {
        CHECK(whole.peek(result.valid) == whole.peek(half.valid));
        CHECK(whole.peek(result.shown) == whole.peek(half.shown));
        CHECK(whole.peek(result.ready) == whole.peek(half.ready));
    }
    std::uint8_t next = 0;
    taken(simulator, half, 2, 1, next);
    CHECK(taken(simulator, half, 2, 1, next) == 40);
    next = 0;
    taken(other, quarter, 4, 0, next);
    CHECK(taken(other, quarter, 4, 0, next) == 20);
}

TEST_CASE("a clock that rises in no cycle is thrown") {
    Network network{"n"};
    const Flow flow{network, "flow"};
    std::string message;
    try {
        add_built(network, flow, "fifo", {"m_clk", 2, 2});
    } catch (const NetworkError& error) {
        message = error.what();
    }
    CAPTURE(message);
    CHECK(contains(message, "class_clocks_test.cpp:"));
    CHECK(contains(message, "2 is not below 2; write 'every 2 offset 0'"));
}
