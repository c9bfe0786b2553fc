// SPDX-License-Identifier: Apache-2.0
//
// Exports networks with Verilog processes to Verilog, and compares both.
#include <filesystem>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "../command.hpp"

using namespace sme::test;

namespace {

/// A module with a parameter, an included file, a definition and a reset that is low for three
/// cycles; a family of modules without a reset, with constant inputs; a module inside a component;
/// and a process with the name of a module in a file.
constexpr const char* mixed_network = R"(network: mixed
import: [keeper.yaml]
types:
  Pair: {high: u4, low: u8}
buses:
  n: u8
  scaled: u12
  now: wire bool
  split: Pair
  ticks[k<3]: u8
  sum: u16
  late: u8
processes:
  source:
    out: n
    state:
      k: u8 = 5
    step:
      k: k + 7
      n: k
  scale:
    verilog: {files: scale.v, top: scale, parameters: {K: 3}, include: parts,
              define: ["ONE=12'd1"], reset: {port: rst_n, active: low, cycles: 3}, trace: inside}
    in: {x: n, offset: 2}
    out: {y: scaled, odd: now, pair: split}
  ticker[k<3]:
    verilog: {files: tick.v, top: tick}
    in: {enable: true}
    out:
      count: ticks[k]
  adder:
    in:
      scaled: scaled
      now: now
      split: split
      a: ticks[0]
      c: ticks[2]
    out: sum
    step:
      sum: u16(scaled) + u16(now) + u16(split.low) + u16(a) + u16(c)
  stage:
    use: keeper
    in: {x: n}
    out: {y: late}
checks:
  - cover: sum > 300 and late > 9
)";

void write_mixed(const Scratch& folder) {
    folder.write("network.yaml", mixed_network);
    folder.write("keeper.yaml", "component: keeper\nin: {x: u8}\nout: {y: u8}\nprocesses:\n"
                                "  held:\n    verilog: {files: keep.v, top: keep, reset: rst}\n"
                                "    in: {d: x}\n    out: {q: y}\n");
    std::filesystem::create_directory(folder.path("parts"));
    folder.write("parts/widths.vh", "`define W 12\n");
    folder.write("scale.v", R"(`include "widths.vh"
module scale #(parameter K = 1) (input clk, input rst_n, input [7:0] x, input [1:0] offset,
    output reg [`W-1:0] y, output odd, output [11:0] pair, output unused);
  wire [11:0] product;
  adder one(.a(x), .y(product));
  assign odd = x[0];
  assign unused = y[0];
  assign pair = y;
  always @(posedge clk)
    if (!rst_n) y <= 12'd0;
    else y <= product * K[11:0] + {10'd0, offset};
endmodule
module adder(input [7:0] a, output [11:0] y); // a name that the network has, too
  assign y = {4'd0, a} + `ONE;
endmodule
)");
    folder.write("tick.v", "module tick(input clk, input enable, output reg [7:0] count);\n"
                           "  initial count = 8'd9;\n"
                           "  always @(posedge clk) if (enable) count <= count + 8'd1;\n"
                           "endmodule\n");
    folder.write("keep.v", "module keep(input clk, input rst, input [7:0] d, output reg [7:0] q);\n"
                           "  always @(posedge clk) q <= rst ? 8'd0 : d;\n"
                           "endmodule\n");
}

/// Runs one of our commands on the mixed network.
Command mixed(const Scratch& folder, const std::string& arguments) {
    write_mixed(folder);
    Command run = run_in(folder, SME_COMMAND " " + arguments);
    CAPTURE(run.err);
    CHECK(run.exit_code == 0);
    return run;
}

} // namespace

TEST_CASE("a network with modules is written with their files, and replays its run") {
    const Scratch folder;
    write_mixed(folder);
    const Command written =
        run_in(folder, SME_COMMAND " verilog network.yaml --cycles 40 -o written");
    CAPTURE(written.err);
    REQUIRE(written.exit_code == 0);
    CHECK(written.out ==
          "mixed: 4 modules and 3 files of others in written, a test bench of 40 cycles\n");
    CHECK(text_of(folder.path("written/files.f")) ==
          "+incdir+.\n+define+ONE=12'd1\nscale.v\ntick.v\nkeep.v\nsource.v\nadder_2.v\nkeeper.v\n"
          "mixed.v\n");
    CHECK(text_of(folder.path("written/tick.v"))
              .starts_with("// A copy of 'tick.v', of a process of the network\nmodule tick("));
    CHECK(run_in(folder, SME_COMMAND " verilog network.yaml --cycles 40 -o written").exit_code ==
          0);
    const std::string top = text_of(folder.path("written/mixed.v"));
    CHECK(contains(top, "    scale #(.K(3)) scale (\n        .clk(clk),\n        .rst_n(~rst),\n"
                        "        .unused(),\n"));
    CHECK(contains(top, "tick unit (\n"));
    CHECK(contains(top, ".clk(clk & ~rst)"));
    if (run_in(folder, "iverilog -V").exit_code != 0)
        return;
    const Command replayed = run_in(folder, "cd written && iverilog -g2005 -o bench -f files.f "
                                            "mixed_bench.v && vvp bench");
    CAPTURE(replayed.err);
    CHECK(contains(replayed.out, "PASS: 40 cycles"));
}

TEST_CASE("a network with modules agrees with its Verilog") {
    const Scratch folder;
    const Command run = mixed(folder, "cosim --self --cycles 50 network.yaml");
    CHECK(contains(run.out, "mixed and its Verilog: 50 cycles, 9 of 9 outputs moved"));
}

TEST_CASE("what cannot stand beside a written network is named before anything is built") {
    const Scratch folder;
    write_mixed(folder);
    for (const char* command : {"verilog", "vhdl"})
        CHECK(contains(
            run_in(folder, fmt::format(SME_COMMAND " {} network.yaml --top scale -o one", command))
                .err,
            "--top: 'scale' is module 'scale', which is there in Verilog; give what it is in"));
    folder.write("keep.v", "module keep(input clk, input rst, input [7:0] d, output reg [7:0] q);\n"
                           "  wire [11:0] n; adder one(d, n);\n"
                           "  always @(posedge clk) q <= rst ? 8'd0 : n[7:0];\n"
                           "endmodule\n"
                           "module adder(input [7:0] a, output [11:0] y); assign y = {a, 4'd1};\n"
                           "endmodule\n");
    const Command run = run_in(folder, SME_COMMAND " verilog network.yaml -o written");
    CHECK(run.exit_code == 2);
    CHECK(contains(run.err,
                   "'adder' is declared in 'keep.v' and in a file of another process, but in a "
                   "network that is written there is one of each name; rename one"));
    folder.write("tick.v", "module tick(input clk, input enable, output reg [7:0] count);\n"
                           "  always @(posedge clk) if (enable) count <= count + `ONE;\n"
                           "endmodule\n");
    folder.write("network.yaml",
                 replaced(mixed_network, "top: tick}", "top: tick, define: ['ONE=3']}"));
    const Command defines = run_in(folder, SME_COMMAND " verilog network.yaml -o written");
    CHECK(contains(defines.err, "module 'tick' has no definition 'ONE=12'd1', but module 'scale' "
                                "has, and the files of a network that is written are read with "
                                "the same; make it a parameter"));
}

TEST_CASE("mistakes of a network and of its data come before a module is built") {
    const Scratch folder;
    write_mixed(folder);
    const std::string text = mixed_network;
    for (const auto& [wrong, message] :
         {std::pair{text + "  - always: nowhere\n", "'nowhere'"},
          std::pair{replaced(text, "  late: u8\n", "  late: u8\n  extra: u8\n") +
                        "inputs:\n  extra: {file: missing.csv}\n",
                    "missing.csv"}}) {
        folder.write("network.yaml", wrong);
        const Command run =
            run_in(folder, "mkdir -p cache && XDG_CACHE_HOME=$PWD/cache " SME_COMMAND
                           " run network.yaml --cycles 4; find cache -name '*.so'");
        CAPTURE(run.err);
        CHECK(contains(run.err, message));
        CHECK(run.out == "");
    }
}

TEST_CASE("trace: inside shows an input at a value once") {
    const Scratch folder;
    mixed(folder, "run network.yaml --cycles 4 --trace t.vcd");
    const std::string trace = text_of(folder.path("t.vcd"));
    CHECK(contains(trace, " offset [1:0] $end"));
    CHECK(contains(trace, " product [11:0] $end"));
}

TEST_CASE("an input is given a struct, as a map of typed fields too") {
    const Scratch folder;
    folder.write("m.v", "module m(input clk, input [8:0] p, output reg [8:0] q);\n"
                        "  initial q = 0;\n  always @(posedge clk) q <= p;\nendmodule\n");
    folder.write("network.yaml", R"(network: n
types: {Pair: {a: u8, b: bool}}
buses:
  x: Pair
  y[2]: Pair
  z: Pair
processes:
  one:
    verilog: {files: m.v, top: m}
    in:
      p: Pair(a = 3, b = true)
    out: {q: x}
  two[k < 2]:
    verilog: {files: m.v, top: m}
    in:
      p: Pair({a: k + 5})
    out: {q: "y[k]"}
  three:
    verilog: {files: m.v, top: m}
    in:
      p: {a: u8(9), b: true}
    out: {q: z}
checks:
  - after 1: x == {a: 3, b: true} and y[0] == {a: 5} and y[1] == {a: 6} and z == {a: 9, b: true}
run: {cycles: 3}
)");
    const Command run = run_in(folder, SME_COMMAND " run network.yaml");
    CAPTURE(run.err);
    CHECK(run.exit_code == 0);
    folder.write("network.yaml", replaced(text_of(folder.path("network.yaml")),
                                          "{a: u8(9), b: true}", "{a: u8(9)}"));
    CHECK(contains(run_in(folder, SME_COMMAND " check network.yaml").err,
                   "port 'p' of module 'm' has 9 bits, but what it is bound to is {a: u8}, which "
                   "has 8 [verilog-port]"));
}

TEST_CASE("Verilog with comments of its network above it is written again; other Verilog is not") {
    const Scratch scratch;
    const std::string line = "verilog " + std::string{SME_SOURCE_DIR} +
                             "/models/merge/network.yaml -o " + scratch.path("made");
    REQUIRE(Command{line}.exit_code == 0);
    CHECK(Command{line}.exit_code == 0);
    const std::string own = "// my own\n`default_nettype none\n\nmodule channel;\nendmodule\n";
    scratch.write("made/channel.v", own);
    const Command refused{line};
    CHECK(refused.exit_code != 0);
    CHECK(contains(refused.err, "[not-overwritten]"));
    CHECK(text_of(scratch.path("made/channel.v")) == own);
}
