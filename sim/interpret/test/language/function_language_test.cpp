// SPDX-License-Identifier: Apache-2.0
//
// Functions and match. Expected values are calculated by hand.
#include "interpret/test/yaml_run.hpp"

namespace {

using namespace sme;
using test::Texts;
using test::Values;
using test::YamlRun;

/// A process that counts t from 0 and writes y; `top` precedes the buses.
std::string counting(const std::string& type, const std::string& body,
                     const std::string& top = "") {
    return "network: n\n" + top + "buses:\n  y: " + type +
           "\nprocesses:\n  p:\n    out: y\n    state:\n      t: u8 = 0\n" + body;
}

std::string step(const std::string& lines) {
    return "    step:\n      t: t + 1\n" + lines;
}

} // namespace

TEST_CASE("a function is typed by the arguments of each call, and exact integers stay exact") {
    YamlRun run{counting("u16", step("      y: u16(twice(t)) + twice(u16(t)) + twice(100)\n"),
                         "functions:\n  twice(x): x + x\n")};
    // 2t mod 256 + 2t + 200
    CHECK(run.over("y", 3) == Values{0, 200, 204});
    YamlRun wraps{counting("u8", R"(    let:
      wide: twice(u16(200) + u16(t))
    step:
      t: t + 1
      y: twice(t + 200) + u8(wide >> 8)
)",
                           "functions:\n  twice(x): x + x\n")};
    // 400 mod 256 = 144, and 400 >> 8 = 1
    CHECK(wraps.over("y", 3) == Values{0, 145, 147});
}

TEST_CASE("functions in bindings, initial values, constants, types and checks") {
    YamlRun run{R"(
network: n
parameters:
  depth: 5
types:
  Place: u(clog2(size(0)))
constants:
  table: u8[size(0)] = [3, 1, 4, 1, 5]
  best: u8 = largest(2, 9)
functions:
  size(x): depth + x
  after(p): if p == depth - 1 then 0 else p + 1
  twice_after(p): after(after(p))
  entry(k): table[k] + scale(1)
  scale(x): x * 2
  largest(a, b): if a < b then b else a
buses:
  y[k < 2]: u8 = scale(k) + 1
processes:
  p[k < 2]:
    out: {o: "y[after(k + 2) % 2]"}
    state:
      t: Place = twice_after(3)
    step:
      t: twice_after(t)
      o: entry(t) + best
checks:
  - at 0: y[0] == scale(0) + 1 and y[1] == 3
  - always: p[0].t < size(0)
run: {cycles: 4}
)"};
    INFO(render(run.diagnostics));
    // t: 0 2 4 1 3; entry: table + 2; largest(2, 9) = 9; p[0] writes y[(0 + 3) % 2], p[1] y[4 % 2
    // ...]
    CHECK(run.over("p[0].t", 4) == Values{0, 2, 4, 1});
    CHECK(run.at("y[1]") == 1 + 2 + 9); // from t = 1
    run.finish();
    run.check_all_passed();
}

TEST_CASE("a function has lets of its own, and its body may be a choice, a match or fields") {
    YamlRun run{counting("u8", step("      y: clipped(t * 3).v\n"), R"(
functions:
  clipped(x):
    let:
      over: x > limit
      limit: width(x)
    return:
      hit: over
      v: pick(over, x)
  pick(c, x):
    if c:
      match x:
        9, 12: 1
        else: 2
    else: x
)")};
    // 0 3 6 9→1 12→1 15→2
    CHECK(run.over("y", 7) == Values{0, 0, 3, 6, 1, 1, 2});
}

TEST_CASE("what a constant argument rules out in a function is not looked at") {
    YamlRun run{counting("u8", step("      y: part(t, 0) + part(t, 9)\n"), R"(
functions:
  part(x, n):
    match n:
      0: x
      9: u8(width(x) / (n - 8))
      else: x[n + 100:n]
)")};
    CHECK(run.over("y", 3) == Values{0, 8, 9});
}

TEST_CASE("memories and arrays are arguments like all others") {
    YamlRun run{counting("u8", R"(
      m: u8[4] = [5, 6, 7, 8]
    step:
      t: t + 1
      m[at(t)]: read(m, t) + 10
      y: read(m, t) + len(m)
)",
                         "functions:\n  read(a, k): a[at(k)]\n  at(k): k[1:0]\n")};
    CHECK(run.over("y", 7) == Values{0, 9, 10, 11, 12, 19, 20});
}

TEST_CASE("a match chooses by values, lists, don't-care bits and else") {
    YamlRun run{counting("u8", R"(    let:
      y_now:
        match t[3:0]:
          0: 10
          1, 0b0010: 20
          0b01??: 30 + t
          0b1??1:
            match t:
              9: 1
              else: 2
          else: 50
    step:
      t: t + 1
      y: y_now
)")};
    CHECK(run.over("y", 17) ==
          Values{0, 10, 20, 20, 50, 34, 35, 36, 37, 50, 1, 50, 2, 50, 2, 50, 2});
}

TEST_CASE("a match covers all values of its type without an else") {
    YamlRun run{counting("i8", R"(    let:
      small: i2(t)
    step:
      t: t + 1
      y:
        match small:
          -2: 1
          -1: 2
          0: 3 when t < 4
          1: 4
)")};
    CHECK(run.over("y", 7) == Values{0, 3, 4, 1, 2, 0, 4});
    YamlRun bools{counting("u8", step(R"(      y:
        match t > 1:
          true: 1
          false: 2
)"))};
    CHECK(bools.over("y", 4) == Values{0, 2, 2, 1});
}

TEST_CASE("a dense match gives the same by a tree, a table or a chain") {
    // 16 values that are not constant (a tree), 16 that are (a table), 5 bits of which 3 differ
    std::string tree = "        match t[3:0]:\n", table = tree;
    for (int k = 0; k < 16; ++k) {
        tree += "          " + std::to_string(k) + ": t * " + std::to_string(k) + "\n";
        table += "          " + std::to_string(k) + ": " + std::to_string(k * 37 % 256) + "\n";
    }
    YamlRun run{counting("u16", "    let:\n      a:\n" + tree + "      b:\n" + table +
                                    step("      y: cat(a, u8(b))\n"))};
    for (int t = 0; t < 40; ++t) {
        CHECK(run.run() == RunEnd::completed);
        CHECK(run.at("y") == (t * (t % 16) % 256) * 256 + (t % 16) * 37 % 256);
    }
}

TEST_CASE("a match in a step overrides lines outside, and an else of {} does nothing") {
    YamlRun run{counting("u8", R"(
      s: u8 = 7
      m: u8[2] = 0
    step:
      t: t + 1
      y: s
      match t:
        1:
          s: 1
          y: 100
        2, 3:
          s: s + 10
          if t == 3:
            s: 0
          m[t[0:0]]: t
        4:
          halt: true
        else: {}
)")};
    CHECK(run.over("y", 4) == Values{0, 7, 100, 1});
    CHECK(run.at("y") == 11);
    CHECK(run.at("p.s") == 0);
    CHECK(run.run() == RunEnd::halted);
}

TEST_CASE("a word that no arm of an inner match ever writes keeps its value") {
    YamlRun run{counting("u8", R"(
      m: u8[2] = 5
    step:
      t: t + 1
      y: m[0]
      if t == 1:
        match t[0]:
          true:
            m[0]: 9 when false
          false: {}
      elif t == 2:
        m[0]: 7
)")};
    CHECK(run.over("y", 5) == Values{0, 5, 5, 5, 7});
}

TEST_CASE("what an arm that is not chosen would do wrong is no fault") {
    YamlRun run{counting("u8", R"(
      m: u8[2] = 0
    step:
      t: t + 1
      y:
        match t[1:0]:
          0: u8(100) / (t + 1)
          1: 7
          2: u8(12) / (t - 6)
          3: m[t - 3] + 1
)")};
    CHECK(run.over("y", 6) == Values{0, 100, 7, 0, 1, 20});
    CHECK(run.run() == RunEnd::faulted);
    CHECK(run.faults() == Texts{"p: divide-by-zero"});
}

TEST_CASE("a let with ranges is an array") {
    YamlRun run{counting("u16", R"(    let:
      row[k < 4]: t + k
      square[i < 2, j < 3]: u8(i * 10 + j) + row[i]
    step:
      t: t + 1
      y: cat(row[t[1:0]], square[1, 2])
)")};
    // row[t % 4] = t + t % 4; square[1, 2] = 12 + t + 1
    CHECK(run.over("y", 4) == Values{0, 13, 2 * 256 + 14, 4 * 256 + 15});
}
