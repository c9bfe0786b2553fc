// SPDX-License-Identifier: Apache-2.0
//
// Networks with Verilog that are wrong, and programs and folders that fail.
#include <memory>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <unistd.h>

#include "../command.hpp"

using namespace sme::test;

namespace {

constexpr const char* module_v =
    R"(module m(input clk, input rst, input [7:0] x, input signed [3:0] s,
         output reg [7:0] y, output [7:0] z);
  assign z = x;
  always @(posedge clk) y <= rst ? 8'd0 : x;
endmodule
)";

/// A network with one module, of which some lines may be others.
struct Wrong {
    std::string verilog = module_v;
    std::string module = "{files: m.v, top: m, reset: rst}";
    std::string in = "{x: x, s: s}";
    std::string out = "{y: y, z: z}";
    std::string y = "u8", z = "wire u8", s = "i4";
    std::string before = ""; // of the command: variables
    std::string options = "";
    std::string after = ""; // more checks
    std::string file = "m.v";
    std::shared_ptr<Scratch> folder = std::make_shared<Scratch>();

    Command run() const {
        write();
        return Command{fmt::format("cd {} && {} {} run network.yaml --cycles 5 {}", folder->path(),
                                   before, SME_COMMAND, options),
                       Command::any_program};
    }
    void write() const {
        folder->write(file, verilog);
        folder->write("network.yaml", fmt::format(R"(network: n
buses:
  x: u8
  s: {}
  y: {}
  z: {}
processes:
  source:
    out: [x, s]
    step:
      x: x + 1
      s: 1
  p:
    verilog: {}
    in: {}
    out: {}
checks:
  - cover: u8(y) != 0 and u8(z) != 0
{})",
                                                  s, y, z, module, in, out, after));
    }
};

void refused(const Command& run, int code, const std::string& message) {
    CAPTURE(run.err);
    CHECK(run.exit_code == code);
    CHECK(contains(run.err, message));
}

} // namespace

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
            "port 's' of module 'm' is an input, but it stands under 'out' [verilog-port]");
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
    // it is final, also for what is a clock or a reset, which is said
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
        Wrong wrong = right; // in the same folder: built once
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
              .options = "--strict"} // which gives the warnings of what was built before, too
            .run();
    CHECK(warned.exit_code != 0);
    CHECK(contains(warned.err, "m.v:4:"));
    CHECK(contains(warned.err, "(WIDTH"));
}

TEST_CASE("missing programs and files say what to do") {
    refused(Wrong{.before = "XDG_CACHE_HOME=$PWD/cache PATH=/nowhere"}.run(), 3,
            "Verilog needs Verilator, which is not in PATH; on Debian: apt-get install verilator "
            "[verilog-missing]");
    refused(Wrong{.before = "XDG_CACHE_HOME=$PWD/cache", .options = "--no-compile"}.run(), 3,
            "module 'm' is not built yet, and --no-compile forbids to start Verilator and a "
            "compiler [verilog-missing]");
    refused(Wrong{.module = "{files: none.v, top: m}"}.run(), 2,
            "there is no file 'none.v' [file-unreadable]");
}

TEST_CASE("a compiler that fails is quoted, and nothing half-built stays") {
    const Wrong wrong{.before = "XDG_CACHE_HOME=$PWD/cache PATH=$PWD/bin:$PATH"};
    REQUIRE(std::system(("mkdir " + wrong.folder->path("bin")).c_str()) == 0);
    wrong.folder->write("bin/c++",
                        "#!/bin/sh\n"
                        "echo \"In file included from $XDG_CACHE_HOME/x/fast.cpp:1:\" >&2\n"
                        "echo \"$XDG_CACHE_HOME/sme/verilog/x/y.h:2: no room\" >&2\nexit 1\n");
    REQUIRE(std::system(("chmod +x " + wrong.folder->path("bin/c++")).c_str()) == 0);
    const Command run = wrong.run(); // the user's line first, without the folders of the cache
    refused(run, 3, "the compiler ended with code 1 [verilog-build]\n      verilog: {files");
    CHECK(contains(run.err, "note: y.h:2: no room\n"));
    CHECK_FALSE(contains(run.err, "In file included"));
    CHECK_FALSE(contains(run.err, "/sme/verilog/"));
    const Command left{"find " + wrong.folder->path("cache") +
                           " -type f ! -name '*.lock' ! -name object "
                           "! -name module.json",
                       Command::any_program};
    CHECK(left.out == ""); // of what Verilator and the compiler wrote
}

TEST_CASE("a folder that cannot be written, or is full, is named") {
    refused(Wrong{.before = "XDG_CACHE_HOME=/proc/nothing"}.run(), 3,
            "there is no place to build it, '/proc/nothing/sme/verilog'");
}

TEST_CASE("Ctrl-C while a module is built ends the command in good order") {
    const Wrong wrong{.before = "XDG_CACHE_HOME=$PWD/cache PATH=$PWD/bin:$PATH"};
    REQUIRE(std::system(("mkdir " + wrong.folder->path("bin")).c_str()) == 0);
    // a compiler that is interrupted, as it is when it belongs to the terminal's process group
    wrong.folder->write("bin/c++", "#!/bin/sh\nkill -INT $PPID $$\nsleep 5\n");
    REQUIRE(std::system(("chmod +x " + wrong.folder->path("bin/c++")).c_str()) == 0);
    const Command run = wrong.run();
    CHECK(run.exit_code == 130);
    const bool said =
        contains(run.err, "signal 2 ended the compiler") || contains(run.err, "' was interrupted");
    CHECK(said);
    const Command left{"find " + wrong.folder->path("cache") + " -type f ! -name '*.lock'",
                       Command::any_program};
    CHECK(left.out == "");
}

TEST_CASE("damaged modules are built again") {
    const Wrong wrong{.before = "XDG_CACHE_HOME=$PWD/cache"};
    REQUIRE(wrong.run().exit_code == 0);
    const std::string kept = wrong.folder->path("cache") + "/sme/verilog/";
    const std::string all = kept + "*/object", // the runtime's, too, which takes seconds to make
        modules = "$(grep -L '\"identity\": \"runtime' " + kept +
                  "*/module.json | sed 's/module.json$/object/')";
    for (const auto& [damage, files] :
         {std::pair{"truncate -s 1000 $f", all},
          std::pair{"printf x | dd of=$f bs=1 seek=99 conv=notrunc", modules},
          std::pair{": > ${f%object}module.json", modules}, std::pair{"rm $f", modules}}) {
        const std::string how = damage; // clang captures no bindings
        CAPTURE(how);
        const Command damaged{
            fmt::format("for f in {}; do {}; echo $f; done | wc -l", files, damage),
            Command::any_program};
        REQUIRE(damaged.out == (files == all ? "2\n" : "1\n"));
        const Command again = wrong.run();
        CAPTURE(again.err);
        CHECK(again.exit_code == 0);
    }
}

TEST_CASE("a module that others could have put into the cache is not loaded") {
    const Wrong wrong{.before = "XDG_CACHE_HOME=$PWD/cache"};
    REQUIRE(wrong.run().exit_code == 0);
    const std::string line = fmt::format("cd {} && XDG_CACHE_HOME=$PWD/cache {} run network.yaml "
                                         "--cycles 5 --no-compile",
                                         wrong.folder->path(), SME_COMMAND);
    CHECK(Command{line, Command::any_program}.exit_code == 0);
    const std::string whole = fmt::format("cd {}/sme/verilog && ", wrong.folder->path("cache"));
    const auto change = [&](const char* how) {
        REQUIRE(Command{whole + how, Command::any_program}.exit_code == 0);
        refused(Command{line, Command::any_program}, 3, "is not built yet, and --no-compile");
    };
    change("chmod g+w */object");
    change("chmod g-w */object; for f in */object; do chmod o+w ${f%object}; done");
    if (::geteuid() == 0)
        change("chmod -R go-w .; chown 65534 */object");
}

TEST_CASE("without a home there is no cache, and nothing of one in a folder for all") {
    const Wrong wrong{.before = "HOME= XDG_CACHE_HOME= TMPDIR=$PWD", .options = "--no-compile"};
    refused(wrong.run(), 3, "is not built yet, and --no-compile");
    CHECK(wrong.folder->files().size() == 2);
}

TEST_CASE("several starts at once build one module, and all run") {
    const Wrong wrong;
    REQUIRE(wrong.run().exit_code == 0); // writes the files
    const Command all{fmt::format("cd {} && export XDG_CACHE_HOME=$PWD/cache; for k in 1 2 3 4; do "
                                  "( {} run network.yaml --cycles 5 || echo failed ) & done; wait",
                                  wrong.folder->path(), SME_COMMAND),
                      Command::any_program};
    CHECK_FALSE(contains(all.out, "failed"));
    const Command kept{"ls " + wrong.folder->path("cache") + "/sme/verilog | grep -vc lock",
                       Command::any_program};
    CHECK(kept.out == "2\n"); // the module and the runtime
}
