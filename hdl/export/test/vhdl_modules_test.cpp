// SPDX-License-Identifier: Apache-2.0
//
// Networks with Verilog modules, written as VHDL. No simulator here reads both languages, so the
// test uses two ways: GHDL synthesises the VHDL to Verilog, which Icarus Verilog runs with the
// modules in the test bench of 'sme verilog'; and GHDL runs the VHDL test bench with a VHDL entity
// in place of a module.
#include <doctest/doctest.h>

#include "examples.hpp"
#include "vhdl_exported.hpp"

namespace {

using namespace sme::test;

/// Returns the output of the Verilog test bench for the VHDL, with the Verilog modules.
std::string through_icarus(const ExportedVhdl& vhdl, const ExportedNetwork& verilog,
                           const std::string& modules) {
    std::string synthesised =
        vhdl.said("ghdl -a --std=08 $(cat files.f) && ghdl --synth --std=08 --out=verilog " +
                  vhdl.top + " >netlist.v");
    if (!synthesised.empty())
        return synthesised;
    // black boxes are declared once per instance
    const Command built{
        "cd " + verilog.folder().path() + " && awk '/^module (" + modules +
            ")$/ {skip = 1} !skip {print} /^endmodule/ {skip = 0}' " +
            vhdl.folder().path("netlist.v") + " >netlist.v && (cd " + vhdl.folder().path() +
            " && iverilog -g2005 -o bench $(cat verilog.f) " + verilog.folder().path("netlist.v") +
            " " + verilog.folder().path(verilog.top + "_bench.v") + ") && vvp -n " +
            vhdl.folder().path("bench"),
        Command::any_program};
    return built.exit_code == 0 ? built.out : built.out + built.err + "\nfailed\n";
}

bool skip_roads() {
    return skip("verilator") || skip("ghdl") || skip("iverilog");
}

/// A family, parameters of each kind, structs, signed ports, a gated clock, two domains.
constexpr const char* mixed = R"(network: mixed
domains: {fast: 1, slow: every 3 offset 1}
types:
  Item:
    valid: bool
    at: i8
    tags: u4[2]
buses:
  made[k < 3]: Item
  turned[k < 3]: Item
  flag: bool
  copied: bool
  low: i8
  high: i20
  sums: i40
  seen: u8
  total: u8
processes:
  make[k < 3]:
    out: made[k]
    state: {n: u8}
    step:
      n: n + 1
      made:
        valid: n[0]
        at: i8(n) - 3
        tags: array(i < 2, if i == 0 then u4(k) else n[3:0])
  turn[k < 3]:
    in:
      item: made[k]
    out:
      turned: turned[k]
    verilog: {files: turn.v, top: turn}
  judge:
    in: turned
    out: [flag, low, total]
    step:
      flag: turned[0].valid != turned[1].valid or turned[2].at == 5
      low: turned[1].at - turned[2].at
      total: u8(sum(k < 3, u4(turned[k].tags[1])))
  copy:
    in: {x: flag}
    out: {y: copied}
    verilog: {files: copy.v, top: copy}
  add8:
    in: {x: low}
    verilog:
      files: add.v
      top: add
      reset: {port: rst_n, active: low}
      parameters: {WIDTH: 8, step: -5, name: "a"}
      unbound: 1
  add20:
    in: {x: low, y: copied}
    out: {sum: high}
    verilog:
      files: add.v
      top: add
      reset: {port: rst_n, active: low}
      parameters: {WIDTH: 20, step: 77, name: "bc", big: 1099511627775}
  again:
    in: {x: low, y: flag}
    out: {sum: sums}
    verilog:
      files: add.v
      top: add
      reset: {port: rst_n, active: low}
      parameters: {WIDTH: 40, step: -3000, name: "d"}
  across:
    in: {x: total}
    out: {y: seen}
    verilog: {files: across.v, top: across, clock: {a_clk: fast, b_clk: slow}, reset: rst}
run: {cycles: 60}
)";

constexpr const char* turn = R"(`default_nettype none
module turn (
    input  wire        clk,
    input  wire [16:0] item,   // valid, at, tags
    output reg  [16:0] turned
);
    initial turned = 0;
    always @(posedge clk)
        turned <= {item[16], item[11:8], item[15:12], item[7:0]};
endmodule
)";

constexpr const char* copy = R"(`default_nettype none
module copy (input wire clk, input wire x, output reg y);
    initial y = 0;
    always @(posedge clk)
        y <= x;
endmodule
)";

constexpr const char* add = R"(`default_nettype none
module add #(
    parameter integer WIDTH = 8,
    parameter integer step = 0,
    parameter name = "",
    parameter [39:0] big = 0
) (
    input wire clk,
    input wire rst_n,
    input wire signed [7:0] x,
    input wire y,
    output reg signed [WIDTH-1:0] sum
);
    wire [39:0] more = {39'd0, y} + big + (name == "bc" ? 40'd3 : 40'd0);
    wire [39:0] next = {{40 - WIDTH{sum[WIDTH-1]}}, sum} + {{32{x[7]}}, x} * step + more;
    always @(posedge clk)
        sum <= rst_n ? next[WIDTH-1:0] : 0;
endmodule
)";

constexpr const char* across = R"(`default_nettype none
module across (
    input wire a_clk,
    input wire b_clk,
    input wire rst,
    input wire [7:0] x,
    output reg [7:0] y
);
    reg [7:0] taken;
    always @(posedge a_clk)
        taken <= rst ? 8'd0 : x;
    always @(posedge b_clk)
        y <= rst ? 8'd0 : taken;
endmodule
)";

/// A module with names that VHDL does not allow, in a component with two instances.
constexpr const char* inner = R"(network: inner
import: [stage.yaml]
files:
  stage.yaml:
    component: stage
    in: {x: bool}
    out: {y: bool}
    buses: {kept: bool}
    processes:
      keep:
        in: {x_: x}
        out: {Y: kept}
        verilog: {files: keep.v, top: Keep__it}
      turn:
        in: kept
        out: y
        step: {y: not kept}
buses: {x: bool, y: bool, z: bool}
processes:
  source:
    out: x
    state: {n: u8 = 0b10110}
    step:
      n: n * 5 + 1
      x: n[6]
  first: {use: stage, in: {x: x}, out: {y: y}}
  second: {use: stage, in: {x: y}, out: {y: z}}
run: {cycles: 50}
)";

constexpr const char* keep = R"(`default_nettype none
module Keep__it (input wire clk, input wire x_, output reg Y);
    initial Y = 0;
    always @(posedge clk)
        Y <= x_;
endmodule
)";

/// The same in VHDL; `what` gives the kept signal.
std::string keep_in_vhdl(const char* what) {
    return fmt::format(R"(library ieee;
use ieee.std_logic_1164.all;
entity \Keep__it\ is
    port (clk : in std_logic; \x_\ : in std_logic; Y : out std_logic := '0');
end entity;
architecture a of \Keep__it\ is
begin
    process (clk) is
    begin
        if rising_edge(clk) then
            Y <= {};
        end if;
    end process;
end architecture;
)",
                       what);
}

} // namespace

TEST_CASE("Verilog modules are components of a design in VHDL") {
    if (skip_roads())
        return;
    const Scratch folder;
    folder.write("mixed.yaml", mixed);
    folder.write("turn.v", turn);
    folder.write("copy.v", copy);
    folder.write("add.v", add);
    folder.write("across.v", across);
    const ExportedVhdl vhdl{folder.path("mixed.yaml")};
    CAPTURE(vhdl.written.err);
    REQUIRE(vhdl.written.exit_code == 0);
    const ExportedNetwork verilog{folder.path("mixed.yaml")};
    CHECK(verilog.icarus() == "PASS: 60 cycles\n");
    CHECK(through_icarus(vhdl, verilog, "turn|copy|add|across") == "PASS: 60 cycles\n");
    CHECK(contains(vhdl.written.out, "mixed: 3 modules and 4 files of others in "));
    CHECK(vhdl.text("verilog.f") == "turn.v\ncopy.v\nadd.v\nacross.v\n");
    CHECK(contains(vhdl.text("files.f"), "sme_bits.vhd\nmixed_components.vhd\n"));
    const std::string text = vhdl.text("mixed.vhd");
    CHECK(contains(text, "add20 : component work.mixed_components_2.add\n"
                         "        generic map (WIDTH => 20, step => 77, name => \"bc\", big => "
                         "128x\"ffffffffff\")\n"));
    CHECK(contains(text, "            sum => open,\n"));
    CHECK(contains(vhdl.text("mixed_components_3.vhd"),
                   "            sum : out std_logic_vector(39 downto 0)\n"));
    // a module that adds one more must be detected
    vhdl.folder().write("add.v", replaced(add, "+ more", "+ more + 1"));
    CHECK(contains(through_icarus(vhdl, verilog, "turn|copy|add|across"), "FAIL"));
}

TEST_CASE("the test bench in VHDL compares what Verilog modules in components write") {
    if (skip("verilator") || skip("ghdl"))
        return;
    const Scratch folder;
    folder.write("inner.yaml", inner);
    folder.write("keep.v", keep);
    const ExportedVhdl vhdl{folder.path("inner.yaml")};
    CAPTURE(vhdl.written.err);
    REQUIRE(vhdl.written.exit_code == 0);
    CHECK(contains(vhdl.text("inner_components.vhd"), "    component \\Keep__it\\ is\n"
                                                      "        port (\n"
                                                      "            clk : in std_logic;\n"
                                                      "            \\x_\\ : in std_logic;\n"
                                                      "            Y : out std_logic\n"));
    CHECK(contains(vhdl.text("inner_bench.vhd"), "first.kept"));
    const auto said = [&](const char* what) {
        vhdl.folder().write("stands.vhd", keep_in_vhdl(what));
        CHECK(vhdl.said("ghdl -a --std=08 stands.vhd") == "");
        return vhdl.ghdl();
    };
    CHECK(said("\\x_\\") == "PASS: 50 cycles\n");
    CHECK(contains(said("not \\x_\\"), "first.kept is "));
    // overwrites its own copies, but no other files
    const std::string again = "vhdl " + folder.path("inner.yaml") + " -o " + vhdl.folder().path();
    CHECK(Command{again}.exit_code == 0);
    vhdl.folder().write("keep.v", "module other; endmodule\n");
    CHECK(Command{again}.exit_code == 2);
    CHECK(vhdl.text("keep.v") == "module other; endmodule\n");
}
