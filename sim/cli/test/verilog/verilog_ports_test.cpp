// SPDX-License-Identifier: Apache-2.0
//
// Ports of modules as others write them: fields, expressions, arrays, packed structs, registers at
// the falling edge, files of memories and functions of C. One module has many of them, as each is
// built by the real Verilator.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "../command.hpp"

using namespace sme::test;

namespace {

constexpr const char* fields_yaml = R"(network: fields
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

constexpr const char* fields_v =
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

constexpr const char* shapes_yaml = R"(network: shapes
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

constexpr const char* shapes_sv = R"(package p;
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
    Command sme(const std::string& words) const {
        return Command{fmt::format("cd {} && {} {}", folder.path(), SME_COMMAND, words),
                       Command::any_program};
    }
    /// One of the networks, or its Verilog, with another text in it.
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

} // namespace

TEST_CASE("fields and expressions at ports: the parts of a stream have names of their own") {
    const Project project;
    const Command run = project.sme("run fields.yaml --cycles 20");
    CAPTURE(run.err);
    CAPTURE(run.out);
    CHECK(run.exit_code == 0);
    CHECK(run.err == ""); // the rule that would warn is off
    // as Verilog it does the same, its memory beside it
    const Command written = project.sme("verilog fields.yaml --output o --cycles 20 && cd o && "
                                        "iverilog -g2012 -o bench -f files.f fields_bench.v && "
                                        "vvp bench");
    CAPTURE(written.err);
    CHECK(contains(written.out, "PASS: 20 cycles"));
    // printed in one file it is the same network: the text of a parameter stays one
    const Command printed =
        project.sme("check fields.yaml --print > one.yaml && cd / && " + std::string{SME_COMMAND} +
                    " run " + project.folder.path("one.yaml") + " --cycles 20");
    CAPTURE(printed.err);
    CHECK(printed.exit_code == 0);
}

TEST_CASE("arrays, packed structs, enums, the falling edge, functions of C, files of memories") {
    const Project project;
    const Command run = project.sme("run shapes.yaml --strict");
    CAPTURE(run.err);
    CAPTURE(run.out);
    CHECK(run.exit_code == 0);
    CHECK(project.sme("run shapes.yaml --no-compile").exit_code == 0);
    project.folder.write("rtl/two.h", "#define TWO 3\n"); // a part of what is kept
    CHECK(contains(project.sme("run shapes.yaml --no-compile").err, "is not built yet"));
    project.folder.write("rtl/two.h", "#define TWO 2\n");
    project.folder.write("rtl/rom.hex", "08 10\n"); // read when it runs
    CHECK(project.sme("run shapes.yaml --no-compile").exit_code == 1);
    REQUIRE(std::system(("rm " + project.folder.path("rtl/rom.hex")).c_str()) == 0);
    const Command missing = project.sme("run shapes.yaml");
    CHECK(missing.exit_code == 2);
    CHECK(contains(missing.err,
                   "rtl/u.sv:12:11: error: module 'u' reads 'rom.hex', but there is no such file, "
                   "in the working folder or beside this one [file-unreadable]"));
    project.folder.write("rtl/rom.hex", "09 10\n");
    const Command written = project.sme("verilog shapes.yaml --output o");
    CHECK(written.exit_code == 2);
    CHECK(contains(written.err, "module 'u' calls functions of C, which cannot go out"));
    CHECK(contains(written.err, "port 'x' of module 'u' is an unpacked array"));
}

TEST_CASE("a field, an expression or a parameter that is wrong is named where it stands") {
    const Project project;
    const auto refused = [&](const std::string& from, const std::string& to,
                             const std::string& message) {
        project.refused("fields.yaml", from, to, message);
    };
    refused("frame.head.data", "frame.head.dat",
            "fields.yaml:38:14: error: Flit has no field 'dat', did you mean 'data'? "
            "[unknown-field]");
    refused("frame.head.data", "frame.tag.x", "'frame.tag' is u4, which has no fields");
    refused("      q_last: out.head.last\n", "",
            "'out.head.last' is written by no port of the module; bind one to 'out.head.last' "
            "[unbound-port]");
    refused("      s_tready: a.ready\n", "", "'a.ready' is written by no port of the module");
    refused("q_tag: out.tag", "q_tag: out.head", "'out.head' is written by 'q_data' and 'q_tag'");
    refused(
        "m_tlast: b.data.last\n      m_tready: b.ready",
        "m_tready: b.data.last\n      m_tlast: b.ready",
        "port 'm_tready' of module 'm' is an input, but 'b.data.last' is written by the module");
    refused("pick: pick\n", "pick: pick + 1\n", "an output is bound to a bus or to a field of one");
    refused("tdata: frame.head.data", "tdata: frame.head",
            "port 'tdata' of module 'm' has 8 bits, but what it is bound to is Flit, which has 9");
    refused("x: n + 1", "x: u9(n) + 1", "'x' is u8, but this expression is u9; write u8(...)");
    refused("x: n + 1", "x: n + nn", "nothing is named 'nn' here");
    refused("      x: n + 1", "      xx: n + 1", "module 'm' has no port 'xx' [verilog-port]");
    refused("\"data/rom.hex\"", "rom.hex",
            "a text in quotes, but this is rom.hex; write \"rom.hex\" if it is a text");
    refused("W: width", "W: \"widht * 1\"", "nothing is named 'widht' here");
    refused("lint: [WIDTH]", "lint: [WITDH]",
            "such as [WIDTH, CASEINCOMPLETE], but this is 'WITDH', did you mean 'WIDTH'?");
    refused("lint: [WIDTH]", "lint: on", "but this is 'on'");
    project.refused("rtl/m.v", "initial $readmemh(HEX",
                    "initial if ($test$plusargs(\"x\")) $readmemh(\"none.hex\", rom); initial "
                    "$readmemh(\"nothing.hex\"",
                    "module 'm' reads 'nothing.hex'");
}

TEST_CASE("parts of a port that differ from those of its bus are named") {
    const Project project;
    const auto refused = [&](const std::string& from, const std::string& to,
                             const std::string& message) {
        project.refused("shapes.yaml", from, to, message);
    };
    refused(
        "{data: u8, last: bool, phase: u2}\nbuses", "{last: bool, data: u8, phase: u2}\nbuses",
        "port 'f' of module 'u' is struct 'p::flit_t' (data: 8, last: 1, phase: 2), but Flit is "
        "(last: 1, data: 8, phase: 2)");
    refused("[IDLE, RUN, DONE]", "[RUN, IDLE, DONE]",
            "port 'ph' of module 'u' is enum 'p::phase_t', whose 'IDLE' is 0, but 'IDLE' of Phase "
            "is 1");
    refused("[IDLE, RUN, DONE]", "[IDLE, RUN, DONE, LOST]",
            "which has no member of value 3, as 'LOST' of Phase");
    refused("  y: u8[4]", "  y: u16[2]",
            "port 'y' of module 'u' is an array of 4 elements of 8 bits, but what it is bound to "
            "is u16[2]; bind it to an array or a family of as many");
    refused("low: wire u8", "low: u8",
            "output 'low' of module 'u' moves at the falling edge of the clock, within the cycle, "
            "but the bus that it writes is no wire; declare the bus with 'wire' "
            "[verilog-follows]");
    project.refused("rtl/u.sv", "output int two", "inout int two",
                    "port 'two' is inout; write a module around it whose ports are 'two_in', "
                    "'two_out' and 'two_enable'");
}

TEST_CASE("interfaces as ports: each signal is a port of its own") {
    const Project project;
    project.folder.write("rtl/link.sv", R"(interface link #(parameter W = 8) (input clk);
  logic [W-1:0] data;
  logic valid, ready;
  modport sink(input data, valid, output ready);
  modport source(output data, valid, input ready);
endinterface
module stage #(parameter ADD = 0) (input clk, input rst, link.sink a, link.source b);
  assign a.ready = b.ready;
  always_ff @(posedge clk) begin
    b.valid <= a.valid & ~rst;
    b.data <= rst ? 8'd9 : a.data + 8'(ADD);
  end
endmodule
)");
    const std::string network = R"(network: links
buses:
  data: u8
  valid: bool
  ready: bool
  taken: wire bool
  next: u8
  known: bool
processes:
  source:
    out: [data, valid, ready]
    step:
      data: data + 1
      valid: not valid
      ready: valid
  p:
    verilog: {files: rtl/link.sv, top: stage, reset: rst, parameters: {ADD: 3}}
    in: {a_data: data, a_valid: valid, b_ready: ready}
    out: {a_ready: taken, b_data: next, b_valid: known}
checks:
  - at 0: next == 9
  - after 1: next == past(data) + 3 and known == past(valid)
  - always: taken == ready
run: {cycles: 20}
)";
    project.folder.write("links.yaml", network);
    const Command run = project.sme("run links.yaml --strict");
    CAPTURE(run.err);
    CAPTURE(run.out);
    CHECK(run.exit_code == 0);
    CHECK(project.sme("run links.yaml --no-compile").exit_code == 0);
    CHECK(contains(project.sme("verilog links.yaml --output o").err,
                   "module 'stage' has ports that are interfaces"));
    const auto refused = [&](const std::string& file, const std::string& from,
                             const std::string& to, const std::string& message) {
        const std::string before = text_of(project.folder.path(file));
        project.folder.write(file, replaced(before, from, to));
        const Command wrong = project.sme("check links.yaml");
        project.folder.write(file, before);
        CAPTURE(wrong.err);
        CHECK(contains(wrong.err, message));
    };
    refused("links.yaml", "a_data: data", "data: data",
            "module 'stage' has no port 'data', did you mean");
    refused("links.yaml", "  next: u8", "  next: u9",
            "rtl/link.sv:2:17: note: port 'b_data' is declared here");
    refused("rtl/link.sv", "link.sink a", "link a",
            "rtl/link.sv:7:63: error: port 'a' is interface 'link' without a modport");
    refused("rtl/link.sv", "(input clk);\n", "(input tick);\n",
            "port 'a' is interface 'link', whose own port 'tick' is no port of the module");
}

TEST_CASE("a warning is given when a module is built, and by 'sme check'; 'lint: off' is silent") {
    const Project project;
    project.folder.write("w.v", "// " + project.folder.path() + // no other run has built it
                                    "\nmodule w(input clk, input [7:0] x, output reg [8:0] y);\n"
                                    "  reg [256:1] name; reg [7:0] rom [0:1];\n"
                                    "  initial if ($value$plusargs(\"rom=%s\", name))\n"
                                    "    $readmemh(name, rom);\n"
                                    "  always @(posedge clk) y <= x;\nendmodule\n");
    const std::string network = "network: w\nbuses:\n  x: u8\n  y: u9\nprocesses:\n  count:\n"
                                "    out: x\n    step:\n      x: x + 1\n  p:\n"
                                "    verilog: {files: w.v, top: w}\n    in: x\n    out: y\n"
                                "checks:\n  - cover: y == 1\n";
    project.folder.write("w.yaml", network);
    const char* const warning = "(WIDTH) [verilog-warning]";
    const auto warns = [&](const std::string& words, const char* top) {
        project.folder.write("w.yaml", replaced(network, "top: w}", top));
        return contains(project.sme(words + " w.yaml").err, warning);
    };
    CHECK(warns("run --cycles 5", "top: w}"));
    CHECK_FALSE(warns("run --cycles 5", "top: w}"));
    CHECK(warns("run --strict --cycles 5", "top: w}"));
    CHECK(warns("check", "top: w}"));
    CHECK_FALSE(warns("check --strict", "top: w, lint: off}"));
    CHECK(warns("check", "top: w, lint: CASEINCOMPLETE}"));
    // a name that is known in the run only: a fault there
    project.folder.write("w.yaml", replaced(network, "top: w}", "top: w, plusargs: [rom=no.hex]}"));
    const Command missing = project.sme("run w.yaml --cycles 5");
    CHECK(missing.exit_code == 1);
    CHECK(contains(missing.err, "there is no file 'no.hex', in the working folder or beside the "
                                "files of the module [verilog-stopped]"));
}
