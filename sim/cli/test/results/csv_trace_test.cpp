// SPDX-License-Identifier: Apache-2.0
//
// Reads --trace FILE.csv with Python's csv module.
#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "../command.hpp"

using namespace sme;
using test::Command;
using test::Scratch;
using test::text_of;

namespace {

constexpr const char* shapes = R"(network: shapes
types:
  Phase: [idle, busy]
  Item:
    tag: u3
    values: i16[2]
buses:
  small: i8
  top: u64
  wide: u100
  phase: Phase
  grid[2, 3]: u8
  item: Item
  next: wire u8
processes:
  p:
    out: [small, top, wide, phase, grid, item, next]
    state:
      n: u8 = 1
    step:
      n: n + 1
      small: -i8(n & 127)
      top: 0xffffffffffffff00 | u64(n)
      wide: u100(n) << 92 | u100(n)
      phase: if n % 2 == 0 then idle else busy
      grid[i < 2, j < 3]: n + u8(3 * i + j)
      item.tag: u3(n % 8)
      item.values[i < 2]: if i == 0 then i16(n) else -i16(n)
      next: n
)";

/// Computes the bus values of the network in Python; prints the number of rows if all match.
constexpr const char* reader = R"(
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1], newline="")))
for t, row in enumerate(rows):
    n = t % 256
    want = {"cycle": t, "small": -(n & 127), "top": 0xffffffffffffff00 | n if t else 0,
            "wide": n << 92 | n, "item.tag": n % 8, "item.values[0]": n, "item.values[1]": -n,
            "next": (min(t, len(rows) - 2) + 1) % 256}
    for i in range(2):
        for j in range(3):
            want[f"grid[{i}, {j}]"] = (n + 3 * i + j) % 256 if t else 0
    assert row.pop("phase") == ("busy" if n % 2 else "idle"), t
    found = {name: int(text, 0) for name, text in row.items()}
    assert found == want, (t, found, want)
print(len(rows))
)";

} // namespace

TEST_CASE("another reader finds every value of a run in its CSV trace, whatever runs it") {
    const Scratch folder;
    folder.write("shapes.yaml", shapes);
    folder.write("read.py", reader);
    std::string first;
    for (const char* how : {"--engine interpreted --threads 1", "--engine native --threads 2"}) {
        const Command run{"run " + folder.path("shapes.yaml") + " --cycles 600 --trace " +
                          folder.path("run.csv") + " " + how};
        REQUIRE_MESSAGE(run.exit_code == 0, run.err);
        const Command read{"python3 " + folder.path("read.py") + " " + folder.path("run.csv"),
                           Command::any_program};
        CHECK_MESSAGE(read.out == "601\n", read.err);
        const std::string text = text_of(folder.path("run.csv"));
        CHECK(text == (first.empty() ? text : first));
        first = text;
    }
}

TEST_CASE("a CSV trace takes the place of one that is there, and of no other table") {
    const Scratch folder;
    folder.write("shapes.yaml", shapes);
    const std::string run = "run " + folder.path("shapes.yaml") + " --cycles 2 --trace ";
    CHECK(Command{run + folder.path("t.csv")}.exit_code == 0);
    CHECK(Command{run + folder.path("t.csv")}.exit_code == 0);
    folder.write("data.csv", "value\n1\n");
    const Command refused{run + folder.path("data.csv")};
    CHECK(refused.exit_code == 2);
    CHECK(refused.err.find("is not a CSV file of all cycles") != std::string::npos);
    CHECK(text_of(folder.path("data.csv")) == "value\n1\n");
}

TEST_CASE("in the cycle of a fault, wires have the values that were computed in it, or none") {
    const Scratch scratch;
    // the assert of q fails in cycle 5, in which y is 10; nothing after q runs
    scratch.write("n.yaml", R"(network: n
buses: {x: u8, y: wire u8, z: wire u8, after: wire u8, s: u8}
processes:
  p: {out: x, step: {x: x + 1}}
  w: {in: x, out: y, step: {y: 2 * x}}
  q:
    in: y
    out: z
    step:
      z: y
      assert: y < 9
  r: {in: z, out: [after, s], step: {after: z, s: z}}
run: {cycles: 20}
)");
    for (const char* how :
         {"--threads 1", "--threads 2 --queue atomic", "--keep-last 2", "--engine interpreted"}) {
        CAPTURE(how);
        const Command run =
            test::sme_in(scratch, std::string{"run n.yaml --force --trace n.csv --show '*' "
                                              "--ascii "} +
                                      how);
        CHECK(run.exit_code == 1);
        const std::string rows = text_of(scratch.path("n.csv"));
        CHECK(rows.ends_with("\n4,4,8,8,8,6\n5,5,10,10,,8\n"));
        CHECK(run.err.find("the assert does not hold: 'y' is 10") != std::string::npos);
    }
    scratch.write("commands", "continue\nprint y + 1\nshow\nprint after\n");
    const Command debugged = test::sme_in(scratch, "debug n.yaml --commands commands");
    CHECK(debugged.out.find("  u8  11\n") != std::string::npos);
    CHECK(debugged.out.find("  y      u8  10\n") != std::string::npos);
    CHECK(debugged.out.find("  after  u8  not computed\n") != std::string::npos);
    CHECK((debugged.out + debugged.err).find("a fault kept") != std::string::npos);
    // also if the fault keeps no wire from being computed
    scratch.write("n.yaml", R"(network: n
buses: {x: u8, y: wire u8, z: wire u8, s: u8}
processes:
  p: {out: x, step: {x: x + 1}}
  w: {in: x, out: y, step: {y: 2 * x}}
  q: {in: y, out: z, step: {z: y, assert: y < 9}}
  r: {in: z, out: s, step: {s: z}}
)");
    test::sme_in(scratch, "run n.yaml --cycles 9 --force --trace n.csv");
    CHECK(text_of(scratch.path("n.csv")).ends_with("\n4,4,8,8,6\n5,5,10,10,8\n"));
    // in the first cycle, too
    scratch.write("n.yaml", R"(network: n
buses: {y: wire u8, z: wire u8, after: wire u8}
processes:
  w: {out: y, step: {y: 10}}
  q:
    in: y
    out: z
    step:
      z: y
      assert: y < 9
  r: {in: z, out: after, step: {after: z}}
)");
    for (const char* how : {"", "--keep-last 3"}) {
        test::sme_in(scratch, std::string{"run n.yaml --cycles 3 --trace n.csv "} + how);
        CHECK(text_of(scratch.path("n.csv")) == "cycle,y,z,after\n0,10,10,\n");
    }
}
