// SPDX-License-Identifier: Apache-2.0
//
// Compares modules with several clocks and resets with Icarus in every cycle: asynchronous FIFOs,
// and registers at both edges of clocks with even and odd periods.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "clocks_project.hpp"

using namespace sme::test;

namespace {

/// The changes of a signal in a waveform up to a time: "0:1 10:0".
std::string wave_of(const std::string& vcd, const std::string& scope, const std::string& signal,
                    unsigned end) {
    const std::size_t inside = vcd.find("$scope module " + scope + " $end");
    const std::size_t name = vcd.find(" " + signal + " $end", inside);
    REQUIRE(name != std::string::npos);
    const std::size_t id = vcd.rfind(' ', name - 1) + 1;
    const std::string code = vcd.substr(id, name - id);
    std::string result, time;
    std::istringstream lines{vcd.substr(vcd.find("$enddefinitions"))};
    for (std::string line; std::getline(lines, line);)
        if (line[0] == '#')
            time = line.substr(1);
        else if (line.substr(1) == code && std::stoul(time) < end)
            result += fmt::format("{}{}:{}", result.empty() ? "" : " ", time, line[0]);
    return result;
}

} // namespace

TEST_CASE("modules with several clocks show in every cycle what Icarus shows") {
    const ClocksProject project;
    const Command run = project.sme("run net.yaml --trace wave.vcd");
    CAPTURE(run.err);
    REQUIRE(run.exit_code == 0);
    const std::string shown = text_of(project.folder.path("out.csv"));
    const Command icarus = project.run("iverilog -g2012 -o bench bench.v edges.v async_fifo.v && "
                                       "vvp -n bench");
    CAPTURE(icarus.err);
    CHECK(shown.substr(shown.find('\n') + 1) == icarus.out);

    SUBCASE("a waveform shows each clock as it runs") {
        const std::string vcd = text_of(project.folder.path("wave.vcd"));
        CHECK(wave_of(vcd, "equal_1", "s_clk", 25) == "0:1 5:0 10:1 15:0 20:1");
        CHECK(wave_of(vcd, "equal_1", "m_clk", 50) == "0:1 10:0 20:1 30:0 40:1");
        CHECK(wave_of(vcd, "slow", "m_clk", 80) == "0:0 10:1 30:0 50:1 70:0");
        CHECK(wave_of(vcd, "slow", "s_clk", 80) == "0:1 10:0 30:1 40:0 60:1 70:0");
    }
    SUBCASE("threads, the engine and the order of processes change nothing") {
        for (const char* how :
             {"--threads 2", "--engine native", "--engine interpreted --threads 1"}) {
            CAPTURE(how);
            CHECK(project.sme(fmt::format("run net.yaml {}", how)).exit_code == 0);
            CHECK(text_of(project.folder.path("out.csv")) == shown);
        }
        CHECK(project.sme("validate net.yaml --orders 4").exit_code == 0);
    }
    SUBCASE("a run goes on where it was saved, with its clocks") {
        REQUIRE(project.sme("run net.yaml --cycles 151 --checkpoint-every 151 saved").exit_code ==
                0);
        const Command rest = project.sme("run net.yaml --resume saved");
        CAPTURE(rest.err);
        CHECK(rest.exit_code == 0);
        CHECK(text_of(project.folder.path("out.csv")) == shown);
    }
}

TEST_CASE("a module with several clocks as a second implementation, and as Verilog") {
    const ClocksProject project;
    const auto network = [&](const char* m_clk) {
        project.folder.write("one.yaml", fmt::format(R"yaml(network: one
buses:
  s_valid: bool
  s_data: u8
  s_ready: bool
  m_valid: bool
  m_data: u8
processes:
  driver:
    out: [s_valid, s_data]
    state: {{n: u8 = 0}}
    step:
      n: n + 1
      s_valid: n % 3 != 0
      s_data: n
  fifo:
    verilog:
      files: async_fifo.v
      top: async_fifo
      reset: [{{port: s_rst_n, active: low, cycles: 3}}, m_rst]
      clock: {{s_clk: every 1, m_clk: {}}}
    in: {{s_valid: s_valid, s_data: s_data, m_ready: true}}
    out: [s_ready, m_valid, m_data]
    against:
      verilog:
        files: async_fifo.v
        top: async_fifo
        reset: [{{port: s_rst_n, active: low, cycles: 3}}, m_rst]
        clock: {{s_clk: every 1, m_clk: every 2 offset 1}}
run: {{cycles: 60}}
)yaml",
                                                     m_clk));
    };
    network("every 2 offset 1");
    const Command same = project.sme("cosim one.yaml");
    CAPTURE(same.err);
    CHECK(same.exit_code == 0);
    const Command refused = project.sme("verilog one.yaml --output o");
    CHECK(refused.exit_code == 2);
    CHECK(contains(refused.err, "one.yaml:21:31: error: clock 'm_clk' of process 'fifo' is every 2 "
                                "offset 1, but a network that is written has no such clock; "
                                "declare one under 'domains' and give the module its name "
                                "[bad-call]"));
    network("every 2"); // another phase
    CHECK(contains(project.sme("cosim one.yaml").out, "differ"));
    network("every 1");
    const Command written = project.sme("verilog one.yaml --output o && cd o && "
                                        "iverilog -g2012 -o bench -f files.f one_bench.v && "
                                        "vvp bench");
    CAPTURE(written.err);
    CHECK(contains(written.out, "PASS: 60 cycles"));
}

TEST_CASE("clocks and resets that are wrong are named where they stand") {
    const ClocksProject project;
    const auto refused = [&](const std::string& from, const std::string& to,
                             const std::string& message) {
        CAPTURE(to);
        project.folder.write("bad.yaml", replaced(clocks_yaml, from, to));
        const Command run = project.sme("check bad.yaml");
        CAPTURE(run.err);
        CHECK(run.exit_code != 0);
        CHECK(contains(run.err, message));
    };
    const auto clock = [&](const std::string& to, const std::string& message) {
        refused("every 2 offset 1", to, message);
    };
    clock("every 2 offset 2", "the offset of a clock is below its period, but 2 is not below 2; "
                              "write 'every 2 offset 0' [bad-cycles]");
    clock("every 0", "the period of a clock is 1 to 4294967295, but this is 0");
    clock("every -1", "the period of a clock is 1 to 4294967295, but this is -1");
    clock("every x", "nothing is named 'x' here");
    clock("2", "2 is no rate of a clock; write 'every 2' for an edge in every 2 cycles");
    refused("m_clk: every 2 offset 1", "mclk: every 2",
            "module 'async_fifo' has no port 'mclk', did you mean 'm_clk'? [verilog-port]");
    refused("m_clk: every 2 offset 1", "m_data: every 2",
            "'m_data' is an output of 8 bits, but a clock is an input of one bit");
    refused("m_clk: every 2 offset 1", "s_data: every 2",
            "'s_data' is an input of 8 bits, but a clock is an input of one bit");
    refused("m_clk: every 2 offset 1", "s_clk: every 2", "'s_clk' appears twice in this map");
    refused("m_clk: every 2 offset 1", "m_clk: every 1, m_rst: every 2",
            "port 'm_rst' is named twice, as a clock and as a reset; name it once");
    refused("m_clk: every 2 offset 1", "m_clk: every 1, m_ready: every 2",
            "port 'm_ready' of module 'async_fifo' is a clock, and bound as well; take it out of "
            "'in', or take 'm_ready' out of 'clock' if another process makes that clock");
    refused(
        ", m_clk: every 2 offset 1", "",
        "input 'm_clk' of module 'async_fifo' is bound to nothing; bind it under 'in', or write "
        "'clock: {s_clk: every 1, m_clk: every 1}'");
    refused("      clock: {s_clk: every 1, m_clk: every 2 offset 1}\n", "",
            "or write 'clock: {s_clk: every 1, m_clk: every 1}'");
    refused("[{port: s_rst_n, active: low, cycles: 3}, m_rst]", "m_rst",
            "or write 'reset: [m_rst, {port: s_rst_n, active: low}]'");
    refused("w_valid: wire bool", "w_valid: bool",
            "output 'm_valid' of module 'async_fifo' follows input 'm_clk' within the cycle, but "
            "the bus that it writes is no wire; declare the bus with 'wire' [verilog-follows]");
    refused("down_b: wire u8", "down_b: u8",
            "output 'down_b' of module 'edges' moves at the falling edge of the clock, within the "
            "cycle, but the bus that it writes is no wire");
}

TEST_CASE("an input that begins with 1 has an edge in cycle 0, whatever feeds its bus") {
    const Scratch folder;
    folder.write("m.sv", R"(
module m(input clk, input set, input [7:0] d, output reg [7:0] q = 0, output reg [7:0] hits = 0);
  always @(posedge clk or posedge set) if (set) q <= 8'hff; else q <= d;
  always @(posedge set) hits <= hits + 1;
endmodule
)");
    folder.write("in.csv", "filed\n1\n1\n0\n0\n0\n0\n");
    const auto network = [](const char* filed) {
        return fmt::format(R"yaml(network: edges
buses: {{on: wire bool, given: bool, filed: bool, t: u8, "q[5]": wire u8, "hits[5]": wire u8}}
inputs:
  given: {{0: true, 2: false}}
  filed: {}
processes:
  drive: {{out: [on, t], step: {{t: t + 1, on: t < 2}}}}
  wired: {{verilog: {{files: m.sv, top: m}}, in: {{set: on, d: t}}, out: {{q: "q[0]", hits: "hits[0]"}}}}
  given_: {{verilog: {{files: m.sv, top: m}}, in: {{set: given, d: t}}, out: {{q: "q[1]", hits: "hits[1]"}}}}
  filed_: {{verilog: {{files: m.sv, top: m}}, in: {{set: filed, d: t}}, out: {{q: "q[2]", hits: "hits[2]"}}}}
  fixed: {{verilog: {{files: m.sv, top: m}}, in: {{set: true, d: t}}, out: {{q: "q[3]", hits: "hits[3]"}}}}
  clocked:
    verilog: {{files: m.sv, top: m, clock: {{}}}}
    in: {{clk: given, set: false, d: 7}}
    out: {{q: "q[4]", hits: "hits[4]"}}
checks:
  # Icarus shows the same of a module whose 'set' is 1 from time 0 on
  - always: all(k < 3, q[k] == (if t < 3 then 255 else t - 1) and hits[k] == 1)
  - always: q[3] == 255 and hits[3] == 1
  - always: q[4] == 7 and hits[4] == 0
run: {{cycles: 6}}
)yaml",
                           filed);
    };
    folder.write("n.yaml", network("in.csv"));
    folder.write("replay.yaml", network("{file: wave.vcd}"));
    const Command run = sme_in(folder, "run n.yaml --trace wave.vcd");
    CAPTURE(run.err);
    CHECK(run.exit_code == 0);
    const Command replay = sme_in(folder, "run replay.yaml");
    CAPTURE(replay.err);
    CHECK(replay.exit_code == 0);
}

TEST_CASE("a core behind a clock gate is granted its own request in the cycle") {
    const Scratch folder;
    folder.write("core.v", R"(
module core(input clk, input rst, input wake, input stall, input gnt, output req,
            output [7:0] addr);
  reg en; always @* if (!clk) en = wake | busy;
  wire gclk = clk & en;
  reg busy; reg [7:0] a; assign req = busy & ~stall; assign addr = a;
  always @(posedge gclk)
    if (rst) begin busy <= 0; a <= 0; end else begin busy <= 1; if (gnt) a <= a + 1; end
endmodule
)");
    const auto network = [](const char* in) {
        return fmt::format(R"(network: gated
buses: {{stall: bool, req: wire bool, addr: wire u8}}
inputs: {{stall: {{0: false, 3: true, 5: false}}}}
processes:
  core:
    verilog: {{files: core.v, top: core, reset: rst, lint: off, unbound: 0}}
    in: {}
    out: {{req: req, addr: addr}}
checks:
  # busy from cycle 1 on; a request that is granted in cycles 1 and 2 counts
  - at 0: not req and addr == 0
  - at 1: req and addr == 0
  - at 3: not req and addr == 2
  - at 5: req and addr == 2
  - at 6: addr == 3
run: {{cycles: 7}}
)",
                           in);
    };
    folder.write("n.yaml", network("{wake: true, stall: stall, gnt: req}"));
    const Command run = sme_in(folder, "run n.yaml");
    CAPTURE(run.err);
    CHECK(run.exit_code == 0);
    CHECK(run.err == "");
    folder.write("unbound.yaml", network("{stall: stall}"));
    CHECK(sme_in(folder, "run unbound.yaml --cycles 1").err ==
          ""); // 'wake' and 'gnt' are no clocks
}
