// SPDX-License-Identifier: Apache-2.0
//
// Compares inouts of modules with Icarus: driven and observed values are equal wherever Icarus
// knows a value.
#include <doctest/doctest.h>

#include "base/program.hpp"
#include "ports_project.hpp"

using namespace sme::test;

namespace {

/// The common forms: a bus with one enable, an open drain, pads with a cell each two levels down, a
/// net with two drivers, and an inout that the module only reads.
constexpr const char* pads_v = R"(module cell_of_pad (input oe, input d, inout pad, output q);
  assign pad = oe ? d : 1'bz;
  assign q = pad;
endmodule
module row (input [3:0] oe, input [3:0] d, inout [3:0] pads, output [3:0] q);
  genvar k;
  generate
    for (k = 0; k < 4; k = k + 1) begin : each
      cell_of_pad c (.oe(oe[k]), .d(d[k]), .pad(pads[k]), .q(q[k]));
    end
  endgenerate
endmodule
module pads #(parameter WIDTH = 8) (
    input clk, input rst, input [3:0] go, input [7:0] d,
    inout [WIDTH-1:0] data, inout sda, inout [3:0] gpio, inout signed [4:0] shared, inout [2:0] watched__by,
    output reg [7:0] seen, output reg [3:0] pins, output follows);
  reg drive = 0, low = 0;
  reg [WIDTH-1:0] value = 0;
  wire [3:0] q;
  assign data = drive ? value : {WIDTH{1'bz}};
  assign sda = low ? 1'b0 : 1'bz;
  assign shared = go[2] ? d[4:0] : 5'bz;
  assign shared = go[3] & ~go[2] ? ~d[4:0] : 5'bz;
  row r (.oe(go), .d(d[7:4]), .pads(gpio), .q(q));
  assign follows = ^data ^ sda ^ ^watched__by;
  always @(posedge clk) begin
    drive <= ~rst & go[0];
    low <= ~rst & go[1];
    value <= rst ? 0 : value + d;
    seen <= rst ? 8'd0 : data ^ {3'd0, shared};
    pins <= rst ? 4'd0 : q;
  end
endmodule
)";

constexpr const char* pads_yaml = R"(network: pads
types:
  In: {go: u4, d: u8, data: u8, data_on: u8, sda: bool, gpio: u4, gpio_on: u4, shared: i5, shared_on: i5, watched: u3}
buses:
  in: In
  data: wire u8
  sda: wire bool
  gpio: wire u4
  shared: wire i5
  watched: wire u3
  seen: u8
  pins: u4
  follows: wire bool
processes:
  source:
    out: in
    step:
      in: random(In)
  p:
    verilog: {files: pads.v, top: pads, reset: rst}
    in:
      go: in.go
      d: in.d
      data_in: in.data
      data_enable: in.data_on
      sda_in: in.sda
      sda_enable: true
      gpio_in: in.gpio
      gpio_enable: in.gpio_on
      shared_in: in.shared
      shared_enable: in.shared_on
      watched__by_in: in.watched
      watched__by_enable: 7
    out: {data_out: data, sda_out: sda, gpio_out: gpio, shared_out: shared, watched__by_out: watched, seen: seen, pins: pins, follows: follows}
outputs:
  rows.csv: {record: {a: in, b: data, c: sda, d: gpio, e: shared, f: watched, g: seen, h: pins, i: follows}}
checks:
  - cover: p.drive and data == p.value and in.data_on == 255
run: {cycles: 400}
)";

/// Drives the same values; counts the bits that are known here and differ there.
constexpr const char* bench_v = R"(module bench;
  reg clk = 0, rst = 1, sda_i, sda_o, follows_o;
  reg [3:0] go, gpio_i, gpio_on, gpio_o, pins_o;
  reg [7:0] d, data_i, data_on, data_o, seen_o;
  reg signed [4:0] shared_i, shared_on, shared_o;
  reg [2:0] watched_i, watched_o;
  wire [7:0] data, seen;
  wire sda, follows;
  wire [3:0] gpio, pins;
  wire signed [4:0] shared;
  wire [2:0] watched;
  genvar k;
  generate
    for (k = 0; k < 8; k = k + 1) assign (weak1, weak0) data[k] = data_on[k] ? data_i[k] : 1'bz;
    for (k = 0; k < 4; k = k + 1) assign (weak1, weak0) gpio[k] = gpio_on[k] ? gpio_i[k] : 1'bz;
    for (k = 0; k < 5; k = k + 1) assign (weak1, weak0) shared[k] = shared_on[k] ? shared_i[k] : 1'bz;
  endgenerate
  assign (weak1, weak0) sda = sda_i;
  assign (weak1, weak0) watched = watched_i;
  pads p (.clk(clk), .rst(rst), .go(go), .d(d), .data(data), .sda(sda), .gpio(gpio), .shared(shared),
          .watched__by(watched), .seen(seen), .pins(pins), .follows(follows));
  wire [33:0] here = {data, sda, gpio, shared, watched, seen, pins, follows};
  wire [33:0] there = {data_o, sda_o, gpio_o, shared_o, watched_o, seen_o, pins_o, follows_o};
  integer file, read, n, rows = 0, known = 0, others = 0;
  reg [8*400:1] head;
  initial begin
    go = 0; d = 0; data_i = 0; data_on = 0; sda_i = 0; gpio_i = 0; gpio_on = 0; shared_i = 0;
    shared_on = 0; watched_i = 0;
    repeat (2) begin #5 clk = 1; #5 clk = 0; end
    rst = 0;
    file = $fopen("rows.csv", "r");
    read = $fgets(head, file);
    read = 18;
    while (read == 18) begin
      read = $fscanf(file, "%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d\n", go, d, data_i,
                     data_on, sda_i, gpio_i, gpio_on, shared_i, shared_on, watched_i, data_o, sda_o,
                     gpio_o, shared_o, watched_o, seen_o, pins_o, follows_o);
      if (read == 18) begin
        #5 rows = rows + 1;
        for (n = 0; n < 34; n = n + 1)
          if (here[n] === 1'b0 || here[n] === 1'b1) begin
            known = known + 1;
            if (here[n] !== there[n]) others = others + 1;
          end
        if (others != 0 && others < 40) $display("row %0d: %b, not %b", rows, there, here);
        clk = 1;
        #5 clk = 0;
      end
    end
    $display("%0d rows, %0d others, %s", rows, others, known > 10500 ? "most known" : "few known");
  end
endmodule
)";

} // namespace

TEST_CASE("an inout is what is driven into it and what is seen there, as in Icarus") {
    const Project project;
    project.folder.write("pads.v", pads_v);
    project.folder.write("pads.yaml", pads_yaml);
    project.folder.write("bench.v", bench_v);
    const Command run = project.sme("run pads.yaml --strict");
    CAPTURE(run.err);
    CHECK(run.exit_code == 0);
    CHECK(project.sme("run pads.yaml --no-compile").exit_code == 0);
    CHECK(contains(project.sme("verilog pads.yaml --output o").err, "module 'pads' has an inout"));
    if (!sme::find_program("iverilog")) {
        MESSAGE("skipped: there is no iverilog");
        return;
    }
    const Command same =
        run_in(project.folder, "iverilog -g2012 -s bench -o bench bench.v pads.v && "
                               "vvp bench");
    CAPTURE(same.err);
    CHECK(same.out == "400 rows, 0 others, most known\n");
}

TEST_CASE("an inout whose parts have no names of their own, or that is an array, is refused") {
    const Project project;
    const std::string network =
        "network: one\nbuses:\n  q: u8\nprocesses:\n  p:\n    verilog: {files: "
        "one.v, top: one}\n    in: {pad_in: 1, pad_enable: 1}\n    out: {q: q}\n";
    project.folder.write("one.yaml", network);
    for (const auto& [ports, says] :
         {std::pair{
              "inout [7:0] pad, input pad_in, output [7:0] q",
              "one.v:1:36: error: module 'one': port 'pad' is inout; write a module around it "
              "whose ports are 'pad_in', 'pad_out' and 'pad_enable' [verilog-port]"},
          std::pair{"inout [7:0] pad [3], output [7:0] q", "port 'pad' is inout; write a module"},
          std::pair{"inout [7:0] pad, output [7:0] q, input real r",
                    "port 'pad' is inout; write"}}) {
        const std::string given = ports; // clang cannot capture bindings
        CAPTURE(given);
        project.folder.write("one.v", "module one (input clk, " + given +
                                          ");\n  assign q = 8'd1;\nendmodule\n");
        const Command run = project.sme("check one.yaml");
        CAPTURE(run.err);
        CHECK(run.exit_code == 2);
        CHECK(contains(run.err, says));
    }
    project.folder.write("one.v", "module one (input clk, inout [7:0] pad, output [7:0] q);\n"
                                  "  assign q = pad;\nendmodule\n");
    const Command follows = project.sme("check one.yaml");
    CAPTURE(follows.err);
    CHECK(follows.exit_code == 2); // q is not a register
    CHECK(contains(follows.err, "'q'"));
}
