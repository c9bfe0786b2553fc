// SPDX-License-Identifier: Apache-2.0
//
// Tests the page of a report in a browser: page/test/page.test.mjs clicks and types, and reads the
// display. This file performs the runs that it examines.
#include <doctest/doctest.h>

#include <cstdlib>
#include <string>

#include "base/test/scratch.hpp"
#include "cli/test/command.hpp"

namespace {

using namespace sme::test;

const std::string tools = SME_BINARY_DIR "/sim/report/page_tools";

/// Why the page's tools are missing; empty if they are installed.
std::string missing() {
    return text_of(tools + ".txt");
}

/// Every kind of value, in two clock domains; a check fails in cycle 32.
constexpr const char* sorts = R"(network: sorts
types:
  Mode: [idle, busy, done]
  Pair: {left: i9, right: u40}
domains: {fast: 1, slow: every 4 offset 1}
buses:
  mode: Mode
  pair: Pair
  wide: u100
  level: fixed(3, 7)
  far: fixed(30, 50)
  flag: wire bool
  maybe: error u8
  lane[3]: u8
  every: u16
processes:
  p:
    out: [mode, pair, wide, level, far, flag, maybe]
    state:
      n: u8 = 0
    step:
      n: n + 1
      level: wrap(fixed(1, 7)(n) * 4.5, fixed(3, 7), floor)
      far: fixed(1, 7)(n) * -0.375
      flag: n % 3 == 1
      pair.left: i9(n) - 20
      pair.right: u40(n) * 1000000007
      wide: (u100(n) << 90) + 5
      match n % 3:
        0:
          mode: busy
        1:
          mode: done
          maybe: n
        else:
          mode: idle
  q[k < 3]:
    out: lane[k]
    state:
      m: u8 = 0
    step:
      m: m + 1
      lane: m * u8(k)
  r:
    domain: slow
    out: every
    step:
      every: every + 1 when every < 1000
checks:
  - always: p.n < 30 or mode != done
  - cover: mode == done
  - at 500: lane[0] == 0
run: {cycles: 60}
)";

/// A thousand counters, each of which changes in every cycle.
constexpr const char* many = R"(network: many
buses:
  count[1000]: u16
processes:
  p[k < 1000]:
    out: count[k]
    state:
      n: u16 = u16(k)
    step:
      n: n + 1
      count: n + 1
)";

} // namespace

TEST_CASE("the page shows a run in a browser") {
    if (!missing().empty()) {
        MESSAGE("skipped: " << missing());
        return;
    }
    if (std::system("command -v chromium >/dev/null") != 0) {
        MESSAGE("skipped: no chromium");
        return;
    }
    const Scratch folder;
    folder.copy(SME_SOURCE_DIR "/models/reconvergent");
    folder.write("so<b>rts.yaml", sorts);
    folder.write("many.yaml", many);
    const auto run = [&](const std::string& arguments, int exit_code) {
        const Command command{"cd " + folder.path() + " && " SME_COMMAND " run " + arguments,
                              Command::any_program};
        REQUIRE_MESSAGE(command.exit_code == exit_code, command.err);
    };
    run("'so<b>rts.yaml' --report sorts.html --trace sorts.csv --trace-state --coverage sorts.info",
        1);
    run("many.yaml --cycles 1000 --report many.html --threads 1", 0);
    run("network.yaml --report channels.html --trace channels.csv --trace-state --threads 1", 0);
    const Command page{"cd " + tools + " && SME_REPORTS=" + folder.path() +
                           " SME_CHROMIUM=$(command -v chromium) SME_PICTURES=" SME_BINARY_DIR
                           "/report_pictures node --test test/page.test.mjs",
                       Command::any_program};
    CHECK_MESSAGE(page.exit_code == 0, page.out << page.err);
}

TEST_CASE("the page's TypeScript has its types, and is laid out as its tool says") {
    if (!missing().empty()) {
        MESSAGE("skipped: " << missing());
        return;
    }
    for (const char* command :
         {"node_modules/.bin/tsc --noEmit", "node_modules/.bin/biome ci --colors=off ."}) {
        const Command check{"cd " + tools + " && " + command, Command::any_program};
        CHECK_MESSAGE(check.exit_code == 0, check.out << check.err);
    }
}
