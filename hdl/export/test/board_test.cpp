// SPDX-License-Identifier: Apache-2.0
//
// Designs with several clocks on boards: the wrapper module behaves like the network.
#include <regex>

#include <doctest/doctest.h>

#include "examples.hpp"

namespace {

using namespace sme::test;

/// Compares the outputs of a design's wrapper in each cycle with the values of the run that the
/// test bench reads.
std::string on_board(const ExportedNetwork& exported, const std::string& board) {
    const std::string bench = exported.text(exported.top + "_bench.v");
    const auto each = [&](const char* pattern, auto use) {
        const std::regex form{pattern};
        for (std::sregex_iterator at{bench.begin(), bench.end(), form}, end; at != end; ++at)
            use(*at);
    };
    std::string text = "module SB_GB (input USER_SIGNAL_TO_GLOBAL_BUFFER,\n"
                       "              output GLOBAL_BUFFER_OUTPUT);\n"
                       "    assign GLOBAL_BUFFER_OUTPUT = USER_SIGNAL_TO_GLOBAL_BUFFER;\n"
                       "endmodule\nmodule board_bench;\n";
    each("    localparam integer cycles = .*\n", [&](const auto& m) { text += m[0]; });
    text += "    reg clk = 0;\n    integer cycle = 0;\n    " + exported.top + "_" + board +
            " board (.clk(clk));\n";
    each("    reg .* values_[0-9]+ \\[.*\n", [&](const auto& m) { text += m[0]; });
    text += "    initial begin\n";
    each(" +\\$readmemh.*\n", [&](const auto& m) { text += m[0]; });
    text += "        while (cycle < cycles) begin #5 clk = 1; #5 clk = 0; end\n"
            "        $display(\"PASS: %0d cycles\", cycles);\n        $finish;\n    end\n"
            "    always @(posedge clk)\n        if (board.cycle_ends && !board.rst) begin\n";
    each("if \\((?:dut\\.)?(\\S+) !== (values_[0-9]+\\[cycle\\])\\) begin", [&](const auto& m) {
        text += fmt::format("            if (board.unit.{0} !== {1}) begin\n"
                            "                $display(\"cycle %0d: {0} is %h, not %h\", cycle,\n"
                            "                         board.unit.{0}, {1});\n"
                            "                $finish;\n            end\n",
                            m[1].str(), m[2].str());
    });
    exported.folder().write("board_bench.v", text + "            cycle = cycle + 1;\n"
                                                    "        end\nendmodule\n");
    const Command run{"cd " + exported.folder().path() +
                          " && iverilog -g2005 -o board_bench $(cat files.f) " + exported.top +
                          "_" + board + ".v board_bench.v && vvp -n board_bench",
                      Command::any_program};
    return run.out + run.err;
}

/// Three clocks, each slower than the cycle; a wire and a clock domain crossing.
constexpr const char* slow = R"(network: slow
domains: {a: every 2, b: every 3 offset 2, c: every 16 offset 3}
import: [std/synchroniser.yaml]
buses: {x: hold u8, toggles: hold bool, there: wire bool, y: hold u8, z: hold u8}
processes:
  first: {out: [x, toggles], state: {n: u8 = 3}, step: {n: n + 1, x: n, toggles: n % 4 > 1}}
  across: {use: synchroniser, domain: b, in: {x: toggles}, out: {y: there}}
  second: {domain: b, in: there, out: y, step: {y: if there then y + 1 else y}}
  third: {domain: c, out: z, state: {n: u8 = 9}, step: {n: n + 3, z: n}}
outputs: {all.csv: {record: {x: x, y: y, z: z}}}
run: {cycles: 100}
)";

} // namespace

TEST_CASE("the clocks of a board make a design with several clocks run as in the network") {
    if (skip("iverilog"))
        return;
    const Scratch folder;
    folder.write("slow.yaml", slow);
    for (const std::string& network :
         {folder.path("slow.yaml"), std::string{SME_SOURCE_DIR "/lib/std/test/async_fifo.yaml"}})
        for (const char* board : {"icebreaker", "ulx3s"}) {
            CAPTURE(network);
            CAPTURE(board);
            const ExportedNetwork exported{network + " --board " + board};
            CAPTURE(exported.written.err);
            REQUIRE(exported.written.exit_code == 0);
            CHECK(exported.text(exported.top + "_bench.v").find("values_1") != std::string::npos);
            const std::string said = on_board(exported, board);
            CHECK_MESSAGE(said.starts_with("PASS: "), said);
        }
}

TEST_CASE("each clock has its speed in the constraints, and nextpnr keeps to it") {
    const Scratch folder;
    folder.write("slow.yaml", slow);
    const ExportedNetwork ecp5{folder.path("slow.yaml") + " --board ulx3s"};
    CHECK(contains(ecp5.text("slow_ulx3s.lpf"), "FREQUENCY PORT \"clk\" 25 MHZ;\n"
                                                "FREQUENCY NET \"a_clk\" 6.25 MHZ;\n"
                                                "FREQUENCY NET \"b_clk\" 4.167 MHZ;\n"
                                                "FREQUENCY NET \"c_clk\" 0.782 MHZ;\n"));
    if (!skip("yosys"))
        CHECK(Command{"cd " + ecp5.folder().path() +
                          " && yosys -q -p \"read_verilog $(cat files.f | tr '\\n' ' ') "
                          "slow_ulx3s.v; synth_ecp5 -top slow_ulx3s; check -assert\"",
                      Command::any_program}
                  .exit_code == 0);
    const ExportedNetwork ice40{folder.path("slow.yaml") + " --board icebreaker --report"};
    CAPTURE(ice40.written.err);
    CHECK(contains(ice40.text("slow_icebreaker.pcf"), "set_io clk 35\nset_frequency clk 12\n"
                                                      "set_frequency a_clk 3\n"
                                                      "set_frequency b_clk 2\n"
                                                      "set_frequency c_clk 0.375\n"));
    if (skip("yosys") || skip("nextpnr-ice40"))
        return;
    CHECK(ice40.written.exit_code == 0);
    for (const char* speed : {" MHz of 12.00", " MHz of 3.00", " MHz of 2.00", " MHz of 0.38"})
        CHECK_MESSAGE(contains(ice40.written.out, speed), ice40.written.out);
    const std::string& said = ice40.written.out;
    const std::size_t at = said.find("c_clk ");
    REQUIRE(at != std::string::npos);
    CHECK(std::stod(said.substr(at + 6)) > 12);
}
