// SPDX-License-Identifier: Apache-2.0
//
// Tests "sme debug": compares transcripts with manually computed values, and jumps with a trace.
#include <doctest/doctest.h>

#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "../command.hpp"
#include "debugged_networks.hpp"

namespace {

using sme::test::Command;
using sme::test::contains;
using sme::test::counting;
using sme::test::replaced;
using sme::test::Scratch;
using sme::test::sme_in;
using sme::test::staggered;
using sme::test::text_of;

/// Returns the answers to the commands.
Command debugged(const Scratch& scratch, const std::string& commands,
                 const std::string& network = counting) {
    scratch.write("t.yaml", network);
    scratch.write("commands", commands);
    return sme_in(scratch, "debug t.yaml --commands commands");
}

} // namespace

TEST_CASE("a run is stepped through, and shows what is read in a cycle and in the next") {
    const Scratch scratch;
    const Command run = debugged(scratch, "show\nstep\n\nstep 4\nshow\nstates\nmemories "
                                          "counter.seen\nmemories counter.seen[1] hex\n"
                                          "print count * 10 + 1\nprint n of counter bin\n");
    CHECK(run.err == "");
    CHECK(run.exit_code == 0);
    CHECK(run.out == "  count  u8  -> 0\n  twice  u9  not computed\n"
                     "cycle 0\ncycle 1\n| n is 3\ncycle 5\n"
                     "  count  u8  4 -> 5\n  twice  u9  8\n"
                     "  counter.n  u8  5 -> 6\n"
                     "  [0]  4\n  [1]  5\n  [2]  2\n  [3]  3\n"
                     "  counter.seen[1]  0x05\n  u8  41\n  u8  0b00000101\n");
}

TEST_CASE("lets of a component that is a process know its parameters and types") {
    const Scratch scratch;
    scratch.write("commands", "step\nprint look of receiver\nprint complete of receiver\n");
    const Command run =
        sme_in(scratch, "debug " SME_SOURCE_DIR "/models/uart/network.yaml --commands commands");
    CHECK_MESSAGE(run.exit_code == 0, run.err);
    CHECK(run.out == "cycle 0\n  bool  true\n  bool  false\n");
}

TEST_CASE("commands from a pipe answer as those from a file") {
    const Scratch scratch;
    const Command file = debugged(scratch, "step 2\nshow\nquit\nstep\n");
    const Command pipe = sme::test::run_in(
        scratch, "printf 'step 2\\nshow\\nquit\\nstep\\n' | " SME_COMMAND " debug t.yaml");
    CHECK(file.out == "cycle 1\n  count  u8  0 -> 1\n  twice  u9  0\n");
}

TEST_CASE("a run stops at conditions, at changes, and at lines that run") {
    const Scratch scratch;
    const Command run =
        debugged(scratch,
                 "break n == 7 of counter\nwatch twice\nbreak :21\nc\nc\ndelete 2\nc\n"
                 "delete\nuntil past(count, 3) == 8\nto 3\nbreak :21 if count == 5\n"
                 "break :14 if n == 6\nc\ninfo\n",
                 replaced(counting, "twice < 9", "twice < 99"));
    CHECK(run.err == "");
    CHECK(run.out == "breakpoint 1: n == 7 of counter\nbreakpoint 2: change of twice\n"
                     "breakpoint 3: t.yaml:21\n"
                     "| n is 3\ncycle 5: breakpoint 2: change of twice\n" // 0 to 8
                     "cycle 6: breakpoint 2: change of twice\n"           // 8 to 0
                     "breakpoint 2 is deleted\n"
                     "cycle 7: breakpoint 1: n == 7 of counter\n"
                     "no breakpoints\n"
                     "cycle 12: past(count, 3) == 8\n" // count is 8 in cycle 9
                     "cycle 3\n"
                     "breakpoint 4: t.yaml:21 if count == 5\n" // the line is active for count 4
                     "breakpoint 5: t.yaml:14 if n == 6\n"
                     "cycle 6: breakpoint 5: t.yaml:14 if n == 6\n"
                     "t, cycle 6\nbreakpoint 4: t.yaml:21 if count == 5, stopped 0 times\n"
                     "breakpoint 5: t.yaml:14 if n == 6, stopped 1 time\n");
    CHECK(run.exit_code == 0);
}

TEST_CASE("a change repeats its cycle, is said, and is undone by going back before it") {
    const Scratch scratch;
    const Command run =
        debugged(scratch, "to 2\nset counter.n = 100\nshow\nstates\nset counter.seen[3] = count\n"
                          "memories counter.seen\nstep\nshow count\ninfo\nback\nstates\nback\n"
                          "info\nstep 2\nstates\n");
    CHECK(run.err == "");
    const std::string own = "from here on this is not the network's own run\n";
    CHECK(run.out == "cycle 2\ncycle 2: 'counter.n' is changed; " + own +
                         "  count  u8  1 -> 100\n  twice  u9  0\n  counter.n  u8  100 -> 101\n"
                         "cycle 2: 'counter.seen[3]' is changed; " +
                         own +
                         "  [0]  100\n  [1]  1\n  [2]  0\n  [3]  1\n" // 100 % 4 is 0
                         "cycle 3\n  count  u8  100 -> 101\n"
                         "t, cycle 3\n"
                         "not the network's own run: 2 changes by hand, the first in cycle 2\n"
                         "cycle 2\n  counter.n  u8  100 -> 101\n"
                         "cycle 1\nt, cycle 1\n"
                         "| n is 3\ncycle 3\n  counter.n  u8  3 -> 4\n");
    const Command refused = debugged(scratch, "step\nset twice = 1\nset count = 256\nset x = 1\n"
                                              "set counter.seen = 1\nset count = -1\nset count\n"
                                              "set count = nix\nstates\n");
    CHECK(refused.exit_code == 2);
    CHECK(contains(refused.out, "error: 'twice' is a wire, which is computed anew"));
    CHECK(contains(refused.out, "error: 'count' is u8, which does not hold 256\n"));
    CHECK(contains(refused.out, "error: 'count' is u8, which does not hold -1\n"));
    CHECK(contains(refused.out, "error: 'counter.seen' is a memory; write an index"));
    CHECK(contains(refused.out, "expression:1:1: error: nothing is named 'nix' here"));
    CHECK(refused.out.ends_with("  counter.n  u8  0 -> 1\n"));
}

TEST_CASE("a failed check and a fault end a run, and the cycles before them can be seen") {
    const Scratch scratch;
    const Command check = debugged(scratch, "c\nc\nback\nshow twice\nc\n",
                                   replaced(counting, "twice < 9", "twice < 8"));
    const std::string failed = "cycle 5: the check 'always: twice < 8' failed: twice = 8\n";
    CHECK(check.out == "| n is 3\n" + failed + failed + "cycle 4\n  twice  u9  0\n" + failed);
    const Command fault =
        debugged(scratch, "c\nshow count\nback\nshow count\n", replaced(counting, "n % 4", "n"));
    CHECK(contains(fault.out, "cycle 4: "));
    CHECK(contains(fault.out, "t.yaml:13:"));
    CHECK(contains(fault.out, "\n  count  u8  3\ncycle 3\n  count  u8  2 -> 3\n"));
}

TEST_CASE("any jump shows what a run from the first cycle has") {
    const Scratch scratch;
    const std::string network = SME_SOURCE_DIR "/models/traffic/network.yaml";
    REQUIRE(sme_in(scratch, "run " + network + " --cycles 200 --trace t.csv").exit_code == 0);
    std::istringstream rows{text_of(scratch.path("t.csv"))};
    std::vector<std::vector<std::string>> table;
    for (std::string row; std::getline(rows, row);) {
        std::istringstream cells{row};
        table.emplace_back();
        for (std::string cell; std::getline(cells, cell, ',');)
            table.back().push_back(cell);
    }
    REQUIRE(table.size() > 200);
    std::string commands, wanted;
    for (unsigned k = 0, cycle = 0; k < 40; ++k, cycle = (cycle * 211 + 97) % 200) {
        commands += fmt::format("to {}\n", cycle);
        wanted += fmt::format("cycle {}\n", cycle);
        for (std::size_t c = 1; c < table[0].size(); ++c) {
            commands += fmt::format("show {}\n", table[0][c]);
            wanted += table[cycle + 1][c] + "\n";
        }
    }
    scratch.write("commands", commands);
    const Command run = sme_in(scratch, "debug " + network + " --cycles 200 --commands commands");
    std::istringstream lines{run.out};
    std::string found;
    for (std::string line; std::getline(lines, line);) {
        const std::string now = line.substr(0, std::min(line.find(" -> "), line.size()));
        const std::string value = now.substr(now.rfind(' ') + 1);
        const std::string cell = value == "true" ? "1" : value == "false" ? "0" : value;
        found += (line.starts_with("cycle") ? line : cell) + "\n";
    }
    CHECK(found == wanted);
}

TEST_CASE("who reads and writes a bus, and what a process does") {
    const Scratch scratch;
    const Command run = debugged(scratch, "step 6\nwho count\nprocess doubler\nmemories\n");
    CHECK(run.out == "| n is 3\ncycle 5\n"
                     "count  u8, read 1 cycle after it is written, declared at t.yaml:3:3\n"
                     "  written by counter\n  read by    doubler\n"
                     "doubler, declared at t.yaml:16:3\nreads\n  count  u8  4 -> 5\n"
                     "writes\n  twice  u9  8\n  counter.seen  4 words of u8\n");
}

TEST_CASE("wrong commands are said and change nothing, and the exit code is 2") {
    const Scratch scratch;
    for (const char* const wrong : {"nonsense",
                                    "step x",
                                    "step 0",
                                    "step -1",
                                    "step 99999999999999999999",
                                    "to",
                                    "to x",
                                    "back",
                                    "back 0",
                                    "until",
                                    "until count",
                                    "until nix",
                                    "break",
                                    "break count",
                                    "break :3",
                                    "break :99999999",
                                    "break x.yaml:3",
                                    "break :21 if nix",
                                    "watch",
                                    "watch nix",
                                    "delete 7",
                                    "delete x",
                                    "show nix*",
                                    "states nix",
                                    "memories nix",
                                    "memories counter.seen[4]",
                                    "memories counter.seen[",
                                    "memories counter.seen[1",
                                    "print",
                                    "print (",
                                    "print n of nix",
                                    "process",
                                    "process nix",
                                    "who",
                                    "who nix",
                                    "set",
                                    "set =",
                                    "set count =",
                                    "show count[",
                                    "show [",
                                    "continue 3"}) {
        CAPTURE(wrong);
        const Command run = debugged(scratch, std::string{wrong} + "\ninfo\n");
        CHECK(run.exit_code == 2);
        CHECK(contains(run.out, "error: "));
        CHECK(run.out.ends_with("t, before the first cycle\n"));
    }
    const Command local = debugged(scratch, "break counter.nix == 3\n");
    CHECK(contains(local.out, "what only 'counter' sees is written 'nix == 3 of counter'\n"));
    CHECK(sme_in(scratch, "debug t.yaml --commands nix").exit_code == 4);
    CHECK(sme_in(scratch, "debug nix.yaml").exit_code == 2);
    CHECK(sme_in(scratch, "debug t.yaml --dap --commands commands").exit_code == 2);
    CHECK(sme_in(scratch, "debug t.yaml --threads 2").exit_code == 2);
    scratch.write("commands", "break :14 if x == 1\n");
    CHECK(contains(sme_in(scratch, "debug " SME_SOURCE_DIR "/models/ring/network.yaml --set "
                                   "nodes=20000 --commands commands")
                       .out,
                   "network.yaml:14 is a line of 20000 processes, and a condition is looked at in "
                   "10000 at most"));
}

TEST_CASE("a line stops the run in each instance that runs it, and names it") {
    const Scratch scratch;
    const Command lines = debugged(scratch,
                                   "break :12\nc\nc\ndelete\nbreak :12 if n >= 4\nc\n"
                                   "c\ndelete\nto 0\nbreak :10 if n == 1 and k == 3\n"
                                   "c\nbreak :10 if nix\ninfo\n",
                                   staggered);
    const std::string wrong = "error: nothing is named 'nix' here";
    const std::size_t said = lines.out.find(wrong);
    CHECK(said != std::string::npos);
    CHECK(lines.out.find(wrong, said + 1) == std::string::npos); // once, not per instance
    CHECK(lines.out.starts_with(
        "breakpoint 1: t.yaml:12\n"
        "cycle 2: breakpoint 1: t.yaml:12 in node[0]\n"
        "cycle 3: breakpoint 1: t.yaml:12 in node[1]\nno breakpoints\n"
        "breakpoint 2: t.yaml:12 if n >= 4\n"
        "cycle 4: breakpoint 2: t.yaml:12 if n >= 4 in node[2]\n"
        "cycle 5: in cycle 5, process 'node[3]': the divisor is 0, at t.yaml:12:12\n"
        "no breakpoints\ncycle 0\n"
        "breakpoint 3: t.yaml:10 if n == 1 and k == 3\n"
        "cycle 1: breakpoint 3: t.yaml:10 if n == 1 and k == 3 in "
        "node[3]\n"));
}

TEST_CASE("names are those of traces: with ranges, and spaces do not count") {
    const Scratch scratch;
    const std::string network = "network: t\nbuses:\n  y[2, 3]: u8\nprocesses:\n"
                                "  node[a < 2, b < 3]:\n    out: y[a, b]\n"
                                "    state: {n: u8 = 7, m: 'u8[2]'}\n"
                                "    step:\n      m[n % 2]: n\n      y: u8(3 * a + b)\n";
    const Command run = debugged(scratch,
                                 "step\nshow y[1,0..1]\nstates node[0, 1..9]\n"
                                 "memories node[1,2].m[1]\nprint m[1] of node[1,2]\n",
                                 network);
    CHECK(run.out == "cycle 0\n"
                     "  y[1, 0]  u8  0 -> 3\n  y[1, 1]  u8  0 -> 4\n"
                     "  node[0, 1].n  u8  7\n  node[0, 2].n  u8  7\n"
                     "  node[1,2].m[1]  7\n  u8  0\n"); // after the cycle, and as read
}

TEST_CASE("a line of a component stops the run for the instance whose condition holds") {
    const Scratch scratch;
    scratch.write("c.yaml", "component: c\nparameters: {start: 0}\nout: {y: u8}\n" // lines 1 to 3
                            "state:\n  n: u8 = start\nstep:\n  n: n + 1\n  y: n\n");
    const std::string network = "network: t\nimport: [c.yaml]\nbuses: {a: u8, b: u8}\n"
                                "processes:\n"
                                "  first: {use: c, out: {y: a}}\n"
                                "  second: {use: c, with: {start: 5}, out: {y: b}}\n";
    const Command run = debugged(scratch, "break c.yaml:8 if n == 7\nc\nc\n", network);
    CHECK(run.out == "breakpoint 1: c.yaml:8 if n == 7\n"
                     "cycle 2: breakpoint 1: c.yaml:8 if n == 7 in second\n"
                     "cycle 7: breakpoint 1: c.yaml:8 if n == 7 in first\n");

    // accepts an unambiguous end of a path, but not a part of a file name
    std::filesystem::create_directories(scratch.path("a"));
    std::filesystem::create_directories(scratch.path("b"));
    scratch.write("a/c.yaml", text_of(scratch.path("c.yaml")));
    const Command whole = debugged(scratch, "break c.yaml:8\n", replaced(network, "[c.", "[a/c."));
    CHECK(whole.out == "breakpoint 1: a/c.yaml:8\n");
    CHECK(debugged(scratch, "break .yaml:8\n", network).exit_code == 2);
    scratch.write("b/c.yaml", "component: d\nout: {y: u8}\nstep:\n\n\n\n\n  y: 1\n");
    const std::string both = replaced(replaced(network, "[c.yaml]", "[a/c.yaml, b/c.yaml]"),
                                      "{use: c, out", "{use: d, out");
    const Command two = debugged(scratch, "break c.yaml:8\nbreak b/c.yaml:8\n", both);
    CHECK(two.exit_code == 2);
    CHECK(two.out == "error: c.yaml:8 is no line of a step or a let of a process\n"
                     "breakpoint 1: b/c.yaml:8\n");
}
