// SPDX-License-Identifier: Apache-2.0
//
// Compares harpy with an exhaustive search, models/cmmp/harpy/expected.py, and Oleinick's report.
#include <cstdlib>
#include <sstream>
#include <string>

#include <doctest/doctest.h>

#include <fmt/format.h>

#include "program.hpp"

using sme::test::Command;
using sme::test::model;
using sme::test::number_after;
using sme::test::Scratch;
using sme::test::text_of;

namespace {

const std::string folder = SME_SOURCE_DIR "/models/cmmp/harpy";
const std::string files =
    "cmmp/harpy --dictionary " + folder + "/dictionary.txt --sentences " + folder;

Command harpy(const std::string& options) {
    Command run = model(files + "/sentences.txt " + options);
    CHECK(run.exit_code == 0);
    return run;
}

/// Returns the numbers at the starts of the lines.
std::string misfits_of(const std::string& text) {
    std::istringstream lines{text};
    std::string numbers;
    for (std::string line; std::getline(lines, line);) {
        numbers += line.substr(0, line.find(' '));
        numbers += '\n';
    }
    return numbers;
}

} // namespace

TEST_CASE("harpy: more processes prune faster; every segment has some number of units of work") {
    const Command one = harpy("--processes 1"), eight = harpy("");
    CHECK(number_after(one.out, "pruning step ") > 4 * number_after(eight.out, "pruning step "));
    CHECK(number_after(harpy("--interrupts 50").out, "step ") > number_after(eight.out, "step "));
    for (const std::string unit : {"candidates", "pairs"}) {
        double sum = 0;
        const std::string line = eight.out.substr(eight.out.find("up to 10 " + unit));
        for (const std::string& bound : {"up to 10 " + unit + " ", std::string{"up to 100 "},
                                         std::string{"up to 1000 "}, std::string{"more "}})
            sum += number_after(line, bound);
        CHECK(sum == doctest::Approx(100).epsilon(0.002));
    }
}

TEST_CASE("harpy: without noise all sentences of the report are recognised") {
    const Scratch scratch;
    const std::string output = scratch.path("words.txt");
    for (const char* seed : {"1", "2", "18446744073709551615"}) {
        const Command run =
            harpy(fmt::format("--noise 0 --threshold 0 --seed {} --output {}", seed, output));
        CHECK(run.out.find("20 of 20 sentences recognised") != std::string::npos);
        std::istringstream sentences{text_of(folder + "/sentences.txt")};
        std::string expected;
        for (std::string line; std::getline(sentences, line);)
            expected += fmt::format("0 {}\n", line);
        CHECK(text_of(output) == expected);
    }
}

TEST_CASE("harpy: with an unlimited beam it finds what an exhaustive search finds") {
    const Scratch scratch;
    const Command expected{"python3 -B " + folder + "/expected.py 3 100 8", Command::any_program};
    REQUIRE(expected.exit_code == 0);
    harpy("--seed 3 --noise 100 --threshold 1000000 --output " + scratch.path("words.txt"));
    const std::string misfits = misfits_of(text_of(scratch.path("words.txt")));
    CHECK(expected.out.size() > 8 * 3);
    CHECK(misfits.substr(0, expected.out.size()) == expected.out);
}

TEST_CASE("harpy: each version uses the processors better, with the same words") {
    const Scratch scratch;
    const std::string output = " --output " + scratch.path("words.txt");
    harpy("--processes 1" + output);
    const std::string words = text_of(scratch.path("words.txt"));
    double use = 0;
    double seconds = 1e9;
    for (const char* version : {"static", "dynamic", "split", "overlapped"}) {
        CAPTURE(version);
        const Command run = harpy(fmt::format("--alike --version {}{}", version, output));
        const double better = number_after(run.out, "processors ");
        const double faster = number_after(run.out, "forward step ");
        CHECK(better > use);
        CHECK(faster < seconds);
        use = better;
        seconds = faster;
        CHECK(text_of(scratch.path("words.txt")) == words);
        harpy(fmt::format("--processes 16 --version {}{}", version, output));
        CHECK(text_of(scratch.path("words.txt")) == words);
    }
    harpy("--processes 3 --primitive k-sem --noise 40" + output);
    const std::string clear = text_of(scratch.path("words.txt"));
    harpy("--processes 9 --shared-code --noise 40 --version static" + output);
    CHECK(text_of(scratch.path("words.txt")) == clear);
}

TEST_CASE("harpy: what it cannot work with") {
    const Scratch scratch;
    CHECK(model("cmmp/harpy --dictionary none.txt").exit_code == 2);
    scratch.write("said.txt", "please help\nplease sing\n");
    const std::string said = scratch.path("said.txt");
    const std::string dictionary = "cmmp/harpy --dictionary " + folder + "/dictionary.txt";
    CHECK(model(dictionary + " --sentences " + said).err ==
          "harpy: " + said + ":2: 'sing' is not in the dictionary\n");
    scratch.write("said.txt", "please help\n\nhelp me\n");
    CHECK(model(dictionary + " --sentences " + said).err ==
          "harpy: " + said + ":2: give a sentence\n");
    scratch.write("words.txt", "two t uw\nthree\n");
    CHECK(model("cmmp/harpy --dictionary " + scratch.path("words.txt")).err ==
          "harpy: " + scratch.path("words.txt") +
              ":2: give a word and its phonemes, such as 'two t uw'\n");
    scratch.write("words.txt", "");
    CHECK(model("cmmp/harpy --dictionary " + scratch.path("words.txt")).exit_code == 2);
    CHECK(model("cmmp/harpy --version fast").exit_code == 2);
}
