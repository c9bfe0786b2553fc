// SPDX-License-Identifier: Apache-2.0
//
// reset and random. Expected values are calculated by hand, those of random by its definition.
#include <set>

#include "expr/program/apply.hpp"
#include "interpret/test/yaml_run.hpp"

namespace {

using namespace sme;
using test::Values;
using test::YamlRun;

} // namespace

TEST_CASE("while a reset holds, states take their initial values and outputs do not") {
    YamlRun run{R"(
network: n
buses:
  y: u8
processes:
  p:
    out: y
    state:
      t: u8 = 3
      s: u8
    reset: t == 5
    step:
      t: t + 1
      s: s + 1
      y: t
)"};
    CHECK(run.over("p.t", 7) == Values{3, 4, 5, 3, 4, 5, 3});
    CHECK(run.at("p.s") == 1);
    CHECK(run.at("y") == 3);
}

TEST_CASE("a reset gives each instance its own initial values, and memories all their words") {
    // 40 instances run as a block, 2 one by one
    for (const char* count : {"2", "40"}) {
        YamlRun run{R"(
network: n
parameters:
  n: )" + std::string{count} +
                    R"(
buses:
  clear: bool
  y[k < n]: u8
processes:
  driver:
    out: clear
    state:
      t: u8 = 0
    step:
      t: t + 1
      clear: t == 2
  p[k < n]:
    in: clear
    out: {o: "y[k]"}
    state:
      a: u8 = 10 + k
      m: u8[3] = 20 + k
      z: u16[2]
      f: u8[2] = [1, 2]
    reset: clear
    step:
      a: a + 1
      m[a % 3]: 99
      z[0]: z[0] + 1
      f[1]: f[1] * 2
      o: m[0] + m[1] + m[2]
checks:
  - at 3: p[1].z[0] == 3 and p[1].f[1] == 16
  - at 4: p[1].z[0] == 0 and p[1].f[1] == 2 and p[1].m[2] == 21
  - at 5: p[1].z[0] == 1 and p[1].f[1] == 4 and p[1].f[0] == 1
)"};
        INFO(render(run.diagnostics));
        // m: 21 each, then one word per cycle becomes 99; in cycle 3 all take their initial words
        CHECK(run.over("y[1]", 7) == Values{0, 63, 141, 219, 297 % 256, 63, 141});
        CHECK(run.at("p[1].a") == 14);
        run.finish();
        run.check_all_passed();
    }
}

TEST_CASE("a reset gives the members that 'where' leaves their own initial values") {
    YamlRun run{R"(
network: n
buses:
  y[k < 3, j < 2]: u8
processes:
  p[k < 3, j < 2]:
    where: (k + j) % 2 == 1
    out: {o: "y[k, j]"}
    state:
      s: u8 = 10 * k + j
    reset: o == 10
    step:
      s: s + 1
      o: s
  rest[k < 3, j < 2]:
    where: (k + j) % 2 == 0
    out: {o: "y[k, j]"}
    step:
      o: 0
checks:
  - at 2: p[1, 0].s == 10 and p[0, 1].s == 3 and p[2, 1].s == 23
)"};
    // p[1, 0] shows 10 in cycle 1, and starts again
    CHECK(run.over("p[1, 0].s", 4) == Values{10, 11, 10, 11});
    CHECK(run.over("p[2, 1].s", 1) == Values{25});
    run.finish();
    CHECK(run.verdicts()[0].kind == CheckResult::Kind::passed);
}

TEST_CASE("what a reset overrides is not selected, so it is no fault") {
    YamlRun run{R"(
network: n
buses:
  y: u8
processes:
  p:
    out: y
    state:
      t: u8 = 4
      m: u8[2] = 0
    reset: t == 0
    step:
      t: t - (8 / (t + t))
      m[t - 1]: 1 when t < 3
      y: t
)"};
    // 4 → 3 → 2 → 0, where the division and the index would be faults
    CHECK(run.over("p.t", 5) == Values{4, 3, 2, 0, 4});
}

TEST_CASE("random numbers depend on seed, process, instance, cycle and call as the header says") {
    for (const unsigned count : {2u, 40u}) {
        YamlRun run{"network: n\nparameters:\n  n: " + std::to_string(count) + R"(
types:
  Phase: [idle, run = 4, stop]
  P: {a: u7, b: i64, c: bool, d: Phase}
buses:
  y[k < n]: P
  z[k < n]: bool
functions:
  dice(sides): random(u8) % sides
processes:
  p[k < n]:
    out: {o: "y[k]", same: "z[k]"}
    let:
      once: random(u32)
    step:
      o: random(P)
      same: once == once and dice(6) < 6
)"};
        INFO(render(run.diagnostics));
        const std::uint64_t family = expr::random_family(0, "p");
        const auto bits = [&](std::uint64_t instance, std::uint64_t site, std::uint64_t cycle) {
            return expr::random_bits(expr::random_stream(family, instance, site), cycle);
        };
        std::set<std::int64_t> members, values;
        for (std::uint64_t cycle = 0; cycle < 20; ++cycle) {
            REQUIRE(run.run() == RunEnd::completed);
            // lets come first in the order of calls
            for (const std::uint64_t k : {std::uint64_t{0}, std::uint64_t{1}}) {
                const std::string y = "y[" + std::to_string(k) + "]";
                CHECK(run.at("z[" + std::to_string(k) + "]") == 1);
                values.insert(run.at(y + ".b"));
                members.insert(run.at(y + ".d"));
            }
            std::set<std::uint64_t> expected;
            for (std::uint64_t site = 0; site < 8; ++site)
                expected.insert(bits(1, site, cycle));
            CHECK(expected.count(static_cast<std::uint64_t>(run.at("y[1].b"))) == 1);
        }
        CHECK(values.size() == 40);
        CHECK(members == std::set<std::int64_t>{0, 4, 5});
    }
}

TEST_CASE("random bits are balanced") {
    // in 10,000 numbers each bit is set in half of them, within four standard deviations (200)
    for (unsigned bit = 0; bit < 64; ++bit) {
        int ones = 0;
        for (std::uint64_t cycle = 0; cycle < 10'000; ++cycle)
            ones += static_cast<int>(
                expr::random_bits(expr::random_stream(expr::random_family(1, "p"), 7, 3), cycle) >>
                    bit &
                1);
        CAPTURE(bit);
        CHECK(ones > 4'800);
        CHECK(ones < 5'200);
    }
}
