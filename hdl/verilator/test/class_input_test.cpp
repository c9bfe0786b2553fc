// SPDX-License-Identifier: Apache-2.0
//
// Adding a faulty module to a C++ network throws an error that names both ends.
#include <cstdio>

#include <doctest/doctest.h>

#include "Shapes.hpp"
#include "base/program.hpp"
#include "base/test/scratch.hpp"
#include "network/graph.hpp"
#include "sme/compare.hpp"
#include "verilator/test/class_parts.hpp"

using namespace sme;
using namespace sme::test;

namespace {

/// Returns the error that a function throws; empty if none.
template <class Act> std::string thrown(const Act& act) {
    try {
        act();
    } catch (const NetworkError& error) {
        return error.what();
    }
    return {};
}

const std::string class_program = SME_BINARY_DIR "/hdl/verilator/class/sme_verilog_class";

ProgramEnd make_class(const std::vector<std::string>& arguments) {
    return run_program(class_program, arguments, ProgramStreams::all_taken);
}

} // namespace

TEST_CASE("a port that is not there, not bound or of another width is named with its bus") {
    Network network{"n"};
    const PortBuses buses{network};
    Shapes::Ports ports = buses.ports<Shapes>();
    ports.wide = {};
    const std::string unbound = thrown([&] { network.add<Shapes>("p", ports); });
    CAPTURE(unbound);
    CHECK(contains(unbound, "class_input_test.cpp:"));
    CHECK(contains(unbound, "input 'wide' of module 'ports' is bound to nothing"));
    CHECK(contains(unbound, "ports.v:16:31: note: port 'wide' is declared here"));

    ports = buses.ports<Shapes>();
    ports.sample = in(network.input<std::array<Sample, 2>>("two")); // C++ does not check this width
    const std::string misfit = thrown([&] { network.add<Shapes>("p", ports); });
    CAPTURE(misfit);
    CHECK(contains(misfit, "port 'sample' of module 'ports' has 17 bits, but what it is bound to "
                           "is Sample[2], which has 34"));
    CHECK(network.graph().processes.empty());
    // a width that C++ checks does not compile
    CHECK_FALSE(std::is_constructible_v<VerilogInput<12>, internal::InArgument<std::uint8_t>>);
    CHECK_FALSE(std::is_constructible_v<VerilogInput<8>, internal::OutArgument<std::uint8_t>>);
    CHECK(std::is_constructible_v<VerilogInput<24>,
                                  internal::InArgument<std::array<std::uint8_t, 3>>>);
}

TEST_CASE("a constant that does not fit its port is named, however the module is built") {
    Network network{"n"};
    const PortBuses buses{network};
    Shapes::Ports ports = buses.ports<Shapes>();
    ports.level = constant(5);
    const std::string wide = thrown([&] { network.add<Shapes>("p", ports); });
    CAPTURE(wide);
    CHECK(contains(wide, "class_input_test.cpp:"));
    CHECK(contains(wide, "port 'level' of module 'ports' has 12 bits, but what it is bound to is "
                         "i32, which has 32"));
    CHECK(contains(wide, "ports.v:13:31: note: port 'level' is declared here"));
    CHECK_FALSE(
        std::is_constructible_v<VerilogOutput<8>, internal::ConstantArgument<std::uint8_t>>);

    const Scratch scratch;
    scratch.write("copy.v", "module copy(input clk, input [7:0] x, output reg [7:0] y);\n"
                            "  always @(posedge clk) y <= x;\nendmodule\n");
    const auto y = network.bus<std::uint8_t>("y");
    CHECK(contains(thrown([&] {
                       add_verilog(network, "q", {.files = {scratch.path("copy.v")}, .top = "copy"},
                                   {{"x", constant(std::uint16_t{1})}, {"y", out(y)}},
                                   {.folder = scratch.path("kept")});
                   }),
                   "port 'x' of module 'copy' has 8 bits, but what it is bound to is u16, which "
                   "has 16"));
}

TEST_CASE("an output that follows an input is to be bound to a wire") {
    Network network{"n"};
    PortBuses buses{network};
    buses.flipped = network.bus<Unsigned<100>>("no_wire");
    const std::string message = thrown([&] { network.add<Shapes>("p", buses.ports<Shapes>()); });
    CAPTURE(message);
    CHECK(contains(message, "output 'flipped' of module 'ports' follows input"));
}

TEST_CASE("buses of other networks, and initial values that the module does not show") {
    Network network{"n"}, other{"other"};
    const PortBuses buses{network}, more{network, "x"};
    Network small{"small"};
    CHECK(contains(thrown([&] { small.add<Shapes>("p", buses.ports<Shapes>()); }),
                   "port 'level' of 'p' is bound to a bus of another network"));
    PortBuses given{other};
    given.count = other.bus<std::uint8_t>("given", {.initial = 7});
    CHECK(contains(thrown([&] { other.add<Shapes>("p", given.ports<Shapes>()); }),
                   "bus 'given' has an initial value, but output 'count' shows another one"));
    CHECK(contains(thrown([&] {
                       compare(small, "c", {{buses.count, more.count}});
                   }),
                   "'c' compares a bus of another network"));
}

TEST_CASE("a module that cannot be built when the program runs says why") {
    const Scratch scratch;
    scratch.write("broken.v", "module broken(input clk, output reg y);\n  always @(posedge clk) y "
                              "<= ;\nendmodule\n");
    Network network{"n"};
    const auto y = network.bus<bool>("y");
    VerilogTools tools{.folder = scratch.path("kept")};
    const auto add = [&](const VerilogSource& source) {
        return thrown([&] { add_verilog(network, "p", source, {{"y", out(y)}}, tools); });
    };
    const std::string broken = add({.files = {scratch.path("broken.v")}, .top = "broken"});
    CAPTURE(broken);
    CHECK(contains(broken, "broken.v:2:30: error: "));
    CHECK(contains(broken, "syntax error"));
    CHECK(add({.files = {scratch.path("none.v")}, .top = "broken"}) != "");
    tools.verilator = "/nowhere/verilator";
    CHECK(add({.files = {scratch.path("broken.v")}, .top = "broken"}) != "");
    tools.may_build = false;
    CHECK(contains(add({.files = {scratch.path("broken.v")}, .top = "broken"}),
                   "module 'broken' is not built yet"));
}

TEST_CASE("the maker of classes refuses what it does not know, and passes on what Verilator says") {
    const Scratch scratch;
    scratch.write("broken.v", "module broken(input clk;\nendmodule\n");
    scratch.write("real.v", "module m(input clk, input real x);\nendmodule\n");
    const auto make = [&](const std::string& file) {
        return make_class({"Made", scratch.path("made"), "--verilator",
                           find_program("verilator").value_or(""), "--file", scratch.path(file),
                           "--top", "m"});
    };
    const ProgramEnd broken = make("broken.v");
    CHECK(broken.exit_code == 3);
    CHECK(contains(broken.output, "broken.v:1:"));
    const ProgramEnd real = make("real.v");
    CAPTURE(real.output);
    CHECK(real.exit_code == 3);
    CHECK(contains(real.output, "real.v:1:32: error: "));
    CHECK(scratch.files().size() == 3);
    CHECK(std::filesystem::is_empty(scratch.path("made")));
    CHECK(make_class({"Made"}).exit_code == 2);
    CHECK(contains(make_class({"class", scratch.path("made")}).output,
                   "'class' cannot name a class"));
    CHECK(make_class({"Ports", scratch.path("made")}).exit_code == 2);
    CHECK(contains(make_class({"Made", scratch.path("made"), "--colour", "red"}).output,
                   "unknown option '--colour'"));
    CHECK(contains(make_class({"Made", scratch.path("made"), "--parameter", "depth"}).output,
                   "'depth' is no parameter; write NAME=VALUE"));
    CHECK(contains(make_class({"Made", scratch.path("made"), "--reset-cycles", "-1"}).output,
                   "RESET_CYCLES is '-1', but must be a number"));
}
