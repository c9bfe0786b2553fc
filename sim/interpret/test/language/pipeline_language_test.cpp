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
