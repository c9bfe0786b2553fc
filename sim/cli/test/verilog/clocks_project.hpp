// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <string>

#include <doctest/doctest.h>

#include "../command.hpp"

namespace sme::test {

/// Asynchronous FIFOs between clocks: two with equal clocks in a family, one with slower clocks,
/// and one whose read clock is a bus. A further module has registers at all edges of an even and an
/// odd clock, another has a bus as its only clock. A number records inputs and outputs of each
/// module in each cycle.
inline constexpr const char* clocks_yaml = R"yaml(network: crossing
buses:
  s_valid[5]: bool
  s_data[5]: u8
  s_ready[4]: bool
  s_level[4]: u4
  m_valid[3]: bool
  m_data[3]: u8
  m_ready[5]: bool
  w_valid: wire bool
  w_data: wire u8
  tick: bool
  up_a: u8
  down_a: u8
  up_b: u8
  down_b: wire u8
  goes_in[5]: wire u32
  at_x: wire u8
  at_y: wire u8
  comes_out[6]: wire u32
processes:
  driver[k < 5]:
    out:
      s_valid: "s_valid[k]"
      s_data: "s_data[k]"
      m_ready: "m_ready[k]"
    state:
      r: u16 = 44257 + u16(k) * 77
      n: u7 = 0
    step:
      r: (r << 1) ^ (if r[15] then u16(4129) else u16(0))
      n: n + 1
      s_valid: "if n[6] then r[3] or r[12] else r[3] and r[8] and r[12]"
      s_data: u8(r & 255)
      m_ready: r[7] or r[2] or r[9]
  ticker:
    out: tick
    state: {r: u16 = 4711}
    step:
      r: (r << 1) ^ (if r[15] then u16(4129) else u16(0))
      tick: r[4]
  equal[k < 2]:
    verilog:
      files: async_fifo.v
      top: async_fifo
      clock: {s_clk: every 1, m_clk: every 2 offset 1}
      reset: [{port: s_rst_n, active: low, cycles: 3}, m_rst]
      trace: inside
    in: {s_valid: "s_valid[k]", s_data: "s_data[k]", m_ready: "m_ready[k]"}
    out: {s_ready: "s_ready[k]", s_level: "s_level[k]", m_valid: "m_valid[k]", m_data: "m_data[k]"}
  slow:
    verilog:
      files: async_fifo.v
      top: async_fifo
      clock: {m_clk: every 4, s_clk: every 1 + 2 offset 2}
      reset: [m_rst, {port: s_rst_n, active: low, cycles: 3}]
      trace: inside
    in: {s_valid: "s_valid[2]", s_data: "s_data[2]", m_ready: "m_ready[2]"}
    out: {s_ready: "s_ready[2]", s_level: "s_level[2]", m_valid: "m_valid[2]", m_data: "m_data[2]"}
  made:
    verilog:
      files: async_fifo.v
      top: async_fifo
      clock: {s_clk: every 2}
      reset: [{port: s_rst_n, active: low, cycles: 3}, m_rst]
    in: {s_valid: "s_valid[3]", s_data: "s_data[3]", m_ready: "m_ready[3]", m_clk: tick}
    out: {s_ready: "s_ready[3]", s_level: "s_level[3]", m_valid: w_valid, m_data: w_data}
  edges:
    verilog:
      files: edges.v
      top: edges
      clock: {a: every 2, b: every 3 offset 1}
    in: {x: "s_data[4]"}
    out: {up_a: up_a, down_a: down_a, up_b: up_b, down_b: down_b}
  held:
    verilog: {files: edges.v, top: held, clock: {}}
    in: {clk: tick, x: "s_data[3]", y: "s_data[0]"}
    out: {at_x: at_x, at_y: at_y}
  collect[k < 5]:
    in:
      s_valid: "s_valid[k]"
      s_data: "s_data[k]"
      m_ready: "m_ready[k]"
      tick: tick
    out: "goes_in[k]"
    step:
      goes_in: (u32(s_data) << 3) + u32(s_valid) * 4 + u32(m_ready) * 2 + u32(tick)
  show[k < 3]:
    in:
      m_valid: "m_valid[k]"
      m_data: "m_data[k]"
      s_ready: "s_ready[k]"
      s_level: "s_level[k]"
    out: "comes_out[k]"
    step:
      comes_out: (u32(m_data) << 6) + u32(s_level) * 4 + u32(m_valid) * 2 + u32(s_ready)
  show_made:
    in:
      m_valid: w_valid
      m_data: w_data
      s_ready: "s_ready[3]"
      s_level: "s_level[3]"
    out: "comes_out[3]"
    step:
      comes_out: (u32(m_data) << 6) + u32(s_level) * 4 + u32(m_valid) * 2 + u32(s_ready)
  show_edges:
    in: [up_a, down_a, up_b, down_b]
    out: "comes_out[4]"
    step:
      comes_out: (u32(up_a) << 24) + (u32(down_a) << 16) + (u32(up_b) << 8) + u32(down_b)
  show_held:
    in: [at_x, at_y]
    out: "comes_out[5]"
    step:
      comes_out: (u32(at_x) << 8) + u32(at_y)
outputs:
  in.csv: {record: goes_in}
  out.csv: {record: comes_out}
run: {cycles: 400}
)yaml";

inline constexpr const char* edges_v = R"(module edges(input a, input b, input [7:0] x,
  output reg [7:0] up_a, output reg [7:0] down_a, output reg [7:0] up_b, output reg [7:0] down_b);
  initial {up_a, down_a, up_b, down_b} = 0;
  always @(posedge a) up_a <= down_b + 1;
  always @(negedge a) down_a <= up_a ^ x;
  always @(posedge b) up_b <= down_a ^ x;
  always @(negedge b) down_b <= up_b + x;
endmodule

module held(input clk, input [7:0] x, input [7:0] y, output reg [7:0] at_x, output reg [7:0] at_y);
  initial {at_x, at_y} = 0;
  always @(posedge clk) at_x <= x;
  always @(posedge clk) at_y <= y;
endmodule
)";

/// The same in Icarus, with the clocks on a time axis: a cycle is 12 units; registers of the
/// network change at 0, wires at 1 and 2; readers see the values at 11.
inline constexpr const char* clocks_bench = R"(`timescale 1ns/1ns
module bench;
  reg s1 = 0, m2 = 1, s3 = 0, m4 = 0, s2 = 0, tick = 0, active = 1, ea = 0, eb = 1, held_clk = 0;
  reg [31:0] in [0:4];
  wire [31:0] edge_data;
  wire [7:0] data [0:3];
  wire [3:0] level [0:3];
  wire valid [0:3], ready [0:3];
  async_fifo a(s1, !active, in[0][2], in[0][10:3], ready[0], level[0], m2, active, valid[0], data[0], in[0][1]);
  async_fifo b(s1, !active, in[1][2], in[1][10:3], ready[1], level[1], m2, active, valid[1], data[1], in[1][1]);
  async_fifo c(s3, !active, in[2][2], in[2][10:3], ready[2], level[2], m4, active, valid[2], data[2], in[2][1]);
  async_fifo d(s2, !active, in[3][2], in[3][10:3], ready[3], level[3], tick, active, valid[3], data[3], in[3][1]);
  edges e(ea, eb, in[4][10:3], edge_data[31:24], edge_data[23:16], edge_data[15:8], edge_data[7:0]);
  wire [15:0] at;
  held h(held_clk, in[3][10:3], in[0][10:3], at[15:8], at[7:0]);
  integer file, cycle, k, got;
  reg [8*64-1:0] line;
  initial begin
    for (k = 0; k < 5; k = k + 1) in[k] = 0;
    file = $fopen("in.csv", "r");
    got = $fgets(line, file);
    for (k = 0; k < 3; k = k + 1) begin
      #6 {s1, m2, s3, m4, s2, tick} = 6'b000000;
      #6 {s1, m2, s3, m4, s2, tick} = 6'b111111;
    end
    // as cycle 0 begins: every 2 offset 1 and every 3 offset 2 are high
    #1 {m4, s2, tick} = 3'b000;
    #1 active = 0;
    for (cycle = 0; cycle < 400; cycle = cycle + 1) begin
      got = $fscanf(file, "%d,%d,%d,%d,%d\n", in[0], in[1], in[2], in[3], in[4]);
      #1 tick = in[3][0];
      held_clk = tick;
      #5 s1 = 0;
      if (cycle % 3 == 1) s3 = 0;
      if (cycle % 3 == 0) eb = 0;
      #5 for (k = 0; k < 4; k = k + 1)
        $write("%0d,", {18'd0, data[k], level[k], valid[k], ready[k]});
      $write("%0d,%0d\n", edge_data, at);
      #1 s1 = 1;
      m2 = cycle % 2 == 1;
      if (cycle % 3 == 2) s3 = 1;
      if (cycle % 4 == 0) m4 = 1;
      if (cycle % 4 == 2) m4 = 0;
      s2 = cycle % 2 == 0;
      ea = cycle % 2 == 0;
      if (cycle % 3 == 1) eb = 1;
      #0;
    end
    $finish(0);
  end
endmodule
)";

class ClocksProject {
public:
    ClocksProject() {
        folder.write("net.yaml", clocks_yaml);
        folder.write("bench.v", clocks_bench);
        folder.write("edges.v", edges_v);
        folder.write("async_fifo.v",
                     text_of(std::string{SME_SOURCE_DIR} + "/hdl/verilator/test/async_fifo.v"));
    }
    Command run(const std::string& line) const { return run_in(folder, line); }
    Command sme(const std::string& words) const { return sme_in(folder, words); }
    Scratch folder;
};

} // namespace sme::test
