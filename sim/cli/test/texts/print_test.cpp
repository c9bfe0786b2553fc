// SPDX-License-Identifier: Apache-2.0
//
// Tests that the output of `sme check --print` runs as the original network does.
#include <algorithm>

#include <doctest/doctest.h>

#include "../command.hpp"

using namespace sme;
using test::Command;
using test::Scratch;
using test::text_of;
namespace fs = std::filesystem;

namespace {

const std::string sources = SME_SOURCE_DIR;

/// Runs a shell line in a folder.
Command in(const Scratch& scratch, const std::string& line) {
    return Command{"cd " + scratch.path("") + " && " + SME_COMMAND " " + line,
                   Command::any_program};
}

/// Runs a network of a scratch folder and its printed form, each with a trace of its own.
void check_runs_the_same(const Scratch& scratch, const std::string& network,
                         const std::string& options = "") {
    CAPTURE(network);
    CAPTURE(options);
    const Command print = in(scratch, "check --print " + network + " " + options);
    REQUIRE(print.exit_code == 0);
    scratch.write("printed.yaml", print.out);
    const std::string run = " --cycles 300 --trace-state --trace ";
    const Command first = in(scratch, "run " + network + run + "first.vcd " + options);
    const Command second = in(scratch, "run printed.yaml" + run + "second.vcd");
    CHECK(first.exit_code < 2);
    CHECK(second.exit_code == first.exit_code);
    CHECK(text_of(scratch.path("first.vcd")).size() > 100);
    CHECK(text_of(scratch.path("first.vcd")) == text_of(scratch.path("second.vcd")));
    CHECK(in(scratch, "check --print printed.yaml").out == print.out);
}

} // namespace

TEST_CASE("the printed form of every model runs as the model does") {
    const Scratch scratch;
    for (const auto& entry : fs::directory_iterator{sources + "/models"})
        if (fs::exists(entry.path() / "network.yaml")) {
            const std::string name = entry.path().filename().string();
            fs::create_directories(scratch.path("models/" + name));
            fs::copy(entry.path(), scratch.path("models/" + name),
                     fs::copy_options::recursive | fs::copy_options::overwrite_existing);
            check_runs_the_same(scratch, "models/" + name + "/network.yaml");
        }
    check_runs_the_same(scratch, "models/ring/network.yaml", "--set nodes=5");
    check_runs_the_same(scratch, "models/sort/network.yaml", "--set n=70");
    check_runs_the_same(scratch, "models/riscv/network.yaml", "--set words=8192");
}

TEST_CASE("the printed form of the test of every standard component runs as the test does") {
    const Scratch scratch;
    scratch.copy(sources + "/lib/std");
    for (const auto& entry : fs::directory_iterator{scratch.path("test")})
        if (entry.path().extension() == ".yaml")
            check_runs_the_same(scratch, "test/" + entry.path().filename().string());
}

TEST_CASE("a model that fails does so in its printed form, with the same lines printed") {
    const Scratch scratch;
    scratch.write("fails.yaml", R"(network: fails
buses: {a: u8}
processes:
  p:
    out: a
    step:
      a: a+1
      print: "a is {a:03d}: {{}}" when a>1
      assert: a!=4
checks:
  - always: a<3
)");
    check_runs_the_same(scratch, "fails.yaml");
    const Command run = in(scratch, "run printed.yaml --cycles 300");
    CHECK(run.exit_code == 1);
    CHECK(run.out.find("a is 002: {}\na is 003: {}\n") != std::string::npos);
}

TEST_CASE("a network with errors is not printed; warnings are said as without --print") {
    const Scratch scratch;
    const std::string start =
        "network: n\nbuses: {a: u8}\nprocesses:\n  p:\n    out: a\n    step:\n";
    scratch.write("bad.yaml", start + "      a: true\n");
    scratch.write("loop.yaml", "network: n\nbuses: {a: wire u8}\nprocesses:\n"
                               "  p: {in: {x: a}, out: a, step: {a: x}}\n");
    for (const char* name : {"bad.yaml", "loop.yaml", "missing.yaml"}) {
        CAPTURE(name);
        const Command bad = in(scratch, std::string{"check --print "} + name);
        CHECK(bad.exit_code == 2);
        CHECK(bad.out.empty());
        CHECK(bad.err == in(scratch, std::string{"check "} + name).err);
    }
    scratch.write("warns.yaml", start + "      a: 1\n");
    const Command warns = in(scratch, "check --print warns.yaml");
    CHECK(warns.exit_code == 0);
    CHECK(warns.out == "network: n\nbuses:\n  a: u8\nprocesses:\n  p:\n    out: a\n    step:\n"
                       "      a: 1\n");
    CHECK(warns.err.find("nothing reads bus 'a' [unused]") != std::string::npos);
    const Command strict = in(scratch, "check --print --strict warns.yaml");
    CHECK(strict.exit_code == 2);
    CHECK(strict.out.empty());
    CHECK(in(scratch, "run --print warns.yaml").exit_code == 2);
}

TEST_CASE("what is printed stands alone: a network elsewhere, with its own files") {
    const Scratch scratch;
    fs::create_directories(scratch.path("deep/parts"));
    scratch.write("deep/rows.csv", "3\n4\n5\n");
    scratch.write("deep/parts/factor.hex", "7\n");
    scratch.write("deep/parts/times.yaml", "component: times\nimport: [words.yaml]\n"
                                           "constants: {factor: \"Word[1] = file(factor.hex)\"}\n"
                                           "in: {x: Word}\nout: {y: Word}\n"
                                           "step:\n  y: x * factor[0]\n");
    scratch.write("deep/parts/words.yaml", "types: {Word: u16}\n");
    scratch.write("deep/network.yaml", R"(network: far
import: [parts/times.yaml]
buses: {a: u16, b: u16}
processes:
  t: {use: times, in: {x: a}, out: {y: b}}
inputs: {a: rows.csv}
outputs:
  out.csv: {record: b}
checks:
  - at 3: b == 35
)");
    check_runs_the_same(scratch, "deep/network.yaml");
    fs::remove(scratch.path("deep/out.csv"));
    fs::remove(scratch.path("deep/parts/times.yaml"));
    fs::remove(scratch.path("deep/parts/words.yaml"));
    const Command run = in(scratch, "run printed.yaml --cycles 300");
    CAPTURE(run.err);
    CHECK(run.exit_code == 0);
    CHECK(text_of(scratch.path("deep/out.csv")) == "value\n0\n21\n28\n35\n");
}
