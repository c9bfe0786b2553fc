// SPDX-License-Identifier: Apache-2.0
//
// Forms of values, rows and files as a user meets them.
#include <doctest/doctest.h>

#include <string>

#include "command.hpp"

namespace {

using sme::test::Command;
using sme::test::contains;
using sme::test::Scratch;
using sme::test::text_of;

/// A network file in a folder of its own, under a command.
struct File : Scratch {
    explicit File(const std::string& text) { write("network.yaml", text); }
    Command run(const std::string& command) const {
        return Command{"cd " + path() + " && " SME_COMMAND " " + command, Command::any_program};
    }
};

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
    const Command run = file.run("run network.yaml");
    CAPTURE(run.err);
    CHECK(run.exit_code == 0);
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
    const Command run = file.run("run network.yaml");
    CAPTURE(run.err);
    CHECK(run.exit_code == 0);
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
