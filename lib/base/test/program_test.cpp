// SPDX-License-Identifier: Apache-2.0
#include "base/program.hpp"

#include <csignal>

#include <doctest/doctest.h>

using namespace sme;

TEST_CASE("what a program prints is returned, its standard error when that is asked for, too") {
    const ProgramEnd both =
        run_program("/bin/sh", {"-c", "echo out; echo err >&2; exit 3"}, ProgramStreams::all_taken);
    CHECK(both.problem.empty());
    CHECK(both.output == "out\nerr\n");
    CHECK(both.exit_code == 3);
    CHECK_FALSE(both.good());
}

TEST_CASE("a program reads the text that it is given, however long") {
    const std::string text(300'000, 'x');
    const ProgramEnd end = run_program("/bin/cat", {}, ProgramStreams::output_taken, text);
    CHECK(end.good());
    CHECK(end.output == text);
}

TEST_CASE("a program that is not there is a problem, one that a signal ends a code") {
    CHECK(run_program("/nowhere/x", {}, ProgramStreams::all_taken).problem ==
          "cannot run '/nowhere/x': No such file or directory");
    CHECK(run_program("/bin/sh", {"-c", "kill -TERM $$"}, ProgramStreams::all_taken).exit_code ==
          128 + SIGTERM);
}

TEST_CASE("a program that takes too long is stopped, with those that it started") {
    const ProgramLimit limit{0.2};
    for (const char* script :
         {"sleep 100", "sleep 100 & echo out; wait", "exec >&- 2>&-; sleep 100"}) {
        CAPTURE(script);
        const ProgramEnd end =
            run_program("/bin/sh", {"-c", script}, ProgramStreams::all_taken, {}, &limit);
        CHECK(end.stopped);
        CHECK_FALSE(end.good());
    }
    const ProgramEnd quick =
        run_program("/bin/sh", {"-c", "echo out"}, ProgramStreams::all_taken, {}, &limit);
    CHECK(quick.good());
    CHECK(quick.output == "out\n");
    CHECK_FALSE(quick.stopped);
}

TEST_CASE("a program that nobody wants any more is stopped") {
    const std::atomic<bool> unwanted{true};
    const ProgramLimit limit{0, &unwanted, 5};
    CHECK(run_program("/bin/sleep", {"100"}, ProgramStreams::all_taken, {}, &limit).stopped);
}
