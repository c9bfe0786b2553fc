// SPDX-License-Identifier: Apache-2.0
//
// Tests --trace-memory and --trace-let: memories and lets in traces, with values computed in
// Python.
#include <doctest/doctest.h>

#include <string>

#include "../command.hpp"

using namespace sme;
using test::Command;
using test::contains;
using test::Scratch;
using test::sme_in;
using test::text_of;

namespace {

constexpr const char* words_network = R"(network: words
types:
  Pair: {a: u8, b: bool}
buses:
  x: u8
  y[2]: u8
  next: wire u8
processes:
  p:
    out: x
    state:
      n: u8 = 0
      ram: u8[16]
      grid: Pair[2, 3]
    let:
      thirds[k < 3]: u16(k + 1) * u16(n)
      peek: ram[n]
    step:
      n: n + 1
      ram[u4(3 * u16(n))]: n
      grid[u1(n), k < 3]: {a: n + u8(k), b: true}
      x: if n < 16 then peek else 0
  adder:
    in: x
    out: next
    step:
      next: x + 1
  checker:
    in: next
    state:
      found: u8 = 0
    let:
      again: next + u8(1)
    step:
      found: again
  node[k < 2]:
    out:
      out: y[k]
    state:
      seen: u8 = 0
      last: u8[4]
    step:
      seen: seen + 1
      last[u2(seen)]: seen + u8(100 * k)
      out: last[0]
)";

/// Checks the words and lets in the row of each cycle; prints the number of rows.
constexpr const char* words_reader = R"(
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1], newline="")))
def last(t, fits):
    return max([s for s in range(t) if fits(s)], default=None)
for t, row in enumerate(rows):
    # no wire has a value in the row after the last cycle
    want = {"p.peek": "", "checker.again": "" if t == len(rows) - 1 else str(int(row["x"]) + 2)}
    for k in range(16):
        s = last(t, lambda s: 3 * s % 16 == k)
        want[f"p.ram[{k}]"] = str(s or 0)
        if k == t:
            want["p.peek"] = str(s or 0)
    for i in range(2):
        s = last(t, lambda s: s % 2 == i)
        for j in range(3):
            want[f"p.grid[{i}, {j}].a"] = "0" if s is None else str(s + j)
            want[f"p.grid[{i}, {j}].b"] = "0" if s is None else "1"
    for k in range(3):
        want[f"p.thirds[{k}]"] = str((k + 1) * t)
    for k in range(2):
        for w in range(4):
            s = last(t, lambda s: s % 4 == w)
            want[f"node[{k}].last[{w}]"] = "0" if s is None else str(s + 100 * k)
    for name, value in want.items():
        assert row.pop(name) == value, (t, name, value)
    assert set(row) == {"cycle", "x", "y[0]", "y[1]", "next"}, row
print(len(rows))
)";

const char* const all_words = " --cycles 40 --trace-memory '*' --trace-let '*' --trace ";

struct Words : Scratch {
    Words() { write("w.yaml", words_network); }
    Command run(const std::string& options) const { return sme_in(*this, "run w.yaml " + options); }
    std::string header(const std::string& options) const {
        const Command result = run("--cycles 2 --trace h.csv --force " + options);
        REQUIRE_MESSAGE(result.exit_code == 0, result.err);
        const std::string text = text_of(path("h.csv"));
        return text.substr(0, text.find('\n'));
    }
};

} // namespace

TEST_CASE("words of memories and lets are traced as each cycle reads them, whatever runs it") {
    const Words folder;
    folder.write("read.py", words_reader);
    std::string first;
    for (const std::string how :
         {"--engine interpreted --threads 1", "--engine interpreted --threads 2",
          "--engine native --threads 1", "--engine native --threads 2"}) {
        CAPTURE(how);
        const Command run = folder.run(how + all_words + "w.csv --force");
        REQUIRE_MESSAGE(run.exit_code == 0, run.err);
        const Command read = test::run_in(folder, "python3 read.py w.csv");
        CHECK_MESSAGE(read.out == "41\n", read.err);
        REQUIRE(folder.run(how + all_words + "w.vcd --force").exit_code == 0);
        const std::string trace = text_of(folder.path("w.vcd"));
        first = first.empty() ? trace : first;
        CHECK(trace == first);
    }
    REQUIRE(folder.run(std::string{all_words} + "w.fst").exit_code == 0);
    const Command same = sme_in(folder, "diff w.vcd w.fst --strict");
    CHECK_MESSAGE(same.exit_code == 0, same.out);
    CHECK(contains(first, "$comment last[0] to last[3] are last_0 to last_3 $end\n"));
}

TEST_CASE("a trace with memories and lets feeds a network as one without") {
    const Words folder;
    REQUIRE(folder.run(std::string{all_words} + "w.vcd").exit_code == 0);
    folder.write("again.yaml", "network: again\nbuses: {x: u8, z: u8}\n"
                               "inputs: {x: {file: w.vcd}}\n"
                               "processes:\n  q:\n    in: x\n    out: z\n    step: {z: x + 1}\n"
                               "run: {cycles: 9}\n");
    const Command again = sme_in(folder, "run again.yaml");
    CHECK_MESSAGE(again.exit_code == 0, again.err);
}

TEST_CASE("patterns choose words, and nothing else changes") {
    const Words folder;
    CHECK(folder.header("") == "cycle,x,y[0],y[1],next");
    CHECK(folder.header("--trace-select x --trace-memory 'p.ram[14..99]'") ==
          "cycle,x,p.ram[14],p.ram[15]");
    CHECK(folder.header("--trace-select x --trace-memory 'node[1].last[0], p.ram[ 3 ]'") ==
          "cycle,x,p.ram[3],node[1].last[0]");
    CHECK(folder.header("--trace-select x --trace-memory 'node[0..1].last[2..3]'") ==
          "cycle,x,node[0].last[2],node[0].last[3],node[1].last[2],node[1].last[3]");
    CHECK(folder.header("--trace-select x --trace-memory 'p.grid[1, *]'") ==
          "cycle,x,\"p.grid[1, 0].a\",\"p.grid[1, 0].b\",\"p.grid[1, 1].a\",\"p.grid[1, 1].b\","
          "\"p.grid[1, 2].a\",\"p.grid[1, 2].b\"");
    CHECK(folder.header("--trace-select x --trace-let p.peek") == "cycle,x,p.peek");
    CHECK(folder.header("--trace-select 'y[1..5]'") == "cycle,y[1]");
}

TEST_CASE("what matches nothing or is too much is said, with what there is") {
    const Words folder;
    const std::string trace = "--cycles 2 --trace t.vcd ";
    const Command memory = folder.run(trace + "--trace-memory p.rum");
    CHECK(memory.exit_code == 2);
    CHECK(contains(memory.err, "no memory matches 'p.rum'; there is 'p.ram' (16 words), "));
    CHECK(folder.run(trace + "--trace-memory 'p.ram[16]'").exit_code == 2);
    CHECK(contains(folder.run(trace + "--trace-memory 'p.ram[3..1]'").err,
                   "; the first index of a range is its smallest [bad-option]"));
    const Command let = folder.run(trace + "--trace-let p.pek");
    CHECK(let.exit_code == 2);
    CHECK(contains(let.err,
                   "no let matches 'p.pek'; there is 'checker.again', 'p.thirds', 'p.peek'"));
    CHECK(contains(folder.run("--cycles 2 --trace-memory '*'").err, "give --trace FILE.vcd"));
    folder.write("w.yaml", "network: w\nbuses: {x: u8}\nprocesses:\n  p:\n    out: x\n"
                           "    state: {ram: 'u8[5000]', huge: 'u8[2000000]'}\n"
                           "    step:\n      x: ram[3] + huge[4]\n");
    CHECK(contains(folder.run(trace + "--trace-let p.sum").err,
                   "no let matches 'p.sum'; the network has no lets"));
    const Command cut = folder.run(trace + "--trace-memory p.ram");
    CHECK(cut.exit_code == 0);
    CHECK(contains(cut.err,
                   "note: the trace has the first 4096 words of 'p.ram' (5000 words); for others, "
                   "give --trace-memory 'p.ram[FIRST..LAST]'\n"));
    CHECK(contains(text_of(folder.path("t.vcd")), " ram_4095 [7:0]"));
    CHECK_FALSE(contains(text_of(folder.path("t.vcd")), " ram_4096 [7:0]"));
    const Command far = folder.run(trace + "--force --trace-memory 'p.huge[1999999]'");
    CHECK_FALSE(contains(far.err, "note:"));
    CHECK(contains(text_of(folder.path("t.vcd")), " huge_1999999 [7:0]"));
    const Command many = folder.run(trace + "--force --trace-memory 'p.huge[*]'");
    CHECK(many.exit_code == 2);
    CHECK(contains(many.err, "more than 1048576 words"));
}
