// SPDX-License-Identifier: Apache-2.0
//
// Compares cycle kernels of native code with the interpreter, for networks with modules: printed
// lines, recordings, end and every byte of the checkpoint.
#include <algorithm>
#include <filesystem>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "../command.hpp"
#include "engine/threads/cpus.hpp"

using namespace sme::test;

namespace {

/// Ports of every kind: two modules, wires that follow inputs through both in sequence, and inputs
/// that are constant, fed and computed.
constexpr const char* every_port = R"(network: ports
types:
  Phase: [idle, run, done]
  Sample: {phase: Phase, value: i12}
  Wide: {a: u5, b: i40, c: u41}
  Stream(T): {valid: bool, data: T, back ready: bool}
buses:
  s: Sample
  t: hold Sample
  w: Wide
  v: hold Wide
  a: Stream(u9)
  b: Stream(u9)
  c: Stream(u9)
  fed: i9
  lane[3]: u5
  big: u130
  turned: u130
  sum: u64
  marked: error u8 = 1
  settled: delay 3 u8
processes:
  source:
    out: [s, a, lane, w, big]
    state:
      n: u32
    step:
      n: n + 1 when a.ready
      s: Sample(phase = Phase(u2(n % 3)), value = i12(n % 4000) - 2000)
      a.valid: n % 5 != 3
      a.data: u9(n)
      lane[k < 3]: u5(n >> k)
      w: Wide(a = u5(n), b = i40(n) * -77777, c = u41(n) * 31)
      big: (u130(n) << 100) | u130(n)
  first:
    verilog: {files: pass.v, top: pass, reset: {port: rst, cycles: 2}}
    in: {x: a, offset: 3, enable: true}
    out: {y: b}
  second:
    verilog: {files: pass.v, top: pass, reset: {port: rst, cycles: 2}}
    in: {x: b, offset: 5, enable: true}
    out: {y: c}
  shapes:
    verilog: {files: shapes.v, top: shapes, reset: rst}
    in: {s: s, w: w, lane: lane, big: big, fed: fed, fixed: 7}
    out: {t: t, v: v, turned: turned, now: marked, after: settled}
  sink:
    in: [c, t, v, turned, marked, settled]
    out: sum
    state:
      k: u3
    step:
      k: k + 1
      c.ready: k != 5
      sum: sum * 3 + u64(c.data) + u64(i16(t.value) + 4000) + u64(v.a) + u64(u40(v.b)) + u64(v.c)
           + u64(turned) + u64(turned >> 66) + u64(marked) * 5 + u64(settled)
           + (if t.phase == run then 7 else 0) when c.valid or k == 1
inputs:
  fed: {file: fed.csv, at_end: repeat}
outputs:
  seen.csv:
    record: sum
    when: sum % 2048 == 1
checks:
  - cover: sum % 1021 == 3
)";

constexpr const char* pass_v = R"(module pass(input clk, input rst,
    input x_valid, input [8:0] x_data, output x_ready,
    output y_valid, output [8:0] y_data, input y_ready,
    input [3:0] offset, input enable);
  reg open;
  reg [13:0] taken;
  assign y_valid = x_valid & open & enable;
  assign y_data = x_data + {5'd0, offset};
  assign x_ready = y_ready & open;
  always @(posedge clk or posedge rst)
    if (rst) begin open <= 1'b1; taken <= 14'd0; end
    else begin
      open <= taken[2:0] != 3'd6 || !open;
      if (x_valid & x_ready) taken <= taken + 14'd1;
      STATEMENT
    end
endmodule
)";

constexpr const char* shapes_v = R"(module shapes(input clk, input rst,
    input [13:0] s, output reg [13:0] t, input [85:0] w, output reg [85:0] v,
    input [14:0] lane, input [129:0] big, output reg [129:0] turned,
    input signed [8:0] fed, input [3:0] fixed, output reg [7:0] now, output reg [7:0] after);
  always @(posedge clk) begin
    t <= rst ? 14'd0 : s;
    v <= rst ? 86'd0 : {w[85:81], ~w[80:41], w[40:0] ^ {36'd0, lane[4:0]}};
    turned <= rst ? 130'd0 : {big[63:0], big[129:64]};
    now <= rst ? 8'd1 : lane[12:5] ^ fed[7:0] ^ {4'd0, fixed};
    after <= rst ? 8'd0 : after + {7'd0, fed[8]} + {7'd0, big[0]};
  end
endmodule
)";

void write_ports(const Scratch& folder, const std::string& statement) {
    std::string rows = "fed\n";
    for (int k = 0; k < 29; ++k)
        rows += fmt::format("{}\n", (k * 37) % 512 - 256);
    folder.write("fed.csv", rows);
    folder.write("network.yaml", every_port);
    folder.write("pass.v", replaced(pass_v, "STATEMENT", statement));
    folder.write("shapes.v", shapes_v);
}

/// All results of a run: streams, exit code, files.
std::string remains(const Scratch& folder, const std::string& engine, unsigned cycles,
                    unsigned threads = 1) {
    for (const char* const name : {"run.checkpoint", "seen.csv"})
        std::filesystem::remove(folder.path(name));
    const Command run{fmt::format("cd {0} && {1} run network.yaml --engine {2} --threads {4} "
                                  "--cycles {3} --checkpoint-every {3} run.checkpoint",
                                  folder.path(), SME_COMMAND, engine, cycles, threads),
                      Command::any_program};
    std::string result = fmt::format("{}\n{}\n{}\n", run.exit_code, run.out, run.err);
    for (const char* const name : {"run.checkpoint", "seen.csv"})
        if (std::filesystem::is_regular_file(folder.path(name)))
            result += text_of(folder.path(name));
    return result;
}

std::uint64_t in_kernel(const Scratch& folder, unsigned cycles, unsigned threads = 1) {
    const Command run = sme_in(
        folder, fmt::format("run network.yaml --engine native --threads {} --cycles {} --stats",
                            threads, cycles));
    const std::size_t end = run.err.find(" cycles in the cycle kernel");
    REQUIRE_MESSAGE(end != std::string::npos, run.err);
    return std::stoull(run.err.substr(run.err.rfind(' ', end - 1) + 1));
}

/// Runs both engines, native code also on two threads; returns the results of the last run.
std::string both(const Scratch& folder, const std::vector<unsigned>& lengths) {
    std::string wanted;
    for (const unsigned cycles : lengths) {
        CAPTURE(cycles);
        wanted = remains(folder, "interpreted", cycles);
        CHECK((wanted == remains(folder, "native", cycles)));
        CHECK((wanted == remains(folder, "native", cycles, 2)));
        if (wanted.starts_with("2\n")) // the network itself is invalid
            FAIL(wanted);
    }
    return wanted;
}

} // namespace

TEST_CASE("modules with ports of every kind go by in the cycle kernel") {
    const Scratch folder;
    write_ports(folder, "");
    const std::string left = both(folder, {1, 2, 3, 6, 64, 5000});
    CHECK(left.starts_with("0\n"));
    CHECK(in_kernel(folder, 5000) > 4000);
}

TEST_CASE("a module that prints or ends in the cycle kernel does so in its cycle, once") {
    const auto ended = [](const std::string& statement, std::uint64_t least) {
        CAPTURE(statement);
        const Scratch folder;
        write_ports(folder, statement);
        std::string left = both(folder, {3000});
        CHECK(in_kernel(folder, 3000) >= least);
        return left;
    };
    const std::string prints =
        ended("if (taken[8:0] == 9'd300 && open) $display(\"%0d at %0t\", taken, $time);", 1500);
    CHECK(contains(prints, "first: 300 at "));
    CHECK(contains(prints, "second: 1324 at "));
    CHECK(contains(ended("if (taken == 14'd900) $finish;", 500), " halted\n"));
    CHECK(contains(ended("if (taken == 14'd900) $stop;", 500), "[verilog-stopped]"));
}

TEST_CASE("a module that prints while it settles does so once in a cycle") {
    const Scratch folder;
    write_ports(folder, "end always @* begin if (x_data == 9'd500 && x_valid) $display(\"500\");");
    const std::string left = both(folder, {2000});
    CHECK(contains(left, "first: 500\n"));
    CHECK(in_kernel(folder, 2000) > 1000);
}

TEST_CASE("a register that shows no member of its enumeration faults in the cycle kernel, too") {
    const Scratch folder;
    write_ports(folder, "");
    folder.write("shapes.v", replaced(shapes_v, "rst ? 14'd0 : s",
                                      "rst ? 14'd0 : s | {{2{s[11:0] == 12'd1500}}, 12'd0}"));
    const std::string left = both(folder, {9000});
    CHECK(contains(left, "output 't' of module 'shapes' shows 3, which is no member of Phase"));
    CHECK(left.starts_with("1\n"));
}

TEST_CASE(
    "modules on two threads print and end in their cycles, and so does what stops beside them") {
    constexpr const char* network = R"(network: pair
buses:
  a: u16
  b: u16
  c: hold u32
processes:
  left:
    verilog: {files: left.v, top: left, reset: rst}
    in: {x: b}
    out: {y: a}
  right:
    verilog: {files: right.v, top: right, reset: rst}
    in: {x: a}
    out: {y: b}
  beside:
    in: [a, b]
    out: c
    state:
      n: u32
    step:
      n: n + 1
      c: (c * 5) ^ u32(a) ^ (u32(b) << 9)
      YAML
)";
    constexpr const char* module = R"(module NAME(input clk, input rst,
    input [15:0] x, output reg [15:0] y);
  always @(posedge clk)
    if (rst) y <= 16'd0;
    else begin
      y <= x + NUMBER;
      STATEMENT
    end
endmodule
)";
    const auto ended = [&](const std::string& left, const std::string& right,
                           const std::string& yaml) {
        CAPTURE(left);
        CAPTURE(yaml);
        const Scratch folder;
        folder.write("network.yaml", replaced(network, "YAML", yaml));
        folder.write("left.v",
                     replaced(replaced(replaced(module, "NAME", "left"), "STATEMENT", left),
                              "NUMBER", "16'd3"));
        folder.write("right.v",
                     replaced(replaced(replaced(module, "NAME", "right"), "STATEMENT", right),
                              "NUMBER", "16'd5"));
        std::string result = both(folder, {2, 3, 1500});
        if (sme::engine::usable_cpus() > 1)
            CHECK(in_kernel(folder, 1500, 2) > 400);
        return result;
    };
    const std::string prints = ended("if (x == 16'd2005) $display(\"left %0d\", x);",
                                     "if (x == 16'd4003) $display(\"right %0d\", x);", "");
    CHECK(contains(prints, "left: left 2005\n"));
    CHECK(contains(prints, "right: right 4003\n"));
    CHECK(contains(ended("", "if (x == 16'd4003) $finish;", "print: \"{n}\" when n == 603"),
                   " halted\n"));
    CHECK(contains(ended("", "", "assert: n != 1203"), "1203"));
}
