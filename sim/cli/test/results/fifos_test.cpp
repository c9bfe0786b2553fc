// SPDX-License-Identifier: Apache-2.0
//
// Tests "sme fifos": compares computed results with runs, and applies its patch with `patch`.
#include <doctest/doctest.h>

#include <regex>
#include <string>

#include <fmt/format.h>

#include "../command.hpp"
#include "../model_copies.hpp"

namespace {

using sme::test::Command;
using sme::test::contains;
using sme::test::model;
using sme::test::replaced;
using sme::test::Scratch;
using sme::test::text_of;

/// The first number after `text`; -1 if absent.
int number_after(const std::string& printed, const std::string& text) {
    std::smatch found;
    if (std::regex_search(printed, found, std::regex{text + "\\s*(\\d+)"}))
        return std::stoi(found[1]);
    return -1;
}

/// A chain: even and odd numbers take separate ways, one through `middle`, and merge.
std::string two_ways(const std::string& middle) {
    return "network: ways\nchannels:\n"
           "  all: u8\n  even: depth 4 u8\n  odd: u8\n  slow: depth 3 delay 4 u8\n  y: u8\n"
           "processes:\n"
           "  split:\n    in: all\n    out: {even: even, odd: odd}\n    step:\n"
           "      even: all when not all[0]\n      odd: all when all[0]\n" +
           middle +
           "  join:\n    in: {a: even, b: slow}\n    out: {y: y}\n    step:\n      y: a ^ b\n"
           "inputs: {all: all.csv}\n"
           "outputs: {out.csv: {record: y, expect: expected.csv}}\n";
}

const char* const slow_actor = "  late:\n    in: odd\n    out: {z: slow}\n    state: {n: u2}\n"
                               "    step:\n      z: odd\n      n: n + 1\n";
const char* const component = "  late:\n    use: fifo\n    with: {depth: 2, T: u8}\n"
                              "    in: {x: odd}\n    out: {y: slow}\n";

void write_ways(const Scratch& scratch, const std::string& middle, int pairs) {
    std::string all = "all\n", expected = "y\n";
    for (int k = 0; k < pairs; ++k) {
        all += fmt::format("{}\n{}\n", 2 * k % 256, (2 * k + 1) % 256);
        expected += "1\n";
    }
    scratch.write("all.csv", all);
    scratch.write("expected.csv", expected);
    scratch.write("n.yaml", two_ways(middle));
}

} // namespace

TEST_CASE("cycles that are computed are those of runs, whatever the depth") {
    for (const int places : {4, 5, 6, 7}) {
        CAPTURE(places);
        const std::string with = fmt::format(" --set places={}", places);
        const Command run{"run " + model("reconvergent") + with};
        const Command fifos{"fifos " + model("reconvergent") + with};
        REQUIRE(fifos.exit_code == 0);
        CHECK(fifos.err == "");
        CHECK(number_after(fifos.out, "as written") == number_after(run.out, "reconvergent:"));
        CHECK(number_after(fifos.out, "at best") == 128); // as the model's README states
        CHECK(contains(fifos.out, "a run takes as many"));
    }
    const Command deadlock{"fifos " + model("reconvergent") + " --set places=3"};
    CHECK(deadlock.exit_code == 0);
    CHECK(contains(deadlock.out, "as written   a deadlock"));
    CHECK(number_after(deadlock.out, "at best") == 128);
}

TEST_CASE("a patch gives the network the depths that were found") {
    const Scratch scratch;
    write_ways(scratch, slow_actor, 40);
    const std::string before = text_of(scratch.path("n.yaml"));
    const Command fifos{"fifos " + scratch.path("n.yaml") + " --minimize --patch " +
                        scratch.path("depths.patch") + " --pareto " + scratch.path("front.csv")};
    REQUIRE(fifos.exit_code == 0);
    CHECK(text_of(scratch.path("n.yaml")) == before);
    CHECK(contains(fifos.out, "proven"));
    const int best = number_after(fifos.out, "at best");
    const std::string front = text_of(scratch.path("front.csv"));
    CHECK(front.starts_with("cycles,bits,all,even,odd,slow,y\n"));
    CHECK(contains(front, fmt::format("\n{},", best)));

    const Command patch{"patch -p0 -d / < " + scratch.path("depths.patch"), Command::any_program};
    if (patch.exit_code == 127) {
        MESSAGE("skipped: no patch");
        return;
    }
    REQUIRE(patch.exit_code == 0);
    CHECK(text_of(scratch.path("n.yaml")) != before);
    const Command run{"run " + scratch.path("n.yaml")};
    CHECK(run.exit_code == 0);
    CHECK(number_after(run.out, "ways:") == best);
    // the result is minimal, so a second search confirms it, and the patch is empty
    const Command again{"fifos " + scratch.path("n.yaml") + " --patch " +
                        scratch.path("nothing.patch")};
    CHECK(again.exit_code == 0);
    CHECK(number_after(again.out, "as written") == best);
    CHECK(text_of(scratch.path("nothing.patch")) == "");
}

TEST_CASE("a network with other processes is run with each set of depths, to the same end") {
    const Scratch actors, mixed;
    write_ways(actors, slow_actor, 20);
    write_ways(mixed, component, 20);
    // the component never reports completion, so the output ends the run
    const std::string ended = replaced(text_of(mixed.path("n.yaml")), "expect: expected.csv",
                                       "expect: expected.csv, halt_after: 20");
    mixed.write("n.yaml", replaced(ended, "channels:", "import: [std/fifo.yaml]\nchannels:"));
    const Command computed{"fifos " + actors.path("n.yaml")};
    const Command runs{"fifos " + mixed.path("n.yaml")};
    REQUIRE(computed.exit_code == 0);
    CAPTURE(runs.err);
    REQUIRE(runs.exit_code == 0);
    CHECK(contains(runs.out, "each set of depths was run"));
    CHECK(number_after(runs.out, "at best") > 0);
    const Command least{"fifos " + mixed.path("n.yaml") + " --minimize"};
    CHECK(least.exit_code == 2);
    CHECK(contains(least.err, "--minimize is for networks of actors alone"));
}

TEST_CASE("--stats says who waits for whom, in every engine alike") {
    for (const char* engine : {"interpreted", "native"}) {
        CAPTURE(engine);
        const Command run{"run " + model("reconvergent") + " --set places=4 --stats --engine " +
                          engine};
        CHECK(run.exit_code == 0);
        // 186 cycles, instead of 128 without waiting
        CHECK(contains(run.err, "channels: 'fork' waits for room in 'held' in 58 cycles (31 %), "
                                "received by 'join'"));
        CHECK_FALSE(contains(run.err, "room in 'peaks'"));
    }
    const Command none{"run " + model("fir") + " --cycles 10 --stats"};
    CHECK_FALSE(contains(none.err, "channels:"));
}

TEST_CASE("fewer bits for more cycles: --within") {
    const Command fifos{"fifos " + model("reconvergent") + " --within 200 --minimize"};
    REQUIRE(fifos.exit_code == 0);
    const int found = number_after(fifos.out, "found");
    CHECK(found > 128);
    CHECK(found <= 200);
    const Command none{"fifos " + model("reconvergent") + " --within 127"};
    CHECK(none.exit_code == 2);
    CHECK(contains(none.err, "--within 127: no depths take fewer than 128 cycles"));
}

TEST_CASE("networks that cannot be sized say why") {
    const Command channels{"fifos " + model("fir")};
    CHECK(channels.exit_code == 2);
    CHECK(contains(channels.err, "no channels"));
    const Command front{"fifos " + model("merge") + " --pareto front.png"};
    CHECK(front.exit_code == 2);
    CHECK(contains(front.err, "FILE.csv"));

    const Scratch scratch;
    write_ways(scratch, slow_actor, 20);
    const std::string path = scratch.path("n.yaml");
    const std::string good = text_of(path);
    const Command source{"fifos " + path + " --patch " + path};
    CHECK(source.exit_code != 0);
    CHECK(text_of(path) == good);

    scratch.write("expected.csv", "y\n1\n2\n");
    const Command differs{"fifos " + path};
    CHECK(differs.exit_code == 1);
    CHECK(contains(differs.err, "see 'sme run'"));

    scratch.write("n.yaml", "network: n\nchannels: {a: u8, b: u8}\nprocesses:\n"
                            "  p: {in: a, out: {y: b}, step: {y: a}}\n"
                            "  q: {in: b, out: {y: a}, step: {y: b}}\nrun: {cycles: 50}\n");
    const Command real{"fifos " + path};
    CHECK(real.exit_code == 1);
    CHECK(contains(real.err, "no depth of a channel helps"));

    scratch.write("n.yaml", "network: n\nchannels: {a: depth 8 u8, b: u8}\nprocesses:\n"
                            "  p: {out: {y: a}, state: {k: u8}, step: {y: k, k: k + 1}}\n"
                            "  q: {in: a, out: {y: b}, state: {k: u2}, step: {y: a when k == 0, "
                            "k: k + 1}}\n"
                            "  r: {in: b, state: {sum: u8}, step: {sum: sum + b}}\n");
    const Command endless{"fifos " + path};
    CHECK(endless.exit_code == 2);
    CHECK(contains(endless.err, "--cycles"));
    const Command some{"fifos " + path + " --cycles 100 --minimize"};
    REQUIRE(some.exit_code == 0);
    CHECK(contains(some.out, "does not end by itself"));
}
