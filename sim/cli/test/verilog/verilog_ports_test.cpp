// SPDX-License-Identifier: Apache-2.0
//
// Tests ports as found in third-party modules: fields, expressions, arrays, packed structs,
// registers at the falling edge, memory files and C functions. Few modules cover many cases,
// because the real Verilator builds each.
#include <doctest/doctest.h>

#include "ports_project.hpp"

using namespace sme::test;

TEST_CASE("fields and expressions at ports: the parts of a stream have names of their own") {
    const Project project;
    const Command run = project.sme("run fields.yaml --cycles 20");
    CAPTURE(run.err);
    CAPTURE(run.out);
    CHECK(run.exit_code == 0);
    CHECK(run.err == ""); // the rule of this warning is off
    // the exported Verilog does the same, with its memory file beside it
    const Command written = project.sme("verilog fields.yaml --output o --cycles 20 && cd o && "
                                        "iverilog -g2012 -o bench -f files.f fields_bench.v && "
                                        "vvp bench");
    CAPTURE(written.err);
    CHECK(contains(written.out, "PASS: 20 cycles"));
    // the printed network is the same: a text parameter stays a text
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
    project.folder.write("rtl/two.h", "#define TWO 3\n"); // changes the key of the cached build
    CHECK(contains(project.sme("run shapes.yaml --no-compile").err, "is not built yet"));
    project.folder.write("rtl/two.h", "#define TWO 2\n");
    project.folder.write("rtl/rom.hex", "08 10\n"); // read at run time
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
    refused("{data: u8, last: bool, phase: u2}\nbuses", "{last: bool, data: u8, phase: u2}\nbuses",
            "flit_t' (data: 8, last: 1, phase: 2), but Flit is (last: 1, data: 8, phase: 2)");
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
                    "port 'two' of module 'u' is inout; bind 'two_in' and 'two_enable', what is "
                    "driven into it, and 'two_out', what is seen there");
}

TEST_CASE(
    "expressions in families with dropped members, in components, in second implementations") {
    const Project project;
    project.folder.write("add.v", "module add(input clk, input [7:0] a, input [7:0] b,\n"
                                  "  output reg [7:0] y = 0, output [2:0] l, input [2:0] m);\n"
                                  "  assign l = m;\n"
                                  "  always @(posedge clk) y <= a + b;\nendmodule\n");
    project.folder.write("half.yaml", R"yaml(component: half
in: {p: "Pair[2]", n: u8}
out: {s: u8}
types:
  Pair: {lo: u8, hi: u8}
buses:
  r[2]: u8
processes:
  m[k < 2]:
    verilog: {files: add.v, top: add}
    in: {a: "p[k].lo + 1", b: n, m: "u3(k) + 1"}
    out: {y: "r[k]"}
  pick:
    in: r
    out: s
    step:
      s: r[1]
)yaml");
    project.folder.write("families.yaml", R"yaml(network: families
import: [half.yaml]
types:
  Pair: {lo: u8, hi: u8}
  Out: {y: u8}
buses:
  pairs[4]: Pair
  both: Pair[2]
  q: u8
  flag[3]: bool
  s[2]: u8
  o[4]: Out
  ll[4]: wire u3
  one: u8
  z: u8
processes:
  source:
    out: [pairs, both, q, flag]
    state: {i: u8}
    step:
      i: i + 1
      pairs[k < 4]: {lo: i + u8(k), hi: u8(k)}
      both[k < 2]: {lo: i, hi: 0}
      q: i
      flag[k < 3]: i % 2 == 1
  direct[k < 4]:
    where: k != 2
    verilog: {files: add.v, top: add}
    in: {a: "pairs[(k + 1) % 4].lo + u8(k)", b: "pairs[k].hi", "m[j < 3]": "flag[j] and k > 0"}
    out: {y: "o[k].y", l: "ll[k]"}
  rest:
    out: {y: "o[2]", l: "ll[2]"}
    step:
      y.y: 0
      l: 0
  chosen:
    verilog: {files: add.v, top: add, unbound: 0}
    in: {a: "if q > 9 then pairs[0].lo else pairs[u2(q & 3)].hi", b: "sum(j < 4, pairs[j].lo)"}
    out: {y: one}
  halves[g < 2]:
    use: half
    in: {p: both, n: q}
    out: {s: "s[g]"}
  again:
    in: q
    out: z
    step:
      z: q + 1 + q
    against: {verilog: {files: add.v, top: add, unbound: 0}, in: {a: q + 1, b: q}, out: {y: z}}
checks:
  - after 2: o[0].y == past(pairs[1].lo) and o[3].y == past(pairs[0].lo) + 6
  - always: (ll[3] == 7) == flag[0] and ll[0] == 0
  - after 2: one == past(pairs[u2(q & 3)].hi) + 4 * past(pairs[0].lo) + 6 or q > 10
  - after 3: s[1] == past(both[0].lo, 2) + 1 + past(q, 2) and s[0] == s[1]
run: {cycles: 40}
)yaml");
    const Command run = project.sme("cosim families.yaml --strict");
    CAPTURE(run.err);
    CAPTURE(run.out);
    CHECK(run.exit_code == 0);
    CHECK(contains(run.out, "agree        again and module 'add': 40 cycles"));
    const Command written = project.sme("verilog families.yaml --output o && cd o && iverilog "
                                        "-g2012 -o bench -f files.f families_bench.v && vvp bench");
    CAPTURE(written.err);
    CHECK(contains(written.out, "PASS: 40 cycles"));
}

TEST_CASE("interfaces as ports: each signal is a port of its own") {
    const Project project;
    project.folder.write("rtl/link.sv", R"(interface link #(parameter W = 8) (input clk);
  logic [W-1:0] data;
  logic valid, is__ready;
  modport sink(input data, valid, output is__ready);
  modport source(output data, valid, input is__ready);
endinterface
module stage #(parameter ADD = 0) (input clk, input rst, link.sink a, link.source b);
  assign a.is__ready = b.is__ready;
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
    in: {a_data: data, a_valid: valid, b_is__ready: ready}
    out: {a_is__ready: taken, b_data: next, b_valid: known}
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
    project.folder.write("w.v", "// " + project.folder.path() + // not built by an earlier run
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
    const char* const warning = "(WIDTH";
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
    // a name that is known only at run time causes a fault there
    project.folder.write("w.yaml", replaced(network, "top: w}", "top: w, plusargs: [rom=no.hex]}"));
    const Command missing = project.sme("run w.yaml --cycles 5");
    CHECK(missing.exit_code == 1);
    CHECK(contains(missing.err, "there is no file 'no.hex', in the working folder or beside the "
                                "files of the module [verilog-stopped]"));
}

TEST_CASE("ports may be called like members of Verilator's classes, and like macros of C") {
    const Scratch folder;
    folder.write("m.sv", R"(
module m(input eval, input rootp, input [7:0] name, input [7:0] vlSymsp, input [7:0] NULL,
         input [7:0] W_OK, output reg [7:0] threads, output reg [7:0] contextp, output [7:0] EOF,
         output [7:0] clone, output [7:0] trace);
  assign EOF = NULL ^ 8'd1;
  assign clone = W_OK;
  assign trace = name + vlSymsp;
  always @(posedge eval) begin
    threads <= rootp ? 8'd9 : name;
    contextp <= vlSymsp;
  end
endmodule
)");
    folder.write("n.yaml", R"(network: n
buses: {a: u8, b: u8, threads: u8, contextp: u8, EOF: wire u8, clone: wire u8, trace: wire u8}
processes:
  count: {out: [a, b], step: {a: a + 1, b: b + 2}}
  m:
    verilog: {files: m.sv, top: m, clock: eval, reset: rootp}
    in: {name: a, vlSymsp: b, NULL: a, W_OK: b}
    out: [threads, contextp, EOF, clone, trace]
checks:
  - at 0: threads == 9
  - after 1: threads == a - 1 and contextp == b - 2
  - always: EOF == a ^ 1 and clone == b and trace == a + b
run: {cycles: 9}
)");
    const Command run = sme_in(folder, "run n.yaml");
    CAPTURE(run.err);
    CHECK(run.exit_code == 0);
    CHECK(run.err == "");
    CHECK(sme_in(folder, "run n.yaml --no-compile").exit_code == 0);
}
