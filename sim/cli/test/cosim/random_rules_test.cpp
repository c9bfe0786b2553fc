// SPDX-License-Identifier: Apache-2.0
//
// Tests random values under rules; the process asserts what the rules promise.
#include <doctest/doctest.h>

#include "half.hpp"

using namespace sme::test;

namespace {

/// 'half' with a second implementation that is right except if a is taken while x == 77.
Folder ruled(const std::string& asserted) {
    std::string network = half_network;
    network = replaced(network, "  b: Stream(u8)\n", "  b: Stream(u8)\n  x: i8\n");
    network = replaced(network, "    out: a\n", "    out: [a, x]\n");
    network = replaced(network, "    in: a\n", "    in: [a, x]\n");
    network =
        replaced(network, "      pause: pause + 1\n", "      pause: pause + 1\n      x: -3\n");
    network = replaced(network, "      open: bool = true\n",
                       "      open: bool = true\n      waits: bool\n      last: u8\n");
    network = replaced(network, "      flag: a.data[0]\n",
                       "      flag: a.data[0] != (x == 77)\n"
                       "      waits: a.valid and not a.ready\n      last: a.data\n"
                       "      assert: " +
                           asserted + "\n    against: {use: other}\n");
    network = replaced(network, "types:\n", "import: [other.yaml]\ntypes:\n");
    Folder folder;
    folder.with("network.yaml", network).with("other.yaml", R"(component: other
types:
  Stream(T): {valid: bool, data: T, back ready: bool}
in: {a: Stream(u8), x: i8}
out: {b: Stream(u8), total: u16, flag: wire bool}
state: {open: bool = true}
step:
  open: not open
  b.valid: a.valid and open
  b.data: a.data
  a.ready: b.ready and open
  total: total + u16(a.data) when a.valid and a.ready
  flag: a.data[0]
)");
    return folder;
}

} // namespace

TEST_CASE("a handshake keeps what is offered until it is taken") {
    const Folder folder = ruled("not waits or (a.valid and a.data == last)");
    const std::string range = "--range x=-5..4 --random 2000";
    const Command free = folder.cosim(range);
    CHECK(free.exit_code == 1);
    CHECK(contains(free.err, "the assert does not hold"));
    const Command kept = folder.cosim(range + " --handshake a");
    CAPTURE(kept.err);
    CHECK(kept.exit_code == 0);
    CHECK(contains(kept.out, "half and component 'other': 2000 cycles, 4 of 4 outputs moved\n"));
}

TEST_CASE("ranges and assumptions hold in every cycle, the first as well") {
    const Folder folder =
        ruled("x >= 3 and x <= 12 and a.data < most and (a.valid or a.data == 17)");
    const std::string rules = "--random 2000 --range x=3..12 --assume 'a.data < most' "
                              "--assume 'a.valid or a.data == 17'";
    const Command run = folder.cosim(rules);
    CAPTURE(run.err);
    CHECK(run.exit_code == 0);
    CHECK(folder.cosim(rules + " --trace a.csv --seed 9").exit_code == 0);
    CHECK(folder.cosim(rules + " --trace b.csv --seed 9 --threads 2").exit_code == 0);
    CHECK(folder.cosim(rules + " --trace c.csv --seed 8").exit_code == 0);
    CHECK(folder.run("cmp a.csv b.csv").exit_code == 0);
    CHECK(folder.run("cmp -s a.csv c.csv").exit_code == 1);
    // the values cover the range and stay within it
    CHECK(folder
              .run("awk -F, 'NR == 1 { for (k = 1; k <= NF; ++k) if ($k == \"x\") c = k } NR > 1 "
                   "{ print $c }' a.csv | sort -un | tr '\\n' ' '")
              .out == "3 4 5 6 7 8 9 10 11 12 ");
    CHECK(ruled("x != 12").cosim("--random 2000 --range x=3..12").exit_code == 1);
    CHECK(ruled("x != 3").cosim("--random 2000 --range x=3..12").exit_code == 1);
    CHECK(ruled("x != 7").cosim("--random 2000 --range x=3..12").exit_code == 1);
}

TEST_CASE("a defect that rules leave in reach is found, one that they exclude is not") {
    const Folder folder = ruled("true");
    const Command found = folder.cosim("--random 200 --assume 'x > 70 and x < 80'");
    CHECK(found.exit_code == 1);
    CHECK(contains(found.err, "x = 77"));
    CHECK(folder.cosim("--random 2000 --assume 'x != 77'").exit_code == 0);
}

TEST_CASE("conditions that cannot hold end the run with what was tried") {
    const Folder folder = ruled("true");
    const Command run = folder.cosim("--random 20 --assume 'x > 3' --assume 'x < 3'");
    CHECK(run.exit_code == 1);
    CHECK(contains(run.err, "no values were found for cycle 0 for which all assumptions hold: in "
                            "64 draws of all inputs and 20000 of single scalars"));
    CHECK(contains(run.err, "[assumption-unmet]"));
}

TEST_CASE("rules that are wrong are named with their places") {
    const Folder folder = ruled("true");
    for (const auto& [options, says] :
         {std::pair{"--range z=1..2", "--range:1:1: error: there is no bus 'z'"},
          std::pair{"--range x=1..300", "'x' is i8, with the values -128 to 127, but the range is "
                                        "1 to 300 [does-not-fit]"},
          std::pair{"--range x=4..1", "the range 4 to 1 holds no number"},
          std::pair{"--range x=4", "--range is written NAME=LOW..HIGH"},
          std::pair{"--handshake x", "'x' is i8, but a handshake has the fields 'valid' and"},
          std::pair{"--assume 'x < 3 ad x > 7'", "--assume:1:7: error: 'ad' is written where"},
          std::pair{"--assume 'x + 1'", "this expression is i8"},
          std::pair{"--assume 'total < 4'", "--assume 'total < 4' is about something that is no "
                                            "input of one pair; the inputs are a, b.ready, x"}}) {
        const std::string given = options; // clang cannot capture bindings
        CAPTURE(given);
        const Command run = folder.cosim(std::string{"--random 20 "} + options);
        CAPTURE(run.err);
        CHECK(run.exit_code == 2);
        CHECK(contains(run.err, says));
    }
    const Command without = folder.cosim("--range x=1..2");
    CHECK(without.exit_code == 2);
    CHECK(contains(without.err, "'--range' is about random values; give --random N as well"));
}
