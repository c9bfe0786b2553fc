// SPDX-License-Identifier: Apache-2.0
//
// Tests network files in C++: values, checks and files agree with the language reference and with
// closed-form results.
#include <cstdlib>
#include <filesystem>
#include <string>

#include <doctest/doctest.h>

#include <sme/load.hpp>
#include <sme/trace.hpp>
#include <sme/validate.hpp>

#include "base/program.hpp"
#include "base/test/scratch.hpp"

using namespace sme;

namespace {

const std::string running_sum = SME_SOURCE_DIR "/models/running_sum/network.yaml";

/// A process in C++ that sums its input.
class Accumulator : public Process {
public:
    Accumulator(In<std::uint8_t> x, Out<std::uint32_t> sum) : x_{x}, sum_{sum} {}
    void step() {
        so_far_ += x_.read();
        sum_.write(so_far_);
    }

private:
    In<std::uint8_t> x_;
    Out<std::uint32_t> sum_;
    std::uint32_t so_far_ = 0;
};

std::string error_of(const std::string& path, const LoadOptions& options = {}) {
    try {
        load(path, options);
    } catch (const NetworkError& error) {
        return error.what();
    }
    return "none";
}

} // namespace

TEST_CASE("a network file runs in a simulator, with its checks") {
    const LoadedNetwork network = load(running_sum, {.write_outputs = false});
    CHECK(network.cycles() == 8);
    CHECK(network.clock_ps() == 10'000);
    Simulator simulator{network};
    CHECK(simulator.run(Cycles{*network.cycles()}) == 8);
    CHECK(simulator.peek<std::uint16_t>("total.value") == 21);
    CHECK(simulator.peek<int>("accumulator.so_far") == 21);
    CHECK(simulator.peek<bool>("total.valid"));
    simulator.finish();
    const std::vector<CheckResult> checks = network.checks(simulator);
    REQUIRE(checks.size() == 2);
    CHECK(checks[0].text == "at 8: total.value == 21");
    CHECK(checks[0].kind == CheckResult::Kind::passed);
    CHECK(checks[1].evaluated == 9);
    const std::vector<OutputResult> outputs = network.outputs(simulator);
    REQUIRE(outputs.size() == 1);
    CHECK(outputs[0].expected_rows == 9);
    CHECK(outputs[0].rows == 9);
    CHECK(outputs[0].difference.empty());
}

TEST_CASE("each simulator of a network has checks of its own") {
    const LoadedNetwork network = load(running_sum, {.write_outputs = false});
    Simulator first{network}, second{network};
    first.run(Cycles{8});
    first.finish();
    CHECK(network.checks(first)[0].kind == CheckResult::Kind::passed);
    CHECK(network.checks(second)[0].kind == CheckResult::Kind::not_reached);
    CHECK_FALSE(network.checks(second)[0].has_failed());
    CHECK(network.checks(second)[0].has_failed(true));
    CHECK_FALSE(network.checks(first)[0].has_failed(true));
    CHECK(network.outputs(second)[0].has_failed(true));
    const LoadedNetwork another = load(running_sum, {.write_outputs = false});
    CHECK_THROWS_AS(another.checks(first), NetworkError);
}

TEST_CASE("processes in C++ are added to a network file") {
    const test::Scratch scratch;
    scratch.write("n.yaml", "network: n\n"
                            "parameters: {step: 1}\n"
                            "buses: {x: u8, sum: u32}\n"
                            "processes:\n"
                            "  counter:\n"
                            "    out: x\n"
                            "    state: {k: u8 = 0}\n"
                            "    step: {k: k + step, x: k}\n"
                            "checks:\n"
                            "  - always: sum < 100\n");
    LoadedNetwork network = load(scratch.path("n.yaml"), {.parameters = {{"step", "3"}}});
    network.add<Accumulator>("accumulator", in(network.find<std::uint8_t>("x")),
                             out(network.find<std::uint32_t>("sum")));
    Simulator simulator{network};
    simulator.run(Cycles{6}); // 12 was added in the last cycle
    CHECK(simulator.peek(network.find<std::uint32_t>("sum")) == 0 + 3 + 6 + 9 + 12);
    while (!simulator.halted())
        simulator.run(Cycles{1});
    const CheckResult failed = network.checks(simulator).at(0);
    CHECK(failed.kind == CheckResult::Kind::failed);
    CHECK(failed.values.at(0).first == "sum");
    CHECK(failed.values.at(0).second == "108"); // 3 * (0 + 1 + … + 8)
    CHECK(failed.place.find("n.yaml:10:") != std::string::npos);
    CHECK_THROWS_WITH_AS(static_cast<void>(network.find<int>("sum")), "bus 'sum' is u32, not i32",
                         NetworkError);
    CHECK_THROWS_WITH_AS(simulator.peek<std::uint8_t>("sum"),
                         "'sum' is u32, which does not fit an unsigned integer of 8 bits",
                         NetworkError);
}

TEST_CASE("compiled processes give the same values as interpreted ones, beside C++") {
    const test::Scratch scratch;
    scratch.write("n.yaml", "network: n\n"
                            "buses: {x: u8, sum: u32}\n"
                            "processes:\n"
                            "  counter:\n"
                            "    out: x\n"
                            "    state: {k: u8 = 0}\n"
                            "    step: {k: 5 * k + 3, x: k}\n");
    LoadedNetwork network = load(scratch.path("n.yaml"));
    network.add<Accumulator>("accumulator", in(network.find<std::uint8_t>("x")),
                             out(network.find<std::uint32_t>("sum")));
    Simulator interpreted{network}, native{network};
    try {
        native.run(Cycles{7});
        compile(native);
    } catch (const CompileError& error) {
        MESSAGE("skipped: " << error.what());
        return;
    }
    interpreted.run(Cycles{10'000});
    native.run(Cycles{10'000 - 7});
    std::uint32_t sum = 0; // of all values but the last, which is still in a register
    std::uint8_t k = 0;
    for (unsigned cycle = 0; cycle < 9'999; ++cycle, k = static_cast<std::uint8_t>(5 * k + 3))
        sum += k;
    CHECK(interpreted.peek<std::uint32_t>("sum") == sum);
    CHECK(native.peek<std::uint32_t>("sum") == sum);
    CHECK(native.peek<int>("counter.k") == interpreted.peek<int>("counter.k"));
    CHECK_THROWS_AS(trace_vcd(native, scratch.path("late.vcd")), ObserverError);
}

TEST_CASE("outputs are written whole, and two runs at once are refused") {
    const test::Scratch scratch;
    scratch.write("n.yaml", "network: n\n"
                            "buses: {x: u8}\n"
                            "processes:\n"
                            "  counter: {out: x, state: {k: u8 = 0}, step: {k: k + 1, x: k}}\n"
                            "outputs: {" +
                                scratch.path("x.csv") + ": {record: x}}\n");
    scratch.write("x.csv.earlier", "tone,level\n1,2\n"); // left by a killed run
    const LoadedNetwork network = load(scratch.path("n.yaml"));
    {
        Simulator simulator{network};
        simulator.run(Cycles{3});
        CHECK_FALSE(std::filesystem::exists(scratch.path("x.csv")));
        Simulator other{network};
        other.run(Cycles{1});
        other.finish();
        CHECK(network.outputs(other).at(0).problem.find("x.csv") != std::string::npos);
        simulator.finish();
        CHECK(network.outputs(simulator).at(0).problem.empty());
    }
    CHECK(test::text_of(scratch.path("x.csv")) == "value\n0\n0\n1\n2\n");
}

TEST_CASE("what is wrong with a file is thrown as the command prints it") {
    const test::Scratch scratch;
    scratch.write("n.yaml", "network: n\nbuses: {x: u8}\nprocesses:\n"
                            "  p: {out: x, step: {x: 256}}\n");
    const std::string error = error_of(scratch.path("n.yaml"));
    CHECK(test::contains(error, "n.yaml:4:"));
    CHECK(error.find("[does-not-fit]") != std::string::npos);
    CHECK(error_of(scratch.path("none.yaml")).find("[file-unreadable]") != std::string::npos);
    CHECK(error_of(SME_SOURCE_DIR "/models/fir/network.yaml", {.parameters = {{"nonsense", "1"}}})
              .find("nonsense") != std::string::npos);
    scratch.write("lib.yaml", "constants: {a: 1}\n");
    CHECK(error_of(scratch.path("lib.yaml")).find("[missing-key]") != std::string::npos);
}

TEST_CASE("a network file with Verilog is built with the tools that are given") {
    const test::Scratch scratch;
    scratch.write("count.v", "module count(input clk, output reg [7:0] y = 0);\n"
                             "    always @(posedge clk) y <= y + 3;\n"
                             "endmodule\n");
    scratch.write("n.yaml", "network: n\nbuses: {x: u8}\nprocesses:\n"
                            "  c: {verilog: {files: [count.v], top: count}, out: {y: x}}\n");
    const std::string path = scratch.path("n.yaml");
    CHECK(error_of(path).find("n.yaml:4:") != std::string::npos);
    if (!find_program("verilator")) {
        MESSAGE("skipped: no Verilator");
        return;
    }
    const char* const cache = std::getenv("XDG_CACHE_HOME");
    const std::string folder = cache ? std::string{cache} + "/sme/verilog" : scratch.path("kept");
    const LoadedNetwork network = load(path, {.verilog = VerilogTools{.folder = folder}});
    Simulator simulator{network};
    simulator.run(Cycles{5});
    CHECK(simulator.peek<int>("x") == 15);
}

TEST_CASE("the judge finds nothing wrong with a network file") {
    const LoadedNetwork network = load(running_sum, {.write_outputs = false, .judged = true});
    const Validator judge;
    Simulator simulator{network, {.auditor = judge.auditor()}};
    CHECK(run(simulator, Cycles{8}) == RunEnd::completed);
    CHECK(judge.violations().empty());
    CHECK(judge.cycles() == 8);
    CHECK(simulator.peek<int>("total.value") == 21);
    const LoadedNetwork other = load(running_sum, {.write_outputs = false});
    CHECK_THROWS_WITH_AS((Simulator{other, {.auditor = judge.auditor()}}),
                         "an auditor judges 'counter' only when its network file is loaded with "
                         "LoadOptions::judged",
                         NetworkError);
}
