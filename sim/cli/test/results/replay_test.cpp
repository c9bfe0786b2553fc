// SPDX-License-Identifier: Apache-2.0
//
// Tests inputs from waveforms: a run replayed from its own trace is the same run, and the trace of
// another simulator is sampled at its clock.
#include <doctest/doctest.h>

#include <string>

#include "../command.hpp"

using sme::test::Command;
using sme::test::contains;
using sme::test::replaced;
using sme::test::Scratch;
using sme::test::text_of;

namespace {

Command in(const Scratch& scratch, const std::string& line) {
    return Command{"cd " + scratch.path() + " && sme() { " SME_COMMAND " \"$@\"; }; " + line,
                   Command::any_program};
}

/// Every kind of value, different in each cycle; the buses of its second half are optionally fed.
const std::string types = R"(network: values
types:
  Phase: [idle, run, done = 6]
  Part:
    phase: Phase
    data: i5[3]
  Whole:
    valid: bool
    part: Part[2]
    wide: u100
buses:
  flag: bool
  small: i5
  wide: u100
  phase: Phase
  whole: Whole
  many[k < 3]: u16
  grid[x < 2, y < 2]: Part
)";
const std::string makers = R"(processes:
  maker:
    out: [flag, small, wide, phase, whole]
    state:
      n: u16 = 1
    let:
      next: n * 25173 + 13849
      named: if n[3] then run elif n[7] then done else idle
    step:
      n: next
      flag: n[0]
      small: i5(n[9:5])
      wide: cat(n, next, n, next, n, n, n[3:0])
      phase: named
      whole.valid: n[4]
      whole.part[0].phase: named
      whole.part[0].data[0]: i5(n[4:0])
      whole.part[0].data[1]: i5(n[14:10])
      whole.part[1].data[2]: i5(n[6:2])
      whole.wide: cat(next, n, n, next, n, n, n[3:0])
  one[k < 3]:
    out:
      y: many[k]
    state:
      n: u16 = k * 100
    step:
      n: n + 3
      y: n
  cell[x < 2, y < 2]:
    out:
      me: grid[x, y]
    state:
      n: u16 = 5 + 3 * x + y
    step:
      n: n * 25173 + 13849
      me.data[1]: i5(n[12:8])
)";

} // namespace

TEST_CASE("a model that is replayed from its own trace is the same run, byte for byte") {
    struct Model {
        const char* name;
        const char* bus;
        const char* rest; // of the entry
    };
    for (const Model& model :
         {Model{"fir", "x", "samples.csv"}, Model{"aes", "request", "requests.csv"},
          Model{"sha256", "message", "blocks.csv"}, Model{"traffic", "car", "car.csv"},
          Model{"uart", "typed", "{file: text, at_end: zero}"}}) {
        CAPTURE(model.name);
        const Scratch scratch;
        scratch.copy(std::string{SME_SOURCE_DIR "/models/"} + model.name);
        const std::string network = text_of(scratch.path("network.yaml"));
        const std::string input = std::string{"  "} + model.bus + ": ";
        scratch.write("again.yaml", replaced(network, input + model.rest,
                                             contains(model.rest, "zero")
                                                 ? input + "{file: first.vcd, at_end: zero}"
                                                 : input + "first.vcd"));
        const Command first = in(scratch, "sme run network.yaml --trace first.vcd");
        REQUIRE_MESSAGE(first.exit_code == 0, first.err);
        const Command second = in(scratch, "sme run again.yaml --trace second.vcd");
        CHECK_MESSAGE(second.exit_code == 0, second.err);
        const Command diff = in(scratch, "sme diff first.vcd second.vcd --strict");
        CHECK_MESSAGE(diff.exit_code == 0, (diff.out + diff.err));
        CHECK(text_of(scratch.path("first.vcd")) == text_of(scratch.path("second.vcd")));
    }
}

TEST_CASE("values of every kind come back: enumerations, structs, arrays, families, wide ones") {
    const Scratch scratch;
    scratch.write("first.yaml", types + makers + "run: {cycles: 300}\n");
    scratch.write("second.yaml", types + R"(processes:
  reader:
    in: [flag, small, wide, phase, whole, many, grid]
    step: {}
inputs:
  flag: first.vcd
  small: first.vcd
  wide: {file: first.vcd, clock: values.clock}
  phase: {file: first.vcd, signal: values.phase}
  whole: {file: first.vcd, edge: rising, sample: before}
  many: first.vcd
  grid: first.vcd
)");
    const Command first = in(scratch, "sme run first.yaml --trace first.vcd");
    REQUIRE_MESSAGE(first.exit_code == 0, first.err);
    const Command second = in(scratch, "sme run second.yaml --trace second.vcd");
    CHECK_MESSAGE(second.exit_code == 0, second.err);
    CHECK(contains(second.out, "300 cycles"));
    const Command diff = in(scratch, "sme diff first.vcd second.vcd --strict");
    CHECK_MESSAGE(diff.exit_code == 0, (diff.out + diff.err));
    CHECK(contains(diff.out, "identical: 34 signals compared from 0 ns to 3000 ns"));
    // the same from an FST file
    const Command packed = in(
        scratch, "sme run first.yaml --trace first.fst && sed s/first.vcd/first.fst/ second.yaml "
                 "> packed.yaml && sme run packed.yaml --trace packed.vcd && "
                 "cmp second.vcd packed.vcd");
    CHECK_MESSAGE(packed.exit_code == 0, (packed.out + packed.err));
    // the printed network is the same network
    const Command printed = in(scratch, "sme check second.yaml --print > printed.yaml && "
                                        "sme run printed.yaml --trace third.vcd && "
                                        "cmp second.vcd third.vcd");
    CHECK_MESSAGE(printed.exit_code == 0, (printed.out + printed.err));
}

TEST_CASE("a run that ended with a fault is replayed up to it by what comes after each edge") {
    const Scratch scratch;
    const std::string head = "network: fault\nbuses:\n  x: u8\n  y: u8\nprocesses:\n";
    const std::string divider = "  divider:\n    in: x\n    out: y\n    step:\n      y: 100 / x\n";
    scratch.write("first.yaml", head +
                                    "  count:\n    out: x\n    state:\n      n: u8 = 9\n    step:\n"
                                    "      n: n - 1\n      x: n\n" +
                                    replaced(divider, "100 / x",
                                             "100 / (x + 1) when x > 100\n"
                                             "      assert: x != 3") +
                                    "run: {cycles: 100}\n");
    scratch.write("second.yaml", head +
                                     replaced(divider, "100 / x",
                                              "100 / (x + 1) when x > 100\n"
                                              "      assert: x != 3") +
                                     "inputs:\n  x: {file: first.vcd, sample: after}\n");
    const Command first = in(scratch, "sme run first.yaml --trace first.vcd");
    const Command second = in(scratch, "sme run second.yaml --trace second.vcd");
    CHECK(first.exit_code == 1);
    CHECK(second.exit_code == 1);
    CHECK(contains(first.err, "cycle 7"));
    CHECK(contains(second.err, "cycle 7"));
    CHECK(text_of(scratch.path("first.vcd")) == text_of(scratch.path("second.vcd")));
}

TEST_CASE("a waveform of Icarus is sampled at its clock") {
    if (Command{"command -v iverilog", Command::any_program}.exit_code != 0) {
        MESSAGE("skipped: there is no iverilog");
        return;
    }
    const Scratch scratch;
    scratch.write("bench.v", R"(`timescale 1ns/1ps
module bench;
    reg clk = 0, valid = 0, ready = 1;
    reg [7:0] count = 0, data;
    reg [12:0] pair = {5'd3, 8'd0};
    always #5 clk = ~clk;
    always @(posedge clk) begin
        count <= count + 3;
        pair <= {pair[12:8] + 5'd1, pair[7:0] - 8'd2};
        valid <= count[0];
        ready <= count[1];
        data <= count;
    end
    initial begin $dumpfile("icarus.vcd"); $dumpvars(0, bench); #52 $finish; end
endmodule
)");
    REQUIRE(in(scratch, "iverilog -o bench bench.v && vvp bench").exit_code == 0);
    // rising edges at 5, 15, ... 45: the values that a register of the bench samples, derived by
    // hand
    scratch.write("seen.csv", "count,a,b\n0,3,0\n3,4,254\n6,5,252\n9,6,250\n12,7,248\n");
    scratch.write("network.yaml", R"(network: seen
types:
  Pair: {a: i5, b: u8}
  Row: {count: u8, a: i5, b: u8}
buses:
  count: u8
  pair: Pair
processes:
  reader:
    in: [count, pair]
    step: {}
inputs:
  count: {file: icarus.vcd, signal: bench.count, clock: bench.clk}
  pair: {file: icarus.vcd, signal: bench.pair, clock: bench.clk}
outputs:
  out.csv:
    record: Row(count = count, a = pair.a, b = pair.b)
    expect: seen.csv
run: {cycles: 4}
)");
    const Command run = in(scratch, "sme run network.yaml");
    CHECK_MESSAGE(run.exit_code == 0, (run.out + run.err));
    CHECK(contains(run.out, "out.csv: 5 rows as expected"));
    // falling edges at 10, 20, ... 50
    scratch.write("falling.csv", "value\n3\n6\n9\n12\n15\n");
    scratch.write("falling.yaml", R"(network: falling
buses:
  x: u8
processes:
  reader:
    in: x
    step: {}
inputs:
  x: {file: icarus.vcd, signal: bench.count, clock: bench.clk, edge: falling}
outputs:
  out.csv: {record: x, expect: falling.csv}
run: {cycles: 4}
)");
    const Command falling = in(scratch, "sme run falling.yaml");
    CHECK_MESSAGE(falling.exit_code == 0, (falling.out + falling.err));
    // a register without a reset is unknown before its first edge
    const std::string unknown = R"(network: early
buses:
  x: u8
processes:
  reader:
    in: x
    step: {}
inputs:
  x: {file: icarus.vcd, signal: bench.data, clock: bench.clk}
)";
    scratch.write("unknown.yaml", unknown);
    const Command early = in(scratch, "sme check unknown.yaml");
    CHECK(early.exit_code == 2);
    CHECK(contains(early.err, "'icarus.vcd', at 5000 ps: 'bench.data' is not known for row 0; "
                              "'unknown: zero' takes x and z as 0 [data-range]"));
    scratch.write("unknown.yaml", replaced(unknown, "clock: bench.clk",
                                           "clock: bench.clk, unknown: "
                                           "zero"));
    CHECK(in(scratch, "sme check unknown.yaml").exit_code == 0);
}

TEST_CASE("of a stream in a waveform, a row is each value that was taken") {
    const Scratch scratch;
    // rising edges at 10, 20, 30, 40, 50, 60: sampled before those at 20, 40 and 50
    scratch.write("stream.vcd", R"($timescale 1 ns $end
$scope module top $end
$var wire 1 c clk $end
$scope module s $end
$var wire 1 v valid $end
$var wire 8 d data [7:0] $end
$var wire 1 r ready $end
$upscope $end
$upscope $end
$enddefinitions $end
#0
0c 0v 1r bx d
#10
1c
#11
1v b111 d
#15
0c
#20
1c
#21
0r b1000 d
#25
0c
#30
1c
#31
1r
#35
0c
#40
1c
#41
b1001 d
#45
0c
#50
1c
#51
0v bx d
#55
0c
#60
1c
)");
    scratch.write("taken.csv", "value\n7\n8\n9\n");
    scratch.write("network.yaml", R"(network: stream
types:
  Stream: {valid: bool, data: u8, back ready: bool}
buses:
  s: Stream
processes:
  reader:
    in: s
    state:
      turn: bool
    step:
      turn: not turn
      s.ready: turn
inputs:
  s: {file: stream.vcd, signal: top.s, clock: top.clk, at_end: zero}
outputs:
  out.csv: {record: s.data, when: s.valid and s.ready, expect: taken.csv}
run: {cycles: 20}
)");
    const Command run = in(scratch, "sme run network.yaml");
    CHECK_MESSAGE(run.exit_code == 0, (run.out + run.err));
}

TEST_CASE("the clock of our waveforms is found where something else has its name") {
    const std::string bus = "network: e\nbuses: {clock: bool, x: u8}\nprocesses:\n  p:\n"
                            "    out: [clock, x]\n    state: {n: u4}\n    step:\n      n: n + 1\n"
                            "      clock: n[1]\n      x: x + 2\nrun: {cycles: 12}\n";
    const std::string scope =
        "network: e\nbuses: {x: u8}\nfiles:\n  c.yaml:\n    component: c\n"
        "    out: {y: u8}\n    buses: {m: u8}\n    processes:\n"
        "      p: {out: m, step: {m: m + 2}}\n"
        "      q: {in: m, out: y, step: {y: m}}\nimport: [c.yaml]\nprocesses:\n"
        "  clock: {use: c, out: {y: x}}\nrun: {cycles: 12}\n";
    const std::string domain =
        "network: e\ndomains: {main: 1, clock: every 2}\nbuses: {x: u8, z: u8}\n"
        "processes:\n  p: {out: x, step: {x: x + 2}}\n"
        "  q: {out: z, domain: clock, step: {z: z + 1}}\nrun: {cycles: 12}\n";
    const Scratch scratch;
    for (const auto& [text, name] :
         {std::pair{bus, "bus"}, std::pair{scope, "scope"}, std::pair{domain, "domain"}})
        for (const char* const ending : {"vcd", "fst"}) {
            const std::string called = name; // clang cannot capture bindings
            CAPTURE(called);
            CAPTURE(ending);
            scratch.write("e.yaml", text);
            const std::string wave = std::string{"e."} + ending;
            const Command traced = in(scratch, "sme run e.yaml --trace " + wave);
            if (ending[0] == 'f' && traced.exit_code != 0)
                continue; // built without FST support
            REQUIRE_MESSAGE(traced.exit_code == 0, traced.err);
            scratch.write("f.yaml", "network: f\nbuses: {x: u8}\ninputs: {x: {file: " + wave +
                                        "}}\noutputs: {o.csv: {record: x}}\nprocesses:\n"
                                        "  p: {in: x, state: {s: u8}, step: {s: s + x}}\n");
            const Command run = in(scratch, "sme run f.yaml");
            CHECK_MESSAGE(run.exit_code == 0, run.err);
            CHECK(run.err == "");
            const Command rows = in(scratch, "sme run e.yaml --trace t.csv --trace-select x "
                                             ">/dev/null; tail -n +2 t.csv | cut -d, -f2");
            CHECK(contains(rows.out, "22\n"));
            CHECK(text_of(scratch.path("o.csv")) == "value\n" + rows.out);
            CHECK(in(scratch, "sme view " + wave + " --no-open -o e.gtkw").exit_code == 0);
            const std::string view = text_of(scratch.path("e.gtkw"));
            CHECK(contains(view, "[color] 7\ne.clock_v2\n"));
        }
}

TEST_CASE("of a waveform without marks, the signal that is taken for its clock is named") {
    const Scratch scratch;
    scratch.write("w.vcd", "$timescale 1 ns $end\n$scope module e $end\n$var wire 1 ! clock $end\n"
                           "$var wire 8 \" x $end\n$var wire 1 # clk $end\n$upscope $end\n"
                           "$enddefinitions $end\n#0\n0!\n0#\nb11 \"\n#1\n1!\n#2\n0!\n");
    const std::string again = "network: f\nbuses: {x: u8}\ninputs: {x: {file: w.vcd}}\nprocesses:\n"
                              "  p: {in: x, state: {s: u8}, step: {s: s + x}}\n";
    scratch.write("f.yaml", again);
    const Command run = in(scratch, "sme run f.yaml");
    CHECK(run.exit_code == 0);
    CHECK(run.err == "note: 'w.vcd' marks no clock: 'e.clock' is taken for 'x'; write clock: to "
                     "name another\n");
    scratch.write("f.yaml", replaced(again, "w.vcd}", "w.vcd, clock: e.clock}"));
    CHECK(in(scratch, "sme run f.yaml").err == "");
}
