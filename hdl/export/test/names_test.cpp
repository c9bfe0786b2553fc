// SPDX-License-Identifier: Apache-2.0
//
// Names of the network in its hardware, in both directions, and the values that Icarus Verilog
// finds under them.
#include <map>
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "../../../sim/cli/test/command.hpp"
#include "../../../sim/interpret/test/yaml_run.hpp"
#include "export/names.hpp"
#include "exported.hpp"

namespace {

using namespace sme;
using namespace sme::test;

/// Nested families, structs and arrays in buses and states, a memory with addresses, an array that
/// becomes a vector, and names that Verilog and VHDL reserve.
constexpr const char* network_text = R"(network: named
types:
  Kind: [low, mid, high]
  Pair: {flag: bool, kind: Kind, parts: "u5[3]"}
files:
  stage.yaml:
    component: stage
    in: {x: Pair}
    out: {y: Pair}
    types:
      Kind: [low, mid, high]
      Pair: {flag: bool, kind: Kind, parts: "u5[3]"}
    buses:
      inside[k < 2]: u9
    processes:
      add[k < 2]:
        in: x
        out: {sum: "inside[k]"}
        state:
          seen: u9
          last: Pair
        step:
          seen: seen + u9(x.parts[2]) + u9(k) * 7
          last: x
          sum: seen + u9(last.parts[1])
      join:
        in: {x: x, sums: inside}
        out: y
        step:
          y: Pair(x, flag = sums[1][3], parts = array(i < 3, x.parts[i] + sums[0][4:0]))
import: [stage.yaml]
buses:
  signal[2 <= k < 5]: Pair = Pair(parts = array(i < 3, u5(i) + 1))
  end[2 <= k < 5]: Pair
  found: u8
processes:
  feed[2 <= k < 5]:
    out: {p: "signal[k]"}
    state:
      n: u5 = 3
    step:
      n: n + 1
      p.flag: n[1]
      p.kind: "if n[0] then high else mid"
      p.parts[0]: n
      p.parts[1]: n * 3
      p.parts[2]: u5(k)
  stage[2 <= k < 5]:
    use: stage
    in: {x: "signal[k]"}
    out: {y: "end[k]"}
  use[2 <= k < 5]:
    in: {p: "end[k]"}
    state: {total: u8}
    step:
      total: total + u8(p.parts[0]) when p.flag or p.kind == low
    checks:
      - always: total <= 255
  memory:
    out: found
    state:
      at: u3
      words: u8[2, 4]
      few: u6[3]
    step:
      at: at + 1
      words[i < 2, j < 4]: u8(i) * 40 + u8(j) * 3 + 5
      few[i < 3]: u6(i) + 9
      found: words[at[2:2], at[1:0]] ^ u8(few[0]) ^ u8(few[2])
)";

/// The scalars of all buses and states that the network names.
std::vector<std::string> paths_of(const Graph& graph) {
    std::vector<std::string> result;
    for (const BusFamily& bus : graph.buses)
        for (std::uint64_t k = 0; k < bus.shape.count(); ++k)
            for (const Leaf& leaf : bus.type->scalars())
                result.push_back(bus.element_name(bus.first + k) + leaf.path);
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 4; ++j)
            result.push_back(fmt::format("memory.words[{}, {}]", i, j));
    for (int i = 0; i < 3; ++i)
        result.push_back(fmt::format("memory.few[{}]", i));
    return result;
}

/// Selects without brackets, which a vector of one bit does not allow.
std::string in_verilog(const hdl::HardwareBits& bits) {
    const std::string word = bits.word ? fmt::format("[{}]", *bits.word) : "";
    return fmt::format("(dut.{}{} >> {}) & {{{}{{1'b1}}}}", bits.signal, word, bits.low,
                       bits.width);
}

struct Named {
    hdl::Exported exported;
    std::map<std::string, hdl::HardwareBits> bits; // by path
    std::string json;
};

/// Exports a network and checks that each name leads to bits that lead back to it.
Named exported(const char* text, bool packed) {
    Named result;
    yaml::LoadOptions options;
    options.keep_bound = true;
    options.unrolled = true;
    options.look = [&](const yaml::SourceView& network, const Graph& graph) {
        Diagnostics diagnostics;
        result.exported =
            hdl::export_network(network.describe(), graph, diagnostics, {{}, {}, packed});
        CHECK(render(diagnostics) == "");
        const hdl::HardwareNames names{graph, result.exported};
        for (const std::string& path : paths_of(graph)) {
            const std::vector<hdl::HardwareBits> found = names.find(path);
            INFO(path);
            CHECK(found.size() == 1);
            if (found.size() != 1)
                continue;
            result.bits[path] = found[0];
            for (const std::uint64_t bit : {found[0].low, found[0].low + found[0].width - 1})
                CHECK(names.path_of(found[0].signal, bit, found[0].word) == path);
        }
        CHECK(names.find("signal[5]").empty());
        CHECK(names.find("memory.words[2, 0]").empty());
        CHECK(!names.path_of("signal_flag", 3));
        CHECK(!names.path_of("memory.words", 0, 8));
        CHECK(!names.path_of("nothing", 0));
        result.json = names.json();
    };
    const YamlRun loaded{text, "", options};
    INFO(render(loaded.diagnostics));
    CHECK(loaded.loaded());
    return result;
}

} // namespace

TEST_CASE("names lead to the bits of the hardware and back, with the values of the run") {
    constexpr unsigned cycles = 11;
    for (const bool packed : {false, true}) {
        CAPTURE(packed);
        YamlRun run{network_text};
        INFO(render(run.diagnostics));
        REQUIRE(run.loaded());
        const Named named = exported(network_text, packed);
        run.run(cycles);
        if (!has_program("iverilog")) {
            MESSAGE("skipped: no Icarus Verilog");
            return;
        }
        const Scratch folder;
        std::string sources, shown, expected;
        for (const hdl::ExportedFile& file : named.exported.modules) {
            folder.write(file.name, file.text);
            sources += ' ' + file.name;
        }
        for (const auto& [path, bits] : named.bits) {
            shown += fmt::format("    $display(\"{} %0d\", {});\n", path, in_verilog(bits));
            int i = 0, j = 0;
            if (std::sscanf(path.c_str(), "memory.words[%d, %d]", &i, &j) == 2)
                expected += fmt::format("{} {}\n", path, 40 * i + 3 * j + 5);
            else if (std::sscanf(path.c_str(), "memory.few[%d]", &i) == 1)
                expected += fmt::format("{} {}\n", path, i + 9);
            else
                expected += fmt::format("{} {}\n", path, run.at(path));
        }
        folder.write("look.v", fmt::format("module look;\n  reg clk = 0, rst = 1;\n"
                                           "  {} dut (.clk(clk), .rst(rst));\n  initial begin\n"
                                           "    #5 clk = 1; #5 clk = 0; rst = 0;\n"
                                           "    repeat ({}) begin #5 clk = 1; #5 clk = 0; end\n"
                                           "    #5;\n{}    $finish(0);\n  end\nendmodule\n",
                                           named.exported.top, cycles, shown));
        const Command found{"cd " + folder.path() + " && iverilog -g2005 -Wall -o look look.v" +
                                sources + " && vvp -n look",
                            Command::any_program};
        CAPTURE(found.err);
        CHECK(found.out == expected);
    }
}

TEST_CASE("a constant of an enumeration keeps its name, whatever that begins with") {
    const Scratch folder;
    folder.write("n.yaml", R"(network: n
types: {Phase: [idle, run]}
constants: {attack: Phase = run}
buses: {y: Phase}
processes: {p: {out: y, step: {y: attack}}}
run: {cycles: 3}
)");
    const Command written{"verilog " + folder.path("n.yaml") + " -o " + folder.path("v")};
    CHECK(written.exit_code == 0);
    CHECK(contains(text_of(folder.path("v/p.v")), "y <= attack;"));
}
