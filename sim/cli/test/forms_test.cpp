// SPDX-License-Identifier: Apache-2.0
//
// Tests forms of values, rows and files, from the user's view.
#include <doctest/doctest.h>

#include <string>

#include "network_file.hpp"

namespace {

using sme::test::Command;
using sme::test::contains;
using sme::test::File;
using sme::test::text_of;

} // namespace

TEST_CASE("a row of a CSV file is an element of an array, or a row of it") {
    File file{R"(network: grids
types:
  Pair: {a: u8, b: bool}
constants:
  board: u8[3, 3] = file(board.csv)
  tall: Pair[2, 2] = file(tall.csv)
  wide: Pair[2, 2] = file(wide.csv)
buses:
  x: u8
processes:
  p:
    out: x
    state:
      copy: u8[3, 3] = file(board.csv)
    step:
      x: board[2, 0] + copy[0, 2]
checks:
  - at 1: x == 10
  - at 1: tall == wide and tall[1, 0].a == 3 and wide[0, 0].b
run: {cycles: 2}
)"};
    file.write("board.csv", "1,2,3\n4,5,6\n7,8,9\n");
    file.write("tall.csv", "1,1\n2,0\n3,1\n4,0\n");
    file.write("wide.csv", "1,1,2,0\n3,1,4,0\n");
    file.run_well();
    file.write("board.csv", "1,2,3\n4,5\n7,8,9\n");
    CHECK(contains(file.run("check network.yaml").err,
                   "board.csv:2:1: error: this row has 2 values, but a row of 'board' has 3"));
}

TEST_CASE("a family of buses is recorded with a column for each scalar") {
    const File file{R"(network: families
types:
  Pair: {a: u8, b: bool}
buses:
  y[1 <= k < 3]: u8
  z[i < 1, j < 2]: Pair
processes:
  q[1 <= k < 3]:
    out: {x: "y[k]"}
    step:
      x: k
  r[i < 1, j < 2]:
    out: {x: "z[i, j]"}
    step:
      x: {a: j, b: true}
outputs:
  y.csv: {record: y}
  z.csv: {record: z}
run: {cycles: 1}
)"};
    file.run_well();
    CHECK(text_of(file.path("y.csv")) == "y[1],y[2]\n0,0\n1,2\n");
    CHECK(text_of(file.path("z.csv")) ==
          "z[0][0].a,z[0][0].b,z[0][1].a,z[0][1].b\n0,0,0,0\n0,1,1,1\n");
}

TEST_CASE("a constant takes the type of its value, and the printed network says the same") {
    const File file{R"(network: constants
types:
  Pair: {a: u8, b: bool}
functions:
  twice(x): x * 2
constants:
  c: twice(u8(3)) + 1
  d: Pair(a = c)
  e: array(k < 3, u16(k))
buses:
  x: u8
processes:
  p:
    out: x
    step:
      x: c + d.a + u8(e[2])
checks:
  - at 1: x == 16
run: {cycles: 1}
)"};
    CHECK(file.run("run network.yaml").exit_code == 0);
    CHECK(file.run("check --print network.yaml > again.yaml && " SME_COMMAND " run again.yaml")
              .exit_code == 0);
    const File bare{"network: n\nconstants:\n  c: 3\nbuses: {x: u8}\nprocesses:\n  p: {out: x, "
                    "step: {x: c}}\n"};
    CHECK(contains(bare.run("check network.yaml").err,
                   "network.yaml:3:6: error: the type of constant 'c' is not known; write it, as "
                   "in 'c: u8 = 3' [needs-type]"));
}

TEST_CASE("a clock may have decimals, down to a picosecond") {
    const auto network = [](const std::string& clock) {
        return "network: n\nclock: " + clock +
               "\nbuses: {x: u8}\nprocesses:\n  p: {out: x, step: {x: x + 1}}\n"
               "run: {cycles: 2, trace: t.vcd}\n";
    };
    const File file{network("39.72 ns")};
    CHECK(file.run("run network.yaml").exit_code == 0);
    CHECK(contains(text_of(file.path("t.vcd")), "#39720\n"));
    for (const char* wrong :
         {"39.7205 ns", "0.5 ps", "39. ns", ".5 ns", "1.2.3 ns", "-1.5 ns", "0.0 ns"}) {
        CAPTURE(wrong);
        const File bad{network(wrong)};
        CHECK(contains(bad.run("check network.yaml").err, "a clock is written '10 ns'"));
    }
    const File odd{network("0.001 ns")};
    CHECK(contains(odd.run("check network.yaml").err, "half a clock is a whole number of ps"));
}

TEST_CASE("components and libraries are checked by themselves, and are no networks") {
    File file{"types:\n  Word: u8\nfunctions:\n  next(x): x + 1\n"};
    const Command library = file.run("check --strict network.yaml");
    CAPTURE(library.err);
    CHECK(library.exit_code == 0);
    CHECK(library.out == "network.yaml: a library, no errors\n");
    CHECK(file.run("run network.yaml").exit_code == 2);
    file.write("bad.yaml", "types:\n  Word: u0\n");
    CHECK(file.run("check bad.yaml").exit_code == 2);
    file.write("counter.yaml", R"(component: counter
parameters:
  most: 9
in:
  go: bool
  lane[2]: wire u8
out:
  n: u8
step:
  n: if n == most then 0 else n + lane[0] + lane[1] when go
checks:
  - always: n <= most
)");
    const Command counter = file.run("check --strict counter.yaml");
    CAPTURE(counter.err);
    CHECK(counter.exit_code == 0);
    CHECK(counter.out.starts_with("counter: 1 process, "));
    CHECK(contains(file.run("check counter.yaml --set most=300").err, "300 does not fit it"));
    CHECK(contains(file.run("run counter.yaml").err, "this is a component"));
    for (const char* name : {"fifo", "skid_buffer", "stream", "uart_receiver", "crc"}) {
        const Command standard{std::string{"check --strict " SME_SOURCE_DIR "/lib/std/"} + name +
                               ".yaml"};
        CAPTURE(name);
        CAPTURE(standard.err);
        CHECK(standard.exit_code == 0);
    }
}

namespace {

/// Members of nested families that differ in their parameters.
struct Gains : File {
    Gains()
        : File{R"(network: gains
import: [scale.yaml, wrap.yaml]
buses:
  x: u8
  y[k < 4]: u8
  w[k < 4]: u8
processes:
  source:
    out: x
    step:
      x: 1
  stage[k < 4]:
    use: scale
    with: {gain: k % 3 + 1}
    in: {x: x}
    out: {y: "y[k]"}
  wide[k < 4]:
    where: k != 2
    use: wrap
    with: {n: 1 + k % 2}
    in: {x: "y[k]"}
    out: {y: "w[k]"}
outputs:
  y.csv: {record: y}
  w.csv: {record: "w[3]"}
checks:
  - at 2: y[0] == 3 and y[1] == 6 and y[2] == 9 and y[3] == 3
  - at 2: all(k < 4, stage[k].last == 1) and stage[2].taken[0] == 2
  - at 9: wide[1].inner[0].last == 6 and wide[3].inner[0].last == 3
  - at 9: wide[0].inner[0].y == 5 and wide[1].inner[1].y == 54
run: {cycles: 12, trace: t.vcd}
)"} {
        write("scale.yaml", R"(component: scale
parameters:
  gain: 1
  extra: gain * 2
in:
  x: u8
out:
  y: u8
state:
  last: u8 = gain
  taken: u4[gain + 1] = 1
step:
  y: x * gain + extra
  last: x
  taken[0]: taken[gain] + 1
checks:
  - at 0: last == gain
)");
        write("wrap.yaml", R"(component: wrap
import: [scale.yaml]
parameters: {n: 1}
in:
  x: u8
out:
  y: u8
buses:
  link[n + 1]: u8
processes:
  first:
    in: x
    out: {z: "link[0]"}
    step:
      z: x
  inner[i < n]:
    use: scale
    with: {gain: i + n}
    in: {x: "link[i]"}
    out: {y: "link[i + 1]"}
  last:
    in: {z: "link[n]"}
    out: y
    step:
      y: z
)");
    }
};

} // namespace

TEST_CASE("members of a family may have parameters that use the index") {
    const Gains file;
    const Command run = file.run_well();
    CHECK(contains(run.out, "at 0: last == gain (in 9 instances)"));
    const std::string trace = text_of(file.path("t.vcd"));
    const std::string rows = text_of(file.path("w.csv"));
    CHECK(contains(trace, "$scope module wide_3 $end"));
    for (const char* other : {"--threads 2", "--engine native", "--engine interpreted"}) {
        CAPTURE(other);
        CHECK(file.run(std::string{"run network.yaml "} + other).exit_code == 0);
        CHECK(text_of(file.path("t.vcd")) == trace);
        CHECK(text_of(file.path("w.csv")) == rows);
    }
    CHECK(file.run("check network.yaml --print > again.yaml").exit_code == 0);
    CHECK(contains(text_of(file.path("again.yaml")), "use: [scale, scale_2, scale_3, scale]"));
    CHECK(file.run("run again.yaml").exit_code == 0);
    CHECK(text_of(file.path("t.vcd")) == trace);
    CHECK(contains(file.run("graph network.yaml").out, "stage[0..3]\\n4 processes"));
}

TEST_CASE("a run of members that differ goes on from a checkpoint") {
    const Gains file;
    CHECK(file.run("run network.yaml").exit_code == 0);
    const std::string rows = text_of(file.path("w.csv"));
    CHECK(file.run("run network.yaml --cycles 5 --checkpoint-every 5 half.sme").exit_code == 0);
    const Command rest = file.run("run network.yaml --resume half.sme");
    CAPTURE(rest.err);
    CHECK(rest.exit_code == 0);
    const std::string end = text_of(file.path("w.csv"));
    CHECK(rows.ends_with(end.substr(end.find('\n') + 1)));
}

TEST_CASE("members that differ are modules of their own in Verilog") {
    const Gains file;
    const Command result = file.run("verilog network.yaml -o written");
    CAPTURE(result.err);
    CHECK(result.exit_code == 0);
    const std::string top = text_of(file.path("written/gains.v"));
    for (const char* instance : {"scale stage_0 (", "scale_2 stage_1 (", "scale_3 stage_2 (",
                                 "scale stage_3 (", "wrap_2 wide_3 ("})
        CHECK(contains(top, instance));
    if (Command{"command -v iverilog", Command::any_program}.exit_code != 0) {
        MESSAGE("skipped: there is no iverilog");
        return;
    }
    const Command replayed{"cd " + file.path("written") +
                               " && iverilog -g2005 -o bench -f files.f gains_bench.v && vvp bench",
                           Command::any_program};
    CAPTURE(replayed.err);
    CHECK(contains(replayed.out, "PASS: 12 cycles"));
}

TEST_CASE("a list under 'use' names a component for each member") {
    Gains file;
    const auto network = [&](const std::string& use, const std::string& with) {
        file.write("network.yaml", "network: n\nimport: [scale.yaml, wrap.yaml]\nbuses:\n"
                                   "  y[3]: u8\nprocesses:\n  s[k < 3]:\n    use: " +
                                       use + "\n    with: {" + with +
                                       "}\n    in: {x: k + 1}\n    out: {y: \"y[k]\"}\n"
                                       "checks:\n  - at 3: y[0] == 3 and y[2] == 5 and "
                                       "s[1].link[0] == 2\nrun: {cycles: 8}\n");
        return file.run("run network.yaml");
    };
    const Command run = network("[scale, wrap, scale]", "");
    CAPTURE(run.err);
    CHECK(run.exit_code == 0);
    CHECK(contains(network("[scale, wrap]", "").err,
                   "a list under 'use' names a component for each member, so it has 3 names, but "
                   "here are 2 [bad-range]"));
    CHECK(contains(network("scale", "gain: k / (k - 1)").err, "network.yaml:8:"));
    CHECK(contains(network("scale", "gian: k").err, "has no parameter 'gian'"));
}

TEST_CASE("a check chooses a member by an index that is not constant") {
    File file{"network: n\nimport: [one.yaml]\nfunctions:\n  kept_of(p): p.kept\n"
              "buses:\n  y[2]: u16\nprocesses:\n"
              "  one[k < 2]:\n    use: one\n    with: {n: k + 1}\n    out: {y: \"y[k]\"}\n"
              "checks:\n  - always: one[cycle % 2].kept == 1 + u8(cycle % 2)\n"
              "  - always: kept_of(one[cycle % 2]) == 1 + u8(cycle % 2)\n"
              "run: {cycles: 4}\n"};
    const auto run = [&](const std::string& type) {
        file.write("one.yaml", "component: one\nparameters: {n: 1}\nout: {y: u16}\nstate:\n"
                               "  kept: " +
                                   type + " = n\nstep:\n  y: 1\n  kept: kept\n");
        return file.run("run network.yaml");
    };
    const Command good = run("u8");
    CAPTURE(good.err);
    CHECK(good.exit_code == 0);
    const Command bad = run("u8[n]");
    CHECK(contains(bad.err, "'kept' is u8[1] in one member and u8[2] in another, so the index "
                            "before it is a constant [bad-index]"));
}

TEST_CASE("an actor may also read and write streams that are no channels") {
    const File file{R"(network: mixed
import: [std/stream.yaml]
channels:
  words: depth 3 u16
buses:
  s: Stream(u16)
  y: Stream(u16)
processes:
  source:
    out: words
    step:
      words: 5
  feeder:
    out: s
    step:
      - s.valid: true
      - s.data: 7
  adder:
    in: [words, s]
    out: y
    step:
      - s.ready: true
      - y.valid: true
      - y.data: words + s.data
  reader:
    in: y
    step:
      - y.ready: true
      - print: "{y.data}" when y.valid
run: {cycles: 5}
)"};
    const Command run = file.run("run network.yaml --stats");
    CHECK(run.exit_code == 0);
    CHECK(contains(run.out, "12\n"));
    CHECK(contains(run.err, "'words'"));
}

TEST_CASE("members that differ draw different random values") {
    File file{R"(network: dice
import: [die.yaml]
buses:
  y[k < 3]: u64
processes:
  die[k < 3]:
    use: die
    with: {n: k}
    out: {y: "y[k]"}
checks:
  - after 1: y[0] != y[1] and y[1] != y[2] and y[0] != y[2]
run: {cycles: 4}
)"};
    file.write("die.yaml", "component: die\nparameters: {n: 1}\nout: {y: u64}\nstate:\n"
                           "  kept: u8 = n\nstep:\n  y: random(u64)\n  kept: kept\n");
    file.run_well();
}

TEST_CASE("a family has a limited number of members that differ") {
    File file{R"(network: many
import: [one.yaml]
buses:
  y[k < 4097]: u16
processes:
  one[k < 4097]:
    use: one
    with: {n: k}
    out: {y: "y[k]"}
run: {cycles: 1}
)"};
    file.write("one.yaml", "component: one\nparameters: {n: 1}\nout: {y: u16}\nstep: {y: n}\n");
    CHECK(contains(file.run("check network.yaml").err,
                   "network.yaml:7:10: error: the members of a family have at most 4096 different "
                   "sets of parameters; give what differs to an input, as in 'in: {gain: k + 1}'"));
}
