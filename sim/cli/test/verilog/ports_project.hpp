// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <string>

#include <doctest/doctest.h>

#include "../command.hpp"

namespace sme::test {

inline constexpr const char* fields_yaml = R"(network: fields
types:
  Flit: {data: u8, last: bool}
  Frame: {head: Flit, tag: u4}
  Stream(T): {valid: bool, data: T, back ready: bool}
constants:
  on: bool = true
  width: u8 = 8
buses:
  frame: Frame
  n: u8
  lane[4]: Flit
  a: Stream(Flit)
  b: Stream(Flit)
  out: Frame
  now: wire Flit
  sum: wire u10
  pick: wire u8
processes:
  source:
    out: [frame, n, a, lane]
    state:
      i: u8 = 0
    step:
      i: i + 1
      n: i
      frame: {head: {data: i, last: i % 4 == 3}, tag: u4(i & 15)}
      lane[k < 4]: {data: i + u8(k), last: k == 2}
      a: {valid: i % 3 != 0, data: {data: i, last: i % 5 == 0}}
  p:
    verilog:
      files: rtl/m.v
      top: m
      reset: rst
      parameters: {HEX: "data/rom.hex", ON: on, W: width}
      lint: [WIDTH]
    in:
      tdata: frame.head.data
      tlast: frame.head.last
      x: n + 1
      odd: n[0]
      picked: lane[u2(n & 3)].data
      each[k < 4]: lane[k].data
      one: on
      zero: false
      s_tvalid: a.valid
      s_tdata: a.data.data
      s_tlast: a.data.last
      s_tready: a.ready
    out:
      q_data: out.head.data
      q_last: out.head.last
      q_tag: out.tag
      w_data: now.data
      w_last: now.last
      sum: sum
      pick: pick
      m_tvalid: b.valid
      m_tdata: b.data.data
      m_tlast: b.data.last
      m_tready: b.ready
  sink:
    in: b
    state:
      flip: bool
    step:
      flip: not flip
      b.ready: flip
checks:
  - at 0: out.head.data == 85 and not out.head.last and out.tag == 9
  - at 5: out.head.data == 3 and out.head.last and out.tag == 9
  - always: now.data == frame.head.data and now.last == frame.head.last
  - always: sum == u10(u8(n + 1)) + (if n[0] then u10(1) else u10(0)) + 2
  - always: b.valid == a.valid and b.data == a.data and a.ready == b.ready
  - always: pick == lane[u2(n & 3)].data + lane[3].data
)";

inline constexpr const char* fields_v =
    R"(module m #(parameter HEX = "", parameter ON = 0, parameter W = 1)(
  input clk, input rst, input [W-1:0] tdata, input tlast,
  input [7:0] x, input odd, input [7:0] picked, input [31:0] each, input one, input zero,
  input s_tvalid, input [7:0] s_tdata, input s_tlast, output s_tready,
  output reg [7:0] q_data, output reg q_last, output reg [3:0] q_tag,
  output [7:0] w_data, output w_last, output [9:0] sum, output [7:0] pick,
  output m_tvalid, output [7:0] m_tdata, output m_tlast, input m_tready);
  assign s_tready = m_tready;
  assign m_tvalid = s_tvalid, m_tdata = s_tdata, m_tlast = s_tlast;
  assign w_data = tdata, w_last = tlast;
  assign sum = {2'd0, x} + {9'd0, odd} + {9'd0, one} + {9'd0, zero} + ON;
  assign pick = picked + each[31:24];
  reg [7:0] rom [0:1];
  initial $readmemh(HEX, rom);
  always @(posedge clk) begin
    q_data <= rst ? 8'd85 : tdata;
    q_last <= rst ? 1'd0 : tlast;
    q_tag <= rom[0][3:0];
  end
endmodule
)";

inline constexpr const char* shapes_yaml = R"(network: shapes
types:
  Phase: [IDLE, RUN, DONE]
  Flit: {data: u8, last: bool, phase: u2}
buses:
  x: u8[4]
  lane[2]: u70
  f: Flit
  g: Flit
  ph: Phase
  ph_next: Phase
  y: u8[4]
  w[2]: wire u4
  turn[2]: u70
  low: wire u8
  late: u8
  two: wire i32
processes:
  source:
    out: [x, lane, f, ph]
    state:
      i: u8 = 0
    step:
      i: i + 1
      x[k < 4]: i + u8(10 * k)
      lane[k < 2]: (u70(i) << 60) | k
      f: {data: i, last: i % 2 == 1, phase: u2(i & 3)}
      ph: Phase(u2(i % 3))
  p:
    verilog: {files: [rtl/u.sv, rtl/add.c], top: u}
    in: {x: x, lane: lane, f: f, ph: ph}
    out: {g: g, y: y, w: w, turn: turn, low: low, late: late, two: two, q: ph_next}
checks:
  - after 1: g == past(f)
  - after 1: ph_next == past(ph)
  - after 1: y[0] == past(x[3]) and y[1] == past(x[2])
  - after 1: y[2] == past(x[1]) + 9 and y[3] == past(x[0])
  - always: w[0] == u4(x[0] & 15) and w[1] == u4(x[1] & 15)
  - after 1: turn[0] == past(lane[1]) and turn[1] == past(lane[0])
  - always: low == x[3]
  - after 1: late == past(x[3])
  - always: two == i32(x[0]) + 2
run: {cycles: 20}
)";

inline constexpr const char* shapes_sv = R"(package p;
  typedef enum logic [1:0] {IDLE = 0, RUN = 1, DONE = 2} phase_t;
  typedef struct packed {logic [7:0] data; logic last; phase_t phase;} flit_t;
endpackage
import "DPI-C" function int add2(input int a);
module u import p::*;
  (input logic clk, input logic [7:0] x [0:3], input logic [69:0] lane [2], input flit_t f,
   input phase_t ph, output flit_t g, output phase_t q, output logic [7:0] y [3:0],
   output logic [69:0] turn [1:0], output logic [7:0] low, output logic [7:0] late,
   output logic [3:0] w [0:1], output int two);
  logic [7:0] rom [0:1];
  initial $readmemh("rom.hex", rom);
  always_ff @(posedge clk) begin
    g <= f;
    q <= ph;
    y[0] <= x[3];
    y[1] <= x[2];
    y[2] <= x[1] + rom[0];
    y[3] <= x[0];
    turn[0] <= lane[1];
    turn[1] <= lane[0];
    late <= low;
  end
  always_ff @(negedge clk) low <= x[3];
  assign w[0] = x[0][3:0];
  assign w[1] = x[1][3:0];
  assign two = add2(32'(x[0]));
endmodule
)";

class Project {
public:
    Project() {
        folder.write("fields.yaml", fields_yaml);
        folder.write("shapes.yaml", shapes_yaml);
        REQUIRE(std::system(("mkdir -p " + folder.path("rtl/data")).c_str()) == 0);
        folder.write("rtl/m.v", fields_v);
        folder.write("rtl/u.sv", shapes_sv);
        folder.write("rtl/add.c", "#include \"two.h\"\nint add2(int a) { return a + TWO; }\n");
        folder.write("rtl/two.h", "#define TWO 2\n");
        folder.write("rtl/rom.hex", "09 10\n");
        folder.write("rtl/data/rom.hex", "09 10\n");
    }
    Command sme(const std::string& words) const { return sme_in(folder, words); }
    /// Checks that one of the networks, or its Verilog, is refused after a replacement in its text.
    void refused(const std::string& name, const std::string& from, const std::string& to,
                 const std::string& message) const {
        CAPTURE(to);
        const bool is_network = name.ends_with(".yaml");
        const std::string before = text_of(folder.path(name));
        folder.write(name, replaced(before, from, to));
        const Command run = sme("check " + (is_network          ? name
                                            : name == "rtl/m.v" ? "fields.yaml"
                                                                : "shapes.yaml"));
        folder.write(name, before);
        CAPTURE(run.err);
        CHECK(run.exit_code != 0);
        CHECK(contains(run.err, message));
    }
    Scratch folder;
};

} // namespace sme::test
