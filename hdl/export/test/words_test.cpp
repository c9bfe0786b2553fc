// SPDX-License-Identifier: Apache-2.0
//
// Names of a network that are words of other languages: every tool that reads our output accepts
// all of them, in every position. A tool that refuses a word shows a gap in our lists.
#include <doctest/doctest.h>

#include <fstream>
#include <sstream>

#include "vhdl_exported.hpp"

namespace {

using namespace sme::test;

std::vector<std::string> words() {
    std::ifstream file{SME_SOURCE_DIR "/hdl/export/test/words.txt"};
    std::vector<std::string> found;
    for (std::string line; std::getline(file, line);) {
        std::istringstream text{line.starts_with('#') ? "" : line};
        for (std::string word; text >> word;)
            found.push_back(word);
    }
    return found;
}

/// Uses each word as a bus.
std::string buses() {
    std::string buses, steps, outputs;
    unsigned number = 0;
    for (const std::string& word : words()) {
        buses += fmt::format("  {}: u8\n", word);
        outputs += (outputs.empty() ? "" : ", ") + word;
        steps += fmt::format("      {0}: {0} + {1}\n", word, ++number % 7 + 1);
    }
    return fmt::format("network: names\nbuses:\n{}processes:\n  p_:\n    out: [{}]\n    step:\n{}"
                       "run: {{cycles: 8}}\n",
                       buses, outputs, steps);
}

/// Uses each fourth word as a field, and as a state, a let, a memory, a function or a constant.
std::string inside() {
    std::string fields, states, lets, steps, functions, constants, sum = "0";
    unsigned number = 0, seen = 0;
    for (const std::string& word : words()) {
        if (++seen % 4 != 0) // all words would take minutes
            continue;
        fields += fmt::format("    {}: u8\n", word);
        steps += fmt::format("      s_.{0}: s_.{0} + 1\n", word);
        switch (++number % 5) {
        case 0:
            states += fmt::format("      {}: u8\n", word);
            steps += fmt::format("      {0}: {0} + {1}\n", word, number % 7 + 1);
            sum += " ^ " + word;
            break;
        case 1:
            states += fmt::format("      {}: u8[4]\n", word);
            steps += fmt::format("      {}[at_]: {}\n", word, number % 7 + 1);
            sum += fmt::format(" ^ {}[at_]", word);
            break;
        case 2:
            lets += fmt::format("      {}: (y_ + {}) * y_\n", word, number % 7 + 1);
            sum += " ^ " + word;
            break;
        case 3:
            functions += fmt::format("  {}(a): (if a > {} then a * 3 else a + 5) ^ (a >> 1)\n",
                                     word, number % 7 + 1);
            sum += fmt::format(" ^ {}(y_ + {})", word, number % 11);
            break;
        default:
            constants += fmt::format("  {}: u8[4] = [{}, 3, 5, 9]\n", word, number % 7 + 1);
            sum += fmt::format(" ^ {}[at_]", word);
        }
    }
    return fmt::format("network: names\ntypes:\n  S_:\n{}functions:\n{}constants:\n{}"
                       "buses: {{y_: u8, s_: S_}}\nprocesses:\n  p_:\n    out: [y_, s_]\n"
                       "    state:\n      at_: u2\n{}    let:\n{}    step:\n      at_: at_ + 1\n"
                       "{}      y_: 1 + ({})\nrun: {{cycles: 8}}\n",
                       fields, functions, constants, states, lets, steps, sum);
}

/// Instances in loops and single ones, beside buses and indices with the names of their labels.
constexpr const char* labels = R"yaml(network: labels
import: [process]
buses:
  unit: u8
  at_1: u8
  p_0: u8
  x: u8
  y[2, 2]: u8
  z[4]: u8
  dut: u8
processes:
  one:
    out: [unit, at_1, p_0, x, dut]
    step: {unit: unit + 1, at_1: at_1 + 2, p_0: p_0 + 3, x: x + 4, dut: dut + 5}
  many[unit_ < 2, mailbox < 2]:
    in: [unit, at_1]
    out: {y: "y[unit_, mailbox]"}
    step: {y: "y + unit + at_1 + u8(mailbox)"}
  p[k < 4]:
    where: k != 2
    in: {x: p_0}
    out: {y: "z[k]"}
    step: {y: "x + u8(k * k)"}
  semaphore:
    use: process
    out: {y: "z[2]"}
run: {cycles: 8}
files:
  process:
    component: process
    out: {y: u8}
    state: {process: u8, semaphore: u8}
    step: {process: process + 1, semaphore: semaphore + process, y: semaphore}
)yaml";

/// Functions with arguments and variables that are called like buses, states and lets, those of the
/// network and those written for operators.
constexpr const char* functions = R"yaml(network: functions
functions:
  twice(x, sum):
    let: {late: x + sum}
    return: u8(late * late)
constants:
  table: u8[6] = [3, 1, 4, 1, 5, 9]
types: {P: {index: u5, one: u4}}
buses: {x: u8, a: u8, b: u8, index: u8, all: u8, i: u8, k: i8, count: u8, y: u8}
processes:
  p:
    out: [x, a, b, index, all, i, k, count, y]
    state: {s: u8, t: i8, one: P, two: "P[3]", bit_number: u8, turned: u3}
    let:
      sum: twice(s, u8(t[3:0]))
      late: sum + twice(bit_number, s)
    step:
      s: s + 3
      t: t - 5
      bit_number: reverse(s)
      turned: if turned == 2 then 0 else turned + 1
      two[u2(turned)].one: s[3:0]
      one: two[u2(turned)]
      x: u8(popcount(s))
      a: min(s, u8(t))
      b: u8(abs(t))
      index: table[turned]
      all: s / (b | 1) + u8(two[u2(turned)].index)
      i: rotl(s, 3) % 7
      k: t / (k | 1)
      count: sum
      y: late
run: {cycles: 8}
)yaml";

void check_everywhere(const std::string& name, const std::string& network,
                      const std::string& warnings = "") {
    CAPTURE(name);
    const Scratch folder;
    folder.write("n.yaml", network);
    const std::string file = folder.path("n.yaml");
    const Command native{"run " + file + " --engine native --threads 1"};
    CAPTURE(native.err);
    CHECK(native.exit_code == 0);
    const ExportedNetwork verilog{file};
    CAPTURE(verilog.written.err);
    REQUIRE(verilog.written.exit_code == 0);
    if (!skip("iverilog"))
        CHECK(verilog.icarus() == "PASS: 8 cycles\n");
    if (!skip("verilator"))
        CHECK(verilog.lint(warnings) == "");
    if (skip("ghdl"))
        return;
    const ExportedVhdl vhdl{file};
    REQUIRE(vhdl.written.exit_code == 0);
    const std::string said = vhdl.ghdl();
    CHECK(contains(said, "PASS: 8 cycles"));
    CHECK_FALSE(contains(said, "warning"));
}

} // namespace

TEST_CASE("a bus may be called like any word of another language") {
    check_everywhere("buses", buses());
}

TEST_CASE("so may a state, a field, a memory, a let, a function and a constant") {
    check_everywhere("inside", inside());
}

TEST_CASE("arguments and variables of functions hide no bus, state or let") {
    check_everywhere("functions", functions, "-Wwarn-VARHIDDEN ");
}

TEST_CASE("labels of instances hide no bus") {
    check_everywhere("labels", labels);
}

TEST_CASE("the bench of a network has another name than its ports and modules") {
    const Scratch folder;
    folder.write("n.yaml", "network: n\nbuses: {n_bench: u8}\nprocesses:\n  p:\n    out: n_bench\n"
                           "    step: {n_bench: n_bench + 1}\nrun: {cycles: 4}\n");
    const Command written{"verilog " + folder.path("n.yaml") + " -o " + folder.path("v")};
    CHECK(written.exit_code == 0);
    CHECK(contains(text_of(folder.path("v/n_bench_2.v")), "module n_bench_2;"));
}
