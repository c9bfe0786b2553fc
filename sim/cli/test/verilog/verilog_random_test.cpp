// SPDX-License-Identifier: Apache-2.0
//
// Tests random numbers of modules: with a seed they are those of IEEE 1364-2005, which Icarus draws
// as well.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "../command.hpp"
#include "base/program.hpp"

using namespace sme::test;

namespace {

constexpr const char* draws[] = {"$random(seed)",
                                 "$dist_uniform(seed, -10, 2147483647)",
                                 "$dist_normal(seed, 5, 1000)",
                                 "$dist_exponential(seed, 100)",
                                 "$dist_poisson(seed, 40)",
                                 "$dist_chi_square(seed, 7)",
                                 "$dist_t(seed, 5)",
                                 "$dist_erlang(seed, 3, 100)"};
constexpr int count = std::size(draws);

/// Draws each number from a seed of its own that no other draw uses.
std::string module_of_draws() {
    std::string text =
        fmt::format("module draws(input clk, output reg [{}:0] y, output reg [31:0] free, output "
                    "reg [31:0] fixed,\n"
                    "             output reg [31:0] range);\n  integer other[0:1];\n",
                    32 * count - 1);
    for (int k = 0; k < count; ++k)
        text += fmt::format("  integer s{0}; initial s{0} = {0} - 3;\n", k);
    text += "  initial other[1] = -2;\n" // Icarus accepts only variables
            "`ifdef __ICARUS__\n`define SEED s1\n`else\n`define SEED other[1]\n"
            "  always @(posedge clk) fixed <= $urandom(12);\n`endif\n"
            "  always @(posedge clk) begin\n    free <= $random; range <= $urandom_range(3, 10);\n";
    for (int k = 0; k < count; ++k)
        text += fmt::format("    y[{} +: 32] <= {};\n", 32 * k,
                            replaced(draws[k], "seed", k == 1 ? "`SEED" : fmt::format("s{}", k)));
    return text + "  end\nendmodule\n";
}

} // namespace

TEST_CASE(
    "$random and $dist_... with a seed draw what Icarus draws, and others go on beside them") {
    const Scratch folder;
    folder.write("draws.v", module_of_draws());
    folder.write("network.yaml", fmt::format(R"(network: n
buses: {{y: u{}, free: u32, fixed: u32, range: u32}}
processes:
  d: {{verilog: {{files: draws.v, top: draws}}, out: {{y: y, free: free, fixed: fixed, range: range}}}}
checks:
  - after 2: fixed == past(fixed) and free != past(free)
  - after 1: range >= 3 and range <= 10
  - cover: range == 3
  - cover: range == 10
outputs:
  rows.hex: {{record: y}}
)",
                                             32 * count));
    const Command run = sme_in(folder, "run network.yaml --cycles 100 --engine interpreted");
    CAPTURE(run.err);
    CAPTURE(run.out);
    CHECK(run.exit_code == 0);
    CHECK_FALSE(contains(run.out, "not reached"));
    const std::string rows = text_of(folder.path("rows.hex"));
    CHECK(sme_in(folder, "run network.yaml --cycles 100 --seed 5 --threads 2").exit_code == 0);
    CHECK(text_of(folder.path("rows.hex")) == rows);
    if (!sme::find_program("iverilog")) {
        MESSAGE("skipped: there is no iverilog");
        return;
    }
    folder.write("bench.v", fmt::format(R"(module bench;
  reg clk = 0; wire [{}:0] y; wire [31:0] a, b, c; integer k;
  draws d(clk, y, a, b, c);
  initial begin
    for (k = 0; k < 101; k = k + 1) begin #1 clk = k > 0; #1 clk = 0; #1; if (k > 0) $display("0x%h", y); end
  end
endmodule
)",
                                        32 * count - 1));
    const Command icarus =
        run_in(folder, "iverilog -g2012 -s bench -o bench bench.v draws.v && vvp bench");
    CAPTURE(icarus.err);
    // row 0 is before the first edge
    CHECK(rows.size() > icarus.out.size());
    CHECK(rows.ends_with(icarus.out));
}

TEST_CASE("a seed that is no variable of 32 bits is refused where it is drawn from") {
    for (const char* const seed : {"5", "part[40:9]", "narrow"}) {
        CAPTURE(seed);
        const Scratch folder;
        folder.write("m.v", fmt::format("module m(input clk, output reg [31:0] y);\n"
                                        "  reg [63:0] part = 0; reg [15:0] narrow;\n"
                                        "  always @(posedge clk) y <= $random({});\nendmodule\n",
                                        seed));
        folder.write("network.yaml", "network: n\nbuses: {y: u32}\nprocesses:\n"
                                     "  m: {verilog: {files: m.v, top: m}, out: {y: y}}\n");
        const Command run = sme_in(folder, "check network.yaml");
        CHECK(run.exit_code == 2);
        CHECK(contains(run.err,
                       "m.v:3:30: error: module 'm': what is drawn here has a seed that is "
                       "no variable of 32 bits"));
    }
}
