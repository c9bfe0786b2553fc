// SPDX-License-Identifier: Apache-2.0
//
// Inputs, constants from files, checks, recorded outputs and halting.
#include "interpret/test/yaml_run.hpp"

#include <fmt/format.h>

#include "base/test/scratch.hpp"

namespace {

using namespace sme;
using interpret::Verdict;
using test::Scratch;
using test::text_of;
using test::Values;
using test::YamlRun;

const char* const counter = R"(
network: n
buses:
  y: u8
  w: wire u8
processes:
  p:
    out: [y, w]
    state:
      t: u8 = 0
      m: u8[2]
    step:
      t: t + 1
      y: t + 1
      w: t + 100
      m[0]: m[0] + 2
)";

/// The verdicts of checks on the counter after a run: p, f or - (not reached), with the cycle.
std::string judged(const std::string& checks, std::uint64_t cycles, RunEnd ending) {
    YamlRun run{counter + ("checks:\n" + checks)};
    run.run(cycles);
    run.finish();
    CHECK(run.engine().ending() == ending);
    std::string found;
    for (const Verdict& verdict : run.verdicts())
        found += fmt::format("{}{}{} ", found.empty() ? "" : "",
                             verdict.kind == CheckResult::Kind::passed   ? "p"
                             : verdict.kind == CheckResult::Kind::failed ? "f"
                                                                         : "-",
                             verdict.cycle);
    return found;
}

} // namespace

TEST_CASE("row r of an input is what readers see in cycle r; after the last row as at_end says") {
    const Scratch folder;
    folder.write("x.csv", "x\n3\n-5\n7\n");
    for (const char* bus : {"i16", "wire i16"})
        for (const char* at_end : {"halt", "zero", "hold", "repeat"}) {
            CAPTURE(bus);
            CAPTURE(at_end);
            YamlRun run{fmt::format(R"(
network: n
buses:
  x: {}
  y: i16
processes:
  p:
    in: x
    out: y
    step:
      y: x * 2
inputs:
  x: {{file: x.csv, at_end: {}}}
)",
                                    bus, at_end),
                        folder.path()};
            Values seen;
            for (int k = 0; k < 7 && run.run() == RunEnd::completed; ++k)
                seen.push_back(run.at("y"));
            if (run.engine().ending() == RunEnd::halted)
                seen.push_back(run.at("y"));
            const std::string end = at_end;
            CHECK(seen == (end == "halt"   ? Values{6, -10, 14}
                           : end == "zero" ? Values{6, -10, 14, 0, 0, 0, 0}
                           : end == "hold" ? Values{6, -10, 14, 14, 14, 14, 14}
                                           : Values{6, -10, 14, 6, -10, 14, 6}));
            CHECK(run.design().ends_by_itself == (end == "halt"));
        }
}

TEST_CASE("an input may feed a struct and a whole family, one row a cycle") {
    const Scratch folder;
    folder.write("s.csv", "a,b\n1,0\n2,1\n");
    folder.write("f.csv", "1,2,3\n4,5,6\n");
    YamlRun run{R"(
network: n
types:
  S: {a: u8, b: bool}
buses:
  s: S
  f[3]: u8
  y: u8
processes:
  p:
    in: [s, f]
    out: y
    step:
      y: (if s.b then 100 else 0) + s.a * 10 + sum(k < 3, f[k])
inputs:
  s: {file: s.csv, at_end: hold}
  f: {file: f.csv, at_end: hold}
)",
                folder.path()};
    CHECK(run.over("y", 4) == Values{0, 16, 135, 135});
}

TEST_CASE("constants come from hex words, a CSV column and bytes, and are read by index") {
    const Scratch folder;
    folder.write("a.hex", "0X10 ff // more\n7f\n");
    folder.write("b.csv", "value\n-4\n5\n");
    folder.write("c.txt", "AZ\n");
    YamlRun run{R"(
network: n
parameters:
  text: file = c.txt
constants:
  a: u8[] = file(a.hex)
  b: i8[3] = file(b.csv)
  c: u8[] = file(text)
  lone: i16 = -7
buses:
  y: i16
  z: u8
processes:
  p:
    out: [y, z]
    state:
      t: u2 = 0
    let:
      k: if t == 3 then 0 else t
    step:
      t: t + 1
      y: i16(a[k]) * 100 + i16(b[k]) + lone + len(a) + len(b)
      z: c[k]
)",
                folder.path()};
    CHECK(run.over("y", 4) == Values{0, 1600 - 4 - 7 + 6, 25500 + 5 - 7 + 6, 12700 - 7 + 6});
    YamlRun again{R"(
network: n
constants:
  c: u8[] = file(c.txt)
  d: u8[2, 2] = [[1, 2], [3, 4]]
buses:
  z: u8
processes:
  p:
    out: z
    state:
      k: u2 = 0
    step:
      k: k + 1
      z: c[k % 3] + d[u1(k), 1] + 10 * d[1, u1(k >> 1)]
)",
                  folder.path()};
    CHECK(again.over("z", 4) == Values{0, 65 + 2 + 30, 90 + 4 + 30, 10 + 2 + 40});
}

TEST_CASE("checks: always, never, at, after, eventually, cover, and what was not reached") {
    // y in cycle c is c
    CHECK(judged("  - always: y < 10\n  - never: y == 10\n", 5, RunEnd::completed) == "p5 p5 ");
    CHECK(judged("  - always: y < 3\n  - cover: y == 9\n", 5, RunEnd::check_failed) == "f3 -0 ");
    CHECK(judged("  - never: y == 2\n", 5, RunEnd::check_failed) == "f2 ");
    CHECK(judged("  - at 2: y == 2\n  - at 5: y == 5\n  - at 6: y == 0\n", 5, RunEnd::completed) ==
          "p2 p5 -0 ");
    CHECK(judged("  - at 2: y == 3\n", 5, RunEnd::check_failed) == "f2 ");
    CHECK(judged("  - after 2: y >= 2\n  - after 6: y > 2\n", 5, RunEnd::completed) == "p5 -0 ");
    CHECK(judged("  - after 2: y > 2\n", 9, RunEnd::check_failed) == "f2 "); // 2 is included
    CHECK(judged("  - after 5: y == 5\n  - after 1: y < 6\n", 5, RunEnd::completed) == "p5 p5 ");
    CHECK(judged("  - after 2: y < 4\n", 9, RunEnd::check_failed) == "f4 ");
    CHECK(judged("  - eventually by 4: y == 3\n  - eventually by 9: y == 7\n", 5,
                 RunEnd::completed) == "p3 -0 ");
    CHECK(judged("  - eventually by 3: y == 4\n", 5, RunEnd::check_failed) == "f3 ");
    CHECK(judged("  - cover: y == 2 or y == 4\n", 5, RunEnd::completed) == "p2 ");
    CHECK(judged("  - always: y == u8(cycle)\n", 5, RunEnd::completed) == "p5 ");
}

TEST_CASE("cycle N sees buses but no wires") {
    CHECK(judged("  - always: w == y + 100\n  - at 5: w == 0\n  - at 5: y == 5\n", 5,
                 RunEnd::completed) == "p4 -0 p5 ");
    CHECK(judged("  - at 5: y == 4\n", 5, RunEnd::check_failed) == "f5 ");
}

TEST_CASE("checks see states and memories as they are at the start of the cycle") {
    CHECK(judged("  - always: p.t == y\n  - always: p.m[0] == 2 * p.t\n  - at 3: p.m[0] == 6\n"
                 "  - always: p.m[1] == 0\n",
                 5, RunEnd::completed) == "p5 p5 p3 p5 ");
    YamlRun run{R"(
network: n
buses:
  y[k < 6]: u8
processes:
  p[k < 6]:
    out:
      o: y[5 - k]
    state:
      s: u8 = k
      m: u8[3] = [k, 2 * k, 0]
    step:
      s: s + 1
      o: s
      m[2]: s
      m[0]: m[0] + 1
checks:
  - always: all(k < 6, p[k].s == u8(cycle) + k and p[k].m[0] == p[k].s and p[k].m[1] == 2 * k)
  - after 1: all(k < 6, y[5 - k] + 1 == p[k].s and p[k].m[2] == y[5 - k])
run: {cycles: 7}
)"};
    INFO(render(run.diagnostics));
    REQUIRE(run.loaded());
    CHECK(run.run(7) == RunEnd::completed);
}

TEST_CASE("a check on a family of processes that steps on several levels sees each instance") {
    YamlRun run{R"(
network: n
buses:
  c[9]: wire u8
processes:
  head:
    out:
      o: c[8]
    state:
      t: u8 = 1
    step:
      t: t + 1
      o: t
  p[k < 8]:
    in:
      from: c[k + 1]
    out:
      to: c[k]
    state:
      m: u8[2] = [k, 0]
      s: u8 = 0
    step:
      to: from + m[0]
      m[1]: from
      s: from
checks:
  - always: all(k < 8, p[k].m[0] == k)
  - after 1: p[7].m[1] == p[7].s and p[7].s == u8(cycle)
  - after 1: p[0].m[1] == u8(cycle) + 28 and p[0].s == p[0].m[1]
run: {cycles: 5}
)"};
    INFO(render(run.diagnostics));
    REQUIRE(run.loaded());
    CHECK(run.run(5) == RunEnd::completed);
    CHECK(run.at("p[6].s") == 12); // t = 5, plus 7
}

TEST_CASE("a check sees the memories of instances that step in several runs of their order") {
    YamlRun run{R"(
network: n
buses:
  c[16]: wire u8
processes:
  head[k < 8]:
    out:
      o: c[8 + k]
    step:
      o: 3 * k
  p[k < 8]:                         # first the even ones, then the odd ones
    in:
      from: c[k + 8 - 9 * (k % 2)]
    out:
      to: c[k]
    state:
      m: u8[2] = [k, 0]
    step:
      to: from + 1
      m[1]: from
checks:
  - always: all(k < 8, p[k].m[0] == k)
  - after 1: all(k < 8, p[k].m[1] == 3 * k - 2 * (k % 2))
run: {cycles: 3}
)"};
    INFO(render(run.diagnostics));
    REQUIRE(run.loaded());
    CHECK(run.run(3) == RunEnd::completed);
    run.finish();
    run.check_all_passed();
}

TEST_CASE("outputs record a row for each cycle in which their condition holds") {
    const Scratch folder;
    folder.write("good.csv", "value\n2\n4\n6\n");
    folder.write("bad.csv", "value\n2\n5\n");
    const auto outputs = [](const std::string& expect) {
        return counter + ("outputs:\n  got.csv:\n    record: y\n    when: y % 2 == 0 and y != 0\n"
                          "    expect: " +
                          expect + "\n");
    };
    YamlRun good{outputs("good.csv"), folder.path()};
    CHECK(good.run(6) == RunEnd::completed);
    good.finish();
    good.observed.recordings[0]->finish(false);
    CHECK(good.observed.recordings[0]->difference().empty()); // cycle 6 gave the third row
    CHECK(text_of(folder.path("got.csv")) == "value\n2\n4\n6\n");
    YamlRun few{outputs("good.csv"), folder.path()};
    few.run(5);
    few.finish();
    few.observed.recordings[0]->finish(false);
    CHECK(few.observed.recordings[0]->difference() == "2 rows came, but 3 are expected");
    YamlRun bad{outputs("bad.csv"), folder.path()};
    CHECK(bad.run(9) == RunEnd::check_failed);
    CHECK(bad.observed.recordings[0]->difference() ==
          "row 1 (cycle 4): 'value' is 4, but 5 is expected");
}

TEST_CASE("a halt ends the run after its cycle, from any instance") {
    YamlRun run{R"(
network: n
buses:
  y[k < 400]: u16
processes:
  p[k < 400]:
    out:
      o: y[k]
    state:
      t: u16 = 0
    step:
      t: t + 1
      o: t
      halt: k == 399 when t == 2
)"};
    CHECK(run.run(100) == RunEnd::halted);
    CHECK(run.engine().cycle() == 3);
    CHECK(run.at("y[0]") == 2);
    CHECK(run.design().may_halt);
    CHECK(run.run(1) == RunEnd::halted);
    CHECK(run.engine().cycle() == 3);
}

TEST_CASE("parameters are exact integers that options replace") {
    const std::string text = R"(
network: n
parameters:
  a: 3
  b: a * 1_000_000_000_000_000_000_000 / 1_000_000_000_000_000_000_000 + 0x10
requires:
  - a < 100
constants:
  big: u32 = b * b
buses:
  y: u32
processes:
  p:
    out: y
    step:
      y: big + a
)";
    YamlRun plain{text};
    plain.run();
    CHECK(plain.at("y") == 19 * 19 + 3);
    yaml::LoadOptions options;
    options.parameters["a"] = "50";
    YamlRun set{text, "", options};
    set.run();
    CHECK(set.at("y") == 66 * 66 + 50);
    options.parameters["a"] = "100";
    CHECK(!YamlRun{text, "", options}.loaded());
}
