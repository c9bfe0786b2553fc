// SPDX-License-Identifier: Apache-2.0
//
// Modules that sme_add_verilog made classes of, and the same ones built when the program runs.
#include <cstdlib>

#include <doctest/doctest.h>

#include "Aes.hpp"
#include "Shapes.hpp"
#include "ShapesTraced.hpp"
#include "base/test/scratch.hpp"
#include "network/graph.hpp"
#include "sme/lockstep.hpp"
#include "sme/trace.hpp"
#include "verilator/test/class_parts.hpp"

using namespace sme;
using namespace sme::test;

namespace {

/// Of a block in the order of FIPS 197: byte 0 is the rightmost of a port.
Unsigned<128> block(const std::string& text) {
    std::string turned;
    for (std::size_t k = text.size(); k > 0; k -= 2)
        turned += text.substr(k - 2, 2);
    return Unsigned<128>::from_hex(turned);
}

VerilogTools tools() {
    const char* const cache = std::getenv("XDG_CACHE_HOME");
    return {.folder = std::string{cache ? cache : "/tmp"} + "/sme/verilog"};
}

VerilogSource ports_source() {
    const std::string folder = SME_SOURCE_DIR "/hdl/verilator/test";
    return {.files = {folder + "/ports.v"},
            .top = "ports",
            .parameters = {{"step", "3"}},
            .include = {folder},
            .define = {"twice=2"},
            .reset = "reset_n",
            .reset_high = false,
            .reset_cycles = 3};
}

} // namespace

TEST_CASE("a module that is savable goes on from a checkpoint") {
    Network network{"aes"};
    const auto request = network.input<Unsigned<387>>("request");
    const auto result = network.bus<Unsigned<129>>("result");
    network.add<Aes>("aes", {.request = in(request), .result = out(result)});
    // a stream in counter mode: the counter, and the key schedule, are inside
    const auto send = [&](Simulator& simulator, unsigned cycle) {
        const bool valid = cycle % 11 == 0;
        const auto head = cat(cat(Unsigned<1>{valid}, Unsigned<1>{1}), Unsigned<1>{cycle == 0});
        simulator.poke(request, cat(cat(cat(head, block("2b7e151628aed2a6abf7158809cf4f3c")),
                                        block("f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff")),
                                    Unsigned<128>{cycle}));
        simulator.step();
    };
    const Scratch folder;
    Simulator whole{network}, loaded{network}, fresh{network};
    for (unsigned k = 0; k < 30; ++k)
        send(whole, k);
    whole.save(folder.path("c"));
    loaded.load(folder.path("c"));
    unsigned others = 0;
    for (unsigned k = 30; k < 60; ++k) {
        for (Simulator* each : {&whole, &loaded, &fresh})
            send(*each, k);
        CHECK(loaded.peek(result) == whole.peek(result));
        others += fresh.peek(result) != whole.peek(result);
    }
    CHECK(others > 0);
}

TEST_CASE("a class of AES-128 encrypts as FIPS 197 says, through ports of hundreds of bits") {
    Network network{"aes"};
    const auto request = network.input<Unsigned<387>>("request");
    const auto result = network.bus<Unsigned<129>>("result");
    network.add<Aes>("aes", {.request = in(request), .result = out(result)});
    Simulator simulator{network, {.threads = 1}};
    // appendix B: valid, mode ecb, first; key; counter; text
    const auto head = cat(cat(Unsigned<1>{1}, Unsigned<1>{0}), Unsigned<1>{1});
    simulator.poke(request,
                   cat(cat(cat(head, block("2b7e151628aed2a6abf7158809cf4f3c")), Unsigned<128>{}),
                       block("3243f6a8885a308d313198a2e0370734")));
    simulator.run(Cycles{1});
    simulator.poke(request, {});
    simulator.run_until([&] { return simulator.peek(result).bit(128); }, Cycles{40});
    CHECK(simulator.peek(result).slice<127, 0>() == block("3925841d02dc09fbdc118597196a0b32"));
}

TEST_CASE("ports of every shape: parameters, defines and includes; reset, signs, arrays, structs") {
    Network network{"ports"};
    const PortBuses buses{network};
    network.add<Shapes>("p", buses.ports<Shapes>(), {.clock_ns = 5});
    std::vector<std::string> printed;
    Simulator simulator{network, {.threads = 1, .print = [&](const std::string& line) {
                                      printed.push_back(line);
                                  }}};
    CHECK(simulator.peek(buses.count) == 100); // after the reset
    CHECK(simulator.peek(buses.total) == 0);
    const auto wide = Unsigned<100>::from_hex("0123456789abcdef012345678");
    simulator.poke(buses.level, Signed<12>{-5});
    simulator.poke(buses.bytes, {1, 2, 3, 4});
    simulator.poke(buses.sample, {true, 0xbeef});
    simulator.poke(buses.wide, wide);
    simulator.poke(buses.flip, true);
    simulator.run(Cycles{1});
    CHECK(simulator.peek(buses.flipped) == ~wide); // a wire: in the cycle that ran
    CHECK(simulator.peek(buses.total) == -5);
    CHECK(simulator.peek(buses.swapped) == std::array<std::uint8_t, 4>{4, 3, 2, 1});
    CHECK(simulator.peek(buses.kept).value == 0xbeef);
    CHECK(simulator.peek(buses.count) == 106); // a step of 3, twice
    CHECK(simulator.peek(buses.now) == 5);     // ns: the edge of cycle 0
    simulator.run(Cycles{3});
    CHECK(simulator.peek(buses.now) == 20);
    CHECK(simulator.peek(buses.kept).valid);
    CHECK(printed == std::vector<std::string>{"p: count is 112"});
    simulator.poke(buses.level, Signed<12>{-2048});
    CHECK(simulator.run(Cycles{10}) == 1); // $finish
    CHECK(simulator.halted());
    simulator.finish();
    CHECK(printed.back() == "p: stopped at 130"); // 100 and five steps of 6
}

TEST_CASE("inputs read constants in every cycle, in a class and built when the program runs") {
    Network network{"ports"};
    const PortBuses built{network}, run{network, "_run"};
    Shapes::Ports ports = built.ports<Shapes>();
    ports.level = constant(Signed<12>{-3});
    ports.bytes = constant(std::array<std::uint8_t, 4>{1, 2, 3, 4});
    ports.sample = constant(Sample{true, 0xbeef});
    ports.template_ = constant(true);
    network.add<Shapes>("built", ports);
    VerilogConnections connections = run.connections();
    connections[0] = {"level", constant(Signed<12>{-3})};
    connections[1] = {"bytes", constant(std::array<std::uint8_t, 4>{4, 3, 2, 1})};
    connections[2] = {"sample", constant(Sample{false, 7})};
    connections[4] = {"template", constant(false)};
    add_verilog(network, "run", ports_source(), connections, tools());
    Simulator simulator{network, {.threads = 1}};
    const auto wide = Unsigned<100>::from_hex("0123456789abcdef012345678");
    simulator.poke(built.wide, wide);
    simulator.poke(run.wide, wide);
    simulator.run(Cycles{4});
    CHECK(simulator.peek(built.total) == -12); // four times -3
    CHECK(simulator.peek(run.total) == -12);
    CHECK(simulator.peek(built.swapped) == std::array<std::uint8_t, 4>{4, 3, 2, 1});
    CHECK(simulator.peek(run.swapped) == std::array<std::uint8_t, 4>{1, 2, 3, 4});
    CHECK(simulator.peek(built.kept).value == 0xbeef);
    CHECK(simulator.peek(run.kept).value == 0); // without a flag
    simulator.run(Cycles{1});
    CHECK(simulator.peek(built.flipped) == ~Unsigned<100>{0}); // poked once: zero since
    CHECK(simulator.peek(run.flipped) == Unsigned<100>{0});
}

TEST_CASE("$fatal is a fault that names the process and where it was added") {
    Network network{"ports"};
    const PortBuses buses{network};
    network.add<Shapes>(indexed("p", 7), buses.ports<Shapes>());
    Simulator simulator{network, {.threads = 1}};
    simulator.poke(buses.level, Signed<12>{2047});
    CHECK_THROWS_WITH_AS(simulator.run(Cycles{3}), doctest::Contains("level 2047 is too high"),
                         ModelFault);
}

TEST_CASE("a class and the same module built when the program runs agree in lockstep") {
    Network network{"both"};
    const PortBuses built{network};
    PortBuses run{network, "_run"};
    network.add<Shapes>("built", built.ports<Shapes>());
    run.level = built.level;
    run.bytes = built.bytes;
    run.sample = built.sample;
    run.wide = built.wide;
    run.flip = built.flip;
    add_verilog(network, "run", ports_source(), run.connections(), tools());
    const auto agreement = compare(network, "ports",
                                   {{built.total, run.total},
                                    {built.swapped, run.swapped},
                                    {built.kept, run.kept},
                                    {built.flipped, run.flipped},
                                    {built.count, run.count},
                                    {built.noise, run.noise},
                                    {built.now, run.now}});
    Simulator simulator{network, {.threads = 2}};
    for (std::uint64_t k = 0; k < 200; ++k) {
        simulator.poke(built.level, Signed<12>{k * 37 % 1999});
        simulator.poke(built.bytes, {std::uint8_t(k), std::uint8_t(k + 1), std::uint8_t(3 * k), 9});
        simulator.poke(built.sample, {k % 3 == 0, std::uint16_t(k * 991)});
        simulator.poke(built.wide, Unsigned<100>{k * 0x123456789abcdU} << 30);
        simulator.poke(built.flip, k % 2 == 0);
        simulator.step();
    }
    CHECK(simulator.cycle() == 200);
    CHECK(agreement->text() == "");
    CHECK(agreement->cycles == 200);
    CHECK(agreement->moved == std::vector<bool>(7, true));
}

TEST_CASE("many instances of a class are one family, and the same with any number of threads") {
    constexpr unsigned count = 50;
    const auto values = [](unsigned threads) {
        Network network{"many"};
        std::vector<PortBuses> all;
        for (unsigned k = 0; k < count; ++k) {
            all.emplace_back(network, std::to_string(k));
            network.add<Shapes>(indexed("p", k), all.back().ports<Shapes>(), {.seed = 9});
        }
        CHECK(network.graph().processes.size() == 1);
        Simulator simulator{network, {.threads = threads}};
        std::vector<std::uint64_t> found;
        for (unsigned cycle = 0; cycle < 20; ++cycle) {
            for (unsigned k = 0; k < count; ++k)
                simulator.poke(all[k].level, Signed<12>{k * cycle % 1000});
            simulator.step();
            for (const PortBuses& buses : all) {
                found.push_back(static_cast<std::uint64_t>(simulator.peek(buses.total)));
                found.push_back(simulator.peek(buses.noise));
            }
        }
        return found;
    };
    const std::vector<std::uint64_t> one = values(1);
    CHECK(one[1] != one[3]); // each has noise of its own
    CHECK(values(2) == one);
    CHECK(values(3) == one);
}

TEST_CASE("signals inside are traced under the process") {
    Network network{"inside"};
    const PortBuses buses{network};
    network.add<ShapesTraced>("p", buses.ports<ShapesTraced>());
    const Scratch scratch;
    {
        Simulator simulator{network, {.threads = 1}};
        trace_vcd(simulator, scratch.path("t.vcd"));
        simulator.run(Cycles{5});
        CHECK(simulator.peek(buses.count) == 105); // parameters as the module has them
        simulator.finish();
    }
    const std::string trace = text_of(scratch.path("t.vcd"));
    CHECK(trace.find("$scope module p $end") != std::string::npos);
    CHECK(trace.find(" steps [7:0] $end") != std::string::npos);
    CHECK(trace.find("b100 ") != std::string::npos);
}

TEST_CASE("what differs is shown with the inputs before it") {
    Network network{"differ"};
    const PortBuses buses{network};
    const auto expected = network.bus<std::uint8_t>("expected", {.initial = 100});
    network.add<Shapes>("p", buses.ports<Shapes>());
    network.add<List<std::uint8_t>>("model", std::vector<std::uint8_t>{106, 112, 119},
                                    out(expected));
    const auto agreement =
        compare(network, "p", {{expected, buses.count}}, {buses.level, buses.sample});
    Simulator simulator{network, {.threads = 1}};
    simulator.poke(buses.level, Signed<12>{-3});
    simulator.run(Cycles{10});
    CHECK(simulator.halted());
    REQUIRE(agreement->difference);
    CHECK(agreement->difference->cycle == 3);
    CHECK(agreement->cycles == 3);
    CHECK(agreement->text().rfind(
              "in cycle 3, 'expected' is 119, but 118 by the other implementation\n"
              "inputs in cycle 0: level = -3, sample = {valid: 0, value: 0}\n",
              0) == 0);
}
