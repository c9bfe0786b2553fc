// SPDX-License-Identifier: Apache-2.0
//
// The results of a process: steps, lets, states, memories. Expected values are calculated by hand.
#include "interpret/test/yaml_run.hpp"

namespace {

using namespace sme;
using test::Values;
using test::YamlRun;

/// A network of one process `p` with an output `y`, the given step and more.
std::string one(const std::string& type, const std::string& body) {
    return "network: n\nbuses:\n  y: " + type + "\nprocesses:\n  p:\n    out: y\n" + body;
}

} // namespace

TEST_CASE("a value written in a cycle is read in the next, and zero after a cycle without") {
    YamlRun run{one("u8", R"(
    state:
      t: u8 = 0
    step:
      t: t + 1
      y: t + 10 when t % 2 == 0
)")};
    CHECK(run.over("y", 6) == Values{0, 10, 0, 12, 0, 14});
}

TEST_CASE("a conditional list takes the first line that holds, a state keeps when none does") {
    YamlRun run{one("u8", R"(
    state:
      t: u8 = 0
      s: u8 = 9
    step:
      t: t + 1
      s:
        - 1 when t == 1
        - 2 when t >= 1 and t <= 2
        - 3 when t == 5
      y:
        - 7 when t < 2
        - 8
)")};
    CHECK(run.over("p.s", 7) == Values{9, 9, 1, 2, 2, 2, 3});
    YamlRun again{one("u8", R"(
    state:
      t: u8 = 0
    step:
      t: t + 1
      y:
        - 7 when t < 2
        - 8
)")};
    CHECK(again.over("y", 4) == Values{0, 7, 7, 8});
}

TEST_CASE("an inner block overrides an outer line, wherever the line stands") {
    YamlRun run{one("u8", R"(
    state:
      t: u8 = 0
      s: u8 = 0
    step:
      if t == 1:
        s: 100
        if true:
          y: 5
      elif t < 3:
        y: 6 when t == 2
      else:
        y: 7
      t: t + 1
      y: 1
      s: s + 1
)")};
    CHECK(run.over("y", 6) == Values{0, 1, 5, 6, 7, 7});
    YamlRun states{one("u8", R"(
    state:
      t: u8 = 0
      s: u8 = 0
    step:
      - if t == 1:
          s: 100
        else: {}
      - t: t + 1
        s: s + 1
        y: 0
)")};
    CHECK(states.over("p.s", 5) == Values{0, 1, 100, 101, 102});
}

TEST_CASE("an inner line whose condition fails leaves the outer line in force") {
    YamlRun run{one("u8", R"(
    state:
      t: u8 = 0
    step:
      t: t + 1
      y: 1
      if t >= 1:
        y:
          - 20 when t == 1
          - 30 when t == 3
)")};
    CHECK(run.over("y", 6) == Values{0, 1, 20, 1, 30, 1});
}

TEST_CASE("every right-hand side sees the start of the cycle, in any order of lines") {
    for (const char* step :
         {"      a: b\n      b: a\n      y: a + b\n", "      y: a + b\n      b: a\n      a: b\n"}) {
        YamlRun run{one("u8", std::string{"    state:\n      a: u8 = 1\n      b: u8 = 2\n"
                                          "    step:\n"} +
                                  step)};
        CHECK(run.over("p.a", 4) == Values{1, 2, 1, 2});
        CHECK(run.at("p.b") == 2);
        CHECK(run.at("y") == 3);
    }
}

TEST_CASE("lets stand in any order and name values of the same cycle") {
    YamlRun run{one("u16", R"(
    state:
      t: u16 = 1
    let:
      third: second * second
      second: first + 1
      first: t * 2
      listed:
        - third when t > 2
        - 4
      chosen:
        if t == 2:
          first
        elif t == 3:
          second
        else:
          listed
    step:
      t: t + 1
      y: chosen
)")};
    // t = 1: listed = 4; t = 2: first = 4; t = 3: second = 7; t = 4: third = 81
    CHECK(run.over("y", 5) == Values{0, 4, 4, 7, 81});
}

TEST_CASE("a let that may lack a value, and lets in a loop, are errors") {
    auto errors = test::errors_of(one("u8", R"(
    let:
      a: b + 1
      b: c
      c: a
    step:
      y: a
)"));
    REQUIRE(errors.size() >= 1);
    CHECK(
        errors[0].starts_with("let-loop: these lets need each other in one cycle: 'a', 'b', 'c'"));
    errors = test::errors_of(one("u8", R"(
    let:
      a: u8(1) when true
    step:
      y: a
)"));
    REQUIRE(errors.size() == 1);
    CHECK(errors[0].starts_with("missing-else: "));
}

TEST_CASE("structs are written whole, by field, by map and by update") {
    YamlRun run{R"(
network: n
types:
  Inner: {lo: u4, hi: i4}
  Pair: {a: u8, in: Inner, ok: bool}
buses:
  y: Pair
  z: Pair
  w: Pair
processes:
  p:
    out: [y, z, w]
    state:
      t: u8 = 0
    step:
      t: t + 1
      y: Pair(a = t, ok = true)
      z.a: t + 1
      z.in.hi: -3 when t == 1
      w:
        a: 4
        ok: true when t != 1
        in:
          lo: 15
          hi: -1
)"};
    run.run();
    CHECK(run.at("y.a") == 0);
    CHECK(run.at("y.ok") == 1);
    CHECK(run.at("z.a") == 1);
    CHECK(run.at("z.in.hi") == 0);
    CHECK(run.at("w.in.lo") == 15);
    CHECK(run.at("w.in.hi") == -1);
    CHECK(run.at("w.ok") == 1);
    run.run();
    CHECK(run.at("z.in.hi") == -3);
    CHECK(run.at("z.in.lo") == 0);
    CHECK(run.at("w.ok") == 0);
    CHECK(run.at("w.a") == 4);
}

TEST_CASE("memories are read and written by index, as a whole, and keep what is not written") {
    YamlRun run{one("u8", R"(
    state:
      t: u4 = 0
      m: u8[5] = [10, 11, 12, 13, 14]
    step:
      t: t + 1
      m[t]: m[t] + 100 when t < 3
      y: sum(k < 5, m[k])
)")};
    CHECK(run.over("y", 5) == Values{0, 60, 160, 4, 104}); // 60 + 100 k modulo 256
    YamlRun whole{one("u8", R"(
    state:
      t: u4 = 0
      m: u8[4] = [1, 2, 3, 4]
    let:
      turned: array(k < 4, m[(k + 1) % 4])
    step:
      t: t + 1
      m: turned
      y: m[0]
)")};
    CHECK(whole.over("y", 7) == Values{0, 1, 2, 3, 4, 1, 2});
    YamlRun named{R"(
network: n
types:
  Word: {a: u8, b: bool}
buses:
  y: u8
processes:
  p:
    out: y
    state:
      t: u2 = 0
      m: Word[2, 3]
    step:
      t: t + 1
      m[1, t].a: 40 + u8(t) when t != 3
      m[0, 2].b: true
      y: m[1, 0].a + m[1, 1].a + m[1, 2].a + u8(m[0, 2].b)
)"};
    CHECK(named.over("y", 5) == Values{0, 0, 41, 82, 124});
}

TEST_CASE("a sum of hundreds of terms is one expression") {
    std::string terms = "t", bits = "t == 1";
    for (int k = 1; k < 1000; ++k) {
        terms += k % 2 == 0 ? " + u32(t)" : " - 3";
        bits += " or t == " + std::to_string(k % 7);
    }
    YamlRun run{one("u32", "    state:\n      t: u32 = 5\n    step:\n      t: t\n      y: " +
                               terms + " when " + bits + "\n")};
    run.run();
    CHECK(run.at("y") == 5 + 499 * 5 - 500 * 3);
}

TEST_CASE("an array inside a slot is written whole and by element") {
    YamlRun run{one("u8[4]", R"(
    state:
      t: u2 = 0
    step:
      t: t + 1
      y[t]: 7
      if t == 3:
        y: array(k < 4, u8(k))
)")};
    run.run();
    CHECK(Values{run.at("y[0]"), run.at("y[1]"), run.at("y[3]")} == Values{7, 0, 0});
    run.run(2);
    CHECK(Values{run.at("y[0]"), run.at("y[1]"), run.at("y[2]")} == Values{0, 0, 7});
    run.run();
    CHECK(Values{run.at("y[0]"), run.at("y[1]"), run.at("y[2]"), run.at("y[3]")} ==
          Values{0, 1, 2, 3});
}

TEST_CASE("indices of a family are values, with lower bounds, in two dimensions") {
    YamlRun run{R"(
network: n
buses:
  y[2, 1 <= j < 4]: i16 = 1
processes:
  p[i < 2, 1 <= j < 4]:
    out:
      me: y[i, j]
    state:
      s: i16 = 100 * i + j
      m: u8[2] = [i, j]
    step:
      s: s - j
      me: s + u8_of * 1000 + (if i == 1 then j - 2 else -i)
    let:
      u8_of: i16(m[1])
)"};
    INFO(render(run.diagnostics));
    CHECK(run.at("y[1, 3]") == 1);
    CHECK(run.at("p[1, 2].s") == 102);
    run.run();
    CHECK(run.at("y[0, 1]") == 1 + 1000);
    CHECK(run.at("y[0, 3]") == 3 + 3000);
    CHECK(run.at("y[1, 1]") == 101 + 1000 - 1);
    CHECK(run.at("y[1, 3]") == 103 + 3000 + 1);
    CHECK(run.at("p[1, 3].s") == 100);
}

TEST_CASE("targets, names and blocks that cannot be are refused") {
    using test::errors_of;
    const auto first = [](const std::string& body) {
        const auto errors = errors_of(one("u8", body));
        return errors.empty() ? std::string{} : errors[0];
    };
    const std::string state = "    state:\n      s: u8\n      m: u8[4]\n";
    CHECK(
        first(state + "    step:\n      y: 1\n      q: 2\n").starts_with("bad-target: 'q' is no"));
    CHECK(first("    let:\n      a: u8(1)\n    step:\n      y: a\n      a: 2\n")
              .starts_with("bad-target: 'a' is a let"));
    CHECK(first(state + "    step:\n      y: 1\n      m[2]: 1\n      m[0x2]: 2\n")
              .starts_with("two-writes: 'm' is written twice"));
    CHECK(first(state + "    step:\n      if s == 1:\n        y: 1\n      s: 0\n      if s == 2:\n"
                        "        y: 2\n")
              .starts_with("two-writes: "));
    CHECK(first("    step:\n      else:\n        y: 1\n").starts_with("else-without-if: "));
    CHECK(first(state + "    step:\n      y: 1\n      m[4]: 1\n")
              .starts_with("bad-index: the index is 4, but must be 0 to 3"));
    CHECK(first(state + "    step:\n      y: s[2]\n").starts_with("type-mismatch: 'y' is u8"));
    CHECK(first(state + "    step:\n      y: u16(s)\n")
              .starts_with("width-mismatch: 'y' is u8, but this expression is u16; write u8(...)"));
    CHECK(first(state + "    step:\n      y: 256\n")
              .starts_with("does-not-fit: 'y' is u8, and 256 does not fit it (0 to 255)"));
    CHECK(first(state + "    step:\n      y: 1 when s\n")
              .starts_with("type-mismatch: what follows 'when' is a bool, but this is u8; write "
                           "'... != 0'"));
}

TEST_CASE("a block whose condition is known not to hold leaves the lines outside as they are") {
    for (const char* condition : {"false", "n == 3", "n == 3 and s == 1"}) {
        CAPTURE(condition);
        YamlRun run{R"(
network: n
parameters:
  n: 2
buses:
  y: u8
processes:
  p:
    out: y
    state:
      s: u8 = 1
    step:
      s: s + 1
      y: s
      if )" + std::string{condition} +
                    ":\n        y: 77\n"};
        CHECK(run.over("y", 3) == Values{0, 1, 2});
    }
}

TEST_CASE("programs do not share the tables of a constant array") {
    // each process and each check becomes a program; all of them read both constants
    std::string text = "network: n\nconstants:\n  a: u8[4] = [1, 2, 3, 4]\n"
                       "  b: u8[4] = [5, 6, 7, 8]\nbuses:\n";
    std::string processes = "processes:\n";
    for (const char* name : {"u", "v", "w"}) {
        text += std::string{"  "} + name + ": u8\n";
        processes += std::string{"  p"} + name + ":\n    out: {o: " + name +
                     "}\n    state: {t: u2}\n    step:\n      t: t + 1\n      o: " +
                     (name[0] == 'v' ? "b[t]" : "b[t] - a[t]") + "\n";
    }
    YamlRun run{text + processes +
                "checks:\n  - after 1: b[u2(v & 3)] == (v & 3) + 5\n"
                "  - after 1: a[u2(v & 3)] == (v & 3) + 1\n"};
    CHECK(run.over("u", 4) == Values{0, 4, 4, 4});
    CHECK(run.at("v") == 8);
    run.finish();
    run.check_all_passed();
}

TEST_CASE("an element of a constant at an index that is known is known as well") {
    YamlRun run{R"(
network: n
constants:
  table: u8[2, 2] = [[1, 2], [3, 4]]
  last: u8 = table[u1(1), u4(table[0, 0])]
buses:
  y: u8 = table[u1(1)][u2(0)]
processes:
  p:
    out: y
    step:
      y: last
)"};
    CHECK(run.over("y", 2) == Values{3, 4});
}
