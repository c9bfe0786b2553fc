// SPDX-License-Identifier: Apache-2.0
//
// Tests the thread options, from the user's view.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "../command.hpp"

using namespace sme::test;

namespace {

const std::string ring = SME_SOURCE_DIR "/models/ring/network.yaml";

/// A network that faults, prints and halts in the same cycle with any number of threads.
constexpr const char* faulty = R"(network: faulty
buses:
  x[500]: u32
processes:
  p[k < 500]:
    out:
      y: x[k]
    state:
      n: u32
    step:
      n: n + 1
      y: n
      print: "p {k} at {cycle}" when n == 20 and k % 100 == 3
      assert: n < 25 or k % 100 != 7
)";

} // namespace

TEST_CASE("what comes out does not depend on threads, queue, orchestration or wait") {
    const Scratch folder;
    folder.write("network.yaml", faulty);
    const std::string network = folder.path("network.yaml");
    const Command one{"run " + network + " --cycles 100 --threads 1 --trace " +
                      folder.path("one.vcd")};
    CHECK(one.exit_code == 1);
    CHECK(contains(one.out, "p 3 at 20\np 103 at 20\np 203 at 20\np 303 at 20\np 403 at 20\n"));
    for (const std::string& way :
         {std::string{"--threads auto"}, std::string{"--threads 2"},
          std::string{"--threads 3 --queue atomic --grain 1"},
          std::string{"--threads 8 --queue stealing --wait block"},
          std::string{"--threads 2 --orchestration monte-carlo --adaptive --wait spin"}}) {
        CAPTURE(way);
        const Command many{fmt::format("run {} --cycles 100 {} --trace {}", network, way,
                                       folder.path("many.vcd"))};
        CHECK(many.exit_code == 1);
        CHECK(many.out == one.out);
        CHECK(many.err == one.err);
        CHECK(text_of(folder.path("many.vcd")) == text_of(folder.path("one.vcd")));
    }
}

TEST_CASE("nonsense about threads ends with 2 before the first cycle and says what to write") {
    const auto error_of = [](const std::string& options) {
        const Command run{"run " + ring + " " + options};
        CHECK(run.exit_code == 2);
        CHECK(run.out == "");
        return run.err;
    };
    CHECK(contains(error_of("--threads 0"),
                   "--threads is 'auto' or a whole number from 1 to 1024, but this is '0'"));
    CHECK(contains(error_of("--threads 1025"), "but this is '1025'"));
    CHECK(contains(error_of("--threads -3"), "but this is '-3'"));
    CHECK(contains(error_of("--threads many"), "but this is 'many'"));
    CHECK(contains(error_of("--queue atomc"), "--queue is one of static, atomic, stealing, but "
                                              "this is 'atomc', did you mean 'atomic'?"));
    CHECK(contains(error_of("--orchestration blocs"), "did you mean 'blocks'?"));
    CHECK(contains(error_of("--wait sleep"), "--wait is one of auto, spin, block"));
    CHECK(contains(error_of("--queue atomic --grain 0"), "--grain is a whole number"));
    CHECK(contains(error_of("--grain 4"), "--grain is for --queue atomic"));
    const Command predict{"predict " + ring + " --threads 1,x"};
    CHECK(predict.exit_code == 2);
    CHECK(contains(predict.err, "as in 1,2,4, but this is '1,x'"));
}

TEST_CASE("more threads than there is work for: fewer are used, and --stats says so") {
    const Command run{"run " + ring + " --set nodes=20 --cycles 200 --threads 64 --stats"};
    CHECK(run.exit_code == 0);
    CHECK(contains(run.err, "because there is no more to share (--threads 64)"));
    CHECK(contains(run.err, "thread 0"));
    CHECK(contains(run.err, "in use"));
}

TEST_CASE("a schedule is written, repeated, and refused by another network") {
    const Scratch folder;
    const std::string file = folder.path("ring.json");
    const std::string run =
        "run " + ring + " --set nodes=3000 --cycles 500 --stats --schedule " + file;
    const Command first{run + " --threads 2"};
    CHECK(first.exit_code == 0);
    const std::string written = text_of(file);
    CHECK(contains(written, "\"network\":\"ring\""));
    CHECK(contains(written, "\"threads\":2"));
    const Command again{run};
    CHECK(again.exit_code == 0);
    CHECK(again.out == first.out);
    CHECK(contains(again.err, "threads: 2 run"));
    CHECK(contains(again.err, "dealt 0 times"));
    CHECK(text_of(file) == written);

    const Command other{"run " + ring + " --set nodes=2000 --cycles 500 --schedule " + file};
    CHECK(other.exit_code == 2);
    CHECK(contains(other.err, "it is for another network ('ring'), or for other parameters"));
    const auto problem_of = [&](const std::string& text) {
        folder.write("ring.json", text);
        const Command broken{run};
        CHECK(broken.exit_code == 2);
        CHECK(broken.out == "");
        return broken.err;
    };
    CHECK(contains(problem_of("{}"), "it is no schedule of this version"));
    CHECK(contains(problem_of("nothing"), "it is broken"));
    CHECK(contains(problem_of(written.substr(0, written.size() / 2)), "it is broken"));
    std::string lost = written;
    const std::size_t lists = lost.find("\"lists\":[[[") + 11;
    lost.replace(lists, lost.find(']', lists) - lists, "0,0,1");
    CHECK(contains(problem_of(lost), "lose"));
}

TEST_CASE("the time line is JSON in Chrome's format, with rows for both threads") {
    const Scratch folder;
    const std::string file = folder.path("timeline.json");
    const Command run{"run " + ring + " --set nodes=20000 --cycles 300 --threads 2 --profile " +
                      file};
    CHECK(run.exit_code == 0);
    folder.write("read.py", R"(import json, sys
trace = json.load(open(sys.argv[1]))
events = [e for e in trace["traceEvents"] if e["ph"] == "X"]
assert {e["tid"] for e in events} == {0, 1}
assert any(e["name"] == "wait" for e in events)
assert any(e["name"].startswith("node[0] .. node[") for e in events)
assert all(e["dur"] >= 0 and e["ts"] >= 0 and e["args"]["cycle"] < 300 for e in events)
for tid in (0, 1):
    row = sorted((e["ts"], e["ts"] + e["dur"]) for e in events if e["tid"] == tid)
    assert all(a[1] <= b[0] + 0.002 for a, b in zip(row, row[1:])), "events of one thread overlap"
print(len(events), "events")
)");
    const Command read{SME_PYTHON " " + folder.path("read.py") + " " + file, Command::any_program};
    CHECK(read.exit_code == 0);
    CHECK(contains(read.out, " events"));
    const Command full{"run " + ring + " --cycles 10 --profile /dev/full"};
    CHECK(full.exit_code == 4);
}

TEST_CASE("predict says what it assumes, and what it measured where it can") {
    const Command run{"predict " + ring + " --set nodes=20000 --threads 1,4"};
    CHECK(run.exit_code == 0);
    CHECK(contains(run.out, "ring: a cycle in ns"));
    CHECK(contains(run.out, "optimize"));
    CHECK(contains(run.out, "assumed: "));
}
