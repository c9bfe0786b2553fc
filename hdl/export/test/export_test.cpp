// SPDX-License-Identifier: Apache-2.0
//
// The written Verilog, errors that the test bench finds, and networks that cannot be written.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "examples.hpp"

namespace {

using namespace sme::test;

/// Returns the verdict of the test bench after replacing `from` by `to` in a file.
std::string mutated(const std::string& network, const std::string& file, const std::string& from,
                    const std::string& to) {
    const ExportedNetwork exported{network + " --cycles 60"};
    std::string text = exported.text(file);
    const std::size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    exported.folder().write(file, text.replace(at, from.size(), to));
    return exported.icarus();
}

} // namespace

TEST_CASE("a test bench sees an operator that was changed") {
    if (skip("iverilog"))
        return;
    const std::string sum =
        mutated(model("running_sum"), "accumulator.v", "so_far + ", "so_far - ");
    // raw is 0, 1, 2, ...: the second added value arrives in cycle 3
    CHECK(sum == "cycle 3: total.value is ffff, but was 0001 in the run\nFAIL\n");
    CHECK(contains(mutated(model("life"), "cell_.v", "==", "!="), "FAIL"));
    CHECK(contains(mutated(model("uart"), "files.f", "\n", "\n"), "PASS"));
    CHECK(contains(mutated(model("traffic"), "controller.v", "<=", "<= ~"), "FAIL"));
}

TEST_CASE("a memory whose elements are arrays has words of the whole array") {
    const Scratch folder;
    folder.write("palette.yaml", R"(network: palette
types:
  Colour: u8[3]
  Line: u8[70]
buses:
  at: u6
  colour: Colour
  green: u8
  far: u8
  line: Line
processes:
  count:
    out: at
    step:
      at: at + 1
  store:
    in: at
    out: [colour, green, far, line]
    state:
      memory: Colour[64]
      lines: Line[4]
    step:
      memory[at]: array(k < 3, memory[at + 60][k] + u8(k) + u8(at))
      memory[at + 3][u2(at) % 3]: u8(at)
      colour: memory[at + 1]
      green: memory[at + 62][u2(at) % 3]
      lines[u2(at)]: array(k < 70, lines[u2(at) + 1][k] + u8(k) + u8(at))
      far: lines[u2(at) + 3][at]
      line: lines[u2(at) + 2]
)");
    const ExportedNetwork exported{folder.path("palette.yaml") + " --cycles 200"};
    REQUIRE(exported.written.exit_code == 0);
    CHECK(contains(exported.text("store.v"), "reg [23:0] memory [0:63];"));
    CHECK(contains(exported.text("store.v"), "colour <= memory[{at + 6'd1}];"));
    CHECK(contains(exported.text("store.v"), "reg [7:0] lines [0:279];"));
    if (!skip("iverilog"))
        CHECK(contains(exported.icarus(), "PASS"));
}

TEST_CASE("what has no hardware is named, and nothing is written") {
    const Scratch folder;
    folder.write("dice.yaml", "network: dice\nbuses:\n  pips: u3\nprocesses:\n  thrower:\n"
                              "    out: pips\n    step:\n      pips: random(u3)\n"
                              "run: {cycles: 4}\n");
    const Command exported{"verilog " + folder.path("dice.yaml") + " -o " + folder.path("out")};
    CHECK(exported.exit_code == 2);
    CHECK(contains(exported.err, "dice.yaml:8:13: error: random(...) has no hardware"));
    CHECK(contains(exported.err, "[bad-call]"));
    CHECK(!std::filesystem::exists(folder.path("out")));
}

TEST_CASE("what has no hardware beside a design names the design to write alone") {
    const Scratch folder;
    folder.write("part.yaml", "component: part\nin: {x: u3}\nout: {y: u3}\nstep: {y: x + 1}\n");
    folder.write("loud.yaml", "component: loud\nout: {y: u3}\nstep: {y: random(u3)}\n");
    folder.write("bench.yaml",
                 "network: bench\nimport: [part.yaml, loud.yaml]\nbuses: {a: u3, b: u3, c: u3}\n"
                 "processes:\n  source: {use: loud, out: {y: a}}\n"
                 "  dut: {use: part, in: {x: a}, out: {y: b}}\n"
                 "  judge: {in: b, out: c, step: {c: b ^ random(u3)}}\nrun: {cycles: 4}\n");
    const std::string to = " -o " + folder.path("out");
    for (const char* command : {"verilog ", "vhdl "})
        CHECK(contains(Command{command + folder.path("bench.yaml") + to}.err,
                       "as an input, or write 'dut' alone, with --top dut [bad-call]"));
    CHECK(Command{"verilog " + folder.path("bench.yaml") + to + " --top dut"}.exit_code == 0);
}

TEST_CASE("what stands around something without hardware is written on") {
    const Scratch folder;
    folder.write("dice.yaml", "network: dice\nconstants:\n  table: u33[2] = [1, 2]\nbuses:\n"
                              "  odd: bool\nprocesses:\n  thrower:\n    out: odd\n    step:\n"
                              "      odd: (table[random(u1)] | 0x17b4ae91a)[23]\n");
    const Command exported{"verilog " + folder.path("dice.yaml") + " -o " + folder.path("out")};
    CHECK(exported.exit_code == 2);
    CHECK(contains(exported.err, "dice.yaml:10:19: error: random(...) has no hardware"));
}

TEST_CASE("a wire that is constant for one member of a family has its value there") {
    if (skip("iverilog"))
        return;
    const Scratch folder;
    folder.write("lanes.yaml",
                 "network: lanes\nconstants:\n  fixed: u3 = 1\nbuses:\n"
                 "  b[k < 3]: wire u4\nprocesses:\n  lane[k < 3]:\n"
                 "    out: {y: \"b[k]\"}\n    state: {s: bool}\n    step:\n"
                 "      s: not s\n      y: if fixed[k] then 3 else if s then 2 else 1\n"
                 "      if k > 1:\n        y: 5\n");
    CHECK(ExportedNetwork{folder.path("lanes.yaml") + " --cycles 4"}.icarus() ==
          "PASS: 4 cycles\n");
}

TEST_CASE("the README shows what is written") {
    const std::string readme = text_of(SME_SOURCE_DIR "/hdl/export/README.md");
    const std::string fence = "```verilog accumulator.v\n";
    const std::size_t begin = readme.find(fence) + fence.size();
    const ExportedNetwork exported{model("running_sum")};
    CHECK(readme.substr(begin, readme.find("```", begin) - begin) ==
          exported.text("accumulator.v"));
    CHECK(exported.written.out.starts_with("running_sum: 3 modules in "));
}

TEST_CASE("a design is put on a board, and what was edited stays") {
    const Scratch folder;
    const std::string arguments =
        "verilog " + model("uart") + " --cycles 100 -o " + folder.path("out");
    const Command result{arguments + " --board icebreaker --report"};
    CAPTURE(result.err);
    CHECK(result.exit_code == 0);
    CHECK(contains(text_of(folder.path("out/uart_icebreaker.pcf")), "set_io clk 35\n"));
    CHECK(Command{"cd " + folder.path("out") +
                      " && verilator --lint-only -Wall --top-module "
                      "uart_icebreaker $(cat files.f) uart_icebreaker.v",
                  Command::any_program}
              .err == "");
    if (has_program("nextpnr-ice40"))
        CHECK(contains(result.out, "MHz, the board's clock has 12 MHz\n"));
    else
        MESSAGE("skipped: no nextpnr-ice40");
    folder.write("out/uart_icebreaker.pcf", "set_io clk 20\n");
    const Command again{arguments + " --board icebreaker"};
    CHECK(again.exit_code == 0);
    CHECK(contains(again.out, "  kept         uart_icebreaker.v, uart_icebreaker.pcf\n"));
    CHECK(text_of(folder.path("out/uart_icebreaker.pcf")) == "set_io clk 20\n");
    const Command unknown{arguments + " --board ice"};
    CHECK(unknown.exit_code == 2);
    CHECK(contains(unknown.err, "there is no board 'ice' here, but icebreaker, icestick, hx8k"));
}

TEST_CASE("the filter is placed and routed, far above the board's clock") {
    if (skip("yosys") || skip("nextpnr-ice40"))
        return;
    const Scratch folder;
    const Command result{"verilog " + std::string{SME_SOURCE_DIR} +
                         "/models/fir/transposed.yaml --cycles 20 --board hx8k --report -o " +
                         folder.path("out")};
    CAPTURE(result.err);
    CHECK(result.exit_code == 0);
    const std::string line = "nextpnr-ice40 (hx8k): ";
    const std::size_t at = result.out.find(line);
    REQUIRE(at != std::string::npos);
    CHECK(contains(result.out, " MHz, the board's clock has 12 MHz\n"));
    CHECK(std::stod(result.out.substr(at + line.size())) > 12.0);
}

TEST_CASE("the report counts cells of both families of FPGAs") {
    if (skip("yosys"))
        return;
    const Scratch folder;
    const Command reported{"verilog " + model("running_sum") + " --report -o " +
                           folder.path("out")};
    CHECK(reported.exit_code == 0);
    // a 16-bit counter, a 16-bit sum, and the 17 bits of each bus: all registers are kept
    CHECK(contains(reported.out, "\nice40: "));
    CHECK(contains(reported.out, "SB_CARRY"));
    CHECK(contains(reported.out, "\necp5: "));
    CHECK(contains(reported.out, "TRELLIS_FF"));
    CHECK(Command{"PATH=/nowhere " SME_COMMAND " verilog " + model("running_sum") +
                      " --report -o " + folder.path("out"),
                  Command::any_program}
              .exit_code == 3);
}

TEST_CASE("a memory whose read is registered becomes block RAM") {
    if (skip("yosys"))
        return;
    const Scratch folder;
    folder.write("ram.yaml", R"(network: ram
buses:
  read: u16
processes:
  store:
    out: read
    state:
      mem: u16[512]
      at: u9
    step:
      at: at + 1
      mem[at]: read + 1 when at[3]
      read: mem[at + 5]
run: {cycles: 40}
)");
    const Command reported{"verilog " + folder.path("ram.yaml") + " --report -o " +
                           folder.path("out")};
    CHECK(contains(reported.out, "SB_RAM40_4K 2")); // 256 words of 16 bits each
    CHECK_FALSE(contains(reported.out, "hint: "));
    CHECK(contains(reported.out, "DP16KD 1")); // 1024 words of 18 bits
}

TEST_CASE("what is too large is refused in time") {
    const Scratch folder;
    const std::string ring = "verilog " + model("ring") + " -o " + folder.path("out");
    const Command large{ring + " --set nodes=1000000"};
    CHECK(large.exit_code == 2);
    CHECK(
        contains(large.err, "'token' has 32000000 bits, but can be written with at most 1048576"));
    const Command long_run{ring + " --cycles 100000000"};
    CHECK(long_run.exit_code == 2);
    CHECK(contains(long_run.err, "give --cycles N, at most 67108"));
}

TEST_CASE("a folder is wanted, and one that can be written") {
    const Command nowhere{"verilog " + model("fir")};
    CHECK(nowhere.exit_code == 2);
    CHECK(contains(nowhere.err, "give -o FOLDER"));
    CHECK(Command{"verilog " + model("fir") + " -o /dev/null/x"}.exit_code == 4);
}

TEST_CASE("delays, resets and hold buses are written as they run") {
    if (skip("iverilog"))
        return;
    const Scratch folder;
    folder.write("late.yaml", R"(network: late
buses:
  now: delay 3 hold u8 = 5
  later: delay 2 i4 = -3
  kept: hold u8 = 9
processes:
  writer:
    out: [now, later, kept]
    state:
      count: u8 = 250
      words: u8[3] = [1, 2, 3]
    reset: count == 3
    step:
      count: count + 1
      words[count[0:0]]: count
      now: now + words[0] when count[1]
      later: i4(count[3:0]) when count[0]
      kept: words[2] when count == 2
run: {cycles: 40}
)");
    const ExportedNetwork exported{folder.path("late.yaml")};
    CHECK(exported.icarus() == "PASS: 40 cycles\n");
    CHECK(exported.lint() == "");
    CHECK(exported.yosys() == "");
}

TEST_CASE("ranges of many steps are for loops, and the text does not grow with them") {
    const auto network = [](unsigned steps) {
        return "network: many\nparameters: {n: " + std::to_string(steps) +
               "}\nfunctions:\n  turned(x, by): (x << u3(by)) ^ (x >> 3)\nbuses:\n"
               "  seed: u32\n  total: u32\n  best: u16\n  at: u32\n  mixed: u32\n"
               "  some: u32\n  word: u16\n  odd: bool\nprocesses:\n  p:\n"
               "    out: [seed, total, best, at, mixed, some, word, odd]\n    state:\n"
               "      mem: u16[n]\n      copy: u16[n]\n      grid: u8[n / 100, 100]\n    step:\n"
               "      seed: seed * 1664525 + 1013904223\n"
               "      mem[k < n]: u16(k) + copy[n - 1 - k] when seed[0] or k % 3 == 1\n"
               "      copy: mem\n"
               "      grid[i < n / 100, j < 100]: grid[i, 99 - j] + u8(i)\n"
               "      total: sum(k < n, turned(seed, k % 8))\n"
               "      best: max(k < n, u16(seed) ^ u16(k * 7 % 5000))\n"
               "      at: u32(first(k < n, u15(seed[20:6]) == u15(k)))\n"
               "      mixed: fold(k < n, acc = seed, (acc << 1) ^ (acc >> 5) ^ u32(k))\n"
               "      some: u32(count(i < n / 100, j < 100, (seed ^ u32(i * j & 30 | j))[2]))\n"
               "      word: mem[seed[12:0]] + u16(grid[seed[5:0], 7])\n"
               "      odd: any(k < n, seed == u32(k)) or all(k < n, seed != u32(k) + 3)\n";
    };
    const Scratch files;
    files.write("few.yaml", network(16'400));
    files.write("more.yaml", network(99'900));
    const ExportedNetwork few{files.path("few.yaml") + " --cycles 4"};
    const ExportedNetwork more{files.path("more.yaml") + " --cycles 1"};
    CAPTURE(few.written.err);
    CHECK(few.written.exit_code == 0);
    CHECK(few.text("p.v").size() < 6000);
    CHECK(more.text("p.v").size() < few.text("p.v").size() + 100);
    if (skip("iverilog"))
        return;
    CHECK(few.icarus() == "PASS: 4 cycles\n");
}

TEST_CASE("an element behind several brackets is written like one behind one") {
    if (skip("iverilog"))
        return;
    const Scratch folder;
    folder.write("brackets.yaml", R"(network: brackets
types:
  Cell:
    full: bool
    parts: u4[3]
buses:
  tick: u6
  seen: hold u8[2, 3]
  fixed_sum: u8
  moved_sum: u8
  rows_sum: u8
  full: u4
  part: u4
processes:
  writer:
    out: [tick, seen, fixed_sum, moved_sum, rows_sum, full, part]
    state:
      fixed: u8[3][2]
      moved: u8[2, 3]
      rows: u8[2, 3, 2]
      cells: Cell[2, 2]
    step:
      tick: tick + 1
      fixed[0][1]: u8(tick) + 1
      fixed[1][k < 3]: u8(tick) + k
      fixed[0][2][7:4]: tick[3:0]
      fixed[0][2][0]: tick[1]
      moved[tick[0:0]][tick % 3]: u8(tick)
      rows[tick[0:0]][2][1]: u8(tick)
      rows[0, tick[1:1]][0]: u8(tick) + 9
      rows[1][1]: array(k < 2, u8(tick) + k)
      cells[1][tick[0:0]].full: tick[2]
      cells[0][1].parts[2]: tick[3:0]
      cells[0][0].parts[tick[1:1]][3:2]: tick[1:0]
      seen[tick[0:0]][2]: u8(tick)
      seen[1][0][tick[2:0]]: tick[3]
      fixed_sum: sum(i < 2, j < 3, fixed[i, j] * u8(i * 3 + j + 1))
      moved_sum: sum(i < 2, j < 3, moved[i, j] * u8(i * 3 + j + 1))
      rows_sum: sum(i < 2, j < 3, k < 2, rows[i][j][k] * u8(i * 6 + j * 2 + k + 1))
      full: cat(i < 2, j < 2, cells[i, j].full)
      part: xor(j < 2, k < 3, cells[0, j].parts[k])
run: {cycles: 60}
)");
    const ExportedNetwork exported{folder.path("brackets.yaml")};
    CAPTURE(exported.written.err);
    CHECK(exported.icarus() == "PASS: 60 cycles\n");
    CHECK(exported.lint() == "");
    CHECK(contains(exported.text("writer.v"), "fixed[15:8] <= "));
}

TEST_CASE("a function that has to know its argument is written where it is called") {
    const Scratch folder;
    folder.write("known.yaml", R"(network: known
types:
  Place: {at: u2}
functions:
  place(x): Place(at = first(k < 4, x[k]))       # 4, which is no u2, where no bit is set
buses:
  tick: u8
  two: u2
processes:
  writer:
    out: [tick, two]
    step:
      tick: tick + 1
      two: place(u8(4)).at
run: {cycles: 3}
)");
    const ExportedNetwork exported{folder.path("known.yaml")};
    CAPTURE(exported.written.err);
    CHECK(contains(exported.text("writer.v"), "two <= 2'd2;"));
}

TEST_CASE("structs that are written as maps become what they are in a run") {
    const std::string reference = text_of(SME_SOURCE_DIR "/LANGUAGE.md");
    const std::size_t begin = reference.find("network: maps\n");
    REQUIRE(begin != reference.npos);
    const Scratch folder;
    folder.write("structs.yaml", reference.substr(begin, reference.find("```", begin) - begin));
    const ExportedNetwork exported{folder.path("structs.yaml") + " --cycles 12"};
    CAPTURE(exported.written.err);
    REQUIRE(exported.written.exit_code == 0);
    CHECK(exported.lint() == "");
    if (!skip("iverilog"))
        CHECK(contains(exported.icarus(), "PASS"));
}
