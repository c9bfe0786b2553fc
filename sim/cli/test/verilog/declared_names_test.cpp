// SPDX-License-Identifier: Apache-2.0
//
// Tests that names and indices of signals in modules are the same in checks, waves and outputs.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "ports_project.hpp"

using namespace sme::test;

namespace {

constexpr const char* arrays_sv =
    R"(typedef struct packed { logic [-1:2] a; logic [0:-2][3:0] b; } pair_t;
module cell_of(input clk, input [7:0] d, output reg [7:0] q); always @(posedge clk) q <= d; endmodule
module arrays(input clk, input [-1:6] d, input [7:0] up [-1:2], input [7:0] down [2:-1],
              input [7:0] grid [1:0][-1:0], input pair_t p, output reg [7:0] q,
              output reg [7:0] late [0:-2]);
  reg [7:0] m [-1:2];
  reg [7:0] n [2:-1];
  reg [7:0] mm [-1:1][3:-2];
  reg [-1:2][7:0] rows [-2:-1];
  pair_t s [-1:0];
  reg [69:0] wide [-3:3];
  wire [23:0] v;
  cell_of u [-1:1] (clk, d, v);
  genvar k;
  generate for (k = -1; k < 1; k = k + 1) begin : g wire [7:0] x = d + k; end endgenerate
  integer i;
  initial for (i = -1; i < 3; i = i + 1) begin m[i] = 10 + i; n[i] = 20 + i; end
  always @(posedge clk) begin
    m[$signed({1'b0, d[6]})] <= d; q <= m[-1] + m[2] + up[-1] + 2 * down[-1] + 4 * grid[1][-1];
    mm[-1][-2] <= d; mm[1][3] <= ~d; rows[-1][-1] <= d; s[-1] <= p; wide[-3] <= {62'd1, d};
    late[0] <= d; late[-1] <= d + 8'd1; late[-2] <= d + 8'd2;
  end
endmodule
)";

constexpr const char* arrays_yaml = R"(network: n
buses:
  d: u8
  q: u8
  late: u8[3]
  up: u8[4] = [1, 2, 3, 4]
  down: u8[4] = [5, 6, 7, 8]
  grid: u8[4] = [9, 10, 11, 12]
processes:
  source:
    out: [d, up, down, grid]
    step:
      d: d * 5 + 3
      up: up
      down: down
      grid: grid
  dut:
    verilog: {files: arrays.sv, top: arrays, lint: off, trace: inside}
    in: {d: d, up: up, down: down, grid: grid, p: 0x5abc}
    out: {q: q, late: late}
checks:
  - always: dut.m[2] == 12 and dut.m[-1] == 9 and dut.n[-1] == 19 and dut.n[2] == 22
  - after 1: q == 9 + 12 + 1 + 2 * 5 + 4 * 11
  - after 1: dut.mm[-1, -2] == past(d) and dut.mm[1, 3] == ~past(d) and dut.mm[0, 0] == 0
  - after 1: dut.rows[-1] >> 24 == u32(past(d)) and dut.s[-1] == 0x5abc and dut.s[0] == 0
  - after 1: dut.wide[-3] == u70(past(d)) + 256 and dut.u[-1].q == past(d)
  - always: dut.g[-1].x == d - 1 and dut.g[0].x == d
  - after 1: late[2] == past(d) and late[1] == past(d) + 1 and late[0] == past(d) + 2
run: {cycles: 20}
)";

} // namespace

TEST_CASE("elements have the indices of their declaration, also below zero, at ports as inside") {
    const Project project;
    project.folder.write("arrays.sv", arrays_sv);
    project.folder.write("arrays.yaml", arrays_yaml);
    const Command run = project.sme("run arrays.yaml --trace t.csv");
    CAPTURE(run.err);
    CAPTURE(run.out);
    CHECK(run.exit_code == 0);
    const std::string trace = text_of(project.folder.path("t.csv"));
    for (const char* const name : {"m(-1)", "n(2)", "mm(-1)(-2)", "mm(0)(3)", "rows(-2)", "wide(3)",
                                   "down(-1)", "g[-1].x", "u[-1].q"})
        CHECK(contains(trace.substr(0, trace.find('\n')), fmt::format(",dut.{}", name)));
    for (const auto& [index, range] : {std::pair{"m[3]", "the index is 3, but must be -1 to 2"},
                                       std::pair{"m[-2]", "the index is -2, but must be -1 to 2"},
                                       std::pair{"m[4000000000]", "is 4000000000, but must be -1"},
                                       std::pair{"mm[0, 4]", "is 4, but must be -2 to 3"},
                                       std::pair{"u[2].q", "is 2, but must be -1 to 1"}}) {
        project.folder.write("wrong.yaml",
                             replaced(arrays_yaml, "dut.m[2]", fmt::format("dut.{}", index)));
        const Command wrong = project.sme("check wrong.yaml");
        CAPTURE(wrong.err);
        CHECK(wrong.exit_code == 2);
        CHECK(contains(wrong.err, range));
    }
}

TEST_CASE("a module with an inout or an interface has one name for a signal in checks and waves") {
    const Project project;
    project.folder.write("pad.sv", R"(interface BUS #(parameter W = 0);
  logic [W-1:0] d [2:1]; logic ok; modport S(input d, output ok); endinterface
module sub(BUS.S t, output [7:0] first); assign first = t.d[1]; assign t.ok = t.d[2][0]; endmodule
module face #(parameter W = 1)(input clk, BUS.S s, output reg [W-1:0] q);
  wire [7:0] first; sub u(s, first);
  always @(posedge clk) q <= first;
endmodule
module pad(input clk, inout p, output reg q);
  reg state = 0;
  always @(posedge clk) begin q <= p; state <= ~state; end
  assign p = state ? 1'b1 : 1'bz;
endmodule
)");
    project.folder.write("pad.yaml", R"(network: pad
buses:
  seen: wire bool
  q: bool
  d: u8[2] = [0, 7]
  y: u8
  ok: wire bool
processes:
  source:
    out: d
    step:
      d[0]: d[0] + 3
      d[1]: 7
  g:
    verilog: {files: pad.sv, top: pad, trace: inside}
    in: {p_in: 0, p_enable: 0}
    out: {p_out: seen, q: q}
  f:
    verilog: {files: pad.sv, top: face, trace: inside, parameters: {W: 8}}
    in: {s_d: d}
    out: {s_ok: ok, q: y}
checks:
  - cover: g.state and g.p_out and g.p
  - always: f.s.d[1] == d[0] and f.s.d[2] == 7 and f.u.t.d[1] == d[0] and f.s.W == 8 and f.s_d[1] == d[0] and ok
  - after 1: y == past(d[0])
run: {cycles: 10}
)");
    const Command run = project.sme("run pad.yaml --trace t.csv");
    CAPTURE(run.err);
    CAPTURE(run.out);
    CHECK(run.exit_code == 0);
    const std::string trace = text_of(project.folder.path("t.csv"));
    const std::string names = "," + trace.substr(0, trace.find('\n')) + ",";
    CAPTURE(names);
    for (const char* const name :
         {"g.state", "g.p_out", "g.p", "f.s.d(1)", "f.u.t.d(2)", "f.s_d(1)"})
        CHECK(contains(names, fmt::format(",{},", name)));
    CHECK_FALSE(contains(names, "sme_"));
    project.folder.write("pad.yaml",
                         replaced(text_of(project.folder.path("pad.yaml")), "parameters: {W: 8}",
                                  "parameters: {W: 8, t: {W: 9}}"));
    CHECK(contains(project.sme("check pad.yaml").err,
                   "module 'face' has no port 't' that is an interface"));
}
