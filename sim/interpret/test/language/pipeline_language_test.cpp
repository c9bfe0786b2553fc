// SPDX-License-Identifier: Apache-2.0
//
// Pipelines that are divided, and the values that they carry. Random ones are followed in
// lib/yaml/test.
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "interpret/test/yaml_run.hpp"

using sme::test::Values;
using sme::test::YamlRun;

namespace {

/// A pipeline of two stages with more of them, and its input and output.
YamlRun divided(int more) {
    return YamlRun{fmt::format(R"(
network: n
types:
  Valid(T): {{valid: bool, data: T}}
  Pair: {{a: u8, b: i16}}
buses: {{x: Valid(Pair), y: Valid(u32), scale: u8, late: u8}}
processes:
  source:
    out: [x, scale]
    state: {{t: u8}}
    step:
      t: t + 1
      scale: 3
      x: {{valid: t % 3 != 2, data: {{a: t * 7, b: i16(i8(t)) * 11}}}}
  p:
    in: [x, scale]
    out: [y, late]
    state: {{sum: u32}}
    let: {{twice: scale + scale}}
    balance: {}
    pipeline:
      - {{product: u32(x.data.a) * u32(u16(x.data.b)), kept: x.data,
          many: 'sum(i < 4, u32(x.data.a[i]) + u32(scale)) * 5'}}
      - {{y: (product / (u32(kept.a) + 1) + many * u32(scale)) ^ (u32(kept.a) << 3),
          sum: sum + product * u32(twice), late: kept.a}}
)",
                               more)};
}

} // namespace

TEST_CASE("a pipeline with more stages says the same later") {
    YamlRun plain = divided(0);
    const Values valid = plain.over("y.valid", 60);
    YamlRun again = divided(0);
    const Values data = again.over("y.data", 60);
    YamlRun sums = divided(0);
    const Values sum = sums.over("p.sum", 60);
    REQUIRE(valid[4] == 1);
    REQUIRE(data[4] != data[5]);
    for (const int more : {1, 2, 3, 5}) {
        CAPTURE(more);
        const auto later = [&](const Values& values) {
            Values result(static_cast<std::size_t>(more));
            result.insert(result.end(), values.begin(), values.end() - more);
            return result;
        };
        YamlRun first = divided(more);
        CHECK(first.over("y.valid", 60) == later(valid));
        YamlRun second = divided(more);
        const Values found = second.over("y.data", 60);
        const Values wanted = later(data);
        for (std::size_t k = 0; k < 60; ++k)
            if (later(valid)[k] != 0)
                CHECK(found[k] == wanted[k]);
    }
}

TEST_CASE("a divided pipeline gives the same items to a stream that stalls it") {
    YamlRun run{R"(
network: n
types:
  Stream(T): {valid: bool, data: T, back ready: bool}
buses: {x[3]: Stream(u16), y[3]: Stream(u16), done[3]: bool, all[3]: u16}
processes:
  source[k < 3]:
    out: {x: "x[k]"}
    state: {t: u16, n: u8}
    step: {n: n + 1, x.valid: n % 5 != 3, x.data: t, t: t + 1 when x.valid and x.ready}
  plain: {in: {x: "x[0]"}, out: {y: "y[0]"}, pipeline: [{y: (x.data * 3 + 1) * x.data ^ x.data}]}
  whole:
    in: {x: "x[1]"}
    out: {y: "y[1]"}
    balance: 3
    pipeline: [{y: (x.data * 3 + 1) * x.data ^ x.data}]
  bubble:
    in: {x: "x[2]"}
    out: {y: "y[2]"}
    stall: bubble
    balance: 4
    pipeline: [{p: x.data * 3}, {y: (p + 1) * x.data ^ x.data}]
  sink[k < 3]:
    in: {y: "y[k]"}
    out: {done: "done[k]", all: "all[k]"}
    state: {n: u8, count: u8, sum: u16}
    step:
      n: n + 1
      y.ready: n % 4 != 1
      if y.valid and y.ready and count < 40:
        count: count + 1
        sum: sum * 3 + y.data
      done: count == 40
      all: sum
checks:
  - at 90: done[0] and done[1] and done[2]
  - at 91: all[0] == all[1] and all[0] == all[2] and all[0] != 0
)"};
    run.run(92);
    run.check_all_passed();
}

namespace {

/// A pipeline over a stream of 0, 1, 2, …, with gaps and stalls: the sum of its results, and the
/// faults.
std::string outcome(const std::string& pipeline, int more) {
    YamlRun run{fmt::format(R"(
network: n
types:
  Stream(T): {{valid: bool, data: T, back ready: bool}}
constants: {{tab: 'u8[4] = [3, 1, 4, 1]'}}
functions: {{f(a): a * 3}}
buses: {{x: Stream(u8), y: Stream(u8), offset: u8, total: u32, count: u8}}
processes:
  source:
    out: [x, offset]
    state: {{t: u8, v: u8}}
    step:
      t: t + 1
      offset: 9
      x.valid: t % 5 != 0
      x.data: v
      v: v + 1 when x.valid and x.ready
  sink:
    in: y
    out: [total, count]
    state: {{t: u8, sum: u32, n: u8}}
    step:
      t: t + 1
      y.ready: t % 4 != 2
      if y.valid and y.ready and n < 40:
        sum: sum * 5 + u32(y.data)
        n: n + 1
      total: sum
      count: n
  p:
    in: [x, offset]
    out: y
    stall: bubble
    balance: {}
{}
)",
                            more, pipeline)};
    run.run(120);
    CHECK(run.at("count") == 40);
    return fmt::format("{} {}", run.at("total"), run.faults().size());
}

} // namespace

TEST_CASE("a pipeline is divided only where its meaning stays the same") {
    constexpr const char* pipelines[] = {
        // faults that are not selected
        R"y(    pipeline:
      - {y: 'if x.data % 4 != 0 then 100 / (x.data % 4) + x.data * 3 else 7'})y",
        R"y(    pipeline:
      - {a: x.data % 4, d: a != 0 and 100 / a > 60, y: 'if d then 1 else 0'})y",
        R"y(    pipeline:
      - {a: [tab[x.data] when x.data < 4, 2],
         y: 'if a == 3 then tab[x.data % 3] else a + f(x.data)'})y",
        // indices of loops
        R"y(    pipeline:
      - {y: 'sum(i < 4, u8(i) * x.data)'})y",
        R"y(    pipeline:
      - {y: 'fold(i < 4, acc = x.data, acc * 3 + u8(i) + offset)'})y",
        R"y(    pipeline:
      - {a: 'array(k < 3, x.data * u8(k))', y: 'a[x.data % 3] * 3'})y",
        R"y(    state: {m: 'u8[4]'}
    pipeline:
      - {'m[k < 4]': 'm[k] + u8(k) * x.data', y: 'm[x.data % 4] + x.data * 7'})y",
        // states, and values that need them
        R"y(    state: {most: u8}
    pipeline:
      - {most: 'max(most, x.data)', b: most * 3, y: b + x.data * 3})y",
        R"y(    state: {cnt: u8}
    let: {twice: cnt * 2 + 1}
    pipeline:
      - {c: twice * 5 + x.data, cnt: cnt + 1, y: c * 3 + x.data})y",
        R"y(    let: {near: offset + 1}
    pipeline:
      - {c: near * 5 + x.data * offset, y: c * 3 + x.data})y",
        // the last stage waits for its item
        R"y(    pipeline:
      - {a: x.data + 1}
      - {q: 100 / a, y: q})y",
        R"y(    pipeline:
      - {y: {match x.data % 4: {0: x.data * 5, 1: x.data + offset, else: 9}}})y",
    };
    for (const char* const pipeline : pipelines) {
        CAPTURE(pipeline);
        const std::string wanted = outcome(pipeline, 0);
        CHECK(wanted.ends_with(" 0"));
        for (const int more : {1, 2, 3, 5}) {
            CAPTURE(more);
            CHECK(outcome(pipeline, more) == wanted);
        }
    }
}

TEST_CASE("an input with a field 'valid' is no item, and is read in the first part of a stage") {
    const auto run_with = [](int more) {
        return YamlRun{fmt::format(R"(
network: n
types:
  Valid(T): {{valid: bool, data: T}}
  Flag: {{valid: bool, level: u8}}
buses: {{x: Valid(u8), y: Valid(u8), flag: Flag}}
processes:
  source: {{out: [x, flag], state: {{t: u8}}, step: {{t: t + 1, x: {{valid: true, data: t}},
                                                flag: {{valid: true, level: t}}}}}}
  p: {{in: [x, flag], out: y, balance: {}, pipeline: [{{y: (x.data * x.data) ^ flag.level}}]}}
)",
                                   more)};
    };
    YamlRun plain = run_with(0), divided_run = run_with(1);
    const Values one = plain.over("y.data", 20), two = divided_run.over("y.data", 20);
    for (std::size_t k = 4; k < 20; ++k)
        CHECK(two[k] == one[k - 1]);
}

TEST_CASE("a component is a pipeline, with parameters and stages as they say") {
    YamlRun run{R"(
network: n
import: [squares]
files:
  squares:
    component: squares
    parameters: {more: 1, factor: 2}
    in: {x: u8}
    out: {y: u8}
    balance: more
    pipeline: [{p: x * x}, {y: p * factor + x}]
buses: {a: u8, y[2]: u8}
processes:
  source: {out: a, step: {a: a + 1}}
  some[k < 2]: {use: squares, with: {more: k * 2, factor: k + 1}, in: {x: a}, out: {y: "y[k]"}}
checks:
  - at 12: y[0] == 10 * 10 + 11 and y[1] == 8 * 8 * 2 + 10
run: {cycles: 14}
)"};
    run.run(14);
    run.check_all_passed();
}

TEST_CASE("a long sum is divided soon") {
    std::string sum = "a";
    for (int k = 0; k < 400; ++k)
        sum += " + a";
    const std::string text =
        "network: n\nbuses: {a: u8, b: u8}\nprocesses:\n  s: {out: a, step: {a: 1}}\n  p:\n"
        "    in: a\n    out: b\n    balance: 3\n    pipeline: [{b: '" +
        sum + "'}]\nchecks: [at 9: b == 145]\n";
    YamlRun run{text};
    run.run(10);
    run.check_all_passed();
}
