// SPDX-License-Identifier: Apache-2.0
//
// Tests --coverage: the counts match manual analysis, are equal on any number of threads, and
// genhtml shows them.
#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "../command.hpp"

using namespace sme;
using test::Command;
using test::Scratch;
using test::text_of;

namespace {

const char* const network = R"(network: covered
parameters:
  wide: 1
buses:
  y[4]: u8
  z: u8
processes:
  node[k < 4]:
    out:
      me: y[k]
    state:
      n: u8 = 0
    let:
      kind:
        match n[1:0]:
          0: u8(1)
          1, 2: u8(2)
          else: u8(3)
    step:
      n: n + 1
      if n < 3:
        me: kind
      elif n == 5 and k == 2:
        me: 7
      else:
        me: 9 when k != 0
  other:
    out: z
    state:
      t: u8 = 0
      m: u8[4] = 0
    step:
      t: t + 1
      m[i < 4]:
        - t when t[1:0] == i
        - 7 when m[i] > 200
      if wide == 2:
        z: 1
      else:
        match t:
          0: {}
          3, 4:
            print: "at {t}" when t == 4
          else:
            z:
              if t > 6: t
              elif t > 200: 3
              else: 1
run: {cycles: 10}
)";

/// Returns the records after the name of the source.
std::string records(const std::string& info) {
    return info.substr(info.find('\n', info.find("SF:")) + 1);
}

} // namespace

TEST_CASE("lines and branches are counted over all instances, elements and cycles") {
    const Scratch scratch;
    scratch.write("n.yaml", network);
    const Command run{"run " + scratch.path("n.yaml") + " --coverage " + scratch.path("c.info")};
    CHECK(run.exit_code == 0);
    // 4 nodes in 10 cycles, with n and t from 0 to 9
    CHECK(records(text_of(scratch.path("c.info"))) ==
          "BRDA:16,0,0,12\n"                 // 0, 4, 8
          "BRDA:17,0,0,20\n"                 // 1, 2, 5, 6, 9
          "BRDA:18,0,0,8\n"                  // 3, 7
          "BRDA:21,0,0,12\nBRDA:21,0,1,28\n" // n < 3
          "BRDA:23,0,0,1\nBRDA:23,0,1,27\n"  // one node in one cycle
          "BRDA:26,0,0,20\nBRDA:26,0,1,7\n"  // node 0 in 7 cycles does not
          "BRDA:35,0,0,10\nBRDA:35,0,1,30\n" // one element of four
          "BRDA:36,0,0,0\nBRDA:36,0,1,30\n"  // the others
          "BRDA:41,0,0,1\nBRDA:42,0,0,2\n"   // 0; 3, 4
          "BRDA:43,0,0,1\nBRDA:43,0,1,1\n"   // 4; 3
          "BRDA:44,0,0,7\n"                  // all others
          "BRDA:46,0,0,3\nBRDA:46,0,1,4\n"   // 7, 8, 9
          "BRDA:47,0,0,0\nBRDA:47,0,1,4\nBRF:22\nBRH:20\n"
          "DA:14,40\nDA:16,12\nDA:17,20\nDA:18,8\nDA:20,40\nDA:21,40\nDA:22,12\nDA:23,28\n"
          "DA:24,1\nDA:25,27\nDA:26,27\nDA:33,10\nDA:34,10\nDA:35,40\nDA:36,30\n"
          "DA:39,10\nDA:40,10\nDA:41,1\nDA:42,2\nDA:43,2\nDA:44,7\nDA:45,7\nDA:46,7\nDA:47,4\n"
          "DA:48,4\nLF:25\nLH:25\nend_of_record\n");
    CHECK(run.out.find("  coverage     lines 100.0 % (25 of 25), branches 90.9 % (20 of 22), ") !=
          run.out.npos);
}

TEST_CASE("counts are the same on any number of threads, and what runs is the same as without") {
    for (const std::string model : {"life", "ring", "uart", "cpu", "sort"}) {
        CAPTURE(model);
        const Scratch scratch;
        const std::string run = "run models/" + model + "/network.yaml --cycles 90 --trace " +
                                scratch.path("t.vcd") + " ";
        const Command plain{run};
        const std::string trace = text_of(scratch.path("t.vcd"));
        std::string info, json;
        for (const char* options :
             {"--threads 1", "--threads 2 --queue static", "--threads 3 --queue atomic --grain 1",
              "--threads 2 --queue stealing --orchestration monte-carlo"}) {
            CAPTURE(options);
            const Command counted{run + options + " --coverage " + scratch.path("c.info") +
                                  " --coverage " + scratch.path("c.json")};
            CHECK(counted.exit_code == plain.exit_code);
            CHECK(counted.out.starts_with(plain.out));
            CHECK(text_of(scratch.path("t.vcd")) == trace);
            if (info.empty()) {
                info = text_of(scratch.path("c.info"));
                json = text_of(scratch.path("c.json"));
                CHECK(info.find("DA:") != info.npos);
            }
            CHECK(text_of(scratch.path("c.info")) == info);
            CHECK(text_of(scratch.path("c.json")) == json);
        }
    }
}

TEST_CASE("a line of a component counts for all its instances, whatever their parameters") {
    const Scratch scratch;
    scratch.write("part.yaml", R"(component: part
parameters:
  low: 1
out:
  y: u8
state:
  n: u8 = 0
step:
  n: n + 1
  if low > 1:
    y: n
  elif n < 3:
    y: 1
)");
    scratch.write("n.yaml", R"(network: parts
import: [part.yaml]
buses:
  a[2]: u8
  b: u8
processes:
  one[k < 2]:
    use: part
    out:
      y: a[k]
  two:
    use: part
    with: {low: 2}
    out: {y: b}
run: {cycles: 5}
)");
    CHECK(Command{"run " + scratch.path("n.yaml") + " --coverage " + scratch.path("c.info")}
              .exit_code == 0);
    CHECK(records(text_of(scratch.path("c.info"))) ==
          "BRDA:12,0,0,6\nBRDA:12,0,1,4\nBRF:2\nBRH:2\n"
          "DA:9,15\nDA:10,5\nDA:11,5\nDA:12,10\nDA:13,6\nLF:5\nLH:5\nend_of_record\n");
}

TEST_CASE("a fault and an interruption leave the files of coverage, too") {
    const Scratch scratch;
    scratch.write("n.yaml", R"(network: faulty
buses:
  x: u8
processes:
  p:
    in: {now: x}
    out: x
    step:
      x: now + 1
      assert: now < 6
checks:
  - always: x < 100
)");
    const std::string run = " run " + scratch.path("n.yaml") + " --coverage ";
    CHECK(Command{run + scratch.path("c.info") + " --cycles 20"}.exit_code == 1);
    // the cycle of the fault counts: the branch was evaluated
    CHECK(records(text_of(scratch.path("c.info"))) ==
          "BRF:0\nBRH:0\nDA:9,7\nDA:10,7\nLF:2\nLH:2\nend_of_record\n");
    scratch.write("n.yaml", "network: long\nbuses:\n  x: u8\nprocesses:\n  p:\n    in: {now: x}\n"
                            "    out: x\n    step:\n      x: now + 1\n");
    const Command stopped{"timeout -s INT 2 " SME_COMMAND + run + scratch.path("d.json") +
                              " --cycles 4000000000000",
                          Command::any_program};
    CHECK(stopped.out.find("coverage     lines 100.0 % (1 of 1), toggles 100.0 % (16 of 16)") !=
          stopped.out.npos);
    CHECK(text_of(scratch.path("d.json")).find("\"sme coverage 1\"") != std::string::npos);
    CHECK(Command{run + scratch.path("c.txt") + " --cycles 20"}.exit_code == 2);
}

TEST_CASE("genhtml shows the counts on the lines of the network") {
    if (Command{"genhtml --version", Command::any_program}.exit_code != 0) {
        MESSAGE("skipped: there is no genhtml");
        return;
    }
    const Scratch scratch;
    scratch.write("n.yaml", network);
    const Command run{"run " + scratch.path("n.yaml") + " --coverage " + scratch.path("c.info")};
    const Command shown{"genhtml --branch-coverage " + scratch.path("c.info") + " -o " +
                            scratch.path("html"),
                        Command::any_program};
    CHECK(shown.exit_code == 0);
    CHECK(shown.out.find(": 100.0% (25 of 25 lines)") != std::string::npos);
    CHECK(shown.out.find(": 90.9% (20 of 22 branches)") != std::string::npos);
    std::string page;
    for (const auto& entry : std::filesystem::recursive_directory_iterator{scratch.path("html")})
        if (entry.path().filename() == "n.yaml.gcov.html")
            page = text_of(entry.path().string());
    for (const char* line : {"      12 :           0: u8(1)", "      28 :       elif n == 5 and k",
                             "      27 :         me: 9 when k != 0", " :       if wide == 2:"}) {
        CAPTURE(line);
        CHECK(page.find(line) != std::string::npos);
    }
}
