// SPDX-License-Identifier: Apache-2.0
//
// Checks and recorded rows whose own evaluation faults.
#include "interpret/test/yaml_run.hpp"

#include <fmt/format.h>

#include "base/test/scratch.hpp"

namespace {

using namespace sme;
using interpret::Verdict;
using test::Scratch;
using test::YamlRun;

const char* const divided = R"(
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

} // namespace

TEST_CASE("a check whose evaluation faults is faulted: it has neither passed nor failed") {
    // y is the number of the cycle, so 4 - y is 0 in cycle 4 only; the others divide by no zero
    const auto states = [](const std::string& checks, std::uint64_t cycles) {
        YamlRun run{divided + ("checks:\n" + checks)};
        CHECK(run.run(cycles) == RunEnd::faulted);
        std::string found;
        for (const Verdict& verdict : run.verdicts())
            found += "npfo!"[static_cast<std::size_t>(verdict.kind)];
        return found;
    };
    CHECK(states("  - always: 10 / (4 - y) < 20\n"
                 "  - never: 10 / (4 - y) > 20\n"
                 "  - after 2: 10 / (4 - y) < 20\n"
                 "  - at 4: 10 / (4 - y) == 0\n"
                 "  - always: 10 / (4 - y) > 1\n" // the made-up quotient would fail it
                 "  - eventually by 9: 10 / (4 - y) == 77\n"
                 "  - cover: 10 / (4 - y) == 77\n"
                 "  - always: 10 / (4 - y) == 77 then y > 0 in 1\n"
                 "  - after 4: p.m[y / 3] < 200\n" // as p.m[1]
                 "  - always: past(10 / (4 - y)) < 20\n",
                 9) == "!!!!!!!!p!");
    // these have their verdict, or do not need the value
    CHECK(states("  - eventually by 9: 10 / (4 - y) == 5\n"
                 "  - cover: 10 / (4 - y) == 5\n"
                 "  - at 2: 10 / (4 - y) == 5\n"
                 "  - after 7: 10 / (4 - y) == 5\n"
                 "  - always: y == 4 or 10 / (4 - y) < 20\n"
                 "  - always: y < 9 and w < 250\n",
                 9) == "pppnpp");
    CHECK(states("  - always: w < 250\n  - always: p.m[if y < 3 then 0 else y] < 20\n", 9) == "p!");
    // in the cycle after the last one, wires have no values, and a fault is one nevertheless
    YamlRun last{divided + std::string{"checks:\n  - always: w < 250\n"
                                       "  - always: 10 / (4 - y) < 20\n"}};
    last.run(4);
    last.finish();
    CHECK(last.engine().ending() == RunEnd::faulted);
    CHECK(last.verdicts()[1].kind == CheckResult::Kind::faulted);
    CHECK(last.verdicts()[0].kind == CheckResult::Kind::passed);
}

TEST_CASE("a row whose evaluation faults is neither recorded nor compared") {
    const Scratch folder;
    folder.write("want.csv", "value\n2\n3\n5\n10\n0\n");
    YamlRun run{divided + std::string{"outputs:\n  got.csv: {record: 10 / (4 - y), "
                                      "expect: want.csv}\n"},
                folder.path()};
    CHECK(run.run(9) == RunEnd::faulted);
    run.finish();
    CHECK(run.observed.recordings[0]->rows() == 4);
    CHECK(run.observed.recordings[0]->faulted() == 4);
    CHECK(run.observed.recordings[0]->difference().empty());
}
