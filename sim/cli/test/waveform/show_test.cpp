// SPDX-License-Identifier: Apache-2.0
//
// Tests --show: the waveform as text after the run. The expected pictures were drawn by hand.
#include <doctest/doctest.h>

#include <string>

#include "../command.hpp"

using namespace sme;
using test::Command;
using test::contains;
using test::Scratch;
using test::sme_in;

namespace {

/// A network that counts and shows the count on wires; `behind` follows.
std::string counter(const std::string& behind) {
    return R"(network: counter
types:
  Phase: [idle, busy]
  Count: {odd: bool, n: u8}
buses:
  x: Count
  phase: wire Phase
  seen: u8
processes:
  q:
    in: [x, phase]
    out: seen
    step:
      seen: if phase == busy then x.n else u8(x.odd)
  p:
    out: [x, phase]
    state:
      n: u8 = 0
    step:
      n: n + 1
      x: {odd: n % 2 == 1, n: n}
      phase: if n % 4 == 3 then busy else idle
checks:
  - always: seen < 251
)" + behind;
}

/// Returns the text after the summary and an empty line.
std::string picture(const Command& command) {
    const std::size_t at = command.out.find("\n\n");
    return at == std::string::npos ? "no picture" : command.out.substr(at + 2);
}

struct Counter {
    explicit Counter(const std::string& behind = "") { folder.write("n.yaml", counter(behind)); }
    Command run(const std::string& options) const {
        return sme_in(folder, "run n.yaml " + options);
    }
    Scratch folder;
};

const char* const eight_cycles = R"(cycle  0      1      2      3      4      5      6      7      8
x
  odd  ▁▁▁▁▁▁▁▁▁▁▁▁▁▁╱▔▔▔▔▔▔╲▁▁▁▁▁▁╱▔▔▔▔▔▔╲▁▁▁▁▁▁╱▔▔▔▔▔▔╲▁▁▁▁▁▁╱▔▔▔▔▔▔
  n    │ 0           │ 1    │ 2    │ 3    │ 4    │ 5    │ 6    │ 7
phase  │ idle               │ busy │ idle               │ busy
)";

} // namespace

TEST_CASE("--show draws the buses whose names match, in groups, after the summary") {
    const Counter network;
    const Command all = network.run("--cycles 8 --show x --show phase");
    CHECK(all.exit_code == 0);
    CHECK(picture(all) == eight_cycles);
    CHECK(contains(all.out, "evaluated 9 times)\n\ncycle"));
    CHECK(all.err == "");
}

TEST_CASE("--show takes several patterns, and states with --trace-state") {
    const Counter network;
    CHECK(picture(network.run("--cycles 3 --show x.odd --show 'ph*' --ascii")) ==
          "cycle  0   2\n"
          "x.odd  ____/~\\_\n"
          "phase  | idle\n");
    CHECK(picture(network.run("--cycles 3 --show phase --show x.odd --ascii")) ==
          "cycle  0   2\n"
          "phase  | idle\n"
          "x.odd  ____/~\\_\n");
    CHECK(picture(network.run("--cycles 3 --show p --trace-state")) == "cycle  0   1   2   3\n"
                                                                       "p.n    │ 0 │ 1 │ 2 │ 3\n");
}

TEST_CASE("--from and --to choose the cycles that --show draws") {
    const Counter network;
    CHECK(picture(network.run("--cycles 100 --show x.n --from 57 --to 60")) ==
          "cycle  57   58   59\n"
          "x.n    │ 56 │ 57 │ 58\n");
    CHECK(contains(network.run("--cycles 100 --show x.n --from 57").out, "  95   96\n"));
    CHECK(contains(network.run("--cycles 100 --show x.n").out, "  39\n"));
    CHECK_FALSE(contains(network.run("--cycles 100 --show x.n").out, "  40"));
}

TEST_CASE("--show draws the last cycles, with a mark, when a check failed") {
    const Counter network{"  - at 70: x.n == 3\n"};
    const Command failed = network.run("--cycles 100 --show x.n");
    CHECK(failed.exit_code == 1);
    CHECK(contains(failed.out, "\n\ncycle   31 "));
    CHECK(contains(failed.out, "70   71\nFAILED"));
    CHECK(contains(failed.out, "▲\nx.n"));
    CHECK(contains(failed.out, "│ 69 │ 70\n"));
    const Command chosen = network.run("--cycles 100 --show x.n --to 2");
    CHECK(contains(chosen.out, "\n\ncycle  0\nx.n    │ 0\n"));
}

TEST_CASE("--show marks the cycle of a failed output") {
    const Command failed{"run " SME_SOURCE_DIR "/models/traffic/network.yaml --set amber_time=3 "
                         "--show car"};
    CHECK(failed.exit_code == 1);
    CHECK(contains(failed.out, "14  16\nFAILED"));
}

TEST_CASE("a picture of --show is as wide as the line") {
    const Counter network;
    const Command narrow{"COLUMNS=27 " SME_COMMAND " run " + network.folder.path("n.yaml") +
                             " --cycles 8 --show x.n",
                         Command::any_program};
    CHECK(picture(narrow) == "cycle  0   1   2   3   4\n"
                             "x.n    │ 0     │ 1 │ 2 │ 3\n"
                             "\n"
                             "cycle  5   6   7   8\n"
                             "x.n    │ 4 │ 5 │ 6 │ 7\n");
}

TEST_CASE("--show draws ASCII on a terminal whose locale is not UTF-8") {
    const Counter network;
    const auto on_terminal = [&](const std::string& locale) {
        return Command{"LC_ALL=" + locale + " COLUMNS=80 script -qec '" SME_COMMAND " run " +
                           network.folder.path("n.yaml") + " --cycles 2 --show x.n' /dev/null",
                       Command::any_program}
            .out;
    };
    CHECK(contains(on_terminal("C"), "x.n    | 0     | 1"));
    CHECK(contains(on_terminal("C.UTF-8"), "x.n    │ 0     │ 1"));
}

TEST_CASE("a pattern of --show that no bus matches is an error with a near name") {
    const Counter network;
    const auto complaint = [&](const std::string& options) {
        const Command command = network.run("--cycles 8 " + options);
        CHECK(command.exit_code == 2);
        CHECK(command.out == "");
        return command.err;
    };
    CHECK(complaint("--show 'x*' --show 'phas.*'") ==
          "error: --show: no bus matches 'phas.*', did you mean 'phase'? [bad-option]\n");
    CHECK(complaint("--show zebra") ==
          "error: --show: no bus matches 'zebra'; there is 'phase', 'seen', 'x' [bad-option]\n");
    CHECK(complaint("--show p.n") == "error: --show: 'p.n' matches states of processes only; give "
                                     "--trace-state as well [bad-option]\n");
}

TEST_CASE("a picture has no more than 100000 cycles, and says what it lacks") {
    const Counter network;
    network.folder.write("n.yaml", "network: n\nbuses: {x: bool}\nprocesses:\n  p:\n    out: x\n"
                                   "    step:\n      x: true\n");
    const std::string run = "--engine interpreted --show x --to 4611686018427387904 --cycles ";
    CHECK_FALSE(contains(network.run(run + "100").err, "note: "));
    CHECK(contains(network.run(run + "100050").err,
                   "note: the waveform ends before cycle 100000: no more than 100000 cycles are "
                   "drawn; --trace takes all\n"));
}

TEST_CASE("cycles that cannot be drawn are errors") {
    const Counter network;
    const auto complaint = [&](const std::string& options) {
        const Command command = network.run("--cycles 8 " + options);
        CHECK(command.exit_code == 2);
        return command.err;
    };
    CHECK(complaint("--show x --from 9") ==
          "error: --from 9 is after the end of the run, which has "
          "cycles 0 to 7 [bad-cycles]\n");
    CHECK(complaint("--show x --from 5 --to 5") ==
          "error: --to is the cycle after the last one that is drawn, but 5 is not after 5, with "
          "which it begins [bad-option]\n");
    CHECK(contains(complaint("--show x --to 0"), "but 0 is not after 0"));
    CHECK(contains(complaint("--show x --from -1"), "but this is '-1'"));
    CHECK(contains(complaint("--to 5"), "give --show GLOB or --wavedrom FILE as well"));
    CHECK(contains(complaint("--ascii"), "give --show GLOB as well"));
}
