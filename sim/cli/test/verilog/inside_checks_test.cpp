// SPDX-License-Identifier: Apache-2.0
//
// Tests signals inside a module in checks and outputs. The checks compute the expected values from
// the inputs and the cycle. All cases share one module, built by the real Verilator.
#include <filesystem>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "../command.hpp"

using namespace sme::test;

namespace {

constexpr const char* core_sv =
    R"(typedef struct packed { logic [3:0] high; logic [3:0] low; } pair_t;
interface link; logic [7:0] v; endinterface
module alu #(parameter W = 8, parameter signed [7:0] NEG = -3)(input clk, input [W-1:0] a, input [W-1:0] b, output [W-1:0] y);
  wire [W-1:0] sum = a + b;
  wire signed [W-1:0] minus__a = -a;
  wire [W-1:0] nobody_reads = a ^ b;
  localparam [99:0] BIG = {4'd9, 96'd5}; localparam real HALF = 0.5;
  localparam [7:0] LIST [0:1] = '{8'd3, 8'd4};
  genvar k;
  generate for (k = 1; k < 3; k = k + 1) begin : stage
    wire [W-1:0] part = a << k;
    if (k == 2) begin : deep reg q = 0; always @(posedge clk) q <= ~q; end
  end endgenerate
  assign y = sum;
endmodule
module core(input clk, input rst, input [7:0] x, output reg [7:0] y);
  reg [31:0] reg_pc; reg [7:0] mem [4:7]; reg [7:0] grid [0:1][3:2]; real r;
  reg [99:0] cube [0:1][1:3][0:1]; wire [7:0] \gate[0][1] = x + 9, \u_alu.v = x + 2;
  wire [7:0] \a+b = x;
  pair_t pair; reg [99:0] wide;
  link l();
  assign l.v = x;
  wire [7:0] s0; wire [15:0] s1;
  alu u_alu(.clk(clk), .a(x), .b(reg_pc[7:0]), .y(s0));
  alu #(.W(16)) wider(.clk(clk), .a({8'd0, x}), .b(16'd3), .y(s1));
  alu many[1:0] (.clk(clk), .a(x), .b(8'd1), .y());
  always @(posedge clk) begin
    wide <= rst ? 100'd0 : wide + {1'b1, 99'd1};
    reg_pc <= rst ? 32'd0 : reg_pc + 32'd4;
    y <= rst ? 8'd0 : s0 + s1[7:0];
    pair <= rst ? 8'd0 : x;
    if (rst) begin mem[4] <= 0; mem[5] <= 0; mem[6] <= 0; mem[7] <= 0; end
    else mem[{1'b1, x[1:0]}] <= x;
    grid[x[0]][2] <= x; grid[x[0]][3] <= x + 8'd1;
    cube[x[0]][2'd1 + {1'b0, x[1]}][x[2]] <= {92'd0, x};
  end
endmodule
)";

constexpr const char* network_yaml = R"(network: looks
buses:
  x: u8
  y[k < 3]: u8
processes:
  source:
    out: x
    step:
      x: x + 3
  core[k < 3]:
    verilog: {files: core.sv, top: core, reset: rst}
    in: {x: x}
    out: {y: "y[k]"}
    checks:
      - always: reg_pc == u32(cycle) * 4 and u_alu.stage[2].deep.q == (cycle % 2 == 1)
outputs:
  pcs.csv:
    record: core[0].reg_pc
    when: core[1].u_alu.sum == 14
checks:
  - always: core[2].reg_pc == u32(cycle) * 4
  - always: core[1].u_alu.sum == x + u8(cycle) * 4
  - always: core[1].u_alu.nobody_reads == (x ^ (u8(cycle) * 4))
  - always: core[1].u_alu.stage[2].part == x << 2 and core[1].wider.sum == u16(x) + 3
  - always: core[1].many[1].sum == x + 1 and core[1].l.v == x
  - always: core[1].u_alu.minus__a == i8(0 - x) and core[1].x == x and core[1].y == y[1]
  - after 1: core[0].pair == past(x) and core[0].wide == (u100(cycle) | (u100(cycle % 2) << u7(99)))
  - always: core[1].u_alu.W == 8 and core[1].wider.W == 16 and core[1].wider.NEG == -3
  - always: core[1].u_alu.BIG == 9 * 79228162514264337593543950336 + 5
  - always: core[1].gate[0][1] == x + 9 and core[1].u_alu.v == x + 2
  - after 1: core[1].grid[u1(past(x) & 1), 2] == past(x)
  - after 1: core[1].grid[u1(past(x) & 1), 3] == past(x) + 1
  - eventually by 6: core[2].cube[1, 2, 1] == 15         # 15 is 0b1111
  - eventually by 3: core[0].mem[7] == 3                 # written in cycle 1, seen in 2
  - after 1: core[2].mem[u3(past(x) % 4) + 4] == past(x)
run: {cycles: 80}
)";

class Looks {
public:
    Looks() {
        folder.write("core.sv", core_sv);
        folder.write("network.yaml", network_yaml);
    }
    Command sme(const std::string& words) const { return sme_in(folder, words); }
    /// Checks that the network with another check is refused.
    void refused(const std::string& check, const std::string& message) const {
        CAPTURE(check);
        folder.write("network.yaml",
                     replaced(network_yaml, "core[2].reg_pc == u32(cycle) * 4", check));
        const Command run = sme("check network.yaml");
        CAPTURE(run.err);
        CHECK(run.exit_code != 0);
        CHECK(contains(run.err, message));
    }
    Scratch folder;
};

} // namespace

TEST_CASE(
    "checks and outputs see the signals inside a module, in every engine and after a resume") {
    const Looks looks;
    for (const char* const words :
         {"run network.yaml --engine interpreted",
          "run network.yaml --no-compile", // the cached build includes the observed signals
          "run network.yaml --engine native", "run network.yaml --engine native --threads 2",
          "run network.yaml --checkpoint-every 50 saved --trace t.vcd",
          "run network.yaml --resume saved --cycles 120", "validate network.yaml"}) {
        CAPTURE(words);
        const Command run = looks.sme(words);
        CAPTURE(run.err);
        CAPTURE(run.out);
        CHECK(run.exit_code == 0);
        CHECK_FALSE(contains(run.out, "not reached"));
        // by hand: x is 3 t and the counter 4 t, so 7 t is 14 modulo 256 in cycles 2, 258, ...
        if (std::filesystem::exists(looks.folder.path("pcs.csv")))
            CHECK(text_of(looks.folder.path("pcs.csv")) == "value\n8\n");
    }
    CHECK(contains(text_of(looks.folder.path("t.vcd")), " reg_pc [31:0] $end"));
}

TEST_CASE("a check of a signal inside fails where the module is wrong, with the value") {
    const Looks looks;
    looks.folder.write("network.yaml", replaced(network_yaml, "core[2].reg_pc == u32(cycle) * 4",
                                                "core[2].reg_pc != 12"));
    const Command run = looks.sme("run network.yaml");
    CHECK(run.exit_code == 1);
    CHECK(contains(run.err, "failed in cycle 3: 'core[2].reg_pc' is 12"));
}

TEST_CASE("a signal that there is not, or that has no value, is refused where it is named") {
    const Looks looks;
    looks.refused("core[1].reg_pd == 1",
                  "21:13: error: Verilog module 'core' has no signal 'reg_pd', "
                  "did you mean 'reg_pc'? [unknown-name]");
    looks.refused("core[1].u_alu.summ == 1",
                  "'u_alu' of Verilog module 'core' has no signal 'summ', did you mean 'sum'?");
    looks.refused("core[1].u_alu.stage[0].part == 1", "the index is 0, but must be 1 to 2");
    looks.refused("core[1].mem[3] == 1", "the index is 3, but must be 4 to 7");
    looks.refused("core[1].mem == 1", "this is a family of words; write an index");
    looks.refused("core[1].many[0].clk",
                  "signal 'many[0].clk' inside module 'core' shows the clock "
                  "'clk', which has no value in a cycle [verilog-port]");
    looks.refused("core[1].r == 1",
                  "signal 'r' inside module 'core' is real, but no type of the language holds real "
                  "numbers; give the module a signal of bits, such as 'wire [31:0] r_thousands = "
                  "$rtoi(r * 1000.0);', and look at that [verilog-port]");
    looks.refused("core[1].grid[0, 1] == 1", "the index is 1, but must be 2 to 3");
    looks.refused("core[1].u_alu.HALF == 1", "signal 'u_alu.HALF' inside module 'core' is real");
    looks.refused("core[1].u_alu.LIST[0] == 3",
                  "signal 'u_alu.LIST' inside module 'core' is an array of parameters");
}

TEST_CASE("a real number is looked at through bits, as the message says") {
    const Scratch folder;
    folder.write("m.v",
                 "module m(input clk, input [7:0] x, output reg [7:0] y);\n  real r;\n"
                 "  wire [31:0] r_thousands = $rtoi(r * 1000.0);\n"
                 "  always @(posedge clk) begin r <= $itor(x) * 0.125; y <= x; end\nendmodule\n");
    folder.write("network.yaml", R"(network: n
buses: {x: u8, y: u8}
processes:
  source: {out: x, step: {x: x + 3}}
  m: {verilog: {files: m.v, top: m}, in: x, out: y}
checks:
  - after 1: m.r_thousands == u32(past(x)) * 125
run: {cycles: 40}
)");
    const Command run = sme_in(folder, "run network.yaml");
    CAPTURE(run.err);
    CHECK(run.exit_code == 0);
}

TEST_CASE("a module is not built for each name that checks add") {
    const Scratch folder;
    // a loop variable does not exist in the built module
    folder.write("m.v",
                 fmt::format("// {}\nmodule m(input clk, input [7:0] x, output reg [7:0] y);\n"
                             "  wire [7:0] a = x + 8'd1, b = x ^ a, c = x & b;\n"
                             "  reg [7:0] turned; integer k;\n"
                             "  always @* for (k = 0; k < 8; k = k + 1) turned[k] = c[7 - k];\n"
                             "  always @(posedge clk) y <= turned;\nendmodule\n",
                             folder.path()));
    const auto run = [&](const std::string& check, const std::string& options) {
        folder.write("network.yaml", fmt::format(R"(network: n
buses: {{x: u8, y: u8}}
processes:
  source: {{out: x, step: {{x: x + 3}}}}
  m: {{verilog: {{files: m.v, top: m}}, in: x, out: y}}
checks:
  - always: {}
run: {{cycles: 300}}
)",
                                                 check));
        const Command done = sme_in(folder, "run network.yaml " + options);
        CAPTURE(check);
        CAPTURE(done.err);
        CHECK(done.exit_code == (options.empty() ? 0 : done.exit_code));
        return done.exit_code == 0;
    };
    CHECK(run("m.a == x + 1", ""));
    CHECK_FALSE(run("m.b == x ^ (x + 1)", "--no-compile"));
    CHECK(run("m.b == x ^ (x + 1)", "")); // built with all signals from now on
    CHECK(run("m.c == x & (x ^ (x + 1)) and m.a == x + 1", "--no-compile"));
    CHECK(run("m.turned[7] == m.c[0]", "--no-compile"));
    CHECK(run("m.a == x + 1", "--no-compile")); // uses the first build
}

TEST_CASE("a module without a clock shows what is inside, too") {
    const Scratch folder;
    folder.write("c.v", "module c(input [7:0] a, input [7:0] b, output [7:0] y);\n"
                        "  wire [7:0] both = a & b;\n  wire [8:0] more = {1'b0, both} + 9'd1;\n"
                        "  assign y = ~a;\nendmodule\n");
    folder.write("network.yaml", R"(network: n
buses:
  x: u8
processes:
  source:
    out: x
    step:
      x: x + 3
  c:
    verilog: {files: c.v, top: c}
    in:
      a: x
      b: x + 1
checks:
  - always: c.both == (x & (x + 1)) and c.more == u9(c.both) + 1 and c.b == x + 1
run: {cycles: 300}
)");
    const Command run{fmt::format("run {} --strict", folder.path("network.yaml"))};
    CAPTURE(run.err);
    CHECK(run.exit_code == 0);
    CHECK(contains(run.out, "(evaluated 300 times)"));
    // warnings come with a check and when the module is built; the comment keeps this module unique
    folder.write("c.v",
                 replaced(text_of(folder.path("c.v")), "{1'b0, both} + 9'd1", "both + 20'd1") +
                     "// " + folder.path() + "\n");
    for (const auto& [command, warned] :
         {std::pair{"check", true}, std::pair{"run", true}, std::pair{"run", false}}) {
        const std::string given = command; // clang cannot capture bindings
        CAPTURE(given);
        const Command again{fmt::format("{} {}", given, folder.path("network.yaml"))};
        CHECK(again.exit_code == 0);
        CHECK(contains(again.err, "verilog-warning") == warned);
    }
}

TEST_CASE("trace: inside shows the signals of an interface under the name of its instance") {
    const Scratch folder;
    folder.write("network.yaml", R"(network: inside
buses: {x: u8, y: u8}
processes:
  source: {out: x, step: {x: x + 37}}
  core:
    verilog: {files: core.sv, top: core, trace: inside}
    in: x
    out: y
checks:
  - after 1: y == past(x) + 1
run: {cycles: 6}
)");
    folder.write("core.sv", R"(interface link; logic [7:0] v; endinterface
module add(link l, output [7:0] q); assign q = l.v + 8'd1; endmodule
module core(input clk, input [7:0] x, output reg [7:0] y);
  link l(); assign l.v = x;
  wire [7:0] q;
  add adder(l, q);
  always @(posedge clk) y <= q;
endmodule
)");
    const Command run = sme_in(folder, "run network.yaml --trace t.vcd");
    CAPTURE(run.err);
    REQUIRE(run.exit_code == 0);
    const std::string trace = text_of(folder.path("t.vcd"));
    const std::size_t scope = trace.find("$scope module l $end");
    CHECK(scope != std::string::npos);
    CHECK(contains(trace.substr(scope, 60), " v [7:0] $end"));
    CHECK_FALSE(contains(trace, "module l_"));
}
