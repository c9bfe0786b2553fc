// SPDX-License-Identifier: Apache-2.0
//
// Enumerations in a run. Expected values are calculated by hand.
#include "engine/slots/state.hpp"
#include "interpret/test/yaml_run.hpp"

namespace {

using namespace sme;
using test::Values;
using test::YamlRun;

const std::string types = R"(
network: n
types:
  Phase: [idle, run, stop]
  Op u7: [ADD = 0x33, SUB, LOAD = 3, MUL = 0x40 - 1]
  Mixed: {p: Phase, q: u3}
)";

} // namespace

TEST_CASE("members have the values that are given, or the one after the member before") {
    YamlRun run{types + R"(
buses:
  phase: Phase
  op: Op = ADD
processes:
  p:
    out: [phase, op]
    state:
      t: u3 = 0
    step:
      t: t + 1
      phase:
        - run when t == 0
        - Phase.stop when t == 1
        - idle
      op: if t == 0 then SUB elif t == 1 then LOAD else Op.MUL
)"};
    CHECK(run.over("phase", 4) == Values{0, 1, 2, 0});
    CHECK(run.graph().buses[0].type->width_bits() == 2);
    CHECK(run.graph().buses[1].type->width_bits() == 7);
    YamlRun again{types + R"(
buses:
  op: Op = ADD
processes:
  p:
    out: op
    state:
      s: Op = ADD
    step:
      op: s
      s: if s == ADD then SUB elif s != SUB then LOAD else Op.MUL
)"};
    CHECK(again.over("op", 5) == Values{0x33, 0x33, 0x34, 0x3f, 3});
}

TEST_CASE("casts keep the bits, also of numbers that are no member") {
    YamlRun run{types + R"(
buses:
  number: u7
  op: hold Op = LOAD
  packed: u5
  joined: u8
processes:
  p:
    out: [number, op, packed, joined]
    state:
      t: u7 = 0x32
    let:
      m: Mixed(p = Phase(u2(t)), q = 5)
    step:
      t: t + 1
      number: u7(Op(0x34)) when Op(t) == ADD
      op: Op(t)
      packed: u5(m)
      joined: cat(stop, Op(t) == SUB, Mixed(u5(m)).p == stop, u4(width(Op(t))))
)"};
    const Values t{0x32, 0x33, 0x34, 0x35}; // its low bits are the phase; 5 is to their right
    const Values number{0, 0, 0x34, 0, 0};
    const Values packed{0, 0b10101, 0b11101, 0b00101, 0b01101};
    const Values joined{0, 0b10010111, 0b10000111, 0b10100111, 0b10000111};
    for (std::size_t cycle = 0; cycle < 5; ++cycle) {
        CAPTURE(cycle);
        CHECK(run.at("number") == number[cycle]);
        CHECK(run.at("op") == (cycle == 0 ? 3 : t[cycle - 1]));
        CHECK(run.at("packed") == packed[cycle]);
        CHECK(run.at("joined") == joined[cycle]);
        run.run();
    }
}

TEST_CASE("enumerations lie in memories, tables, structs and arrays") {
    YamlRun run{types + R"(
constants:
  table: Phase[3] = [stop, idle, run]
  start: Phase = stop
  careful: bool = true
buses:
  y: Phase[2]
  m: Mixed = Mixed(p = start, q = 1)
processes:
  p:
    out: [y, m]
    state:
      t: u2 = 0
      mem: Phase[4] = [run, stop, idle, start]
    step:
      t: t + 1
      mem[t]: table[t % 3] when careful
      y: array(k < 2, mem[(t + u2(k)) & 3])
      m: {p: run, q: 2}
)"};
    CHECK(run.over("y[0]", 6) == Values{0, 1, 2, 0, 2, 2});
    CHECK(run.at("m.p") == 1);
}

TEST_CASE("a cast to a value that is no member survives a snapshot") {
    const std::string text = types + R"(
buses:
  phase: delay 2 Phase
processes:
  p:
    out: phase
    state:
      n: u2
      kept: Phase[2]
    step:
      n: n + 1
      kept[0]: Phase(n)
      phase: Phase(n)
)";
    YamlRun run{text}, other{text};
    CHECK(run.run(4) == RunEnd::completed);
    other.engine().restore(run.engine().snapshot());
    CHECK(other.over("phase", 4) == Values{2, 3, 0, 1});
}
