// SPDX-License-Identifier: Apache-2.0
//
// Tests invalid networks with Verilog.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "wrong_module.hpp"

using namespace sme::test;

TEST_CASE("the network of these tests is fine as it is") {
    const Wrong right;
    const Command run = right.run();
    CAPTURE(run.err);
    CHECK(run.exit_code == 0);
    CHECK(run.err == "");
}

TEST_CASE("ports that do not fit are named with what they are bound to, exit code 2") {
    refused(Wrong{.in = "{x: x, s: s, q: x}"}.run(), 2,
            "module 'm' has no port 'q' [verilog-port]");
    refused(Wrong{.in = "{x: x}"}.run(), 2,
            "input 's' of module 'm' is bound to nothing; bind it under 'in' [verilog-port]");
    refused(Wrong{.verilog = "module m(input ck_clock, input rst_n, input [7:0] x, input s,\n"
                             "         output reg [7:0] y, output z);\n"
                             "  assign z = s;\n"
                             "  always @(posedge ck_clock) y <= rst_n ? x : 0;\nendmodule\n",
                  .module = "{files: m.v, top: m}",
                  .in = "{x: x}",
                  .z = "wire bool"}
                .run(),
            2,
            "inputs 'ck_clock', 'rst_n', 's' of module 'm' are bound to nothing; bind them under "
            "'in', or write 'clock: ck_clock' and 'reset: {port: rst_n, active: low}' "
            "[verilog-port]");
    refused(Wrong{.y = "u9"}.run(), 2,
            "port 'y' of module 'm' has 8 bits, but what it is bound to is u9, which has 9 "
            "[verilog-port]");
    refused(Wrong{.in = "{x: x}", .out = "{y: y, s: z}"}.run(), 2,
            "port 's' of module 'm' is an input, but it is listed under 'out' [verilog-port]");
    refused(Wrong{.module = "{files: m.v, top: m, reset: x}"}.run(), 2,
            "'x' is an input of 8 bits, but a reset is an input of one bit [verilog-port]");
    refused(Wrong{.verilog = "module m(input clk, inout p, input p_in); endmodule\n"}.run(), 2,
            "port 'p' is inout");
    refused(Wrong{.y = "u8 = 5"}.run(), 2,
            "bus 'y' has an initial value, but output 'y' shows another one after the reset; leave "
            "the initial value out [verilog-port]");
}

TEST_CASE("inputs that are bound to nothing read what 'unbound' says; a pattern names files") {
    const Command run =
        Wrong{.verilog = "module m(input clk, input rst, input [7:0] x, input [3:0] gain,\n"
                         "         input signed [3:0] s, output reg [7:0] y, output [7:0] z);\n"
                         "  assign z = x;\n"
                         "  always @(posedge clk) y <= rst ? 8'd0 : x + gain + s;\nendmodule\n",
              .module = "{files: mod*.v, top: m, reset: rst, unbound: 3}",
              .in = "{x: x}",
              .after = "  - at 3: y == 2 + 3 + 3\n",
              .file = "module.v"}
            .run();
    CAPTURE(run.err);
    CHECK(run.exit_code == 0);
    // an explicit `unbound` also applies to a presumed clock or reset; a note reports that
    const Command held =
        Wrong{.verilog = "module m(input ck_clock, input rst_n, input [7:0] x, input clk_en,\n"
                         "         output reg [7:0] y, output [7:0] z);\n"
                         "  assign z = clk_en ? 0 : x;\n"
                         "  always @(posedge ck_clock) y <= rst_n ? x : 0;\nendmodule\n",
              .module = "{files: m.v, top: m, unbound: 0}",
              .in = "{x: x}",
              .y = "wire u8"}
            .run();
    CAPTURE(held.err);
    CHECK(held.exit_code == 0);
    CHECK(contains(held.err,
                   "input 'ck_clock' of module 'm' keeps the value of 'unbound', but is a "
                   "clock or a reset by what the module does with it; write 'clock: "
                   "ck_clock' [verilog-control]"));
    CHECK(contains(held.err, "input 'rst_n' of module 'm' keeps the value of 'unbound', but is a "
                             "clock or a reset by its name; write 'reset: {port: rst_n, active: "
                             "low}' [verilog-control]"));
    CHECK_FALSE(contains(held.err, "input 'clk_en'"));
    refused(Wrong{.module = "{files: m.v, top: m, reset: rst, unbound: 9}", .in = "{x: x}"}.run(),
            2, "9");
    refused(Wrong{.module = "{files: rtl/*.v, top: m}"}.run(), 2,
            "no file fits 'rtl/*.v' [file-unreadable]");
}

TEST_CASE("a reset that its name calls active low is a warning where it is active high") {
    for (const char* const name :
         {"rst_n", "nreset", "aresetn", "RESETn", "cpurst_b", "rst_ni", "rst_n_i", "s_axi_aresetn",
          "n_rst", "rst", "scanreset", "b_rst"}) {
        CAPTURE(name);
        const std::string port = name;
        const bool high = port == "rst" || port == "scanreset" || port == "b_rst";
        const std::string verilog =
            fmt::format("module m(input clk, input {0}, input [7:0] x, input signed [3:0] s,\n"
                        "         output reg [7:0] y, output [7:0] z);\n  assign z = x + s;\n"
                        "  always @(posedge clk) y <= {0} ? x : 0;\nendmodule\n",
                        port);
        const auto said = [&](const std::string& reset) {
            const Wrong wrong{
                .verilog = verilog,
                .module = fmt::format("{{files: m.v, top: m, reset: {}, lint: off}}", reset)};
            wrong.write();
            return sme_in(*wrong.folder, "check network.yaml").err;
        };
        CHECK(contains(said(port), "[verilog-control]") != high);
        CHECK(contains(said(port),
                       fmt::format("reset '{0}' of module 'm' is active high here, but its "
                                   "name says that it is active low; write '{{port: {0}, "
                                   "active: low}}'",
                                   port)) != high);
        if (port == "rst_n")
            for (const char* const level : {"low", "high"})
                CHECK(said(fmt::format("{{port: {}, active: {}}}", port, level)) == "");
    }
}

TEST_CASE("a sign that differs is a warning") {
    const Command run = Wrong{.y = "i8"}.run();
    CHECK(run.exit_code == 0);
    CHECK(contains(run.err, "port 'y' of module 'm' is not signed, but its bus is i8 "
                            "[verilog-sign]"));
}

TEST_CASE("a number that fits a narrow parameter is no warning") {
    for (const auto& [values, warned] :
         {std::pair{"{ON: true, X: 9, S: -3}", false}, std::pair{"{X: 30}", true}}) {
        const std::string given = values; // clang cannot capture bindings
        CAPTURE(given);
        const Wrong wrong{.verilog = "module m #(parameter bit ON = 0, parameter [3:0] X = 2,\n"
                                     "  parameter signed [7:0] S = 1)\n"
                                     " (input clk, input [7:0] x, input signed [3:0] s,\n"
                                     "  output reg [7:0] y, output [7:0] z);\n"
                                     "  assign z = ON ? {X, s} : S;\n"
                                     "  always @(posedge clk) y <= x;\nendmodule\n",
                          .module = fmt::format("{{lists: m.f, top: m, parameters: {}}}", values)};
        wrong.write();
        wrong.folder->write("m.f", "// one file\nm.v\n");
        CHECK(contains(sme_in(*wrong.folder, "check network.yaml").err, "(WIDTH") == warned);
    }
}

TEST_CASE("an output that follows an input is no register") {
    refused(Wrong{.z = "u8"}.run(), 2,
            "output 'z' of module 'm' follows input 'x' within the cycle, but the bus that it "
            "writes is no wire; declare the bus with 'wire' [verilog-follows]");
    refused(Wrong{.verilog = "module m(input clk, input rst, input [7:0] x, input signed [3:0] s,\n"
                             "  output reg [7:0] y, output [7:0] z);\n"
                             "  assign z = x;\n"
                             "  always @(posedge clk or posedge x[0]) y <= x[0] ? 8'd1 : x;\n"
                             "  wire unused = rst;\n"
                             "endmodule\n"}
                .run(),
            1, "moved within the cycle, with input 'x'");
}

TEST_CASE("what cannot be followed moves a wire at once, and faults where it is no wire") {
    const std::string before = "import \"DPI-C\" function int abs(input int v);\n"
                               "class adder; static function logic [7:0] plus(logic [7:0] v);\n"
                               "  return v + 8'd3; endfunction endclass\n"
                               "interface link; logic [7:0] v; endinterface\n"
                               "module m(input clk, input rst, input [7:0] x, input signed [3:0] "
                               "s,\n  output logic [7:0] y, output logic [7:0] z);\n"
                               "  link l(); link other(); assign other.v = rst;\n";
    const std::string after = "  assign z = 8'(abs(32'(l.v)));\n  assign l.v = y;\nendmodule\n";
    const std::string text = before + "  assign y = adder::plus(x);\n" + after;
    Wrong right{.verilog = text,
                .module = "{files: m.sv, top: m, reset: rst}",
                .y = "wire u8",
                .after = "  - always: y == x + 3 and z == u8(y)\n",
                .file = "m.sv"};
    const Command run = right.run();
    CAPTURE(run.err);
    CHECK(run.exit_code == 0);
    for (const bool y : {false, true}) {
        Wrong wrong = right; // in the same folder, to build only once
        wrong.y = y ? "u8" : "wire u8";
        wrong.z = y ? "wire u8" : "u8";
        wrong.after = "";
        refused(wrong.run(), 1,
                fmt::format("in cycle 1, process 'p': output '{}' of module 'm' moved within the "
                            "cycle, with one of the inputs 'x', 's', but the bus that it writes is "
                            "no wire; declare the bus with 'wire' [verilog-moved]",
                            y ? "y" : "z"));
    }
}

TEST_CASE("a loop through the wires of a module is found, whole") {
    const Command run = Wrong{.in = "{x: z, s: s}"}.run();
    refused(run, 2, "[wire-loop]");
    CHECK(contains(run.err, "p"));
}

TEST_CASE("what Verilator says keeps its places, exit code 3") {
    refused(Wrong{.verilog = "module m(input clk;\nendmodule\n"}.run(), 3,
            "m.v:1:19: error: Verilator: syntax error, unexpected ';'");
    refused(Wrong{.module = "{files: m.v, top: nothing}"}.run(), 3, "[verilog-error]");
    refused(Wrong{.module = "{files: m.v, top: m, reset: rst, parameters: {W: 3}}"}.run(), 3,
            "network.yaml:14:60: error: Verilator: Parameters from the command line were not found "
            "in the design: W [verilog-error]");
    refused(Wrong{.verilog = "module m(input clk, output reg [7:0] y);\n"
                             "  initial begin y = 0; #5 y = 1; end\n"
                             "endmodule\n"}
                .run(),
            3,
            "m.v:2:24: error: Verilator: a statement waits for a time, but a process has only "
            "the cycles of its clock; take the delay out (STMTDLY)");
    for (const char* const body :
         {"reg ck; initial forever ck = #5 ~ck;", "reg ck; initial ck = 0; always ck = #5 ~ck;",
          "`define D #5\ninitial y = `D 1;", "initial y <= #5 1;"}) {
        CAPTURE(body);
        refused(Wrong{.verilog = fmt::format("module m(input clk, output reg [7:0] y);\n{}\n"
                                             "endmodule\n",
                                             body),
                      .module = "{files: m.v, top: m, lint: off}"}
                    .run(),
                3, "a statement waits for a time, but a process has only the cycles of its clock");
    }
    refused(Wrong{.verilog = "module m(input clk, output reg [7:0] y);\n"
                             "  initial begin @(posedge clk); y = 1; end\n"
                             "endmodule\n"}
                .run(),
            3, "m.v:2:17: error: Verilator: Event control statement");
    const Command warned =
        Wrong{.verilog = "module m(input clk, input rst, input [7:0] x, input signed [3:0] s,\n"
                         "  output reg [7:0] y, output [7:0] z);\n"
                         "  assign z = x;\n"
                         "  always @(posedge clk) y <= #1 rst ? 0 : x[6:0];\n"
                         "endmodule\n",
              .options = "--strict"} // also shows the warnings of the earlier build
            .run();
    CHECK(warned.exit_code != 0);
    CHECK(contains(warned.err, "m.v:4:"));
    CHECK(contains(warned.err, "(WIDTH"));
}
