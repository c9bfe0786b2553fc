// SPDX-License-Identifier: Apache-2.0
//
// Tests "sme run --untimed": the same messages as with a clock, and errors for constructs that need
// a clock.
#include <filesystem>

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "../command.hpp"
#include "../running.hpp"
#include "random_actors.hpp"

namespace {

using sme::test::Command;
using sme::test::contains;
using sme::test::RandomActors;
using sme::test::Scratch;

Command run(const std::string& network, const std::string& options) {
    return Command{"run " + network + " " + options};
}

/// Returns the messages of each channel.
std::string histories(const Scratch& scratch, const std::string& network,
                      const std::string& options, int exit_code = 0) {
    const Command done = run(network, options + " --histories " + scratch.path("histories.csv"));
    CAPTURE(options);
    CAPTURE(done.out);
    CAPTURE(done.err);
    CHECK(done.exit_code == exit_code);
    return sme::test::text_of(scratch.path("histories.csv"));
}

/// Two paths from 'fork' to 'join', one of which holds a message back until four have arrived: 'a'
/// needs four places.
std::string reconvergent(const std::string& more = "") {
    return "network: n\n"
           "channels: {s: u8, a: depth 1 u8, b: u8, y: u8}\n"
           "processes:\n"
           "  source:\n    out: {y: s}\n    state: {k: u8}\n    step:\n      y: k\n"
           "      k: k + 1\n    done: k == 19\n"
           "  fork:\n    in: {x: s}\n    out: {p: a, q: b}\n    state: {n: u8}\n    step:\n"
           "      p: x\n      q: x when n % 4 == 3\n      n: n + 1\n"
           "  join:\n    in: {a: a, b: b}\n    out: {y: y}\n    state: {n: u8}\n"
           "    take: {b: n % 4 == 3}\n    step:\n      y: a + b\n      n: n + 1\n" +
           more + "outputs: {y.csv: {record: y}}\n";
}

const char* const all_runs[] = {"--runners 1",          "--runners 2 --seed 3",
                                "--runners 4 --seed 8", "--runners 8 --seed 21",
                                "--thread-per-process", "--min-depth 100"};

} // namespace

TEST_CASE("every channel carries what it carries with a clock") {
    for (const char* name : {"merge", "reconvergent", "token_ring", "jpeg"}) {
        CAPTURE(name);
        const Scratch scratch;
        scratch.copy(std::string{SME_SOURCE_DIR} + "/models/" + name);
        const std::string network = scratch.path("network.yaml");
        const std::string clocked = histories(scratch, network, "");
        CHECK(contains(clocked, "channel,messages,digest\n"));
        for (const char* options : all_runs)
            CHECK(histories(scratch, network, std::string{"--untimed "} + options) == clocked);
        CHECK(histories(scratch, network, "--untimed --engine native") == clocked);
    }
}

TEST_CASE("random networks, which deadlock where they do with a clock") {
    unsigned deadlocks = 0;
    for (unsigned seed = 0; seed < 25; ++seed) {
        CAPTURE(seed);
        const Scratch scratch;
        const RandomActors network{seed};
        network.write(scratch);
        const std::string file = scratch.path("network.yaml");
        const Command clocked = run(file, "--histories " + scratch.path("clocked.csv"));
        const bool deadlock = contains(clocked.err, "[deadlock]");
        CAPTURE(clocked.err);
        REQUIRE(clocked.exit_code == (deadlock ? 1 : 0));
        deadlocks += deadlock;
        const std::string wanted = sme::test::text_of(scratch.path("clocked.csv"));
        for (const char* options : {"--runners 1", "--runners 3 --seed 5"})
            CHECK(histories(scratch, file, std::string{"--untimed --fixed-depths "} + options,
                            deadlock ? 1 : 0) == wanted);
    }
    CHECK(deadlocks > 0);
    CHECK(deadlocks < 20);
}

TEST_CASE("an artificial deadlock is resolved by deeper channels, or explained") {
    const Scratch scratch;
    scratch.write("n.yaml", reconvergent());
    const std::string file = scratch.path("n.yaml");
    for (const char* options : {"--runners 1", "--runners 4 --seed 2", "--thread-per-process"}) {
        const Command resolved = run(file, std::string{"--untimed "} + options);
        CHECK(resolved.exit_code == 0);
        CHECK(contains(resolved.out, "deepened     a: 4 places instead of 1"));
        CHECK(contains(resolved.out, "y.csv: 20 rows"));
    }
    const Command fixed = run(file, "--untimed --fixed-depths");
    CHECK(fixed.exit_code == 1);
    CHECK(contains(fixed.err, "'fork' waits to send on 'a' (1 of 1), which 'join' reads"));
    CHECK(contains(fixed.err, "channel 'a' is too small: with depth 2 instead of 1"));
    const Command memory = run(file, "--untimed --channel-memory 64");
    CHECK(memory.exit_code == 1);
    CHECK(contains(memory.err, "and 64 are allowed"));
    CHECK(run(file, "--untimed --fixed-depths --min-depth 4").exit_code == 0);
}

TEST_CASE("what an actor prints, expects and does wrong") {
    const Scratch scratch;
    const std::string file = scratch.path("n.yaml");
    scratch.write("n.yaml", reconvergent("      print: \"{a} and {b}\"\n"));
    const Command printed = run(file, "--untimed");
    CHECK(contains(printed.out, "0 and 3\n1 and 3\n"));
    scratch.write("wanted.csv", "value\n3\n4\n6\n");
    scratch.write("n.yaml", sme::test::replaced(reconvergent(), "{record: y}",
                                                "{record: y, expect: wanted.csv}"));
    const Command other = run(file, "--untimed");
    CHECK(other.exit_code == 1);
    CHECK(contains(other.err, "is 5, but 6 is expected"));
    scratch.write("n.yaml", sme::test::replaced(reconvergent(), "y: a + b", "y: a / (a - 2)"));
    const Command fault = run(file, "--untimed");
    CHECK(fault.exit_code == 1);
    CHECK(contains(fault.err, "process 'join': the divisor is 0"));
    scratch.write("n.yaml", reconvergent("checks:\n  - always: y.count < 9\n"));
    const Command checks = run(file, "--untimed --strict");
    CHECK(checks.exit_code == 0);
    CHECK(contains(checks.out, "skipped      1 check, as checks look at cycles"));
}

TEST_CASE("what has no end is cut after a number of firings, or interrupted") {
    const Scratch scratch;
    const std::string file = scratch.path("n.yaml");
    scratch.write("n.yaml", sme::test::replaced(reconvergent(), "    done: k == 19\n", ""));
    const Command cut = run(file, "--untimed --firings 100 --runners 2");
    CHECK(cut.exit_code == 0);
    CHECK(contains(cut.out, "as often as they may fire"));
    CHECK(contains(cut.out, "y.csv: 100 rows"));
    sme::test::Running endless{"run --untimed n.yaml", scratch.path()};
    REQUIRE(endless.runs_until(
        [&] { return contains(sme::test::text_of(scratch.path("y.csv.part")), "value\n3\n"); }));
    endless.signal(SIGINT);
    CHECK(endless.wait() == 130);
    CHECK(contains(endless.out(), "without a clock, interrupted"));
    CHECK(contains(sme::test::text_of(scratch.path("y.csv")), "value\n3\n"));
}

TEST_CASE("what needs a clock is named") {
    const Scratch scratch;
    scratch.write("n.yaml", "network: n\nbuses: {b: u8}\nchannels: {a: u8}\nprocesses:\n"
                            "  count:\n    out: b\n    step:\n      b: b + 1\n"
                            "  send:\n    in: b\n    out: a\n    step:\n      a: b\n"
                            "outputs: {a.csv: {record: a}, b.csv: {record: b}}\n");
    const std::string file = scratch.path("n.yaml");
    const Command mixed = run(file, "--untimed");
    CHECK(mixed.exit_code == 2);
    CHECK(contains(mixed.err, "n.yaml:5:3: error: 'count' is no actor"));
    CHECK(contains(mixed.err, "[needs-clock]"));
    CHECK(contains(mixed.err, "n.yaml:10:9: error: 'send' reads the bus 'b'"));
    CHECK(contains(mixed.err, "'b.csv' records a bus"));
    scratch.write("n.yaml", sme::test::replaced(reconvergent(), "y: a + b", "y: a + random(u8)"));
    CHECK(contains(run(file, "--untimed").err, "'join' has random values"));
    scratch.write("n.yaml",
                  sme::test::replaced(reconvergent(), "y: a + b", "y: a + b\n      halt: a == 5"));
    CHECK(contains(run(file, "--untimed").err, "a process halts the run"));
    for (const char* option : {"--cycles 5", "--trace t.vcd", "--threads 2", "--validate"})
        CHECK(contains(run(file, std::string{"--untimed "} + option).err,
                       "is for a run with a clock"));
    CHECK(contains(run(file, "--runners 2").err, "give --untimed as well"));
    scratch.write("none.yaml", sme::test::talking("\"{x}\""));
    CHECK(contains(run(scratch.path("none.yaml"), "--cycles 2 --histories h.csv").err,
                   "there are no channels"));
}

TEST_CASE("actors of several clock domains send what they send with their clocks") {
    const Scratch scratch;
    scratch.write("n.yaml", R"(network: n
domains: {fast: 1, slow: every 3 offset 1}
channels: {a: u8, b: depth 1 u16, c: u8, d: u16}
processes:
  source: {out: a, state: {k: u8}, step: {a: k, k: k + 3}, done: k == 57}
  square: {in: {x: a}, out: {y: b}, step: {y: u16(x) * u16(x)}}
  sum: {domain: slow, in: {x: c}, out: {y: d}, state: {n: u16}, step: {n: n + u16(x), y: n when x % 2 == 1}}
inputs: {c: c.csv}
outputs: {b.csv: {record: b}, d.csv: {record: d}}
run: {cycles: 400}
)");
    scratch.write("c.csv", "value\n1\n2\n3\n40\n5\n7\n");
    const std::string file = scratch.path("n.yaml");
    const std::string clocked = histories(scratch, file, "");
    const std::string rows = sme::test::text_of(scratch.path("d.csv"));
    CHECK(rows == "value\n0\n3\n46\n51\n");
    CHECK(contains(clocked, "c,6,"));
    for (const char* options : all_runs) {
        std::filesystem::remove(scratch.path("d.csv"));
        CHECK(histories(scratch, file, std::string{"--untimed "} + options) == clocked);
        CHECK(sme::test::text_of(scratch.path("d.csv")) == rows);
    }
    CHECK(histories(scratch, file, "--untimed --engine native") == clocked);
    scratch.write("n.yaml", R"(network: n
import: [std/async_fifo.yaml]
domains: {fast: 1, slow: every 3 offset 1}
channels: {a: u8, b: u8}
processes:
  source: {out: a, state: {k: u8}, step: {a: k, k: k + 3}, done: k == 57}
  across: {use: async_fifo, domains: {write: fast, read: slow}, in: {x: a}, out: {y: b}}
outputs: {b.csv: {record: b}}
)");
    const Command crossing = run(file, "--untimed");
    CHECK(crossing.exit_code == 2);
    CHECK_MESSAGE(contains(crossing.err, "'across.writer' takes what comes from another clock "
                                         "domain at edges of its own clock, so it runs with a "
                                         "clock only [needs-clock]"),
                  crossing.err);
}

TEST_CASE("one header serves a channel of structs with a clock and without") {
    const Scratch folder;
    for (const char* const message : {"Byte", "u8"}) {
        CAPTURE(message);
        const bool whole = message[0] == 'B';
        folder.write("network.yaml",
                     std::string{"network: n\ntypes: {Byte: {data: u8, last: bool}}\nchannels: "
                                 "{bytes: "} +
                         message +
                         "}\ninputs: {bytes: in.csv}\nprocesses:\n  sink:\n    in: bytes\n"
                         "    state: {sum: u8}\n    step: {sum: \"sum + bytes" +
                         (whole ? ".data" : "") + "\"}\nrun: {cycles: 20}\n");
        std::vector<std::string> headers{"", "bytes\n", "value\n", "data\n"};
        if (whole)
            headers = {"", "data,last\n", "data.data,data.last\n"};
        for (const std::string& header : headers) {
            CAPTURE(header);
            folder.write("in.csv", header + (whole ? "1,0\n2,1\n" : "1\n2\n"));
            for (const char* const untimed : {"", " --untimed"}) {
                const Command run =
                    sme::test::sme_in(folder, std::string{"run network.yaml"} + untimed);
                CHECK_MESSAGE(run.exit_code == 0, run.err);
            }
        }
        folder.write("in.csv", whole ? "last,data\n0,1\n" : "bites\n1\n");
        for (const char* const untimed : {"", " --untimed"})
            CHECK(contains(sme::test::sme_in(folder, std::string{"run network.yaml"} + untimed).err,
                           whole ? "but 'bytes' needs 'data,last'" : "but 'bytes' needs 'bytes'"));
    }
}
