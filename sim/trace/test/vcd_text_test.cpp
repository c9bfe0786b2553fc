// SPDX-License-Identifier: Apache-2.0
// Tests the exact text of a VCD file.
#include <doctest/doctest.h>

#include "sme/sme.hpp"
#include "sme/trace.hpp"
#include "trace/tracer.hpp"
#include "trace_test.hpp"

using trace_test::Buses;
using trace_test::Scratch;
using trace_test::text_of;

namespace {

struct Sample {
    bool valid;
    std::uint16_t value;
};

/// Writes the cycle number; writes nothing from cycle 2.
class Counter : public sme::Process {
public:
    explicit Counter(sme::Out<Sample> raw) : raw_{raw} {}
    void step() {
        if (cycle() < 2)
            raw_.write({true, static_cast<std::uint16_t>(cycle() + 4)});
    }

private:
    sme::Out<Sample> raw_;
};

/// Returns the variables and comments of a network, one per line.
std::string header(Buses& buses, const sme::trace::TracerOptions& options = {}) {
    const Scratch folder;
    buses.lay_out();
    sme::trace::Tracer tracer{folder.path("run.vcd"), options};
    tracer.open(buses);
    tracer.close(0);
    REQUIRE(tracer.problem().empty());
    const std::string text = text_of(folder.path("run.vcd"));
    const std::size_t begin = text.find('\n', text.find("$timescale")) + 1;
    return text.substr(begin, text.find("$enddefinitions") - begin);
}

const sme::TypeRef u8 = sme::Type::unsigned_integer(8);

} // namespace

SME_STRUCT(Sample, valid, value)

TEST_CASE("a trace holds all values at time 0, then changes only, with a clock") {
    const Scratch folder;
    sme::Network network{"small"};
    const auto raw = network.bus<Sample>("raw");
    network.add<Counter>("counter", sme::out(raw));
    sme::Simulator simulator{network};
    sme::trace_vcd(simulator, folder.path("small.vcd"));
    simulator.run(sme::Cycles{3});
    simulator.finish();
    CHECK(text_of(folder.path("small.vcd")) == R"($version sme $end
$timescale 1 ns $end
$scope module small $end
$comment sme clock $end
$var wire 1 ! clock $end
$scope module raw $end
$var wire 1 " valid $end
$var wire 16 # value [15:0] $end
$upscope $end
$upscope $end
$enddefinitions $end
#0
$dumpvars
1!
0"
b0 #
$end
#5
0!
#10
1!
1"
b100 #
#15
0!
#20
1!
b101 #
#25
0!
#30
1!
0"
b0 #
)");
}

TEST_CASE("indices, dots and odd characters become names that viewers read") {
    Buses buses{"my net"};
    buses.add("token", sme::Type::signed_integer(32), {{0, 2, ""}});
    buses.add("alive", sme::Type::boolean(), {{-1, 2, ""}, {3, 2, ""}});
    buses.add("a:b", u8);
    buses.add("core.alu.carry", sme::Type::boolean());
    buses.add("bits", sme::Type::array(sme::Type::boolean(), 2));
    CHECK(header(buses) == R"($comment my net is my_net $end
$scope module my_net $end
$comment sme clock $end
$var wire 1 ! clock $end
$comment token[0] to token[1] are token_0 to token_1 $end
$comment sme signed $end
$var wire 32 " token_0 [31:0] $end
$comment sme signed $end
$var wire 32 # token_1 [31:0] $end
$comment alive[-1, 3] to alive[0, 4] are alive_m1_3 to alive_0_4 $end
$var wire 1 $ alive_m1_3 $end
$var wire 1 % alive_m1_4 $end
$var wire 1 & alive_0_3 $end
$var wire 1 ' alive_0_4 $end
$comment a:b is a_b $end
$var wire 8 ( a_b [7:0] $end
$comment bits[0] to bits[1] are bits_0 to bits_1 $end
$var wire 1 ) bits_0 $end
$var wire 1 * bits_1 $end
$scope module core $end
$scope module alu $end
$var wire 1 + carry $end
$upscope $end
$upscope $end
$upscope $end
)");
}

TEST_CASE("a scope with indices is written as they are, one with other brackets as any name") {
    Buses buses{"n"};
    buses.add("stage[2, -1].carry", sme::Type::boolean());
    buses.add("a[x].b", sme::Type::boolean());
    buses.add("a[].b", sme::Type::boolean());
    CHECK(header(buses) == R"($scope module n $end
$comment sme clock $end
$var wire 1 ! clock $end
$comment stage[2, -1] is stage_2_m1 $end
$scope module stage_2_m1 $end
$var wire 1 " carry $end
$upscope $end
$comment a[x] is a_x_ $end
$scope module a_x_ $end
$var wire 1 # b $end
$upscope $end
$comment a[] is a__ $end
$scope module a__ $end
$var wire 1 $ b $end
$upscope $end
$upscope $end
)");
}

TEST_CASE("structs are scopes, also inside each other; arrays in them are variables side by side") {
    Buses buses{"n"};
    const auto pair = sme::Type::structure("Pair", {{"x", u8}, {"y", u8}});
    buses.add("m",
              sme::Type::structure("M", {{"p", pair},
                                         {"data", sme::Type::array(u8, 2)},
                                         {"q", sme::Type::array(pair, 1)}}),
              {{0, 1, ""}});
    CHECK(header(buses) == R"($scope module n $end
$comment sme clock $end
$var wire 1 ! clock $end
$comment m[0] is m_0 $end
$comment .data[0] to .data[1] are .data_0 to .data_1 $end
$comment .q[0] is .q_0 $end
$scope module m_0 $end
$scope module p $end
$var wire 8 " x [7:0] $end
$var wire 8 # y [7:0] $end
$upscope $end
$var wire 8 $ data_0 [7:0] $end
$var wire 8 % data_1 [7:0] $end
$scope module q_0 $end
$var wire 8 & x [7:0] $end
$var wire 8 ' y [7:0] $end
$upscope $end
$upscope $end
$upscope $end
)");
}

TEST_CASE("a bus named clock keeps its name, and so does what looks like an element") {
    Buses buses{"n"};
    buses.add("clock", u8);
    buses.add("token_1", u8);
    buses.add("token", u8, {{0, 2, ""}});
    CHECK(header(buses) == R"($scope module n $end
$comment sme clock $end
$var wire 1 ! clock_v2 $end
$var wire 8 " clock [7:0] $end
$var wire 8 # token_1 [7:0] $end
$comment token[0] to token[1] are token_v2_0 to token_v2_1 $end
$var wire 8 $ token_v2_0 [7:0] $end
$var wire 8 % token_v2_1 [7:0] $end
$upscope $end
)");
}

TEST_CASE("private state is traced only on request, in the scope of its process") {
    Buses buses{"n"};
    buses.add("core.pc", u8).state = true;
    buses.add("y", u8);
    CHECK(header(buses) == R"($scope module n $end
$comment sme clock $end
$var wire 1 ! clock $end
$var wire 8 " y [7:0] $end
$upscope $end
)");
    Buses again{"n"};
    again.add("core.pc", u8).state = true;
    sme::trace::TracerOptions options;
    options.state = true;
    CHECK(header(again, options) == R"($scope module n $end
$comment sme clock $end
$var wire 1 ! clock $end
$scope module core $end
$var wire 8 " pc [7:0] $end
$upscope $end
$upscope $end
)");
}

TEST_CASE("a selection takes fields, elements and families, and opens no empty scope") {
    Buses buses{"n"};
    const auto sample = sme::Type::structure("S", {{"valid", sme::Type::boolean()}, {"value", u8}});
    buses.add("total", sample);
    buses.add("other", sample);
    buses.add("token", u8, {{0, 5, ""}});
    buses.add("alive", u8, {{0, 2, ""}, {0, 2, ""}});
    sme::trace::TracerOptions options;
    options.select = "total.value, token[3], alive[1,*]";
    CHECK(header(buses, options) == R"($scope module n $end
$comment sme clock $end
$var wire 1 ! clock $end
$scope module total $end
$var wire 8 " value [7:0] $end
$upscope $end
$comment token[0] to token[4] are token_0 to token_4 $end
$var wire 8 # token_3 [7:0] $end
$comment alive[0, 0] to alive[1, 1] are alive_0_0 to alive_1_1 $end
$var wire 8 $ alive_1_0 [7:0] $end
$var wire 8 % alive_1_1 [7:0] $end
$upscope $end
)");
}

TEST_CASE("an odd period is written in tenths, so that its half is a whole number") {
    const Scratch folder;
    Buses buses{"n"};
    buses.add("y", u8);
    buses.lay_out();
    sme::trace::TracerOptions options;
    options.period = {5, sme::trace::TimeUnit::microseconds};
    sme::trace::Tracer tracer{folder.path("odd.vcd"), options};
    tracer.open(buses);
    tracer.step(0, {0, 1}, buses.frame(0));
    tracer.step(0, {0, 1}, buses.frame(1));
    tracer.close(1);
    const std::string text = text_of(folder.path("odd.vcd"));
    CHECK(text.starts_with("$version sme $end\n$timescale 100 ns $end\n"));
    CHECK(text.ends_with("$enddefinitions $end\n#0\n$dumpvars\n1!\nb0 \"\n$end\n"
                         "#25\n0!\n#50\n1!\n"));
}

TEST_CASE("what has no value is x: wires before they settle, error buses nobody wrote") {
    const Scratch folder;
    Buses buses{"n"};
    buses.add("wire", u8).delay = 0;
    buses.add("bit", sme::Type::boolean()).unwritten = sme::Unwritten::error;
    buses.lay_out();
    sme::trace::Tracer tracer{folder.path("x.vcd"), {}};
    tracer.open(buses);
    tracer.step(0, {0, 1}, buses.frame(0, false));
    buses.set<std::uint8_t>(0, 0, 0, 6);
    buses.set<std::uint8_t>(1, 0, 1, 1); // a written zero
    tracer.step(0, {0, 1}, buses.frame(1));
    buses.set<std::uint8_t>(1, 0, 1, 0);
    buses.set<std::uint8_t>(0, 0, 0, 7);
    tracer.step(0, {0, 1}, buses.frame(2, false)); // after the last cycle: wires keep their values
    CHECK(tracer.changes() == 3);
    tracer.close(2);
    const std::string text = text_of(folder.path("x.vcd"));
    CHECK(text.substr(text.find("#0\n")) == "#0\n$dumpvars\n1!\nbx \"\nx#\n$end\n#5\n0!\n"
                                            "#10\n1!\nb110 \"\n0#\n#15\n0!\n#20\n1!\nx#\n");
}

TEST_CASE("after a fault the file ends where the next cycle would begin, without an edge") {
    const Scratch folder;
    Buses buses{"n"};
    buses.add("y", u8);
    buses.lay_out();
    sme::trace::Tracer tracer{folder.path("fault.vcd"), {}};
    tracer.open(buses);
    tracer.step(0, {0, 1}, buses.frame(0));
    tracer.close(1);
    const std::string text = text_of(folder.path("fault.vcd"));
    CHECK(text.ends_with("#0\n$dumpvars\n1!\nb0 \"\n$end\n#5\n0!\n#10\n"));
}
