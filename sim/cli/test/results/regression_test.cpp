// SPDX-License-Identifier: Apache-2.0
//
// What 'sme test' says of all tests together: covers, coverage, and what to repeat.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "../command.hpp"
#include "base/test/scratch.hpp"

using namespace sme::test;

namespace {

/// Counts; each test covers some of the values.
std::string covering(const std::string& tests) {
    return "network: covering\nbuses:\n  x: u8\nprocesses:\n  p:\n    out: x\n    step:\n"
           "      x: x + 1\nchecks:\n  - cover: x in [0, 4..9, 10..]\n"
           "  - cover: x[0] in [false, true] cross x in [0..5, 20..]\ntests:\n" +
           tests;
}

} // namespace

TEST_CASE("covers count over all tests of a network, and bins that none has covered are named") {
    const Scratch folder;
    const std::string path = folder.path("network.yaml");
    folder.write("network.yaml", covering("  few: {run: {cycles: 2}}\n"
                                          "  more: {run: {cycles: 30}}\n"));
    const Command both{"test " + path};
    CAPTURE(both.out);
    CHECK(both.exit_code == 0);
    CHECK(both.out.find("covered") == std::string::npos);
    folder.write("network.yaml", covering("  few: {run: {cycles: 2}}\n"
                                          "  more: {run: {cycles: 12}}\n"));
    const Command less{"test " + path + " --junit " + folder.path("report.xml")};
    CHECK(less.exit_code == 1);
    CHECK(contains(less.out, "2 tests: 2 passed, 0 failed\n"));
    CHECK(contains(less.out, "  not covered  " + path +
                                 ":11:52: no test has covered 'cover: x[0] in false, x in 20..'"));
    CHECK(!contains(less.out, "10.."));
    CHECK(contains(text_of(folder.path("report.xml")), "no test has covered"));
    const Command one{"test " + path + " --only few"}; // a part of the tests need not cover all
    CHECK(one.exit_code == 0);
    CHECK(contains(one.out, "no test has covered 'cover: x in 4..9'"));
}

TEST_CASE("--repeat-failed runs what failed the last time, until it passes") {
    const Scratch folder;
    const auto write = [&](int most) {
        folder.write("network.yaml", fmt::format("network: n\nbuses:\n  x: u8\nprocesses:\n"
                                                 "  p:\n    out: x\n    step:\n      x: x + 1\n"
                                                 "checks:\n  - always: x < {}\ntests:\n"
                                                 "  short: {{run: {{cycles: 5}}}}\n"
                                                 "  long: {{run: {{cycles: 50}}}}\n",
                                                 most));
    };
    const std::string environment = "XDG_CACHE_HOME=" + folder.path("cache") + " ";
    const auto run = [&](const std::string& more) {
        return run_in(folder, environment + SME_COMMAND + " test network.yaml " + more);
    };
    write(20);
    CHECK(contains(run("").out, "2 tests: 1 passed, 1 failed\n"));
    CHECK(contains(run("--repeat-failed").out, "1 test: 0 passed, 1 failed\n"));
    CHECK(contains(run("--only short").out, "1 test: 1 passed, 0 failed\n")); // says nothing of it
    write(100);
    CHECK(contains(run("--repeat-failed").out, "1 test: 1 passed, 0 failed\n"));
    const Command all = run("--repeat-failed");
    CHECK(contains(all.out, "2 tests: 2 passed, 0 failed\n"));
    CHECK(contains(all.err, "no failed test is known here"));
}

TEST_CASE("the coverage of all tests is one file, and a failed test draws its last cycles") {
    const Scratch folder;
    const std::string network = "network: n\nparameters: {way: 0}\nbuses:\n  x: u8\nprocesses:\n"
                                "  p:\n    out: x\n    step:\n      if way == 0: {x: x + 1}\n"
                                "      else: {x: x + 2}\nchecks:\n  - always: x < 20\ntests:\n"
                                "  one: {run: {cycles: 5}}\n  two[k < 2]:\n"
                                "    set: {way: k}\n    run: {cycles: 6 + 20 * k}\n";
    folder.write("network.yaml", network);
    const std::string info = folder.path("all.info");
    const Command run{"test " + folder.path("network.yaml") + " --coverage " + info + " --show x"};
    CHECK(run.exit_code == 1);
    CHECK(contains(run.out, "3 tests: 2 passed, 1 failed\n"));
    CHECK(contains(run.out, "  coverage     lines 100.0 % (2 of 2)"));
    CHECK(contains(text_of(info), "\nDA:9,22\nDA:10,22\n"));
    CHECK(contains(run.out, "18")); // the last cycles of the failed test
    const Command refused{"test " + folder.path("network.yaml") + " --coverage all.json"};
    CHECK(refused.exit_code == 2);
    CHECK(contains(refused.err, "ends in .info"));
}

TEST_CASE("one page has the failures with their last cycles, the covers and all verdicts") {
    const Scratch folder;
    folder.write("network.yaml", R"(network: n
parameters: {most: 50}
buses: {x: u8}
processes:
  p:
    out: x
    step:
      x: x + 1
checks:
  - always: x < most
  - cover: x in [1, 2..30, 200..]
tests:
  good: {run: {cycles: 40}}
  bad: {set: {most: 5}, run: {cycles: 40}}
)");
    const std::string page = folder.path("tests.html");
    const Command run{fmt::format("test {} --report {} --coverage {}", folder.path("network.yaml"),
                                  page, folder.path("all.info"))};
    CHECK(run.exit_code == 1);
    const std::string text = text_of(page);
    CHECK(text.starts_with("<!doctype html>\n<html lang=\"en\">"));
    for (const char* const part :
         {"1 passed, 1 failed</h1>", "failed in cycle 5", "again: sme run ", "▲",
          "<td class=\"none\"><code>cover: x in 200..</code></td>",
          "<code>cover: x in 2..30</code></td>", ">34</td><td class=\"n\">2</td>",
          "<td class=\"passed\">passed</td>", "<td class=\"failed\">FAILED</td>", "1 of 1"}) {
        CAPTURE(part);
        CHECK(contains(text, part));
    }
    CHECK(Command{"test " + folder.path("network.yaml") + " --report " + page}.exit_code == 1);
    folder.write("mine.html", "<p>mine");
    CHECK(Command{"test " + folder.path("network.yaml") + " --report " + folder.path("mine.html")}
              .exit_code == 2);
    CHECK(text_of(folder.path("mine.html")) == "<p>mine");
}
