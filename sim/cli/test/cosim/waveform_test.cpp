// SPDX-License-Identifier: Apache-2.0
//
// Compares a process with the recording of another implementation.
#include <doctest/doctest.h>

#include "base/program.hpp"
#include "half.hpp"

using namespace sme::test;

namespace {

constexpr const char* half_verilog = R"(`timescale 1ns/1ns
module half(input clk, input rst_n,
    input a_valid, input [7:0] a_data, output a_ready,
    output b_valid, output [7:0] b_data, input b_ready,
    output reg [15:0] total, output flag);
  reg open;
  assign b_valid = a_valid & open;
  assign b_data = a_data;
  assign a_ready = b_ready & open;
  assign flag = a_data[0];
  always @(posedge clk) begin
    open <= rst_n ? ~open : 1'b1;
    total <= !rst_n ? 16'd5 : a_valid & a_ready ? total + {8'd0, a_data} : total;
  end
endmodule
module bench;
  reg clk = 0, rst_n = 0, a_valid, b_ready;
  reg [7:0] a_data;
  wire a_ready, b_valid, flag;
  wire [7:0] b_data;
  wire [15:0] total;
  half dut(clk, rst_n, a_valid, a_data, a_ready, b_valid, b_data, b_ready, total, flag);
  always #5 clk = ~clk;
  integer n;
  initial begin
    $dumpfile("half.vcd");
    $dumpvars(0, dut);
    repeat (3) @(negedge clk);
    rst_n = 1;
    for (n = 0; n < 100; n = n + 1) begin
      a_valid = n % 3 != 1;
      a_data = n == 40 ? 8'b0000x011 : n * 7;
      b_ready = n % 5 != 2;
      @(negedge clk);
    end
    rst_n = 0;
    repeat (5) @(negedge clk);
    $finish;
  end
endmodule
)";

/// Written by hand: x + 1 of the previous cycle, with a z in cycle 2 and a different clock name.
constexpr const char* by_hand = R"($timescale 1 ns $end
$scope module top $end
$scope module unit $end
$var wire 1 ! tick $end
$var wire 8 " x [7:0] $end
$var wire 8 # y [7:0] $end
$upscope $end
$upscope $end
$enddefinitions $end
#0
0!
b0 #
b11 "
#5
1!
#6
b100 #
b1001 "
#10
0!
#15
1!
#16
b1zz0 #
b0 "
#20
0!
#25
1!
#26
b1 #
b0 "
#30
0!
#35
1!
#40
)";

constexpr const char* increment = R"(network: plus
buses:
  x: u8
  y: u8
processes:
  source: {out: x, step: {x: 1}}
  plus: {in: x, out: y, step: {y: x + 1}}
)";

} // namespace

TEST_CASE("what we traced ourselves is the same run") {
    for (const std::string file : {"ours.vcd", "ours.fst"}) {
        CAPTURE(file);
        Folder folder;
        folder.with("network.yaml", half_network);
        CHECK(folder.run(SME_COMMAND " run network.yaml --trace " + file).exit_code == 0);
        const Command run = folder.cosim("--instance half --reference " + file);
        CAPTURE(run.err);
        CHECK(run.exit_code == 0);
        CHECK(contains(run.out,
                       "half and waveform '" + file + "': 300 cycles, 4 of 4 outputs moved\n"));
        folder.with("network.yaml",
                    replaced(half_network, "u16(a.data) when", "u16(a.data | 1) when"));
        CHECK(folder.cosim("--instance half --reference " + file).exit_code == 1);
        folder.with("network.yaml",
                    replaced(half_network, "      flag: a.data[0]\n",
                             "      flag: a.data[0]\n    against: {waveform: " + file + "}\n"));
        CHECK(folder.cosim("").exit_code == 0);
    }
}

TEST_CASE("a network names a recorded waveform itself") {
    Folder folder;
    folder.with("network.yaml", half_network);
    CHECK(folder.run(SME_COMMAND " run network.yaml --trace ours.vcd").exit_code == 0);
    const std::string named =
        replaced(half_network, "      flag: a.data[0]\n",
                 "      flag: a.data[0]\n    against: {waveform: ours.vcd}\n");
    folder.with("network.yaml", named);
    const Command run = folder.cosim("");
    CAPTURE(run.err);
    CHECK(run.exit_code == 0);
    CHECK(contains(run.out, "half and waveform 'ours.vcd': 300 cycles, 4 of 4 outputs moved\n"));
    CHECK(contains(folder.run(SME_COMMAND " check network.yaml --print").out,
                   "    against:\n      waveform: ours.vcd\n"));
    CHECK(contains(folder.cosim("--random 5").err, "--random does not go with waveforms"));
    folder.with("network.yaml", replaced(named, "u16(a.data) when", "u16(a.data | 1) when"));
    CHECK(folder.cosim("").exit_code == 1);
    CHECK(folder.run(SME_COMMAND " run network.yaml").exit_code == 0); // only cosim uses `against`
    for (const auto& [against, says] :
         {std::pair{"{cpp: half.cpp, class: A}", "'cpp'"},
          std::pair{"{waveform: ours.vcd, with: {n: 1}}", "'with' goes with 'use' of 'against'"},
          std::pair{"{waveform: ours.vcd, scope: none}", "has no scope 'none'"}}) {
        const std::string given = against; // clang cannot capture bindings
        CAPTURE(given);
        folder.with("network.yaml", replaced(named, "{waveform: ours.vcd}", given));
        const Command wrong = folder.cosim("");
        CAPTURE(wrong.err);
        CHECK(wrong.exit_code == 2);
        CHECK(contains(wrong.err, says));
    }
}

TEST_CASE("what Icarus recorded of a module is compared from the end of its reset to the next") {
    if (!sme::find_program("iverilog")) {
        MESSAGE("skipped: there is no iverilog");
        return;
    }
    Folder folder;
    folder.with("network.yaml", half_network).with("half.v", half_verilog);
    CHECK(folder.run("iverilog -o half half.v && vvp half").exit_code == 0);
    const Command run = folder.cosim("--instance half --reference half.vcd --reset rst_n=0");
    CAPTURE(run.err);
    CHECK(run.exit_code == 0);
    CHECK(contains(run.out, "half and waveform 'half.vcd': 100 cycles, 4 of 4 outputs moved\n"));
    CHECK(contains(run.out, "  unknown      1 of inputs, whose x and z were taken as 0\n"));
    CHECK(contains(run.out, "  unknown      1 of outputs, whose x and z were not compared\n"));
    CHECK(contains(run.out, "  cut          after cycle 99: the reset is active again\n"));
    folder.with("half.v", replaced(half_verilog, "total + {8'd0, a_data}",
                                   "total + {8'd0, a_data} + {15'd0, a_data == 8'd98}"));
    CHECK(folder.run("iverilog -o half half.v && vvp half").exit_code == 0);
    const Command wrong = folder.cosim("--instance half --reference half.vcd --reset rst_n=0");
    CHECK(wrong.exit_code == 1);
    CHECK(contains(wrong.err, "in cycle 15, 'total' is ")); // 98 is taken in cycle 14
    CHECK(contains(wrong.err, "a = {valid: true, data: 98}"));
    const Command never = folder.cosim("--instance half --reference half.vcd --reset rst_n=1");
    CHECK(contains(never.err + never.out, "3 cycles")); // the cycles of the reset
}

TEST_CASE("bits that are x or z are never taken for equal, and never for different") {
    Folder folder;
    folder.with("network.yaml", increment).with("hand.vcd", by_hand);
    const Command run = folder.cosim("--instance plus --reference hand.vcd --clock tick");
    CAPTURE(run.err);
    CHECK(run.exit_code == 0);
    CHECK(contains(run.out, "plus and waveform 'hand.vcd': 4 cycles, 1 of 1 outputs moved\n"));
    CHECK(contains(run.out, "  unknown      1 of outputs, whose x and z were not compared\n"));
    folder.with("hand.vcd", replaced(by_hand, "b1zz0", "b1zz1")); // 9 + 1 is 0b1010
    const Command wrong = folder.cosim("--instance plus --reference hand.vcd --clock tick");
    CHECK(wrong.exit_code == 1);
    CHECK(contains(wrong.err, "in cycle 2, 'y' is 10 by 'plus', but 9 by waveform 'hand.vcd'"));
    CHECK(folder.cosim("--instance plus --reference hand.vcd --clock tick --cycles 1").exit_code ==
          0);
}

TEST_CASE("what is missing in a waveform is named, with near names") {
    Folder folder;
    folder.with("network.yaml", increment).with("hand.vcd", by_hand).with("no.vcd", "hello\n");
    for (const auto& [options, says] :
         {std::pair{"--instance plus --reference hand.vcd",
                    "'hand.vcd' has no signal 'top.unit.clk'; give "
                    "--clock and the name of the clock"},
          std::pair{"--instance plus --reference hand.vcd --clock tik",
                    "did you mean 'top.unit.tick'?"},
          std::pair{"--instance plus --reference hand.vcd --clock x", "'top.unit.x' is no clock"},
          std::pair{"--instance plus --reference hand.vcd --clock tick --scope top.unti",
                    "'hand.vcd' has no scope 'top.unti', did you mean 'top.unit'?"},
          std::pair{"--instance plus --reference hand.vcd --clock top.unit.tick --scope top",
                    "scope 'top' of 'hand.vcd' lacks input x of 'plus'; it has no signals"},
          std::pair{"--instance plus --reference hand.vcd --clock tick --reset rst",
                    "'hand.vcd' has no signal 'top.unit.rst'"},
          std::pair{"--instance pulse --reference hand.vcd",
                    "is called 'pulse', did you mean 'plus'?"},
          std::pair{"--reference hand.vcd", "give it with --instance: source, plus"},
          std::pair{"--instance plus --reference no.vcd", "'no.vcd' is no VCD file"},
          std::pair{"--instance plus --reference not.vcd", "cannot read 'not.vcd'"},
          std::pair{"--instance plus --reference hand.lxt", "--reference is FILE.vcd or FILE.fst"},
          std::pair{"--instance plus --reference hand.vcd --random 5", "--random does not go with"},
          std::pair{"--instance plus",
                    "'--instance' is about an implementation that is not in the network"}}) {
        const std::string given = options; // clang cannot capture bindings
        CAPTURE(given);
        const Command run = folder.cosim(options);
        CAPTURE(run.err);
        CHECK(run.exit_code == 2);
        CHECK(contains(run.err, says));
    }
    folder.with("network.yaml", replaced(replaced(increment, "x: u8", "x: u9"), "u8", "u9"));
    const Command wide = folder.cosim("--instance plus --reference hand.vcd --clock tick");
    CHECK(wide.exit_code == 2);
    CHECK(contains(wide.err, "'top.unit.x' has 8 bits in 'hand.vcd', but u9 has 9 [data-shape]"));
}
