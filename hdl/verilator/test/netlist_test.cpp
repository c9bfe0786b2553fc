// SPDX-License-Identifier: Apache-2.0
//
// The dependencies of outputs, from the real Verilator's netlists. The expected values are derived
// by hand from the Verilog.
#include "verilator/inspect/netlist.hpp"

#include <atomic>
#include <ctime>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "netlist_of.hpp"

using namespace sme;
using test::contains;
using test::netlist_of;
using verilator::Netlist;

namespace {

/// Returns the dependencies of each output as "y: a b?; z:"; a question mark means possibly.
std::string followed(const std::string& verilog) {
    std::string text;
    for (const verilator::ModulePort& port : netlist_of(verilog).ports)
        if (port.port.output) {
            const std::string inputs = test::followed(port);
            text += fmt::format("{}{}:{}{}", text.empty() ? "" : "; ", port.port.name,
                                inputs.empty() ? "" : " ", inputs);
        }
    return text;
}

} // namespace

TEST_CASE("ports have their directions, widths, signs and places") {
    const Netlist netlist = netlist_of("typedef struct packed {logic [3:0] a; logic b;} pair_t;\n"
                                       "module t(input clk, input signed [6:0] x,\n"
                                       "         input pair_t p, input logic [1:0][7:0] q,\n"
                                       "         output reg [99:0] y);\n"
                                       "  always @(posedge clk) y <= {78'd0, p, x, q[0]};\n"
                                       "endmodule\n");
    REQUIRE(netlist.problem.empty());
    REQUIRE(netlist.ports.size() == 5);
    CHECK(netlist.ports[1].port.name == "x");
    CHECK(netlist.ports[1].port.is_signed);
    CHECK(netlist.ports[1].port.width == 7);
    CHECK(netlist.ports[1].line == 2);
    CHECK(netlist.ports[2].port.width == 5);
    CHECK(netlist.ports[3].port.width == 16);
    CHECK(netlist.ports[4].port.output);
    CHECK(netlist.ports[4].port.width == 100);
    CHECK(netlist.ports[4].line == 4);
}

TEST_CASE("names of ports are those of the text, also with underscores side by side") {
    const std::string text = "module t(input clk, input a__b, input c___d, output y__0ff_);\n"
                             "  assign y__0ff_ = a__b;\n"
                             "endmodule\n";
    CHECK(followed(text) == "y__0ff_: a__b");
    CHECK(netlist_of(text).find("c___d"));
}

TEST_CASE("a port whose name no network can write is refused") {
    CHECK(netlist_of("module t(input \\a.b , output y);\n"
                     "  assign y = \\a.b ;\n"
                     "endmodule\n")
              .problem == "port 'a.b' has a name that no network can write; write a module around "
                          "it whose ports have names of letters, digits and '_'");
}

TEST_CASE("logic follows its inputs, registers follow none") {
    CHECK(followed("module t(input clk, input rst, input [7:0] a, input [7:0] b,\n"
                   "         output [7:0] y, output reg [7:0] r, output z);\n"
                   "  assign y = a + r;\n"
                   "  assign z = ^r;\n"
                   "  always @(posedge clk) if (rst) r <= 0; else r <= a ^ b;\n"
                   "endmodule\n") == "y: a; r:; z:");
}

TEST_CASE("bits are told apart, also in one vector and through a function") {
    CHECK(followed("module t(input clk, input [7:0] a, input [7:0] b,\n"
                   "         output x, output y, output [3:0] z, output w);\n"
                   "  reg [3:0] r;\n"
                   "  always @(posedge clk) r <= b[3:0];\n"
                   "  wire [11:0] mixed = {a, r};\n"
                   "  assign x = mixed[2];\n"
                   "  assign y = mixed[5];\n"
                   "  function [3:0] low(input [11:0] v); low = v[3:0]; endfunction\n"
                   "  assign z = low(mixed);\n"
                   "  wire [1:0] pair;\n"
                   "  assign pair[0] = b[0];\n"
                   "  assign pair[1] = r[1];\n"
                   "  assign w = pair[1];\n"
                   "endmodule\n") == "x:; y: a; z:; w:");
}

TEST_CASE("a variable that is used twice in one block is not mixed up") {
    CHECK(followed("module t(input clk, input [7:0] a, input [7:0] b, input s,\n"
                   "         output logic [7:0] x, output logic [7:0] y, output logic [7:0] z);\n"
                   "  logic [7:0] r;\n"
                   "  always_ff @(posedge clk) r <= a;\n"
                   "  always_comb begin : block\n"
                   "    logic [7:0] t;\n"
                   "    t = a; x = t;\n"
                   "    t = r; y = t;\n"
                   "    z = r;\n"
                   "    case (s) 1'b1: z[3:0] = b[3:0]; default: ; endcase\n"
                   "  end\n"
                   "endmodule\n") == "x: a; y:; z: b s");
}

TEST_CASE("loops, old sensitivity lists, gates and instances are followed") {
    CHECK(followed("module inner(input a, input b, output reg q);\n"
                   "  always @(a or b) begin q = a; if (b) q = ~a; end\n"
                   "endmodule\n"
                   "module t(input clk, input [7:0] a, input [7:0] b, output reg [7:0] x,\n"
                   "         output y, output z);\n"
                   "  integer i;\n"
                   "  always @* for (i = 0; i < 8; i = i + 1) x[i] = a[7 - i];\n"
                   "  inner one(.a(a[0]), .b(b[0]), .q(y));\n"
                   "  and gate(z, b[1], x[0]);\n"
                   "endmodule\n") == "x: a; y: a b; z: a b");
}

TEST_CASE("memories: reading follows the address, writing with the clock nothing") {
    CHECK(followed("module t(input clk, input [1:0] at, input [7:0] d, output [7:0] q,\n"
                   "         output reg [7:0] r);\n"
                   "  reg [7:0] memory [0:3];\n"
                   "  assign q = memory[at];\n"
                   "  always @(posedge clk) begin memory[at] <= d; r <= memory[at]; end\n"
                   "endmodule\n") == "q: at; r:");
}

TEST_CASE("an asynchronous reset may move a register, the declared reset does not") {
    CHECK(followed("module t(input clk, input rst, input clear, input a, output reg x,\n"
                   "         output reg y);\n"
                   "  always @(posedge clk or posedge clear) if (clear) x <= 0; else x <= a;\n"
                   "  always @(posedge clk or posedge rst) if (rst) y <= 0; else y <= a;\n"
                   "endmodule\n") == "x: clear?; y:");
}

TEST_CASE("a gated clock may move its register, the falling edge does not keep inputs apart") {
    CHECK(followed("module t(input clk, input en, input a, output reg x, output reg y);\n"
                   "  reg enabled;\n"
                   "  always @(negedge clk) enabled <= en;\n"
                   "  wire gated = clk | enabled;\n"
                   "  always @(posedge gated) x <= a;\n"
                   "  always @(negedge clk) y <= a;\n"
                   "endmodule\n") == "x: a? en?; y: a");
}

TEST_CASE("a gate that is 0 with its clock lets no input through within the cycle") {
    const auto gated = [](const std::string& gate) {
        return followed("module gate(input ck, input en, output g);\n"
                        "  reg on; always @* if (!ck) on = en;\n" +
                        gate +
                        "endmodule\n"
                        "module t(input clk, input rst, input wake, input gnt, input stall,\n"
                        "         output req, output reg late);\n"
                        "  wire g; reg busy; reg [7:0] a;\n"
                        "  gate u(.ck(clk), .en(wake | busy), .g(g));\n"
                        "  assign req = busy & ~stall;\n"
                        "  always @(posedge g or posedge rst)\n"
                        "    if (rst) begin busy <= 0; a <= 0; end\n"
                        "    else begin busy <= ~busy; if (gnt) a <= a + 1; end\n"
                        "  always @(posedge a[7]) late <= ~late;\n"
                        "endmodule\n");
    };
    for (const char* const gate : {"  assign g = ck & on;\n", "  assign g = !(~ck || !on);\n",
                                   "  wire i = ck; assign g = on ? i : 1'b0;\n",
                                   "  reg r; always @* r = on && ck; assign g = r;\n"}) {
        CAPTURE(gate);
        CHECK(gated(gate) == "req: stall; late:");
    }
    CHECK(contains(gated("  assign g = ck ? on : en;\n"), "gnt?"));
}

TEST_CASE("a port named as a signal of an interface may be that signal") {
    CHECK(followed("interface link; logic v, w; endinterface\n"
                   "module t(input clk, input v, input b, output y, output z);\n"
                   "  link l();\n"
                   "  assign l.v = b; assign y = l.v; assign z = v;\n"
                   "endmodule\n") == "y: b? v?; z: b? v?");
}

TEST_CASE("a port named as a parameter of a package is not that parameter") {
    CHECK(followed("package sizes; parameter v = 3; endpackage\n"
                   "module t(input clk, input v, output [1:0] y);\n"
                   "  assign y = {v, sizes::v == 3};\n"
                   "endmodule\n") == "y: v");
}

TEST_CASE("registers at the falling edge are known, and the outputs that show them") {
    const Netlist netlist =
        netlist_of("module t(input clk, input a, output reg x, output reg y, output z);\n"
                   "  always @(negedge clk) x <= a;\n"
                   "  always @(posedge clk) y <= x;\n"
                   "  assign z = ~x;\n"
                   "endmodule\n");
    CHECK(netlist.falls);
    CHECK(netlist.find("x")->falling);
    CHECK_FALSE(netlist.find("y")->falling);
    CHECK(netlist.find("z")->falling);
}

TEST_CASE("arrays, structs, enumerations and files of memories are read") {
    const Netlist netlist = netlist_of(
        "package p; typedef enum logic [1:0] {A = 1, B = 2} e;\n"
        "typedef struct packed {logic [2:0] l; logic r;} s; endpackage\n"
        "module t import p::*; #(parameter F = \"a.hex\")\n"
        "  (input clk, input logic [7:0] x [3:5], input e y, input s z, output logic q);\n"
        "  reg [7:0] m [0:3];\n"
        "  initial $readmemh(F, m);\n"
        "  initial if ($test$plusargs(\"b\")) $readmemb(\"b.bin\", m);\n"
        "  always @(posedge clk) q <= x[4] == m[y] || z.r;\n"
        "endmodule\n");
    CHECK(netlist.find("x")->port.elements == 3);
    CHECK(netlist.find("x")->port.width == 24);
    CHECK(netlist.find("y")->shape.names == std::vector<std::string>{"A", "B"});
    CHECK(netlist.find("y")->shape.values == std::vector<std::uint64_t>{1, 2});
    CHECK(netlist.find("z")->shape.names == std::vector<std::string>{"l", "r"});
    CHECK(netlist.find("z")->shape.fields[0].width == 3);
    REQUIRE(netlist.reads.size() == 2);
    CHECK(netlist.reads[0].name == "a.hex");
    CHECK(netlist.reads[0].always);
    CHECK(netlist.reads[0].line == 6);
    CHECK(netlist.reads[1].name == "b.bin");
    CHECK_FALSE(netlist.reads[1].always);
}

TEST_CASE("a port that no bus can have is named") {
    CHECK(netlist_of("module t(input clk, inout [3:0] pad); endmodule\n").problem ==
          "port 'pad' is inout; write a module around it whose ports are 'pad_in', 'pad_out' and "
          "'pad_enable'");
    CHECK(netlist_of("module t(input clk, input real x); endmodule\n").problem ==
          "port 'x' is real; a port of a process is an input or an output of bits");
    CHECK(netlist_of("module t(input clk, input [4096:0] x); endmodule\n").problem ==
          "port 'x' has 4097 bits, but a bus has at most 4096; a port of a process is an input or "
          "an output of bits");
    CHECK(netlist_of("module t(input clk, input [63:0] x [65]); endmodule\n").problem ==
          "port 'x' has 4160 bits, but a bus has at most 4096; a port of a process is an input or "
          "an output of bits");
}

TEST_CASE("an output belongs to the clocks whose registers it shows") {
    const Netlist netlist = netlist_of(
        "module t(input a, input b, input c, input d, input rst, output reg x, output y,\n"
        "         output reg z, output w, output reg v, output reg u, output late);\n"
        "  reg half, gate;\n"
        "  always @(posedge a) begin x <= d; half <= ~half; end\n"
        "  always @(posedge b or posedge rst) if (rst) z <= 0; else z <= x;\n"
        "  assign y = z & d;\n"
        "  assign w = x ^ z;\n"
        "  always @(posedge half) v <= z;\n"
        "  always @(negedge b) gate <= d;\n"
        "  assign late = gate;\n"
        "  always @(posedge c) u <= d;\n"
        "endmodule\n",
        {{{"a", {}}, {1, 0}}, {{"b", {}}, {2, 1}}});
    const auto clocks = [&](const char* port) {
        return fmt::format("{}", fmt::join(netlist.find(port)->port.clocks, " "));
    };
    CHECK(clocks("x") == "a");
    CHECK(clocks("y") == "b");
    CHECK(clocks("z") == "b");
    CHECK(clocks("w") == "a b");
    CHECK(clocks("v") == "a"); // half, its clock, is a register of a
    CHECK(clocks("u").empty());
    CHECK(clocks("late") == "b");
    // an even clock falls at the end of cycles
    CHECK_FALSE(netlist.falls);
    CHECK_FALSE(netlist.find("late")->falling);
    for (const char* registered : {"x", "z", "w", "v", "late"})
        CHECK(test::followed(*netlist.find(registered)).empty());
    CHECK(test::followed(*netlist.find("y")) == "d");
    // an output depends on an input whose edges load registers, and on all that those registers
    // read
    CHECK(netlist.find("c")->edges);
    CHECK(test::followed(*netlist.find("u")) == "c d");
    for (const char* other : {"a", "b", "d", "rst"})
        CHECK_FALSE(netlist.find(other)->edges);
}

TEST_CASE("bounds below zero and packed arrays count their elements and bits") {
    const Netlist netlist = netlist_of(
        "typedef struct packed {logic [-1:2] a; logic [0:-2][3:0] b;} pair_t;\n"
        "module t(input clk, input [-1:6] d, input [7:0] x [2:-1], input pair_t p [-2:-1],\n"
        "         input [-3:-2][1:-1] q, input [7:0] g [1:0][-1:0], output reg y);\n"
        "  always @(posedge clk) y <= d[0] ^ x[-1][0];\nendmodule\n");
    CHECK(netlist.problem == "");
    CHECK(netlist.find("d")->port.width == 8);
    CHECK(netlist.find("x")->port.elements == 4);
    CHECK(netlist.find("x")->dimensions == "[2:-1]");
    CHECK(netlist.find("p")->port.width == 32);
    CHECK(netlist.find("p")->port.elements == 2);
    CHECK(netlist.find("q")->port.width == 6);
    CHECK(netlist.find("g")->port.elements == 4);
    CHECK(netlist.find("g")->dimensions == "[1:0][-1:0]");
}

TEST_CASE("what no checkpoint can hold has its name") {
    const auto unsaved = [](const std::string& body, const std::string& before = {}) {
        return netlist_of(before + "\nmodule t(input clk, input [7:0] d, output reg [7:0] q);\n" +
                          body + "\nendmodule\n")
            .unsavable;
    };
    CHECK(unsaved("event ev; always @(ev) q <= d; always @(posedge clk) -> ev;") ==
          "the event 'ev'");
    CHECK(unsaved("struct {logic [7:0] a; int b;} s; always @(posedge clk) begin s.a <= d; q <= "
                  "s.a; end") == "the unpacked structure 's'");
    CHECK(unsaved("I i(); virtual I v; initial v = i; always @(posedge clk) v.a <= d;",
                  "interface I; logic [7:0] a; endinterface") == "the virtual interface 'v'");
    CHECK(unsaved("I i(); always @(posedge clk) i.a <= d;",
                  "interface I; logic [7:0] a; endinterface") == "");
    CHECK(unsaved("int w [$]; always @(posedge clk) w.push_back(d);") == "the queue 'w'");
    CHECK(unsaved("int w [int]; always @(posedge clk) w[d] = 1;") == "the associative array 'w'");
    CHECK(unsaved("int w []; initial w = new[3];") == "the dynamic array 'w'");
    CHECK(unsaved("chandle h; import \"DPI-C\" function chandle get(); initial h = get();") ==
          "the handle 'h'");
    CHECK(unsaved("always @(posedge clk) q <= S::f(d);",
                  "class S; static function int f(int d); return d; endfunction endclass") ==
          "the class 'S'");
    CHECK(unsaved(
              "integer f; initial f = $fopen(\"x\");\nalways @(posedge clk) $fwrite(f, \"x\");") ==
          "an open file");
    CHECK(unsaved("struct packed {logic [7:0] a;} s; string t; real r [2];\n"
                  "always @(posedge clk) begin s.a <= d; t = \"x\"; r[0] = 1; end") == "");
}

TEST_CASE("the falling edge of a gated clock is one, and does not show the clock") {
    const Netlist netlist =
        netlist_of("module t(input clk, input en, input a, output reg x, output y);\n"
                   "  wire g = clk & en;\n"
                   "  always @(negedge g) x <= a;\n  assign y = g;\nendmodule\n");
    CHECK(netlist.falls);
    CHECK(netlist.find("x")->falling);
    CHECK(test::followed(*netlist.find("x")) == "a en?");
    CHECK(test::followed(*netlist.find("y")) == "clk en");
}

TEST_CASE("clocks behind gates and dividers of their own are read in linear time, or stopped") {
    const auto seconds = [](unsigned count) {
        std::string text = "module t(input clk, input [4095:0] en, input d, output reg q);\n";
        for (unsigned k = 0; k < count; ++k)
            text += fmt::format("  wire g{0} = clk & en[{0}]; reg r{0}, c{0};\n"
                                "  always @(posedge g{0}) r{0} <= {1};\n"
                                "  always @(posedge {2}) c{0} <= ~c{0};\n",
                                k, k == 0 ? "d" : fmt::format("r{}", k - 1),
                                k + 1 == count ? "clk" : fmt::format("c{}", k + 1));
        text += fmt::format("  always @(posedge c0) q <= r{};\nendmodule\n", count - 1);
        const verilator::ElementTree tree = test::tree_of(text);
        VerilogModule module;
        const std::clock_t begin = std::clock();
        const Netlist netlist = verilator::read_netlist(tree, module);
        const double took = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
        CHECK(test::followed(*netlist.find("q")) == "");
        CHECK(netlist.find("q")->port.clocks == std::vector<std::string>{"clk"});
        const std::atomic<bool> unwanted{true};
        CHECK_THROWS_AS(verilator::read_netlist(tree, module, &unwanted),
                        verilator::ReadingInterrupted);
        return took;
    };
    const double small = seconds(150), large = seconds(1200);
    CAPTURE(small);
    CAPTURE(large);
    CHECK(large < 24 * small + 0.1); // 8 times would be linear, 64 times quadratic
}
