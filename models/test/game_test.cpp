// SPDX-License-Identifier: Apache-2.0
//
// game, played in a real terminal, compared with its Python program, models/game/expected.py.
#include <filesystem>
#include <string>

#include <doctest/doctest.h>

#include <fmt/format.h>

#include "cli/test/terminal.hpp"
#include "program.hpp"

using sme::test::Command;
using sme::test::contains;
using sme::test::model;
using sme::test::Scratch;
using sme::test::text_of;
using sme::test::TmuxTerminal;

namespace {

const std::string folder = SME_SOURCE_DIR "/models/game/";
const std::string program = SME_BINARY_DIR "/models/game/game";
const std::string game = program + " --network " + folder + "play.yaml";

bool skip() {
    const bool built = std::filesystem::exists(program);
    if (!built)
        MESSAGE("skipped: the game is not built, as there is no curses");
    return !built;
}

bool skip(const TmuxTerminal& terminal) {
    if (!terminal.opened())
        MESSAGE("skipped: no tmux");
    return !terminal.opened();
}

Command python(const std::string& options) {
    return Command{"PYTHONIOENCODING=utf-8 python3 -B " + folder + "expected.py " + options,
                   Command::any_program};
}

/// Returns the screen after frames with these keys, the first one without a key: s(tart), l(eft),
/// r(ight).
void compare(TmuxTerminal& terminal, const std::string& keys) {
    CAPTURE(keys);
    const std::string expected = python("--screen " + keys).out;
    const std::string seen = terminal.when(expected); // it may be half drawn for a moment
    CHECK(seen.substr(0, seen.find_last_not_of('\n') + 1) + "\n" == expected);
}

void press(TmuxTerminal& terminal, const std::string& keys) {
    std::string names;
    for (const char key : keys)
        names += key == 's' ? " Space" : key == 'l' ? " Left" : key == 'r' ? " Right" : " .";
    terminal.press(names);
}

} // namespace

TEST_CASE("game: the screen is that of another program, and its record repeats the game") {
    TmuxTerminal terminal{80, 24};
    if (skip() || skip(terminal))
        return;
    const Scratch scratch;
    scratch.copy(folder);
    const std::string record = scratch.path("mine.csv");
    terminal.type(game + " --step --record " + record + "; echo code $?");
    std::string keys = ".";
    compare(terminal, keys);
    for (const char* more : {"srr", "rrrrr..", "llllllllllll", "..s."}) { // a brick; a ball lost
        press(terminal, more);
        keys += more;
        compare(terminal, keys);
    }
    terminal.resize(66, 20); // the smallest possible size
    press(terminal, "s");
    compare(terminal, keys + "s");
    terminal.press("q");
    const std::string after = terminal.when("code 0\n$");
    CHECK(contains(after, "1 of 24 bricks in 28 frames\ncode 0\n$"));
    CHECK(!contains(after, "frame 28"));

    REQUIRE(python("--keys " + record + " " + scratch.path("")).exit_code == 0);
    const Command run{"run " + scratch.path("network.yaml") + " --set keys=mine.csv"};
    CAPTURE(run.err);
    CHECK(contains(run.out, "28 rows as expected"));
    CHECK(run.exit_code == 0);
}

TEST_CASE("game: however it ends, the terminal is as before") {
    TmuxTerminal terminal{80, 24};
    if (skip() || skip(terminal))
        return;
    const Scratch scratch;
    terminal.type("stty -a >" + scratch.path("before"));
    terminal.type(game + " --speed 100 --replay " + folder + "keys.csv; echo code $?");
    terminal.when("lives 2"); // the first ball is lost
    terminal.press("C-c");
    CHECK(contains(terminal.when("frames\ncode 130\n$"), "frames\ncode 130\n$"));
    terminal.type("clear; sh -c \"echo \\$\\$ >" + scratch.path("id") + "; exec " + game +
                  " --step\"; echo code $?");
    terminal.when("frame 1\n");
    CHECK(Command{"kill $(cat " + scratch.path("id") + ")", Command::any_program}.exit_code == 0);
    CHECK(contains(terminal.when("frames\ncode 143\n$"), "frames\ncode 143\n$"));
    terminal.type("clear; stty -a >" + scratch.path("after") + "; echo all $?");
    terminal.when("all 0\n");
    CHECK(text_of(scratch.path("after")) == text_of(scratch.path("before")));
    CHECK(!text_of(scratch.path("after")).empty());
}

TEST_CASE("game: what it cannot work with") {
    if (skip())
        return;
    const Scratch scratch;
    const std::string none = model("game --network " + folder + "play.yaml").err;
    CHECK(none == "game: the game is played in a terminal, but standard input is none\n");
    const auto refused = [&](const std::string& options, const std::string& why) {
        const Command run = model("game " + options);
        CHECK(run.exit_code == 2);
        CHECK(contains(run.err, why));
    };
    refused("--network none.yaml", "'none.yaml': there is no such file; start the game in");
    refused("--network " + folder + "network.yaml", "is not the network of a console:\n");
    refused("--replay none.csv", "'none.csv': there is no such file");
    refused("--network " + folder + "play.yaml --record " + scratch.path("none/mine.csv"),
            "none/mine.csv' cannot be written; give another --record");
    refused("--speed 0", "--speed '0': give a whole number from 1 to 100");
    refused("--steps", "unrecognised option '--steps'; --help lists the options");
    scratch.write("broken.csv", "data.left,data.right,data.start\n0,0,1\n0,2,0\n");
    refused("--replay " + scratch.path("broken.csv"), "broken.csv:3: give a frame such as '0,1,0'");
    scratch.write("broken.csv", "left\n");
    refused("--replay " + scratch.path("broken.csv"), "broken.csv:1: give 'data.left,");

    TmuxTerminal terminal{60, 15};
    if (skip(terminal))
        return;
    terminal.type(game + "; echo code $?");
    const std::string small = terminal.when("code 2\n");
    CHECK(contains(small, "code 2\n"));
    CHECK(contains(small, "game: the terminal has 60 x 15 characters, but"));
    terminal.type("clear; TERM=none " + game + "; echo code $?");
    CHECK(contains(terminal.when("give such as TERM=xterm\ncode 2\n"),
                   "give such as TERM=xterm\ncode 2\n"));
}
