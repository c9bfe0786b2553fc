// SPDX-License-Identifier: Apache-2.0
//
// Uses waveforms of runs with several clock domains as inputs and as references.
#include <doctest/doctest.h>

#include <string>

#include "../command.hpp"

namespace {

using sme::test::Command;
using sme::test::contains;
using sme::test::replaced;
using sme::test::run_in;
using sme::test::Scratch;
using sme::test::sme_in;
using sme::test::text_of;

/// x changes in every cycle of the slow domain; y starts at 0 and then sums all previous x.
const char* const summing = R"(network: summing
domains: {fast: 1, slow: every 4 offset 1}
buses: {n: u8, x: u8, y: u16}
processes:
  counter:
    out: n
    state: {c: u8}
    step: {c: c + 1, n: c}
  source:
    domain: slow
    out: x
    state: {k: u8 = 3}
    step: {k: k * 5 + 1, x: k}
  sum:
    domain: slow
    in: x
    out: y
    state: {all: u16}
    step: {all: all + u16(x), y: all + u16(x)}
outputs:
  y.csv: {record: {x: x, y: y}, domain: slow}
run: {cycles: 39}
)";

/// The same network, with x from a file.
std::string replaying(const std::string& input) {
    std::string text = replaced(summing,
                                "  source:\n    domain: slow\n    out: x\n    state: {k: u8 = 3}\n"
                                "    step: {k: k * 5 + 1, x: k}\n",
                                "");
    text = replaced(text, "y.csv", "again.csv");
    return replaced(text, "outputs:", "inputs: {x: " + input + "}\noutputs:");
}

// k is 3, 16, 81, 150, 239, 172, 93, 210, 27 (modulo 256)
const char* const rows = "x,y\n0,0\n3,0\n16,3\n81,19\n150,100\n239,250\n172,489\n93,661\n"
                         "210,754\n27,964\n";

TEST_CASE("a trace feeds a bus of a slow domain once a cycle of that domain") {
    const Scratch folder;
    folder.write("summing.yaml", summing);
    const Command traced = sme_in(folder, "run summing.yaml --trace w.vcd");
    REQUIRE(traced.exit_code == 0);
    REQUIRE(text_of(folder.path("y.csv")) == rows);
    // without the signal of the domain's clock, every fourth edge of 'clock' counts
    REQUIRE(run_in(folder, "sed 's/ clock .end/ other $end/;1,/ other .end/s/ other / clock /' "
                           "w.vcd > plain.vcd")
                .exit_code == 0);
    REQUIRE(contains(text_of(folder.path("plain.vcd")), " other $end"));
    for (const char* const input :
         {"w.vcd", "{file: w.vcd, clock: summing.slow.clock}", "plain.vcd",
          "{file: w.vcd, sample: after}", "{file: plain.vcd, sample: after}"}) {
        CAPTURE(input);
        folder.write("again.yaml", replaying(input));
        const Command run = sme_in(folder, "run again.yaml --force");
        CAPTURE(run.err);
        CHECK(run.exit_code == 0);
        CHECK(text_of(folder.path("again.csv")) == rows);
    }
    // an explicit clock is used as given: one row per edge
    folder.write("again.yaml", replaying("{file: w.vcd, clock: summing.clock}"));
    CHECK(sme_in(folder, "run again.yaml --force").exit_code == 0);
    CHECK(
        contains(text_of(folder.path("again.csv")), "x,y\n0,0\n0,0\n3,0\n3,3\n3,6\n3,9\n16,12\n"));
}

TEST_CASE("a trace of another rate feeds a bus at the clock of its domain") {
    const Scratch folder;
    folder.write("summing.yaml", summing);
    REQUIRE(sme_in(folder, "run summing.yaml --trace w.vcd").exit_code == 0);
    folder.write("again.yaml", replaced(replaying("w.vcd"), "every 4 offset 1", "every 3"));
    CHECK(sme_in(folder, "run again.yaml").exit_code == 0);
    CHECK(text_of(folder.path("again.csv")) == rows);
}

TEST_CASE("a field of a bus that is called as a domain is no clock") {
    const Scratch folder;
    folder.write(
        "summing.yaml",
        replaced(replaced(summing, "buses: {", "types: {S: {clock: bool}}\nbuses: {slow: S, "),
                 "  sum:", "  other: {out: slow, step: {slow.clock: not slow.clock}}\n  sum:"));
    REQUIRE(sme_in(folder, "run summing.yaml --trace w.vcd").exit_code == 0);
    REQUIRE(contains(text_of(folder.path("w.vcd")), "$scope module slow_v2 $end"));
    folder.write("again.yaml", replaying("w.vcd"));
    CHECK(sme_in(folder, "run again.yaml").exit_code == 0);
    CHECK(text_of(folder.path("again.csv")) == rows);
}

TEST_CASE("a file that ends before the domain's first edge has no rows") {
    const Scratch folder;
    folder.write("short.vcd", "$timescale 1 ns $end\n$scope module top $end\n"
                              "$var wire 1 ! clock $end\n$var wire 8 \" x $end\n$upscope $end\n"
                              "$enddefinitions $end\n#0\n0!\nb11 \"\n#1\n1!\n#2\n0!\n");
    folder.write("again.yaml", replaying("short.vcd"));
    const Command run = sme_in(folder, "run again.yaml");
    CHECK(run.exit_code == 2);
    CHECK(contains(run.err, "'short.vcd' has no rows: it ends before the first edge of 'slow'"));
}

TEST_CASE("a process of a slow domain is compared with a waveform in each of its cycles") {
    const Scratch folder;
    folder.write("summing.yaml", summing);
    REQUIRE(sme_in(folder, "run summing.yaml --trace w.vcd").exit_code == 0);
    for (const char* const clock : {"", " --clock slow.clock", " --clock clock"}) {
        CAPTURE(clock);
        const std::string with = std::string{" --instance sum --reference w.vcd"} + clock;
        const Command same = sme_in(folder, "cosim summing.yaml" + with);
        CAPTURE(same.out);
        CAPTURE(same.err);
        CHECK(same.exit_code == 0);
        folder.write("wrong.yaml", replaced(summing, "y: all + u16(x)}", "y: all | u16(x)}"));
        const Command wrong = sme_in(folder, "cosim wrong.yaml" + with);
        CHECK(wrong.exit_code == 1);
        // 19 | 81 instead of 100, visible after the edge that ends cycle 13
        CHECK(contains(wrong.out + wrong.err, "14"));
        CHECK(contains(wrong.out + wrong.err, "100"));
    }
}

} // namespace
