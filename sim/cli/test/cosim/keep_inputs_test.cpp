// SPDX-License-Identifier: Apache-2.0
//
// Tests that inputs which show a difference are saved to a file and reproduce it.
#include <doctest/doctest.h>

#include "counting.hpp"

using namespace sme::test;

namespace {

/// Returns the text from a mark to the end of its line.
std::string line_from(const std::string& text, const std::string& mark) {
    const std::size_t at = text.find(mark);
    REQUIRE(at != std::string::npos);
    return text.substr(at, text.find('\n', at) - at);
}

/// Inputs of every kind; the second implementation is wrong for a certain combination of values.
constexpr const char* kinds = R"(network: kinds
import: [other.yaml]
types:
  Mode u2: [idle, busy, last = 3]
  Pair: {low: i7, wide: u100}
buses:
  mode: Mode
  grid[2, 2]: u3
  pair: Pair
  y: u8
processes:
  source:
    out: [mode, grid, pair]
    step:
      pair.low: 1
  p:
    in: [mode, grid, pair]
    out: y
    step:
      y: u8(grid[1, 0])
    against: {use: other}
checks:
  - cover: y > 0
run: {cycles: 3}
)";

constexpr const char* kinds_other = R"(component: other
types:
  Mode u2: [idle, busy, last = 3]
  Pair: {low: i7, wide: u100}
in:
  mode: Mode
  grid[2, 2]: u3
  pair: Pair
out: {y: u8}
step:
  y: if mode == last and grid[1, 0] == 6 and pair.low < 0 and pair.wide[90] then 255 else u8(grid[1, 0])
)";

} // namespace

TEST_CASE("inputs that were kept show the same difference, until it is corrected") {
    Folder folder = counted();
    const Command found = folder.cosim("--random 3000 --seed 3 --keep-inputs kept.csv");
    CAPTURE(found.out);
    CAPTURE(found.err);
    CHECK(found.exit_code == 1);
    CHECK(contains(found.out, "  kept         kept.csv: 4 cycles, for --inputs\n"));
    const Command again = folder.cosim("--inputs kept.csv");
    CAPTURE(again.err);
    CHECK(again.exit_code == 1);
    const std::string difference = line_from(found.err, "with fewer inputs: in cycle 4, 'y' is ");
    CHECK(contains(again.err, difference.substr(std::string{"with fewer inputs: "}.size())));
    const std::string rows = folder.run("cat kept.csv").out;
    CHECK(contains(rows, "cycle,a.valid,a.data,x\n0,1,"));
    for (const char* const row : {"0", "1", "2"}) { // as printed
        const std::string printed =
            line_from(found.err.substr(found.err.find("with fewer")),
                      std::string{"  inputs in cycle "} + row + ": a = {valid: true, data: ");
        const std::string data = printed.substr(printed.find("data: ") + 6);
        CHECK(contains(rows, std::string{"\n"} + row + ",1," + data.substr(0, data.find('}')) +
                                 "," + printed.substr(printed.find("x = ") + 4) + "\n"));
    }
    folder.with("other.yaml", replaced(other, "count > 2 and", "false and"));
    const Command right = folder.cosim("--inputs kept.csv");
    CHECK(right.exit_code == 0);
    CHECK(contains(right.out, "p and component 'other': 4 cycles, "));
    CHECK(contains(folder.cosim("--inputs kept.csv --cycles 3").out, ": 3 cycles, "));
}

TEST_CASE("values of all types are kept as they were") {
    Folder folder;
    folder.with("network.yaml", kinds).with("other.yaml", kinds_other);
    const Command found = folder.cosim("--random 20000 --keep-inputs kept.csv");
    CAPTURE(found.err);
    REQUIRE(found.exit_code == 1);
    const std::string rows = folder.run("cat kept.csv").out;
    CAPTURE(rows);
    CHECK(contains(rows, "cycle,mode,\"grid[0, 0]\",\"grid[0, 1]\",\"grid[1, 0]\",\"grid[1, 1]\","
                         "pair.low,pair.wide\n0,last,0,0,6,0,-"));
    const Command again = folder.cosim("--inputs kept.csv --trace again.csv");
    CHECK(again.exit_code == 1);
    CHECK(contains(again.err, "in cycle 1, 'y' is 6 by 'p', but 255 by component 'other'"));
    const Command columns =
        folder.run("python3 -c \"import csv; a, b = ([*csv.DictReader(open(n))] for n in "
                   "('kept.csv', 'again.csv')); print(all(int(x, 0) == int(y, 0) if 'wide' in k "
                   "else x == y for k, x in a[0].items() for y in [b[0][k]]))\"");
    CAPTURE(columns.err);
    CHECK(columns.out == "True\n");
}

TEST_CASE("a trace of a run is a file of inputs") {
    Folder folder = counted();
    CHECK(folder.run(SME_COMMAND " run network.yaml --cycles 40 --trace run.csv").exit_code == 0);
    const Command run = folder.cosim("--inputs run.csv --trace again.csv");
    CAPTURE(run.err);
    CHECK(run.exit_code == 0);
    const char* const columns = "python3 -c \"import csv, sys; print([(r['y'], r['x'], r['now']) "
                                "for r in csv.DictReader(open(sys.argv[1]))][:40])\" ";
    const Command first = folder.run(std::string{columns} + "run.csv");
    CHECK(first.exit_code == 0);
    CHECK(first.out == folder.run(std::string{columns} + "again.csv").out);
}

TEST_CASE("of several pairs, those run whose inputs the file has") {
    Folder folder;
    folder.with("network.yaml", R"(network: two
import: [other]
buses: {a: u8, b: u8, c: u8, d: u8}
processes:
  source: {out: [a, b], step: {a: 1, b: 2}}
  p: {in: {x: a}, out: {y: c}, step: {y: x + 1}, against: {use: other}}
  q: {in: {x: b}, out: {y: d}, step: {y: x + 1}, against: {use: other}}
files:
  other: {component: other, in: {x: u8}, out: {y: u8}, step: {y: x + 1}}
)");
    folder.with("some.csv", "cycle,a\n0,7\n1,9\n");
    const Command run = folder.cosim("--inputs some.csv");
    CAPTURE(run.err);
    CHECK(run.exit_code == 0);
    CHECK(contains(run.out, "p and component 'other': 2 cycles, 1 of 1 outputs moved\n"));
    CHECK(contains(run.out, "  skipped      there is no column 'b', an input of 'q'\n"));
    CHECK_FALSE(contains(run.out, "q and component"));
}

TEST_CASE("without a difference nothing is kept, and no other file is written over") {
    Folder folder = counted();
    folder.with("kept.csv", "cycle,a\n0,1\n").with("notes.csv", "# mine\n");
    folder.with("other.yaml", replaced(other, "count > 2 and", "false and"));
    const Command none = folder.cosim("--random 50 --keep-inputs kept.csv");
    CHECK(none.exit_code == 0);
    CHECK(contains(none.out, "  not kept     kept.csv: no difference\n"));
    CHECK(folder.run("cat kept.csv; ls").out ==
          "cycle,a\n0,1\nkept.csv\nnetwork.yaml\nnotes.csv\nother.yaml\n");
    const Command refused = folder.cosim("--random 50 --keep-inputs notes.csv");
    CHECK(refused.exit_code == 2);
    CHECK(contains(refused.err, "[not-overwritten]"));
    CHECK(folder.run("cat notes.csv").out == "# mine\n");
    const Command twice = folder.cosim("--random 50 --keep-inputs kept.csv --trace kept.csv");
    CHECK(twice.exit_code == 2);
    CHECK(folder.cosim("--random 50 --keep-inputs none/kept.csv").exit_code == 4);
}

TEST_CASE("a file of inputs that does not fit is refused with its place") {
    Folder folder = counted();
    for (const auto& [rows, says] :
         {std::pair{"cycle,a.valid,x\n0,1,2\n", "kept.csv:1:1: error: there is no column 'a.data', "
                                                "an input of 'p' [data-shape]"},
          std::pair{"a.valid,a.data,x\n1,256,2\n", "kept.csv:2:3: error: 256 does not fit u8 (0 to "
                                                   "255) [data-range]"},
          std::pair{"a.valid,a.data,x\n1,,2\n1,1,1\n", "kept.csv:2:3: error: a value is missing "
                                                       "here [data-syntax]"},
          std::pair{"a.valid,a.data,x\n1,2\n",
                    "kept.csv:2:1: error: this row has 2 values, but the "
                    "first line names 3 columns [data-shape]"},
          std::pair{"1,2,3\n", "the first line names no columns"},
          std::pair{"a.valid,a.data,x\n", "there is no row below the names of the columns"}}) {
        const std::string given = rows; // clang cannot capture bindings
        CAPTURE(given);
        folder.with("kept.csv", rows);
        const Command run = folder.cosim("--inputs kept.csv");
        CAPTURE(run.err);
        CHECK(run.exit_code == 2);
        CHECK(contains(run.err, says));
    }
    for (const auto& [options, says] :
         {std::pair{"--inputs none.csv", "cannot read 'none.csv'"},
          std::pair{"--keep-inputs a.csv", "'--keep-inputs' is about random values; give --random"},
          std::pair{"--random 9 --keep-inputs a.vcd", "--keep-inputs is a file FILE.csv, but this "
                                                      "is 'a.vcd'"},
          std::pair{"--inputs a.csv --random 9", "give it or --random"},
          std::pair{"--inputs a.csv --self", "'--self' compares the whole network, which "
                                             "'--inputs' does not run"}}) {
        const Command run = folder.cosim(options);
        CAPTURE(run.err);
        CHECK(run.exit_code == 2);
        CHECK(contains(run.err, says));
    }
}
