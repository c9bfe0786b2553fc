// SPDX-License-Identifier: Apache-2.0
//
// A table of Verilog constructs, with the inputs a, b and s on which an output depends through
// them. The expected values are derived by hand.
#include <array>
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "netlist_of.hpp"

using namespace sme;

namespace {

/// A module with inputs clk, rst, a, b (8 bits), s (1 bit) and an output y of 8 bits.
struct Construct {
    const char* name;
    const char* body;
    const char* follows;     // "a b?": a surely, b possibly
    const char* before = ""; // the module
    const char* output = "output logic [7:0] y";
};

/// Returns all of them as instances of one module, read in one run; "y3: a b?" is instance 3.
template <std::size_t N> void check_all(const std::array<Construct, N>& all) {
    std::string before, modules,
        top = "module t(input clk, input rst, input [7:0] a,\n"
              "  input [7:0] b, input s";
    for (std::size_t k = 0; k < N; ++k) {
        before += fmt::format("{}\n", all[k].before);
        modules += fmt::format("module m{}(input clk, input rst, input [7:0] a, input [7:0] b,\n"
                               "  input s, {});\n{}\nendmodule\n",
                               k, all[k].output, all[k].body);
        top += fmt::format(",\n  output [7:0] y{}", k);
    }
    top += ");\n";
    for (std::size_t k = 0; k < N; ++k)
        top +=
            fmt::format("  m{0} i{0}(.clk(clk), .rst(rst), .a(a), .b(b), .s(s), .y(y{0}));\n", k);
    const verilator::Netlist netlist = test::netlist_of(before + modules + top + "endmodule\n");
    for (std::size_t k = 0; k < N; ++k) {
        CAPTURE(std::string{all[k].name});
        const verilator::ModulePort* const port = netlist.find(fmt::format("y{}", k));
        REQUIRE(port);
        CHECK(test::followed(*port) == all[k].follows);
    }
}

constexpr std::array followed_exactly{
    Construct{"a continuous assignment", "assign y = a;", "a"},
    Construct{"a register", "always @(posedge clk) y <= a;", ""},
    Construct{"a register with a synchronous reset",
              "always @(posedge clk) if (rst) y <= 0; else y <= a;", ""},
    Construct{"a register with the asynchronous reset",
              "always @(posedge clk or posedge rst) if (rst) y <= 0; else y <= a;", ""},
    Construct{"a register with an asynchronous clear",
              "always_ff @(posedge clk or posedge s) if (s) y <= 0; else y <= a;", "s?"},
    Construct{"a gate in the clock", "wire g = clk | s; always @(posedge g) y <= a;", "a? s?"},
    Construct{"a clock that is inverted", "wire n = ~clk; always @(posedge n) y <= a;", "a?"},
    Construct{"a clock by another name", "wire c = clk; always @(posedge c) y <= a;", ""},
    Construct{"a clock that a register divides",
              "reg c; always @(posedge clk) c <= ~c; always @(posedge c) y <= a;", ""},
    Construct{"always_comb", "always_comb y = a & b;", "a b"},
    Construct{"always_latch", "always_latch if (s) y = a;", "a s"},
    Construct{"always @*", "always @* y = ~a;", "a"},
    Construct{"a sensitivity list", "always @(a or s) y = s ? a : 8'd1;", "a s"},
    Construct{"a net with a value", "wire [7:0] n = b; assign y = n;", "b"},
    Construct{"if and else", "always_comb if (s) y = a; else y = 8'd0;", "a s"},
    Construct{"case", "always_comb case (a[1:0]) 2'd0: y = b; default: y = 0; endcase", "a b"},
    Construct{"unique case with a default",
              "always_comb unique case (s) 1'b0: y = b; default: y = 8'd3; endcase", "b s"},
    Construct{"casez", "always_comb casez (a) 8'b1???????: y = 8'd1; default: y = b; endcase",
              "a b"},
    Construct{"case inside",
              "always_comb case (a) inside [8'd1:8'd9]: y = 8'd1; default: y = 0; endcase", "a"},
    Construct{"inside", "assign y = {7'd0, a inside {8'd1, [8'd4:8'd9]}};", "a"},
    Construct{"priority if", "always_comb begin y = 0; priority if (s) y = a; else y = b; end",
              "a b s"},
    Construct{"a constant part select", "wire [15:0] n = {a, b}; assign y = n[7:0];", "b"},
    Construct{"a part select by a variable", "wire [15:0] n = {a, 8'd0}; assign y = n[s +: 8];",
              "a s"},
    Construct{"a part select that is written", "always_comb begin y = a; y[b[2:0]] = s; end",
              "a b s"},
    Construct{"a shift", "assign y = a >> b[2:0];", "a b"},
    Construct{"replication", "assign y = {8{s}};", "s"},
    Construct{"reduction", "assign y = {7'd0, ^b};", "b"},
    Construct{"streaming", "assign y = {<<{a}};", "a"},
    Construct{"a cast of the size", "assign y = 8'(a[3:0]);", "a"},
    Construct{"a cast of the sign", "assign y = 8'($signed(a[3:0]));", "a"},
    Construct{"arithmetic", "assign y = a * b + 8'd3;", "a b"},
    Construct{"a memory that is read by address",
              "logic [7:0] m [0:3]; always_ff @(posedge clk) m[b[1:0]] <= a;\n"
              "assign y = m[a[1:0]];",
              "a"},
    Construct{"a memory that is read at the clock",
              "logic [7:0] m [0:3]; always_ff @(posedge clk) begin m[b[1:0]] <= a; y <= m[0]; end",
              ""},
    Construct{"an unpacked array of wires",
              "logic [7:0] n [2]; assign n[0] = a; assign n[1] = a; assign y = n[s];", "a s"},
    Construct{"a packed array", "logic [1:0][7:0] n; assign n = {a, b}; assign y = n[1];", "a"},
    Construct{"a packed struct",
              "pair_t p; assign p.high = a[3:0]; assign p.low = b[3:0]; assign y = 8'(p.low);", "b",
              "typedef struct packed {logic [3:0] high, low;} pair_t;"},
    Construct{"an assignment pattern", "two_t p; assign p = '{one: a, two: b}; assign y = p.one;",
              "a", "typedef struct packed {logic [7:0] one, two;} two_t;"},
    Construct{"an unpacked struct",
              "loose_t p; always_comb begin p.one = a; p.two = a; end assign y = p.two;", "a",
              "typedef struct {logic [7:0] one, two;} loose_t;"},
    Construct{"a packed union", "both_t p; assign p.whole = a; assign y = {7'd0, p.bits[0]};", "a",
              "typedef union packed {logic [7:0] whole; logic [7:0] bits;} both_t;"},
    Construct{"an enumeration",
              "state_t now; always_ff @(posedge clk) now <= s ? busy : idle;\n"
              "assign y = now == busy ? a : 8'd0;",
              "a", "typedef enum logic [1:0] {idle, busy} state_t;"},
    Construct{
        "a state machine in two blocks",
        "logic [1:0] now, next; always_ff @(posedge clk) now <= next;\n"
        "always_comb begin next = now; y = 0;\n"
        "  case (now) 0: if (s) next = 1; 1: begin next = 2; y = 8'd7; end default: ; endcase "
        "end",
        ""},
    Construct{"a package", "assign y = numbers::plus(a, numbers::one);", "a",
              "package numbers; localparam logic [7:0] one = 1;\n"
              "function automatic logic [7:0] plus(logic [7:0] x, logic [7:0] z); return x + z;\n"
              "endfunction endpackage"},
    Construct{"a function in an expression",
              "function automatic [7:0] f(input [7:0] x); f = x ^ 8'd1; endfunction\n"
              "assign y = s ? f(a) : 8'd0;",
              "a s"},
    Construct{"a function",
              "function [7:0] f(input [7:0] x, input q); f = q ? x : 8'd2; endfunction\n"
              "assign y = f(b, s);",
              "b s"},
    Construct{"a function that returns early",
              "function automatic [7:0] f(input [7:0] x); if (x[0]) return 8'd1; return b; "
              "endfunction\nassign y = f(a);",
              "a b"},
    Construct{"a task",
              "task work(input [7:0] x, output [7:0] z); z = x + 8'd1; endtask\n"
              "always_comb work(a, y);",
              "a"},
    Construct{"a task that the clock runs",
              "task work(input [7:0] x); y <= x; endtask\nalways_ff @(posedge clk) work(a);", ""},
    Construct{"a for loop", "always_comb for (int i = 0; i < 8; i++) y[i] = a[7 - i];", "a"},
    Construct{"a loop with an end of its own",
              "always_comb begin y = 0; for (int i = 0; i < 8; i++) if (a[i]) begin y = 8'(i);\n"
              "  break; end end",
              "a"},
    Construct{
        "a while loop",
        "always_comb begin int i; i = 0; y = 0; while (i < 4) begin y[i] = b[i]; i++; end end",
        "b"},
    Construct{"repeat", "always_comb begin y = a; repeat (2) y = {y[6:0], s}; end", "a s"},
    Construct{"a loop of generate",
              "for (genvar i = 0; i < 8; i++) begin : g wire n; assign n = a[i]; assign y[7-i] = n;"
              " end",
              "a"},
    Construct{"an if of generate", "if (1) begin : g assign y = b; end else assign y = a;", "b"},
    Construct{"a case of generate", "case (2) 1: assign y = a; default: assign y = s; endcase",
              "s"},
    Construct{"a submodule with logic and a register",
              "wire [7:0] n; part p(.clk(clk), .x(b), .z(y), .q(n));", "b",
              "module part(input clk, input [7:0] x, output [7:0] z, output reg [7:0] q);\n"
              "assign z = x; always @(posedge clk) q <= x; endmodule"},
    Construct{"a submodule's register", "wire [7:0] n; part p(.clk(clk), .x(a), .z(n), .q(y));",
              ""},
    Construct{"a submodule whose names are those of the module",
              "swapped p(.a(b), .b(a), .y(y), .s(rst));", "b",
              "module swapped(input [7:0] a, input [7:0] b, input s, output logic [7:0] y);\n"
              "wire n = s; always_comb begin y = a; if (a[0]) y = ~a; end endmodule"},
    Construct{
        "two instances of one module with inputs of their own",
        "wire [7:0] n; swapped p(.a(a), .b(b), .y(n), .s(s)); swapped q(.a(b), .b(a), .y(y),\n"
        ".s(s));",
        "b"},
    Construct{"a submodule of a submodule", "outer p(.x(a + 8'd1), .z(y));", "a",
              "module deep(input [7:0] a, output logic [7:0] y); logic [7:0] s;\n"
              "always_comb begin s = a; if (a[1]) s = 8'd1; y = s; end endmodule\n"
              "module outer(input [7:0] x, output [7:0] z); wire [7:0] a;\n"
              "deep p(.a(x), .y(a)); assign z = a; endmodule"},
    Construct{"a parameter", "wide #(.w(4)) p(.x(b[3:0]), .z(y[3:0])); assign y[7:4] = 0;", "b",
              "module wide #(parameter w = 1)(input [w-1:0] x, output [w-1:0] z);\n"
              "assign z = x; endmodule"},
    Construct{"defparam", "wide p(.x(a), .z(y)); defparam p.w = 8;", "a"},
    Construct{"an array of instances", "wide p[7:0](.x(b), .z(y));", "b"},
    Construct{"a hierarchical reference",
              "wire [7:0] n, o; part p(.clk(clk), .x(a), .z(n), .q(o)); assign y = p.q;", ""},
    Construct{"a hierarchical reference to logic",
              "wire [7:0] n, o; part p(.clk(clk), .x(a), .z(n), .q(o)); assign y = p.z;", "a"},
    Construct{"ports by order, and one that is not connected", "part p(clk, b, y, );", "b"},
    Construct{"gates", "wire n; and g(n, a[0], s); not h(y[0], n); assign y[7:1] = 0;", "a s"},
    Construct{"a net with several drivers",
              "tri n; assign n = s ? a[0] : 1'bz; assign n = s ? 1'bz : b[0];\n"
              "assign y = {7'd0, n};",
              "a b s"},
    Construct{"a variable that only a block has",
              "always_comb begin : block logic [7:0] a; a = b; y = a; end", "b"},
    Construct{"increments", "always_comb begin y = a; y++; y += b; end", "a b"},
    Construct{"initial values", "logic [7:0] n = 8'd4; assign y = n;", ""},
    Construct{"$clog2, $countones and $bits",
              "assign y = 8'($countones(a)) + 8'($clog2(8)) + 8'($bits(b));", "a"},
    Construct{"an assertion and a message",
              "always_comb begin y = a; assert (b != 8'd77) else $display(\"b\"); end", "a"},
};

constexpr std::array interfaces{
    Construct{"an interface instance inside a module", "link l(); assign l.v = a; assign y = l.v;",
              "a?",
              "interface link; logic [7:0] v; logic ok; modport src(output v, output ok);\n"
              "modport dst(input v, input ok); endinterface"},
    Construct{"modports at ports of submodules",
              "other l(); sender p(.o(l), .x(b)); receiver q(.i(l), .z(y));", "b",
              "interface other; logic [7:0] w; modport src(output w); modport dst(input w);\n"
              "endinterface\n"
              "module sender(other.src o, input [7:0] x); assign o.w = x; endmodule\n"
              "module receiver(other.dst i, output [7:0] z); assign z = i.w; endmodule"},
    Construct{"logic inside an interface", "doubled l(); assign l.u = s; assign y = {7'd0, l.x};",
              "s", "interface doubled; logic u, x; assign x = ~u; endinterface"},
    Construct{"registers through an interface",
              "clocked l(clk); always_ff @(posedge l.tick) l.r <= a; assign y = l.r;", "",
              "interface clocked(input tick); logic [7:0] r; endinterface"},
    Construct{"a signal of an interface that is named as one outside",
              "named l(); assign l.c0 = b; assign y = l.c0; wire [7:0] c0 = s;", "b",
              "interface named; logic [7:0] c0; endinterface"},
    Construct{"an interface that another one could be",
              "link l(); always_ff @(posedge clk) l.v <= a; assign y = l.v;", "a?"},
    Construct{"nothing of them", "always_ff @(posedge clk) y <= a;", ""},
    Construct{"a signal named as one of an interface", "wire [7:0] v = a; assign y = v;", "a"},
};

constexpr const char* all = "a? b? s?";

constexpr std::array not_followed{
    Construct{"a function of a class", "assign y = Adder::plus(a);", all,
              "class Adder; static function logic [7:0] plus(logic [7:0] x); return x + 8'd3;\n"
              "endfunction endclass"},
    Construct{"an object of a class", "Holder h; always_comb begin h = new; h.v = a; y = h.v; end",
              all, "class Holder; logic [7:0] v; endclass"},
    Construct{"a function in C", "assign y = sme_twice(a);", all,
              "import \"DPI-C\" function byte unsigned sme_twice(input byte unsigned x);"},
    Construct{
        "a task in C that writes its argument",
        "byte unsigned n; always_comb sme_write(a, n); assign y = n;", all,
        "import \"DPI-C\" function void sme_write(input byte unsigned x, output byte unsigned "
        "z);"},
    Construct{"text in C", "assign y = $c8(\"0\");", all},
    Construct{"statements in C",
              "logic [7:0] n; always_comb begin n = 0; $c(n, \"=1;\"); end\n"
              "assign y = n;",
              all},
    Construct{"a draw", "assign y = 8'($urandom) & a;", "a b? s?"},
    Construct{"a register beside them", "always_ff @(posedge clk) y <= Adder::plus(a);", ""},
    Construct{"logic beside them", "assign y = b;", "b"},
};

} // namespace

TEST_CASE("each construct is followed to exactly the inputs that it has") {
    check_all(followed_exactly);
}

TEST_CASE("interfaces inside a module are followed by the names of their signals") {
    check_all(interfaces);
}

TEST_CASE("what cannot be followed counts as following every input") {
    check_all(not_followed);
}
