// SPDX-License-Identifier: Apache-2.0
//
// Slices, bits and ranges as targets. Expected values are calculated by hand.
#include "interpret/test/yaml_run.hpp"

namespace {

using namespace sme;
using test::Texts;
using test::Values;
using test::YamlRun;

/// A process that counts t from 0 and writes y.
std::string counting(const std::string& type, const std::string& body) {
    return "network: n\nbuses:\n  y: " + type +
           "\nprocesses:\n  p:\n    out: y\n    state:\n      t: u8 = 0\n" + body;
}

std::string step(const std::string& lines) {
    return "    step:\n      t: t + 1\n" + lines;
}

} // namespace

TEST_CASE("slices and bits of an output that are not written follow its rule") {
    const std::string lines = step("      y[7:4]: t[3:0] when t != 2\n      y[0]: t > 1\n");
    YamlRun zero{counting("u8", lines)};
    CHECK(zero.over("y", 5) == Values{0, 0x00, 0x10, 0x01, 0x31});
    YamlRun hold{counting("hold u8 = 0x0e", lines)};
    CHECK(hold.over("y", 5) == Values{0x0e, 0x0e, 0x1e, 0x1f, 0x3f});
}

TEST_CASE("a state keeps the bits that are not written, signed ones too") {
    YamlRun run{counting("i8", R"(
      s: i8 = -1
    step:
      t: t + 1
      s[3:0]: t[3:0]
      s[t[2:0]]: false when t > 4
      y: s
)")};
    // the second line would overlap the first for t[2:0] < 4
    CHECK(run.over("p.s", 6) == Values{-1, -16, -15, -14, -13, -12});
    CHECK(run.at("p.s") == -12 - 32 + 1); // t was 5: bit 5 cleared, the low bits are 5
    YamlRun meets{counting("u8", step("      y[3:0]: 1\n      y[t[2:0]]: true when t > 2\n"))};
    CHECK(meets.run(3) == RunEnd::completed);
    CHECK(meets.run() == RunEnd::faulted);
    CHECK(meets.faults() == Texts{"p: write-conflict"});
}

TEST_CASE("an inner block overrides single bits of a line outside") {
    YamlRun run{counting("u8", step(R"(      y: 0xf0
      if t == 1:
        y[7]: false
        y[1:0]: 3
      if t == 2:
        y[3:2]: 3
)"))};
    // the two blocks write different bits
    CHECK(run.over("y", 4) == Values{0, 0xf0, 0x73, 0xfc});
}

TEST_CASE("slices of a word of a memory keep its other bits") {
    YamlRun run{counting("u16", R"(
      m: u16[2] = [0x1234, 0x5678]
    step:
      t: t + 1
      m[t[0:0]][7:0]: t when t < 4
      m[t[0:0]][15]: true when t == 3
      y: m[t[0:0]]
)")};
    CHECK(run.over("y", 6) == Values{0, 0x1234, 0x5678, 0x1200, 0x5601, 0x1202});
    CHECK(run.at("y") == 0xd603);
}

TEST_CASE("lines with one index write one word, also where the index may be outside") {
    const auto network = [](const std::string& next_index, const std::string& checks) {
        return R"(
network: n
types:
  P: {a: u8, b: u8}
buses:
  y: u16
processes:
  p:
    out: y
    state:
      t: u8 = 0
      m: P[3]
      n: u16[3]
    step:
      t: )" + next_index +
               R"(
      m[t].a: t + 10
      m[t].b: t + 20
      n[t][7:0]: t
      n[t][15]: true
      if t == 1:
        m[t].a: 99
      y: n[t]
)" + checks;
    };
    YamlRun run{network("t + 1", "")};
    CHECK(run.run(3) == RunEnd::completed);
    CHECK(run.run() == RunEnd::faulted); // t is 3
    CHECK(run.faults()[0] == "p: index-fault");
    YamlRun values{network("if t == 2 then 0 else t + 1", R"(
checks:
  - at 3: p.m[0].a == 10 and p.m[0].b == 20 and p.m[1].a == 99 and p.m[1].b == 21
  - at 3: p.n[2] == 0x8002 and p.n[0] == 0x8000
)")};
    values.run(4);
    values.finish();
    values.check_all_passed();
}

TEST_CASE("slices of fields and elements") {
    YamlRun run{R"(
network: n
types:
  P:
    a: u8
    b: u4[2]
buses:
  y: P
processes:
  p:
    out: y
    state:
      t: u8 = 0
      s: P
    step:
      t: t + 1
      s.a[3:0]: t[3:0]
      s.a[7]: true
      s.b[t[0:0]][1:0]: t[1:0]
      s.b[0][3]: t == 2
      y: s
)"};
    CHECK(run.run(4) == RunEnd::completed); // t = 3 is done, y shows s after t = 2
    CHECK(run.at("y.a") == 0x82);
    CHECK(run.at("y.b[0]") == 8 + 2);
    CHECK(run.at("y.b[1]") == 1);
    CHECK(run.at("p.s.b[1]") == 3);
}

TEST_CASE("a target with ranges writes each element, with the indices in its value") {
    YamlRun run{R"(
network: n
buses:
  y[k < 3]: u8
  z: u8
processes:
  p:
    out: {o: y, z: z}
    state:
      t: u8 = 0
      m: u8[2, 3] = 1
    step:
      t: t + 1
      o[k < 3]: t * 10 + k when t != k
      m[i < 2, 1 <= j < 3]: u8(10 * i + j) + m[i, 0]
      z[k < 8]: t[7 - k]
checks:
  - at 2: p.m[0, 0] == 1 and p.m[0, 1] == 2 and p.m[1, 2] == 13 and p.m[1, 0] == 1
)"};
    INFO(render(run.diagnostics));
    CHECK(run.over("y[1]", 4) == Values{0, 1, 0, 21});
    CHECK(run.at("y[2]") == 32);
    CHECK(run.at("z") == 0xc0); // 3 backwards
    run.finish();
    CHECK(run.verdicts()[0].kind == CheckResult::Kind::passed);
}

TEST_CASE("a row of an array of states is a target") {
    YamlRun run{R"(
network: n
buses:
  y: u8
processes:
  p:
    out: y
    state:
      t: u8 = 0
      m: u8[2, 2] = 0
    step:
      t: t + 1
      m[t[0:0]]: array(k < 2, t + k)
      y: m[0, 1] + m[1, 0]
)"};
    CHECK(run.over("y", 5) == Values{0, 0, 1, 2, 4});
}

TEST_CASE("two chosen elements are a fault where both are written, and only there") {
    const auto text = [](const char* when) {
        return counting("u8[4]", step("      y[t[1:0]]: 1\n      y[t[2:1]]: 2 when " +
                                      std::string{when} + "\n"));
    };
    YamlRun run{text("t == 1 or t == 3")}; // 1 and 0; 3 and 1
    CHECK(run.over("y[1]", 4) == Values{0, 0, 1, 0});
    CHECK(run.at("y[1]") == 2);
    YamlRun meets{text("t >= 2")}; // 2 and 1; 3 and 1; 0 and 2; 1 and 2; 2 and 3; 3 and 3
    CHECK(meets.run(7) == RunEnd::completed);
    CHECK(meets.run() == RunEnd::faulted);
    CHECK(meets.faults() == Texts{"p: write-conflict"});
}
