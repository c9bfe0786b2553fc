// SPDX-License-Identifier: Apache-2.0
//
// Which expressions fault, which do not because they are not selected, and the state after a fault.
#include "interpret/test/yaml_run.hpp"

namespace {

using namespace sme;
using test::Texts;
using test::Values;
using test::YamlRun;

std::string one(const std::string& body) {
    return "network: n\nbuses:\n  y: u8\nprocesses:\n  p:\n    out: y\n    state:\n"
           "      t: u8 = 3\n      m: u8[5]\n" +
           body;
}

/// A process whose t counts 3, 2, 1, 0, 255, … and whose y is `value`.
std::string down(const std::string& value, const std::string& more = "") {
    return one("    step:\n      t: t - 1\n      y: " + value + "\n" + more);
}

} // namespace

TEST_CASE("dividing by zero faults in the cycle in which it happens") {
    for (const char* op : {"/", "%"}) {
        YamlRun run{down(std::string{"12 "} + op + " t")};
        CHECK(run.run(10) == RunEnd::faulted);
        CHECK(run.engine().cycle() == 4);
        CHECK(run.faults() == Texts{"p: divide-by-zero"});
        CHECK(render(run.engine().faults()[0]).find("in cycle 3, process 'p'") !=
              std::string::npos);
    }
}

TEST_CASE("an index outside faults: reading words, tables and bits, writing words and elements") {
    const auto fault_of = [](const std::string& text) {
        YamlRun run{text};
        const RunEnd ending = run.run(4);
        CHECK(ending == RunEnd::faulted);
        CHECK(run.engine().cycle() == 3);
        return run.faults();
    };
    const Texts expected{"p: index-fault"};
    const std::string up = "    let:\n      k: 6 - t\n"; // 3, 4, 5
    const auto with = [&](const std::string& lines) {
        return one(up + "    step:\n      t: t - 1\n" + lines);
    };
    CHECK(fault_of(with("      y: m[k]\n")) == expected);
    CHECK(fault_of(with("      y: u8(t[k + 3])\n")) == expected); // bits 6, 7, 8
    CHECK(fault_of(with("      m[k]: 1\n      y: 0\n")) == expected);
    CHECK(fault_of("constants:\n  table: u8[5] = 7\n" + with("      y: table[k]\n")) == expected);
    CHECK(fault_of(with("      y: array(j < 5, u8(j))[k]\n")) == expected);
    CHECK(fault_of(R"(
network: n
buses:
  y[5]: u8
processes:
  p:
    out: y
    state:
      k: u8 = 3
    step:
      k: k + 1
      y[k]: 1
)") == expected);
    CHECK(fault_of(R"(
network: n
buses:
  y: u8[5]
processes:
  p:
    out: y
    state:
      k: u8 = 3
    step:
      k: k + 1
      y[k]: 1
)") == expected);
}

TEST_CASE("what is not selected does not fault") {
    const auto fine = [](const std::string& text) {
        YamlRun run{text};
        INFO(text);
        CHECK(run.run(8) == RunEnd::completed);
    };
    fine(down("if t != 0 then 12 / t else 0"));
    fine(down("if t == 0 then 0 elif 12 / t == 4 then 1 else 12 % t"));
    fine(down("u8(t != 0 and 12 / t == 4)"));
    fine(down("u8(t == 0 or 12 / t == 4)"));
    fine(down("u8(t != 0 implies 12 / t == 4)"));
    fine(down("12 / t when t != 0"));
    fine(down("u8(t < 5 and m[t] == 0)"));
    fine(one("    step:\n      t: t - 1\n      m[t]: 1 when t < 5\n      y: 0\n"));
    fine(one("    step:\n      t: t - 1\n      y: 0\n      if t < 5:\n        m[t]: 12\n"));
    fine(one("    step:\n      t: t - 1\n      y:\n        - 0 when t == 0\n        - 12 / t\n"));
    fine(one("    step:\n      t: t - 1\n      y: 1\n      if t != 0:\n        y: 12 / t\n"));
    fine(one("    step:\n      t: t - 1\n      y: 1\n      if t == 0:\n        y: 2\n"
             "      elif 12 / t == 4:\n        y: 12 / t\n"));
    fine(one("    step:\n      t: t - 1\n      y: 1\n      halt: false when t != 0 and 1 / t == 9\n"
             "      if t != 0:\n        assert: 12 / t < 13\n"));
    // two lets, one inside the other, used in two places that are selected differently
    fine(one("    let:\n      q: 12 / t\n      r: q + 100 / t\n    step:\n      t: t - 1\n"
             "      y: if t == 0 then 0 else r\n      m[0]: q when t != 0\n"));
    fine(one("    let:\n      q: 12 / t\n    step:\n      t: t - 1\n"
             "      y: if t != 0 then q else 0\n      m[0]: if t == 0 then 1 else q + 1\n"));
    // a constant condition is decided before the run
    fine(one("    step:\n      t: t - 1\n      y: if true then 1 else 12 / t\n"));
    // so is a match on a value that is known
    fine(one("    step:\n      t: t - 1\n      y:\n        match popcount(u8(7)):\n"
             "          3: 1\n          else: u8(t[999])\n"));
}

TEST_CASE("an index that is outside where a write is not enabled does not fault") {
    const auto fine = [](const std::string& text) {
        YamlRun run{text};
        INFO(text);
        CHECK(run.run(8) == RunEnd::completed);
    };
    fine(R"(
network: n
buses:
  y[5]: u8
processes:
  p:
    out: y
    state:
      k: u8 = 3
    step:
      k: k + 1
      y[k]: 1 when k < 5
)");
    fine(R"(
network: n
buses:
  y: u8[5]
processes:
  p:
    out: y
    state:
      k: u8 = 3
    step:
      k: k + 1
      y[k]: 1 when k < 5
)");
    // two writes to one memory, each enabled only while its index is in range
    fine(one("    step:\n      t: t - 1\n      y: 0\n      m[t]: 1 when t < 5\n"
             "      m[t - 1]: 2 when t >= 1 and t < 5\n"));
}

TEST_CASE("a let faults where it is used selected, although another use is not") {
    YamlRun run{one("    let:\n      q: 12 / t\n    step:\n      t: t - 1\n"
                    "      y: if t != 0 then q else 0\n      m[0]: q\n")};
    CHECK(run.run(8) == RunEnd::faulted);
    CHECK(run.engine().cycle() == 4);
    CHECK(run.faults() == Texts{"p: divide-by-zero"});
}

TEST_CASE("two enabled writes to one word are a fault, to two words are none") {
    YamlRun run{one("    step:\n      t: t - 1\n      y: 0\n      m[t]: 1 when t < 5\n"
                    "      m[1]: 2\n")};
    CHECK(run.run(8) == RunEnd::faulted);
    CHECK(run.engine().cycle() == 3); // t = 1 in cycle 2
    CHECK(run.faults() == Texts{"p: write-conflict"});
    YamlRun two{one("    let:\n      i: t % 5\n      j: (t * 2) % 5\n    step:\n      t: t - 1\n"
                    "      y: 0\n      m[i]: 1\n      m[j]: 2\n")};
    CHECK(two.run(8) == RunEnd::faulted);
    CHECK(two.engine().cycle() == 4); // i = 3, 2, 1, 0 and j = 1, 4, 2, 0
    YamlRun none{one("    let:\n      i: t % 5\n      j: (t + 1) % 5\n    step:\n"
                     "      t: if t == 0 then 3 else t - 1\n      y: 0\n      m[i]: 1\n"
                     "      m[j]: 2\n")};
    CHECK(none.run(8) == RunEnd::completed);
    YamlRun enabled{one("    step:\n      t: t - 1\n      y: 0\n      m[t]: 1 when t == 2\n"
                        "      m[1]: 2 when t != 2\n")};
    CHECK(enabled.run(8) == RunEnd::completed);
}

TEST_CASE("a process that faults changes nothing, the others of its level finish their cycle") {
    YamlRun run{R"(
network: n
buses:
  y[k < 6]: hold i32 = k
  z: i32
processes:
  p[k < 6]:
    out:
      me: y[k]
    state:
      s: i32 = 3 + k
      m: i32[2] = 50
    step:
      s: s - 1
      m[1]: s
      me: 100 / (s - 2 * k)
  q:
    out: z
    state:
      n: i32 = 0
    step:
      n: n + 1
      z: n
)"};
    // s - 2 k in cycle c is 3 - k - c: instance 3 faults in cycle 0
    CHECK(run.run(5) == RunEnd::faulted);
    CHECK(run.engine().cycle() == 1);
    CHECK(run.faults() == Texts{"p[3]: divide-by-zero"});
    CHECK(run.at("y[3]") == 3);
    CHECK(run.at("p[3].s") == 6);
    CHECK(run.at("y[2]") == 100);
    CHECK(run.at("y[5]") == -50);
    CHECK(run.at("p[2].s") == 4);
    CHECK(run.at("q.n") == 1);
    CHECK(run.run(5) == RunEnd::faulted); // it does not continue
    CHECK(run.engine().cycle() == 1);
}

TEST_CASE("the memory of a process that faults stays") {
    YamlRun run{R"(
network: n
buses:
  y[2]: u8
processes:
  p[k < 2]:
    out:
      me: y[k]
    state:
      m: u8[2] = 50
    step:
      m[0]: m[0] + 1
      me: 100 / (u8(52) - m[0] - k)
checks:
  - never: p[0].m[0] == 53 or p[1].m[0] == 52
  - always: p[0].m[1] == 50
)"};
    CHECK(run.run(9) == RunEnd::faulted);
    CHECK(run.engine().cycle() == 2);
    CHECK(run.faults() == Texts{"p[1]: divide-by-zero"});
}

TEST_CASE("all faults of a level are reported, one a process, in source order; later levels rest") {
    YamlRun run{R"(
network: n
buses:
  y[k < 300]: u16
  w: wire u16
  z: u16
processes:
  last:
    in: w
    out: z
    step:
      z: 1 / w
  p[k < 300]:
    out:
      me: y[k]
    state:
      t: u16 = k + 2
    let:
      left: t % 128
    step:
      t: t - 1
      me: 100 / left + 100 % left
  first:
    out: w
    step:
      w: 0
)"};
    CHECK(run.run(9) == RunEnd::faulted);
    // cycle 0: left = 0 where k + 2 is a multiple of 128
    CHECK(run.faults() == Texts{"p[126]: divide-by-zero", "p[254]: divide-by-zero"});
    CHECK(run.at("y[0]") == 50);
    CHECK(run.at("y[126]") == 0);
}

TEST_CASE("a process of two parts that faults is reported once") {
    YamlRun run{R"(
network: n
buses:
  a: u8
  w: wire u8
  z: u8
processes:
  p:
    in: a
    out: [w, z]
    let:
      q: 12 / a
    step:
      w: q
      z: q + 1
  s:
    out: a
    step:
      a: 1
  r:
    in: w
    out: {}
    state:
      k: u8
    step:
      k: w
)"};
    CHECK(run.run(2) == RunEnd::faulted);
    CHECK(run.faults() == Texts{"p: divide-by-zero"});
}

TEST_CASE("an assert that does not hold is a fault, only where it is reached") {
    YamlRun run{down("0", "      if t < 2:\n        assert: t != 0 when t != 1\n")};
    CHECK(run.run(9) == RunEnd::faulted);
    CHECK(run.engine().cycle() == 4);
    CHECK(run.faults() == Texts{"p: assert-failed"});
    YamlRun never{down("0", "      if t == 200:\n        assert: false\n")};
    CHECK(never.run(9) == RunEnd::completed);
}

TEST_CASE("a fault outranks a failed check, which outranks a halt") {
    const std::string checks = "checks:\n  - always: y != 4\n";
    YamlRun fault{down("12 / t", "      halt: t == 0\n") + "checks:\n  - never: y == 12\n"};
    CHECK(fault.run(9) == RunEnd::faulted); // y == 12 is read in cycle 3, in which t is 0
    YamlRun check{down("12 / t", "      halt: t == 2\n") + checks};
    CHECK(check.run(9) == RunEnd::check_failed); // both in cycle 1
    YamlRun halt{down("t", "      halt: true when t == 1\n")};
    CHECK(halt.run(9) == RunEnd::halted);
    CHECK(halt.engine().cycle() == 3);
    CHECK(halt.at("y") == 1); // the cycle of the halt is finished
}

TEST_CASE("both operands of & and | are selected, also when a constant decides") {
    for (const char* value :
         {"u8((12 / t == 4) & false)", "u8(false & (12 / t == 4))", "u8((12 / t == 4) | true)",
          "u8(true | (12 / t == 4))", "u8(u1(12 / t) & 0)", "(12 / t) & 0"}) {
        CAPTURE(value);
        YamlRun run{down(value)};
        CHECK(run.run(9) == RunEnd::faulted);
        CHECK(run.engine().cycle() == 4);
    }
    YamlRun fine{down("u8(false and 12 / t == 4)")};
    CHECK(fine.run(9) == RunEnd::completed);
}

TEST_CASE("an assert that does not hold tells the values that it reads, of the instance") {
    YamlRun run{R"(
network: n
types: {Pair: {a: u8, b: i8}}
buses:
  x[3]: u8
  s: Pair
processes:
  p[k < 3]:
    in: s
    out: x[k]
    state: {seen: u8 = 7, list: u8[2]}
    let: {twice: 2 * seen}
    step:
      x: x + u8(k)
      seen: seen
      assert: |
        x < 4 and twice == 14 and s.b == 0 and k < 9 and (x > 1 or list[x] == 0)
  q:
    out: s
    step: {s.a: 1}
)"};
    CHECK(run.run(9) == RunEnd::faulted);
    const std::vector<Diagnostic> faults = run.engine().faults();
    REQUIRE(faults.size() == 1); // in cycle 2 x[2] is 4; list[x] has no value then
    CHECK(faults[0].message == "in cycle 2, process 'p[2]': the assert does not hold: 'x' is 4, "
                               "'twice' is 14, 's.b' is 0, 'list[x]' is ?");
}

TEST_CASE(
    "of several faults in a cycle, the first is that of arguments, lets, lines, then asserts") {
    const auto where_of = [](const std::string& text, const std::string& functions = "") {
        YamlRun run{functions + text};
        CHECK(run.run(10) == RunEnd::faulted);
        REQUIRE(run.faults().size() == 1);
        const Location where = run.engine().faults()[0].where;
        return std::string{where.source->text()}.substr(where.begin, where.end - where.begin);
    };
    CHECK(where_of(down("(7 / t) + (9 / t)")) == "7 / t");
    CHECK(where_of(down("7 / t", "      m[0]: 9 / t\n")) == "7 / t");
    CHECK(where_of(one("    let:\n      a: 7 / t\n    step:\n      - t: t - 1\n"
                       "      - m[0]: 9 / t\n      - y: a\n")) == "7 / t");
    CHECK(where_of(one("    step:\n      - assert: t > 0\n      - t: t - 1\n"
                       "      - y: 7 / t\n")) == "7 / t");
    const std::string f = "functions:\n  f(a, b): b + a\n";
    CHECK(where_of(down("f(7 / t, 9 / t)"), f) == "7 / t");
    CHECK(where_of(down("u8(sum(k < 1000, u32(7 / t)) + u32(9 / t))")) == "7 / t");
}
