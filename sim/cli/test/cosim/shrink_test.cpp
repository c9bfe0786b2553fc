// SPDX-License-Identifier: Apache-2.0
//
// Tests that a difference found by random values is reduced to the minimal inputs, which are known
// from manual analysis.
#include <doctest/doctest.h>

#include "counting.hpp"

using namespace sme::test;

TEST_CASE("a difference is shown with the fewest cycles and values, the same each time") {
    const Folder folder = counted();
    const Command run = folder.cosim("--random 3000 --seed 3");
    CAPTURE(run.out);
    CAPTURE(run.err);
    CHECK(run.exit_code == 1);
    // three large numbers are taken; x exceeds 50 in the fourth cycle, and is idle (7) in the
    // others
    CHECK(contains(run.out, " cycles of inputs to 4, in which 7 of 12 values are not idle\n"));
    CHECK(contains(run.err, "with fewer inputs: in cycle 4, 'y' is "));
    CHECK(contains(run.err, "\n  inputs in cycle 3: a = {valid: false, data: 0}, x = "));
    CHECK_FALSE(contains(run.err, "\n  inputs in cycle 4: "));
    std::size_t idle = 0;
    for (std::size_t at = run.err.find("with fewer"); at != std::string::npos;
         at = run.err.find("x = 7\n", at + 1))
        ++idle;
    CHECK(idle == 1 + 3);
    const Command again = folder.cosim("--random 3000 --seed 3 --threads 2");
    CHECK(again.err == run.err);
    CHECK(again.out == run.out);
}

TEST_CASE("what is left keeps the rules") {
    const Folder folder = counted();
    const Command run = folder.cosim("--random 3000 --range x=20..90 --range a.data=9..255 "
                                     "--handshake a --assume 'a.data != 9 or not a.valid'");
    CAPTURE(run.err);
    CHECK(run.exit_code == 1);
    CHECK(contains(run.err, "\n  inputs in cycle 0: a = {valid: true, data: 2"));
    CHECK(contains(run.err, "}, x = 20\n")); // above 7
    CHECK(contains(run.err, "\n  inputs in cycle 3: a = {valid: false, data: 9}, x = "));
    const std::size_t shrunk = run.err.find("with fewer");
    CHECK(run.err.find("x = 7\n", shrunk) == std::string::npos);
}

TEST_CASE("what was offered and not taken stays, where a handshake is asked for") {
    Folder folder; // wrong one cycle after a waits while x exceeds 50
    const auto ready = [](const std::string& text) {
        return replaced(text, "a.ready: x != 5", "a.ready: x < 40");
    };
    folder.with("network.yaml", ready(counting))
        .with("other.yaml",
              replaced(replaced(ready(other), "count: u8}", "waited: bool, count: u8}"),
                       "  y: if count > 2 and x > 50 then total + 1 else total\n"
                       "  now: a.data > x\n",
                       "  waited: a.valid and not a.ready\n  y: total\n"
                       "  now: (a.data > x) != (waited and x > 50)\n"));
    const Command free = folder.cosim("--random 100");
    CAPTURE(free.out);
    CHECK(contains(free.out, " to 2, in which 3 of 6 values are not idle\n"));
    CHECK(contains(free.err, "\n  inputs in cycle 1: a = {valid: false, data: 0}, x = "));
    const Command kept = folder.cosim("--random 100 --handshake a");
    CAPTURE(kept.out);
    CHECK(contains(kept.out, " to 2, in which 4 of 6 values are not idle\n"));
    CHECK(contains(kept.err, "\n  inputs in cycle 1: a = {valid: true, data: 0}, x = "));
}

TEST_CASE("assume: in a network is what --assume says, and only for random values") {
    Folder folder = counted();
    folder.with("network.yaml", replaced(counting, "x < 100 ", "x <= 50 "));
    CHECK(folder.cosim("--random 3000 --seed 3").exit_code == 0);
    CHECK(folder.cosim("--cycles 50").exit_code == 0);
    const Command printed = folder.run(SME_COMMAND " check network.yaml --print");
    CHECK(contains(printed.out, "\nassume:\n  - x <= 50\n"));
    for (const auto& [condition, says] :
         {std::pair{"z < 3", "network.yaml:29:5: error: nothing is named 'z' here"},
          std::pair{"x + 1", "network.yaml:29:5: error: an assumption is a bool"}}) {
        const std::string given = condition; // clang cannot capture bindings
        CAPTURE(given);
        folder.with("network.yaml", replaced(counting, "x < 100 ", given + " "));
        const Command run = folder.run(SME_COMMAND " check network.yaml");
        CAPTURE(run.err);
        CHECK(run.exit_code == 2);
        CHECK(contains(run.err, says));
    }
}
