// SPDX-License-Identifier: Apache-2.0
//
// Tests Verilog modules in networks, through the command, built by the real Verilator.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "../command.hpp"

using namespace sme::test;

namespace {

/// A running sum with an enable: a registered `total`, and `next`, which follows the inputs.
constexpr const char* sum_v = R"(module sum #(parameter W = 16, parameter FIRST__SUM = 0)
    (input clk, input rst, input [W-1:0] x, input enable, output reg [W-1:0] total,
     output [W-1:0] next);
  assign next = enable ? total + x : total;
  always @(posedge clk) total <= rst ? FIRST__SUM[W-1:0] : next;
endmodule
)";

constexpr const char* sum_yaml = R"(network: sums
buses:
  x: u16
  total: u16
  next: wire u16
processes:
  count:
    out: x
    step:
      x: x + 1
  sum:
    verilog: {files: sum.v, top: sum, parameters: {FIRST__SUM: 7}, reset: rst}
    in: {x: x, enable: true}
    out: [total, next]
checks:
  - at 0: total == 7 and next == 7
  - at 1: total == 7 and next == 8
  - at 2: total == 8 and next == 10
  - at 3: total == 10 and next == 13
  - always: next == total + x
)";

class Design {
public:
    Design(const std::string& network, const std::string& verilog, const std::string& name) {
        folder.write("network.yaml", network);
        folder.write(name, verilog);
    }
    Command run(const std::string& options) const {
        return sme_in(folder, "run network.yaml " + options);
    }
    Scratch folder;
};

} // namespace

TEST_CASE(
    "a module is a process: registered outputs a cycle later, wires in the same, after reset") {
    const Design design{sum_yaml, sum_v, "sum.v"};
    const Command run = design.run("--cycles 20 --trace a.vcd --strict");
    CAPTURE(run.err);
    CHECK(run.exit_code == 0);
    CHECK(contains(run.out, "passed       always: next == total + x"));
    for (const char* threads : {"1", "2", "8"}) {
        const Command again =
            design.run(fmt::format("--cycles 20 --trace b.vcd --threads {}", threads));
        CHECK(again.exit_code == 0);
        CHECK(text_of(design.folder.path("b.vcd")) == text_of(design.folder.path("a.vcd")));
    }
}

TEST_CASE("many instances on many threads give the bits of one thread") {
    const Design design{R"(network: many
buses:
  x[100]: u32
processes:
  node[k < 100]:
    verilog: {files: lfsr.v, top: lfsr, reset: {port: rst, cycles: 3}}
    in: {x: "x[(k + 99) % 100]"}
    out: {y: "x[k]"}
)",
                        R"(module lfsr(input clk, input rst, input [31:0] x, output reg [31:0] y);
  always @(posedge clk)
    y <= rst ? 32'd1 : {y[30:0], y[31] ^ y[21] ^ y[1] ^ y[0]} + (x >> 3);
endmodule
)",
                        "lfsr.v"};
    REQUIRE(design.run("--cycles 200 --threads 1 --trace one.vcd").exit_code == 0);
    const std::string one = text_of(design.folder.path("one.vcd"));
    CHECK(one.size() > 10'000);
    for (const char* way : {"--threads 2", "--threads 3 --queue stealing --wait block",
                            "--threads 2 --queue atomic --grain 1"}) {
        CAPTURE(way);
        REQUIRE(design.run(fmt::format("--cycles 200 {} --trace many.vcd", way)).exit_code == 0);
        CHECK(text_of(design.folder.path("many.vcd")) == one);
    }
}

TEST_CASE("structs, bundles, families, signs and 4096 bits pass the ports") {
    const Design design{R"(network: shapes
types:
  Phase: [idle, run, done]
  Sample: {phase: Phase, value: i12}
  Stream(T): {valid: bool, data: T, back ready: bool}
buses:
  s: Sample
  t: hold Sample
  a: Stream(u9)
  b: Stream(u9)
  lane[3]: u5
  sum: u7
  wide: u4096
  turned: u4096
processes:
  source:
    out: [s, a, lane, wide]
    state:
      n: u9 = 0
    step:
      n: n + 1
      s: Sample(phase = Phase(u2(n % 3)), value = i12(n) - 5)
      a.valid: n % 4 != 3
      a.data: n
      lane[k < 3]: u5(n) + k
      wide: (u4096(n) << 4000) | u4096(n)
  shapes:
    verilog: {files: shapes.v, top: shapes, reset: rst}
    in: {s: s, a: a, lane: lane, wide: wide}
    out: {t: t, b: b, sum: sum, turned: turned}
  sink:
    in: b
    step:
      b.ready: cycle_is_odd
    let:
      cycle_is_odd: flip
    state:
      flip: bool
checks:
  - at 6: t.value == i12(-1) and t.phase == Phase.run
  - at 6: sum == 4 + 5 + 6
  - always: b.valid == a.valid and b.data == (a.data ^ 1)
  - always: a.ready == b.ready
  - at 6: turned == ((u4096(4) << 96) | 4)
)",
                        R"(module shapes(input clk, input rst, input [13:0] s, output reg [13:0] t,
    input a_valid, input [8:0] a_data, output a_ready,
    output b_valid, output [8:0] b_data, input b_ready,
    input [14:0] lane, output reg [6:0] sum, input [4095:0] wide, output reg [4095:0] turned);
  assign b_valid = a_valid;
  assign b_data = a_data ^ 9'd1;
  assign a_ready = b_ready;
  always @(posedge clk) begin
    t <= rst ? 14'd0 : s;
    sum <= rst ? 7'd0 : {2'd0, lane[4:0]} + {2'd0, lane[9:5]} + {2'd0, lane[14:10]};
    turned <= rst ? 4096'd0 : {wide[3999:0], wide[4095:4000]};
  end
endmodule
)",
                        "shapes.v"};
    const Command run = design.run("--cycles 20");
    CAPTURE(run.err);
    CAPTURE(run.out);
    CHECK(run.exit_code == 0);
}

TEST_CASE("what a module prints has the instance's name; $finish ends the run, $stop is a fault") {
    const auto ended = [](const std::string& statement) {
        const Design design{R"(network: talk
buses:
  n: u8
processes:
  talker:
    verilog: {files: talk.v, top: talk, plusargs: [word=hello]}
    out: n
checks:
  - cover: n == 2
)",
                            "module talk(input clk, output reg [7:0] n);\n"
                            "  reg [8*8:1] word;\n"
                            "  initial begin n = 0; if ($value$plusargs(\"word=%s\", word))\n"
                            "    $display(\"start %0s\", word); end\n"
                            "  always @(posedge clk) begin\n"
                            "    n <= n + 1;\n"
                            "    if (n == 1) $display(\"one at %0t\", $time);\n"
                            "    if (n == 3) " +
                                statement +
                                "\n  end\n"
                                "endmodule\n",
                            "talk.v"};
        return design.run("--cycles 10");
    };
    const Command finish = ended("$finish;");
    CHECK(finish.exit_code == 0);
    CHECK(finish.out == "talker: start hello\ntalker: one at 20000\n"
                        "talk: 4 cycles of 1 process, 1 bus, halted\n"
                        "  passed       cover: n == 2 (covered 1 time, first in cycle 2)\n");
    const Command stop = ended("$stop;");
    CHECK(stop.exit_code == 1);
    CHECK(contains(stop.err, "in cycle 3, process 'talker': module 'talk' stopped at talk.v:8 "
                             "[verilog-stopped]"));
    const Command fatal = ended("$fatal(1, \"no more\");");
    CHECK(fatal.exit_code == 1);
    CHECK(contains(fatal.err, "no more"));
    CHECK(contains(fatal.err, "[verilog-stopped]"));
    const Command assertion = ended("assert (n == 0);");
    CHECK(assertion.exit_code == 1);
    CHECK(contains(assertion.err, "Assertion failed"));
    const Command error = ended("$error(\"bad %0d\", n);");
    CHECK(error.exit_code == 1);
    CHECK(contains(error.err, "bad 3"));
    const Command endless = ended("while (1) $display(\"again and again\");");
    CHECK(endless.exit_code == 1);
    CHECK(contains(endless.err, "it prints more than 16 MiB in one cycle [verilog-stopped]"));
}

TEST_CASE("$readmemh reads from the working folder") {
    const Design design{R"(network: rom
buses:
  at: u2
  word: wire u8
processes:
  count:
    out: at
    step:
      at: at + 1
  rom:
    verilog: {files: rom.v, top: rom}
    in: at
    out: word
checks:
  - at 0: word == 0x12
  - at 1: word == 0x34
  - at 3: word == 0x78
)",
                        "module rom(input [1:0] at, output [7:0] word);\n"
                        "  reg [7:0] words [0:3];\n"
                        "  initial $readmemh(\"rom.hex\", words);\n"
                        "  assign word = words[at];\n"
                        "endmodule\n",
                        "rom.v"};
    design.folder.write("rom.hex", "12 34 56 78\n");
    CHECK(design.run("--cycles 5").exit_code == 0);
    design.folder.write("rom.hex", "12 35 56 78\n");
    CHECK(design.run("--cycles 5").exit_code == 1);
}

TEST_CASE("a module is built once, and again when a file that it includes changes") {
    const Design design{
        replaced(sum_yaml, "files: sum.v",
                 "files: sum.v, include: inc+more, define: [EXTRA=2], lists: args.f"),
        replaced(replaced(sum_v, "module sum", "`include \"step.vh\"\nmodule sum"),
                 "total + x :", "total + x * `STEP + `EXTRA - 2 + `MORE :"),
        "sum.v"};
    REQUIRE(std::system(("mkdir " + design.folder.path("inc+more")).c_str()) == 0);
    design.folder.write("inc+more/step.vh", "`define STEP 1\n");
    design.folder.write("args.f", "+define+MORE=0\n");
    const Command first = design.run("--cycles 20");
    CAPTURE(first.err);
    REQUIRE(first.exit_code == 0);
    CHECK(design.run("--cycles 20 --no-compile").exit_code == 0);
    design.folder.write("inc+more/step.vh", "`define STEP 2\n");
    const Command refused = design.run("--cycles 20 --no-compile");
    CHECK(refused.exit_code == 3);
    CHECK(contains(refused.err, "[verilog-missing]"));
    CHECK(design.run("--cycles 20").exit_code == 1); // built again: now it adds twice as much
    design.folder.write("inc+more/step.vh", "`define STEP 1\n");
    design.folder.write("args.f", "+define+MORE=1\n");
    CHECK(design.run("--cycles 20").exit_code == 1);
}

TEST_CASE("two modules with parameters of their own stand in one network") {
    const Design design{R"(network: two
buses:
  a: u16
  b: u8
  x: u16
  y: u8
processes:
  count:
    out: [x, y]
    step:
      x: x + 1
      y: y + 1
  first:
    verilog: {files: [sum.v], top: sum, parameters: {FIRST__SUM: 7}, reset: rst}
    in: {x: x, enable: true}
    out: {total: a}
  second:
    verilog: {files: [sum.v], top: sum, parameters: {W: 8, FIRST__SUM: "3"}, reset: rst}
    in: {x: y, enable: 1}
    out: {total: b}
checks:
  - always: a - 7 == u16(b) - 3
  - cover: a > 20
)",
                        sum_v, "sum.v"};
    const Command run = design.run("--cycles 9");
    CAPTURE(run.err);
    CHECK(run.exit_code == 0);
}

TEST_CASE("trace: inside shows the signals of a module under its process") {
    const Design design{R"(network: inside
buses:
  d: bool
  q: bool
processes:
  source:
    out: d
    state:
      n: u3
    step:
      n: n + 1
      d: n % 3 == 0
  pipe:
    verilog: {files: pipe.v, top: pipe, reset: rst, trace: inside}
    in: d
    out: q
checks:
  - cover: q
)",
                        R"(module pipe(input clk, input rst, input d, output q);
  wire [2:0] taken = {stage[1:0], d};
  reg [2:0] stage;
  assign q = stage[2];
  always @(posedge clk) stage <= rst ? 3'd0 : taken;
  genvar k;
  generate for (k = 0; k < 2; k = k + 1) begin : each keeper one(clk, stage[k]); end endgenerate
endmodule
module keeper(input clk, input d);
  reg [1:0] seen = 0;
  always @(posedge clk) seen <= seen + {1'b0, d};
endmodule
)",
                        "pipe.v"};
    const Command run = design.run("--cycles 6 --trace t.vcd");
    CAPTURE(run.err);
    REQUIRE(run.exit_code == 0);
    const std::string trace = text_of(design.folder.path("t.vcd"));
    CHECK(contains(trace, "$scope module pipe $end"));
    CHECK(contains(trace, " taken [2:0] $end"));
    CHECK(contains(trace, " stage [2:0] $end"));
    CHECK(contains(trace, " seen [1:0] $end"));
    // by hand: d is true in cycles 1 and 4; stage follows one cycle later, taken in the same cycle
    const auto value_at = [&](const std::string& name, int cycle) {
        std::string code;
        const std::size_t at = trace.find(" " + name + " ");
        code = trace.substr(trace.rfind(' ', at - 1) + 1, at - trace.rfind(' ', at - 1) - 1);
        std::string value;
        const std::size_t end = trace.find(fmt::format("\n#{}\n", cycle * 10 + 5));
        for (std::size_t k = trace.find("$dumpvars"); k < end; k = trace.find('\n', k) + 1) {
            const std::string line = trace.substr(k, trace.find('\n', k) - k);
            if (line.starts_with('b') && line.ends_with(" " + code))
                value = line.substr(1, line.find(' ') - 1);
        }
        return value;
    };
    CHECK(contains(trace, "$var wire 1 ! clock $end"));
    CHECK(contains(trace, "$var wire 1 ! clk $end")); // the clock of the run
    // a run without a trace observes no signals, saves none, and takes the fast path
    const Command untraced =
        design.run("--cycles 40 --engine native --threads 1 --stats --checkpoint-every 20 c");
    CHECK(untraced.exit_code == 0);
    CHECK_FALSE(contains(untraced.err, " 0 cycles in the cycle kernel"));
    REQUIRE(design.run("--cycles 60 --resume c --trace rest.vcd").exit_code == 0);
    REQUIRE(design.run("--cycles 60 --trace whole.vcd").exit_code == 0);
    const std::string rest = text_of(design.folder.path("rest.from-40.vcd")),
                      whole = text_of(design.folder.path("whole.vcd"));
    CHECK(rest.substr(rest.find("\n#410\n")) == whole.substr(whole.find("\n#410\n")));
    CHECK(value_at("taken", 0) == "0");
    CHECK(value_at("taken", 1) == "1");
    CHECK(value_at("stage", 1) == "0");
    CHECK(value_at("taken", 2) == "10");
    CHECK(value_at("stage", 2) == "1");
    CHECK(value_at("stage", 3) == "10");
    CHECK(value_at("taken", 4) == "1");
}
