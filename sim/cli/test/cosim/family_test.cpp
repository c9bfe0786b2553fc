// SPDX-License-Identifier: Apache-2.0
//
// Compares waveforms with all members of a family.
#include <doctest/doctest.h>

#include "base/program.hpp"
#include "half.hpp"

using namespace sme::test;

namespace {

/// Member k of `add` computes y[k] = x[k] + 3, in a component with two instances.
constexpr const char* lanes = R"(network: lanes
import: [pair]
buses:
  x[2, 3]: u8
  y[2, 3]: u8
processes:
  source[i < 2, k < 3]:
    out: {x: "x[i, k]"}
    step:
      x: x + u8(3 * i + k) + 1
  core[i < 2]:
    use: pair
    in:
      x[k < 3]: "x[i, k]"
    out:
      y[k < 3]: "y[i, k]"
run: {cycles: 40}
files:
  pair:
    component: pair
    in:
      x[3]: u8
    out:
      y[3]: u8
    processes:
      add[k < 3]:
        in: {a: "x[k]"}
        out: {b: "y[k]"}
        step:
          b: a + 3
        against: AGAINST
)";

/// Six adders; their inputs count in steps of 1 to 6 and start at 0.
constexpr const char* lanes_verilog = R"(module add(input clk, input [7:0] a, output reg [7:0] b);
  initial b = 0;
  always @(posedge clk) b <= a + 8'd3;
endmodule
module bench;
  reg clk = 0;
  always #5 clk = ~clk;
  genvar i, k;
  generate
    for (i = 0; i < 2; i = i + 1) begin : core
      for (k = 0; k < 3; k = k + 1) begin : lane
        reg [7:0] x = 0;
        always @(posedge clk) x <= x + 3 * i + k + 1;
        add dut(.clk(clk), .a(x));
      end
    end
  endgenerate
  initial begin
    $dumpfile("lanes.vcd");
    $dumpvars(0, bench);
    #300 $finish;
  end
endmodule
)";

constexpr const char* alone = R"(network: alone
buses:
  x[2, 3]: u8
  y[2, 3]: u8
processes:
  source[i < 2, k < 3]: {out: {x: "x[i, k]"}, step: {x: 1}}
  add[i < 2, k < 3]:
    in: {a: "x[i, k]"}
    out: {b: "y[i, k]"}
    step:
      b: a + 3
    against: {waveform: lanes.vcd, scope: "bench.core[{i}].lane[{k}].dut"}
)";

std::string network(const std::string& against, const std::string& sum = "a + 3") {
    return replaced(replaced(lanes, "AGAINST", against), "a + 3", sum);
}

/// Wrong in one member, for the input 12: core[1].add[2] counts in steps of 6.
constexpr const char* wrong = "a + 3 + u8(k == 2 and a == 12)";

} // namespace

TEST_CASE("our own waveform has the buses of each member") {
    Folder folder;
    folder.with("network.yaml", network("{waveform: ours.vcd}"));
    CHECK(folder.run(SME_COMMAND " run network.yaml --trace ours.vcd").exit_code == 0);
    const Command run = folder.cosim("");
    CAPTURE(run.err);
    CHECK(run.exit_code == 0);
    for (const char* const name : {"core[0].add[0]", "core[1].add[0]", "core[1].add[2]"})
        CHECK(contains(run.out, std::string{"agree        "} + name +
                                    " and waveform 'ours.vcd': 40 cycles, 1 of 1 outputs moved\n"));
    folder.with("network.yaml", network("{waveform: ours.vcd}", wrong));
    const Command found = folder.cosim("");
    CAPTURE(found.err);
    CHECK(found.exit_code == 1);
    CHECK(
        contains(found.err, "in cycle 3, 'y[1, 2]' is 16 by 'core[1].add[2]', but 15 by waveform"));
    CHECK(contains(found.out, "agree        core[1].add[1] and waveform"));
}

TEST_CASE("a scope with the indices of a member is that member's, as Icarus recorded it") {
    if (!sme::find_program("iverilog")) {
        MESSAGE("skipped: there is no iverilog");
        return;
    }
    Folder folder;
    folder.with("network.yaml", alone).with("lanes.v", lanes_verilog);
    CHECK(folder.run("iverilog -o lanes lanes.v && vvp lanes").exit_code == 0);
    const Command run = folder.cosim("");
    CAPTURE(run.err);
    CHECK(run.exit_code == 0);
    CHECK(contains(run.out, "agree        add[1, 2] and waveform 'lanes.vcd': 30 cycles"));
    folder.with("network.yaml", replaced(alone, "a + 3", "a + 3 + u8(i == 1 and a == 12)"));
    const Command found = folder.cosim("");
    CHECK(found.exit_code == 1);
    CHECK(contains(found.err, "in cycle 3, 'y[1, 2]' is 16 by 'add[1, 2]', but 15 by waveform"));
}
