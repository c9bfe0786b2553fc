// SPDX-License-Identifier: Apache-2.0
//
// Tests inputs with random values, and the assumptions that they meet.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "../command.hpp"
#include "base/test/scratch.hpp"

using namespace sme::test;

namespace {

/// Values of all kinds, on two clocks, and a stream that is not always taken.
const std::string network = R"(network: drawn
import: [std/stream.yaml]
types:
  Colour: [red, green, blue]
  Packet: {number: u3, bits: u200, parts: "u4[3]"}
domains: {fast: 1, slow: every 3 offset 1}
buses:
  packet: Packet
  colour: Colour
  level: wire u32
  lane[4]: i8
  pair[2]: i9
  late: u16
  items: Stream(u8)
  taken: u8
  seen: u16
processes:
  reads:
    in: [packet, colour, level, lane, pair, items]
    out: taken
    state: {turn: u3}
    step:
      turn: turn + 1
      items.ready: turn != 2 and turn != 5
      taken: items.data when items.valid and items.ready
  slow_reader:
    domain: slow
    in: late
    out: seen
    step:
      seen: late
inputs:
  packet: random
  colour: random
  level: random
  lane: random
  pair[1]: random
  pair[0]: {0: 3}
  late: random
  items: random
assume:
  - packet.bits[199] and colour != green
  - lane[1] > lane[2] and lane[3] >= -5
  - 10 <= level and level < 1000 + 12
  - late > past(late) or late < 10
  - colour != blue or past(colour, 2) != blue or not past(items.valid and items.ready)
checks:
  - always: packet.bits[199] and colour != green
  - always: lane[1] > lane[2] and lane[3] >= -5 and level >= 10 and level < 1012
  - always: late > past(late) or late < 10 or stable(late)
  - always: colour != blue or past(colour, 2) != blue or not past(items.valid and items.ready)
  - always: past(items.valid and not items.ready) implies items.valid and stable(items.data)
  - cover: items.valid and not items.ready
  - cover: level in [10, 11..1010, 1011]
run: {cycles: 600}
)";

} // namespace

TEST_CASE("random inputs meet their assumptions in every cycle, the same for each way to run") {
    const Scratch folder;
    folder.write("n.yaml", network);
    const std::string path = folder.path("n.yaml");
    const auto traced = [&](const std::string& options) {
        const Command run{fmt::format("run {} --trace {} {}", path, folder.path("t.csv"), options)};
        CAPTURE(run.err);
        CHECK(run.exit_code == 0);
        return text_of(folder.path("t.csv"));
    };
    const std::string rows = traced("--seed 3");
    CHECK(rows == traced("--seed 3 --threads 2"));
    CHECK(rows == traced("--seed 3 --engine interpreted"));
    CHECK(rows != traced("--seed 4"));
    folder.write("n.yaml", Command{"check --print " + path}.out);
    CHECK(rows == traced("--seed 3"));
    const Command judged{"validate " + path + " --orders 3"};
    CHECK(contains(judged.out, "no invariant is broken"));
    const Command saved{fmt::format("run {} --seed 3 --cycles 400 --checkpoint-every 300 {}", path,
                                    folder.path("c"))};
    const Command resumed{fmt::format("run {} --seed 3 --resume {} --trace {}", path,
                                      folder.path("c"), folder.path("t.csv"))};
    const std::string rest = text_of(folder.path("t.from-300.csv"));
    REQUIRE(rest.find("\n300,") < rest.size());
    CHECK(rows.ends_with(rest.substr(rest.find("\n300,"))));
    const Command verilog{fmt::format("verilog {} --output {}", path, folder.path("v"))};
    CHECK(contains(verilog.err, "an input feeds one member of 'pair', but a port"));
}

TEST_CASE("a network that only its tests feed has random inputs under the rules of both") {
    const Scratch folder;
    folder.write("n.yaml", R"(network: fed
buses: {x: u8, y: u8}
processes:
  copy:
    in: x
    out: y
    step:
      y: x
assume: [x < 100]
tests:
  drawn[n < 3]:
    seeds: 1..4
    inputs: {x: random}
    assume: ['x > 10 * n']
    checks:
      - never: x <= 10 * n or x >= 100
    run: {cycles: 50}
)");
    const Command tests{"test " + folder.path("n.yaml")};
    CHECK(contains(tests.out, "12 tests: 12 passed, 0 failed"));
    CHECK(tests.err.empty());
    CHECK(contains(Command{"run " + folder.path("n.yaml") + " --cycles 5"}.err, "[no-writer]"));
}

TEST_CASE("a channel with random messages always has a next one, and goes by its name in rules") {
    const Scratch folder;
    folder.write("n.yaml", R"(network: sums
channels: {a: i16, b: i16, sum: i17}
buses: {last: i17}
processes:
  add:
    in: [a, b]
    out: sum
    step:
      sum: i17(a) + i17(b)
  sink:
    in: sum
    out: last
    step:
      last: sum
inputs: {a: random, b: random}
assume:
  - a.data > 30000 and b.data < 100 and b.data > -2000
checks:
  - after 10: last > 28000
run: {cycles: 200}
)");
    const Command run{"run " + folder.path("n.yaml")};
    CHECK(run.exit_code == 0);
    CHECK(contains(run.out, "after 10: last > 28000 (evaluated 191 times)"));
}

TEST_CASE("assumptions that cannot be kept are named") {
    const Scratch folder;
    const auto says = [&](const std::string& assumed, const std::string& message,
                          int exit_code = 2) {
        folder.write("n.yaml", fmt::format(R"(network: n
buses: {{x: u8, y: u8, other: u8}}
processes:
  p:
    in: [x, other]
    out: y
    step:
      y: x + other
inputs: {{x: random, other: {{0: 3}}}}
assume:
  - x > 5
  - {}
run: {{cycles: 10}}
)",
                                           assumed));
        const Command run{"run " + folder.path("n.yaml")};
        CAPTURE(run.err);
        CHECK(run.exit_code == exit_code);
        CHECK(contains(run.err, message));
    };
    says("x < other", "its value in the cycle before is 'past(other)' [unknown-name]");
    says("past(x) == 3", "an assumption is about inputs, but this names none outside 'past'");
    says("x < past(other, 0)", "past looks back 1 to 65536 cycles, but this is 0");
    says("x < past()", "past(x) or past(x, n)");
    says("x + 1", "an assumption is a bool");
    says("x < 6", "no values were found for cycle 0 for which all assumptions hold", 1);
    folder.write("n.yaml", "network: n\nbuses: {x: u8}\nprocesses:\n  p: {in: x, step: {}}\n"
                           "inputs: {x: random}\n");
    CHECK(contains(Command{"run --untimed " + folder.path("n.yaml")}.err,
                   "random inputs change in each cycle of a clock"));
}
