// SPDX-License-Identifier: Apache-2.0
//
// Wide values in a run, and enumerations and wide values in data files. Expected values are
// calculated by hand or with bc.
#include "base/test/scratch.hpp"
#include "interpret/test/yaml_run.hpp"

namespace {

using namespace sme;
using test::Scratch;
using test::text_of;
using test::Values;
using test::YamlRun;

const std::string through = R"(
types:
  Phase: [idle, run, stop]
  Row: {phase: Phase, number: u100}
processes:
  p:
    in: x
    out: y
    step:
      y: x
)";

} // namespace

TEST_CASE("a wide state counts across words, a wide memory and wide wires keep what they hold") {
    YamlRun run{R"(
network: n
buses:
  y: u130
  z: wire u130
  low: u64
  same: bool
processes:
  p:
    out: [y, z]
    state:
      s: u130 = 0xffffffffffffffff
      t: u2 = 0
      mem: u130[4]
    step:
      t: t + 1
      s: s + 1 when t == 0
      mem[t]: s
      y: s << (t + u2(1))
      z: rotr(s, 64)
  q:
    in: [y, z]
    out: [low, same]
    step:
      low: u64(y >> 64)
      same: z == 0x3ffffffffffffffff or z == 1
checks:
  - at 1: y == 0x1fffffffffffffffe
  - at 2: y == 0x40000000000000000
  - at 4: p.mem[0] == 0xffffffffffffffff and p.mem[3] == 0x10000000000000000
  - at 2: low == 1
  - at 3: low == 4
)"};
    run.run(8);
    run.check_all_passed();
}

TEST_CASE("what is cast, joined and cut comes back, up to 4096 bits") {
    YamlRun run{R"(
network: n
types:
  Part:
    a: bool
    b: i7
    c: u70[3]
    d: u1
buses:
  y: Part
  again: bool
  big: bool
processes:
  p:
    out: [y, again, big]
    state:
      t: u64 = 0x123456789abcdef
    let:
      part: Part(a = true, b = -3, c = array(k < 3, cat(u6(k), t)), d = 1)
      bits: u219(part)
      all: cat(k < 64, t + u64(k))
    step:
      t: t * 6364136223846793005 + 1
      y: part
      again: Part(bits) == part and bits[218] and bits[217:211] == u7(i7(-3)) and bits[70:1] == part.c[0] and width(bits) == 219
      big: width(all) == 4096 and all[127:64] == t + 1 and u64(all >> 4032) == t + 63 and (all ^ all) == 0
checks:
  - after 1: again and big
)"};
    run.run(8);
    CHECK(run.verdicts()[0].kind == CheckResult::Kind::passed);
}

TEST_CASE("members and wide numbers come from files, are recorded and expected") {
    const Scratch folder;
    const std::string digits = "0x0123456789abcdef012345678";
    folder.write("x.csv", "phase,number\nrun," + digits + "\nidle,18446744073709551616\n2,7\n");
    folder.write("good.csv",
                 "phase,number\nidle,0\nrun," + digits + "\nidle,0x10000000000000000\nstop,7\n");
    for (const bool good : {true, false}) {
        folder.write("expected.csv", good ? text_of(folder.path("good.csv"))
                                          : "idle,0\nrun," + digits + "\nrun,1\n");
        YamlRun run{"network: n\nbuses:\n  x: Row\n  y: Row\n" + through.substr(1) +
                        "inputs:\n  x: x.csv\noutputs:\n  y.csv:\n    record: y\n"
                        "    expect: expected.csv\n",
                    folder.path()};
        run.run(10);
        run.finish();
        run.observed.recordings[0]->finish(false);
        CHECK(run.observed.recordings[0]->difference() ==
              (good ? "" : "row 2 (cycle 2): 'phase' is idle, but run is expected"));
        if (good)
            CHECK(text_of(folder.path("y.csv")) ==
                  "phase,number\nidle,0x0000000000000000000000000\nrun," + digits +
                      "\nidle,0x0000000010000000000000000\nstop,0x0000000000000000000000007\n");
    }
}

TEST_CASE("hex words of any width fill constants, a file may begin with a member") {
    const Scratch folder;
    folder.write("words.hex", "0123456789abcdef0123456789abcdef0123456789abcdef // a\nff\n");
    folder.write("phases.csv", "stop\nrun\n");
    YamlRun run{R"(
network: n
types:
  Phase: [idle, run, stop]
constants:
  words: u200[] = file(words.hex)
  phases: Phase[3] = file(phases.csv)
buses:
  y: bool
processes:
  p:
    out: y
    state:
      t: u1 = 0
    step:
      t: t + 1
      y: words[t] == (if t == 0 then u200(0x0123456789abcdef0123456789abcdef0123456789abcdef) else 255) and phases[0] == stop and phases[1] == run and phases[2] == idle
checks:
  - after 1: y
)",
                folder.path()};
    run.run(4);
    CHECK(run.verdicts()[0].kind == CheckResult::Kind::passed);
}
