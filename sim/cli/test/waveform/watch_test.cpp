// SPDX-License-Identifier: Apache-2.0
//
// Tests --watch: lines if standard output is not a terminal, a table on a real one.
#include <doctest/doctest.h>

#include <string>

#include "../command.hpp"
#include "../terminal.hpp"

using namespace sme;
using test::Command;
using test::contains;
using test::run_in;
using test::Scratch;
using test::sme_in;
using test::text_of;
using test::TmuxTerminal;

namespace {

/// One value of each kind; `n` counts the cycles.
constexpr const char* watched = R"(network: watched
types:
  Phase: [idle, busy]
buses:
  n: u32
  below: i8
  wide: u100
  phase: wire Phase
  seldom: error u8
  never: error u8
processes:
  p:
    out: [n, below, wide, phase, seldom, never]
    state:
      count: u32 = 1
    step:
      count: count + 1
      n: count
      below: -5
      wide: u100(count) << 92
      phase: if count % 2 == 0 then idle else busy
      seldom: 7
      never: 1 when count == 0
)";

} // namespace

TEST_CASE("--watch ends with the values that a trace has in its last row") {
    const Scratch folder;
    folder.write("n.yaml", watched);
    for (const std::string engine : {"interpreted", "native"}) {
        const Command run = sme_in(folder, "run n.yaml --cycles 9 --trace-state --trace t.csv "
                                           "--watch '*' --engine " +
                                               engine);
        CHECK(run.exit_code == 0);
        // cycle 9 reads the values written in cycle 8, when count was 9; the wire keeps its value
        CHECK(run.out == "cycle 9: n 0x9, below -5, wide 0x900000000000000000000000, phase busy, "
                         "seldom 7, never x, p.count 0xa\n"
                         "watched: 9 cycles of 1 process, 6 buses\n");
        const std::string trace = text_of(folder.path("t.csv"));
        CHECK(contains(trace, "\n9,9,-5,0x0900000000000000000000000,busy,7,,10\n"));
    }
}

TEST_CASE("--watch says what it cannot show") {
    const Scratch folder;
    folder.write("n.yaml", watched);
    CHECK(contains(sme_in(folder, "run n.yaml --cycles 9 --watch phas").err,
                   "error: --watch: no bus matches 'phas', did you mean 'phase'? [bad-option]\n"));
    folder.write("n.yaml", "network: many\nbuses:\n  x[1001]: u8\nprocesses:\n  p:\n    out: x\n"
                           "    step:\n      x[i < 1001]: 1\n");
    const Command many = sme_in(folder, "run n.yaml --cycles 9 --watch x");
    CHECK(many.exit_code == 2);
    CHECK(contains(many.err, "error: --watch: more than 1000 values match 'x'; watch fewer"));
}

TEST_CASE("--watch writes a line while the run goes on") {
    const Scratch folder;
    folder.write("n.yaml", watched);
    // ends when the reader has seen two lines; the first line comes before the end of the run
    const Command run = run_in(folder, SME_COMMAND " run n.yaml --cycles 4611686018427387904 "
                                                   "--engine interpreted --watch n 2>/dev/null | "
                                                   "head -n 2");
    CHECK(run.out.starts_with("cycle "));
    CHECK(contains(run.out, ": n 0x"));
}

TEST_CASE("on a terminal --watch draws a table, which stays whole when lines are printed") {
    TmuxTerminal terminal{60, 10};
    if (!terminal.opened()) {
        MESSAGE("skipped: there is no tmux");
        return;
    }
    const Scratch folder;
    folder.write(
        "n.yaml",
        test::replaced(
            watched, "      never: 1 when count == 0\n",
            "      never: 1 when count == 0\n      print: \"at {count}\" when count == 40000\n"));
    terminal.type("cd " + folder.path() +
                  " && clear && " SME_COMMAND
                  " run n.yaml --cycles 4611686018427387904 --engine interpreted 2>/dev/null "
                  "--watch n --watch phase --watch below");
    const std::string running = terminal.when("cycles/s");
    CHECK(contains(running, "\n  n      0x"));
    CHECK(contains(running, "\n  below  -5\n"));
    CHECK(running.find("  phase") < running.find("  below")); // in the order of the options
    CHECK(contains(terminal.when("at 40000"), "at 40000\n"));
    terminal.press("C-c");
    const std::string ended = terminal.when("interrupted");
    // the last table, once, then the summary, and a shell whose echo still works
    CHECK(ended.find("  below  -5") == ended.rfind("  below  -5"));
    CHECK(ended.find("  below  -5") < ended.find("watched: "));
    terminal.type("echo typed");
    CHECK(contains(terminal.when("\ntyped\n"), "$ echo typed\ntyped\n"));
}

TEST_CASE("a table of --watch is no larger than the terminal") {
    TmuxTerminal terminal{24, 8};
    if (!terminal.opened()) {
        MESSAGE("skipped: there is no tmux");
        return;
    }
    const Scratch folder;
    folder.write("n.yaml", watched);
    terminal.type("cd " + folder.path() +
                  " && clear && " SME_COMMAND
                  " run n.yaml --cycles 4611686018427387904 2>/dev/null --watch \"*\"");
    const std::string running = terminal.when("and 1 more");
    CHECK(running.starts_with("cycle "));
    CHECK(contains(running, "\n  wide    0x"));
    CHECK(contains(running, "\n  seldom  7\n  and 1 more\n"));
    terminal.press("C-c");
    terminal.when("interrupted");
}
