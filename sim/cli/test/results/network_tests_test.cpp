// SPDX-License-Identifier: Apache-2.0
//
// The tests of networks: 'sme test', and --test of other commands.
#include <algorithm>
#include <csignal>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "../command.hpp"
#include "../running.hpp"
#include "base/test/scratch.hpp"

using namespace sme::test;

namespace {

/// Adds what its input says. `tests`: the entries of its section tests.
std::string adder(const std::string& tests) {
    return R"(network: adder
parameters:
  length: 3
buses:
  setpoint: i16
  total: i32
processes:
  sum:
    in: [setpoint, total]
    out: {next: total}
    step:
      next: total + i32(setpoint)
inputs:
  setpoint:
    0: 1
    10: length
    20: -5
outputs:
  answers.csv: {record: total}
checks:
  - after 1: total > 0
run: {cycles: 19}
tests:
)" + tests;
}

const std::string burst = R"(  short:
    run: {cycles: 15}
    checks:
      - at 10: total == 10
  burst[n < 3]:
    set: {length: 2 ** n}
    seeds: 1..2
    checks:
      - at 15: total == i32(10 + 5 * 2 ** n)
  fed:
    inputs:
      setpoint: {3: 2}
    checks:
      - at 5: total == 4
)";

} // namespace

TEST_CASE("tests set parameters, inputs, checks and cycles, and families have members") {
    const Scratch folder;
    const std::string path = folder.path("adder.yaml");
    folder.write("adder.yaml", adder(burst));
    const Command list{"test --list " + path};
    CHECK(list.exit_code == 0);
    CHECK(list.out == fmt::format("{0} short\n{0} burst[0] seed 1\n{0} burst[0] seed 2\n"
                                  "{0} burst[1] seed 1\n{0} burst[1] seed 2\n{0} burst[2] seed 1\n"
                                  "{0} burst[2] seed 2\n{0} fed\n",
                                  path));
    const Command run{"test --only short,burst " + path};
    CHECK(run.exit_code == 0);
    CHECK(contains(run.out, fmt::format("  passed       {} short\n", path)));
    CHECK(contains(run.out, fmt::format("  passed       {} burst[2] seed 2\n", path)));
    CHECK(contains(run.out, "7 tests: 7 passed, 0 failed\n"));
    CHECK(!std::filesystem::exists(folder.path("answers.csv")));
    const Command one{"run " + path + " --test 'burst[1]'"};
    CHECK(one.exit_code == 0);
    CHECK(contains(one.out, "adder: 19 cycles"));
    CHECK(contains(one.out, "passed       at 15: total == i32(10 + 5 * 2 ** n)"));
    CHECK(std::filesystem::exists(folder.path("answers.csv")));
}

TEST_CASE("a test that fails is shown with its messages and with the command that repeats it") {
    const Scratch folder;
    const std::string path = folder.path("adder.yaml");
    folder.write("adder.yaml", adder(burst));
    const Command run{fmt::format("test {} --junit {}", path, folder.path("out.xml"))};
    CHECK(run.exit_code == 1); // 'fed' begins with zeros, which the network's check excludes
    CHECK(contains(run.out, fmt::format("  FAILED       {} fed\n", path)));
    CHECK(contains(run.out, "the check 'after 1: total > 0' failed in cycle 1: 'total' is 0"));
    CHECK(contains(run.out, fmt::format("      again: sme run {} --test fed\n", path)));
    CHECK(contains(run.out, "8 tests: 7 passed, 1 failed\n"));
    CHECK(!contains(run.out, "answers.csv"));
    const std::string junit = text_of(folder.path("out.xml"));
    CHECK(contains(junit, "tests=\"8\" failures=\"1\" errors=\"0\" skipped=\"0\""));
    CHECK(contains(junit, "name=\"burst[1] seed 2\""));
    CHECK(Command{"run " + path + " --test fed"}.exit_code == 1);
    const std::string odd = "odd\x01.yaml"; // has a character that XML lacks
    folder.write(odd, adder("  short: {}\n"));
    const Command strange{
        fmt::format("test '{}' --junit {}", folder.path(odd), folder.path("odd.xml"))};
    CHECK(strange.exit_code == 0);
    CHECK(contains(text_of(folder.path("odd.xml")), "odd?.yaml\" name=\"short\""));
}

TEST_CASE("a check that is not reached fails its test") {
    const Scratch folder;
    folder.write("adder.yaml", adder("  late:\n    checks:\n      - at 500: total == 1\n"));
    const Command run{"test " + folder.path("adder.yaml")};
    CHECK(run.exit_code == 1);
    CHECK(contains(run.out, "      not reached: at 500: total == 1\n"));
    // the command that repeats it fails, too
    const std::string again = "again: sme ";
    const std::size_t begin = run.out.find(again) + again.size();
    const Command repeated{run.out.substr(begin, run.out.find('\n', begin) - begin)};
    CHECK(repeated.exit_code == 1);
    CHECK(contains(repeated.err, "the check 'at 500: total == 1' was not reached"));
}

TEST_CASE("a network that cannot be loaded is an error in the reports of tests, always") {
    const Scratch folder;
    folder.write("broken.yaml", "network: broken\nbuses: {x: u99999}\n");
    folder.write("out.xml", "<testsuites/>");
    const std::string reports =
        fmt::format(" --junit {} --report {}", folder.path("out.xml"), folder.path("out.html"));
    CHECK(Command{"test " + folder.path() + reports}.exit_code == 2);
    CHECK(contains(text_of(folder.path("out.xml")), "tests=\"1\" failures=\"0\" errors=\"1\""));
    CHECK(contains(text_of(folder.path("out.xml")), "broken.yaml:2:"));
    CHECK(contains(text_of(folder.path("out.html")), "0 passed, 0 failed, 1 not loaded"));
    folder.write("adder.yaml", adder("  short: {}\n"));
    CHECK(Command{"test " + folder.path() + reports}.exit_code == 2);
    CHECK(contains(text_of(folder.path("out.xml")), "tests=\"2\" failures=\"0\" errors=\"1\""));
    CHECK(contains(text_of(folder.path("out.xml")), "name=\"short\""));
}

TEST_CASE("several seeds of a network without anything random are said once") {
    const Scratch folder;
    folder.write("adder.yaml", adder(burst));
    const Command run{"test " + folder.path("adder.yaml")};
    CHECK(contains(run.err, "the test 'burst[0]' has several seeds, but nothing"));
    CHECK(run.err.find("burst[1]") == std::string::npos);
    folder.write("dice.yaml",
                 "network: dice\nbuses:\n  x: u8\nprocesses:\n  p:\n    out: x\n"
                 "    step:\n      x: random(u8)\nchecks:\n  - cover: x > 3\nrun: {cycles: 9}\n"
                 "tests:\n"
                 "  all: {seeds: 1..3}\n");
    CHECK(Command{"test " + folder.path("dice.yaml")}.err.empty());
}

TEST_CASE("networks are found in folders; one that does not load is an error, the others run") {
    const Scratch folder;
    const std::string counter = ":\n    out: x\n    step:\n      x: x + 1\n";
    std::filesystem::create_directory(folder.path("inside"));
    std::filesystem::create_directory(folder.path(".hidden"));
    folder.write("adder.yaml", adder("  short: {}\n"));
    folder.write("inside/plain.yaml", "network: plain\nbuses: {x: u8}\nprocesses:\n  p" + counter +
                                          "checks:\n  - at 3: x == 3\nrun: {cycles: 5}\n");
    folder.write("inside/broken.yaml", "network: broken\nbuses: {x: u99999}\n");
    folder.write("inside/endless.yaml",
                 "network: endless\nbuses: {x: u8}\nprocesses:\n  p" + counter);
    folder.write("inside/notes.yaml", "a: b\n");
    folder.write(".hidden/adder.yaml", "network: hidden\n");
    const Command run{"test " + folder.path()};
    CAPTURE(run.err);
    CHECK(run.exit_code == 2);
    CHECK(contains(run.err, "broken.yaml:2:"));
    CHECK(!contains(run.err, "hidden"));
    CHECK(contains(run.err, "endless.yaml' is left out: it does not say how long it runs"));
    CHECK(contains(run.out, "adder.yaml short\n"));
    CHECK(contains(run.out, "inside/plain.yaml\n"));
    CHECK(contains(run.out, "2 tests: 2 passed, 0 failed\n"));
    const Command none{"test --only nothing " + folder.path("adder.yaml")};
    CHECK(none.exit_code == 2);
    CHECK(contains(none.err, "no test matches 'nothing'; --list shows their names"));
    CHECK(contains(Command{"test " + folder.path("inside/endless.yaml")}.err,
                   "does not say how long it runs; write 'run: {cycles: 1000}', or tests"));
    CHECK(Command{"test " + folder.path("nowhere.yaml")}.exit_code == 2);
}

TEST_CASE("the first failure ends a run with --fail-fast; --seed chooses one run of each test") {
    const Scratch folder;
    folder.write("adder.yaml", adder("  bad[n < 9]:\n    set: {length: n}\n    seeds: 3..4\n"
                                     "    checks:\n      - at 1: total == 7\n"));
    const std::string line = "test --jobs 1 --fail-fast " + folder.path("adder.yaml");
    const Command first{line};
    CHECK(first.exit_code == 1);
    CHECK(contains(first.out, "1 test: 0 passed, 1 failed, 17 not run\n"));
    const Command seed{line + " --seed 5"};
    CHECK(contains(seed.out, "bad[0] seed 5\n"));
    CHECK(contains(seed.out, "--test 'bad[0]' --seed 5\n"));
    CHECK(contains(seed.out, "1 test: 0 passed, 1 failed, 8 not run\n"));
}

TEST_CASE("bad tests are errors where they stand") {
    const auto error_of = [](const std::string& tests, const std::string& options = "") {
        const Scratch folder;
        folder.write("adder.yaml", adder(tests));
        const Command run{"run " + folder.path("adder.yaml") + options};
        CHECK(run.exit_code == 2);
        return run.err;
    };
    CHECK(contains(error_of("  a: {}\n  a[2]: {}\n"), ":3: error: there is a test 'a' already"));
    CHECK(contains(error_of("  a: {sed: {length: 2}}\n"), "did you mean 'set'?"));
    CHECK(contains(error_of("  a: {seeds: 5..2}\n"),
                   "seeds are a number from 0, or a range of at most 1000000"));
    CHECK(contains(error_of("  a: {set: {depth: 2}}\n", " --test a"),
                   "error: the network has no parameter 'depth'"));
    CHECK(contains(error_of("  a: {seeds: [1, 2]}\n"), "as in 1..20"));
    CHECK(contains(error_of("  a: {}\n", " --test b"), "the network has no test 'b'"));
    CHECK(contains(error_of("  a[3]: {}\n", " --test a"), "test 'a' has 1 index, but 'a' has 0"));
    CHECK(contains(error_of("  a[3]: {}\n", " --test 'a[3]'"), "its index is out of range"));
    CHECK(contains(error_of("  a[3]: {}\n", " --test 'a[x]'"), "is not the name of a test"));
    CHECK(contains(error_of("  a[length < 3]: {}\n"), "length"));
    CHECK(contains(error_of("  a:\n    inputs:\n      nowhere: {0: 1}\n", " --test a"),
                   "there is no bus 'nowhere' to feed"));
}

TEST_CASE("a file of tests adds processes to a network, which may write what it feeds") {
    const Scratch folder;
    std::filesystem::create_directory(folder.path("tests"));
    folder.write("adder.yaml",
                 replaced(adder("  own: {}\n"), "after 1: total > 0",
                          "always: total > -99\n  - at 1: total == 99\n  - cover: total == 98"));
    folder.write("tests/corners.yaml", R"(test: corners
of: ../adder.yaml
parameters:
  by: 2
buses:
  seen: i32
processes:
  driver:
    out: setpoint
    state: {time: i16}
    step:
      time: time + 1
      setpoint: if time < 3 then i16(by) else -1
  monitor:
    in: total
    out: seen
    step:
      seen: total
outputs:
  answers.csv: {record: seen, expect: expected.csv}
checks:
  - at 5: seen == i32(3 * by)
run: {cycles: 7}
tests:
  twos: {run: {cycles: 6}}
  more[n < 2]:
    set: {by: n + 5}
    outputs:
      answers.csv: {record: total}
)");
    folder.write("tests/expected.csv", "value\n0\n0\n0\n2\n4\n6\n5\n");
    const Command run{"test " + folder.path("tests")};
    CAPTURE(run.out);
    CAPTURE(run.err);
    CHECK(run.exit_code == 0);
    CHECK(contains(run.out, "tests/corners.yaml twos\n"));
    CHECK(contains(run.out, "3 tests: 3 passed, 0 failed\n"));
    const Command one{"run " + folder.path("tests/corners.yaml") + " --test twos"};
    CHECK(contains(one.out, "corners: 6 cycles of 3 processes"));
    CHECK(std::filesystem::exists(folder.path("tests/answers.csv")));
    CHECK(Command{"check " + folder.path("tests/corners.yaml")}.exit_code == 0);
    folder.write("tests/few.yaml", "test: few\nof: ../adder.yaml\nconstants: {x: u8 = 1}\n"
                                   "checks:\n  - at 1: u8(total) < x\nrun: {cycles: 3}\n");
    CHECK(Command{"check " + folder.path("tests/few.yaml")}.exit_code == 0);
    const auto error_of = [&](const std::string& text) {
        folder.write("tests/bad.yaml", text);
        const Command bad{"check " + folder.path("tests/bad.yaml")};
        CHECK(bad.exit_code == 2);
        return bad.err;
    };
    CHECK(contains(error_of("test: bad\n"), "tests name their network: 'of: design.yaml'"));
    CHECK(contains(error_of("test: bad\nof: nowhere.yaml\n"), "bad.yaml:2:5: error: cannot read"));
    CHECK(contains(error_of("test: bad\nof: bad.yaml\n"), "does not say 'network: name'"));
    CHECK(contains(error_of("test: bad\nof: ../adder.yaml\nclock: 3 ns\n"),
                   "a file of tests has no key 'clock'"));
    CHECK(contains(error_of("test: bad\nof: ../adder.yaml\nprocesses:\n  p:\n    out: total\n"
                            "    step:\n      total: 1\n"),
                   "two-writers"));
    CHECK(contains(error_of("test: bad\nof: ../adder.yaml\nbuses:\n  total: u8\n"),
                   "duplicate-name"));
}

TEST_CASE("an input has the values that are given for cycles, in all engines") {
    const Scratch folder;
    folder.write("changes.yaml", R"(network: changes
buses:
  x: u8
  now: wire u8
  pair[k < 2]: u8
  y: u8
  z: u8
processes:
  p:
    in: {x: x, now: now, a: "pair[0]", b: "pair[1]"}
    out: [y, z]
    step:
      y: x + now
      z: a + 2 * b
inputs:
  x: {0: 3, 100: 7, 4000: 9}
  now: {5: 1}
  pair:
    0: k + 1
    2000: 5
checks:
  - at 1: y == 3 and z == 5
  - at 5: y == 3
  - at 6: y == 4
  - at 100: y == 4
  - at 101: y == 8
  - at 2000: z == 5
  - at 2001: z == 15
  - at 4000: y == 8
  - at 4001: y == 10
run: {cycles: 5000}
)");
    for (const char* engine : {"interpreted", "native"})
        for (const char* threads : {"1", "2"}) {
            const Command run{fmt::format("run {} --strict --engine {} --threads {}",
                                          folder.path("changes.yaml"), engine, threads)};
            CAPTURE(run.err);
            CHECK(run.exit_code == 0);
        }
    const Command printed{"check --print " + folder.path("changes.yaml")};
    CHECK(contains(printed.out, "4000: 9"));
    folder.write("printed.yaml", printed.out);
    CHECK(Command{"run " + folder.path("printed.yaml") + " --strict"}.exit_code == 0);
    const auto with = [&](const std::string& input) {
        folder.write("bad.yaml", replaced(text_of(folder.path("changes.yaml")),
                                          "{0: 3, 100: 7, 4000: 9}", input));
        return Command{"run " + folder.path("bad.yaml")}.err;
    };
    CHECK(contains(with("{0: 3, 7: 4, 7: 5}"), "error:"));
    CHECK(contains(with("{0: 3, 9: 4, 7: 5}"), "this is 7, but must be at least 10"));
    CHECK(contains(with("{0: 300}"), "300"));
    CHECK(contains(with("{-1: 3}"), "this is -1, but must be at least 0"));
}

const char* const endless = "  long[n < 4]:\n    set: {length: n}\n"
                            "    run: {cycles: 1000000000000}\n";

TEST_CASE("an interrupted run of tests ends at once") {
    const Scratch folder;
    folder.write("adder.yaml", adder(endless));
    Running run{"test --jobs 2 adder.yaml", folder.path()};
    const std::string self = std::to_string(run.process());
    CHECK(run.runs_until([&] { // the second thread has begun
        const std::filesystem::path tasks = fmt::format("/proc/{}/task", self);
        return std::distance(std::filesystem::directory_iterator{tasks},
                             std::filesystem::directory_iterator{}) > 1;
    }));
    run.signal(SIGINT);
    CHECK(run.wait() == 130);
}

TEST_CASE("an interrupted run of isolated tests ends its programs") {
    const Scratch folder;
    folder.write("adder.yaml", adder(endless));
    Running run{"test --isolate adder.yaml", folder.path()};
    const std::string self = std::to_string(run.process());
    const auto children = [&] { return text_of(fmt::format("/proc/{0}/task/{0}/children", self)); };
    CHECK(run.runs_until([&] { return !children().empty(); }));
    const int child = std::stoi(children());
    run.signal(SIGINT);
    CHECK(run.wait() == 130);
    CHECK(!is_alive(child));
}

TEST_CASE("a test runs beside others as it does in a program of its own") {
    const Scratch scratch;
    scratch.write("random.yaml", R"(network: random
buses:
  x: u8
processes:
  p:
    out: x
    state: {n: u8}
    step:
      n: n + 1 + u8(random(u2))
      x: n
      print: "n is {n}" when n == 7
outputs:
  rows.csv: {record: x}
checks:
  - always: x < 50
tests:
  a:
    seeds: 1..12
    run: {cycles: 22}
)");
    const Command together = sme_in(scratch, "test --jobs 3 random.yaml");
    const Command alone = sme_in(scratch, "test --jobs 3 --isolate random.yaml");
    CHECK(together.exit_code == 1);
    CHECK(alone.exit_code == 1);
    // programs print to two streams, of which the order is not kept
    const auto sorted = [](const std::string& text) {
        std::vector<std::string> lines;
        std::istringstream all{text};
        for (std::string line; std::getline(all, line);)
            lines.push_back(line);
        std::sort(lines.begin(), lines.end());
        return lines;
    };
    CHECK(sorted(together.out) == sorted(alone.out));
    CHECK(together.err == alone.err);
    CHECK(together.out.find("\n      n is 7\n") != std::string::npos);
    CHECK(together.out.find(" passed, 0 failed") == std::string::npos);
    CHECK_FALSE(std::filesystem::exists(scratch.path("rows.csv")));
}
