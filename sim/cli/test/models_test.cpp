// SPDX-License-Identifier: Apache-2.0
//
// Tests that every model runs, gives the required results, and detects mutations.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "command.hpp"
#include "rows.hpp"

namespace {

using sme::test::Command;
using sme::test::Scratch;

} // namespace

TEST_CASE("every model runs, and what it records is what is expected of it") {
    for (const char* model :
         {"ring", "rings",  "running_sum",  "fir",        "life",      "ripple", "traffic",
          "sort", "merge",  "reconvergent", "token_ring", "jpeg",      "cpu",    "pipeline",
          "uart", "sha256", "aes",          "riscv",      "validator", "game"}) {
        CAPTURE(model);
        const Scratch scratch;
        scratch.copy(std::string{SME_SOURCE_DIR} + "/models/" + model);
        const Command run{"run " + scratch.path("network.yaml")};
        CHECK(run.exit_code == 0);
        CHECK(run.err == "");
        CHECK(run.out.find("FAILED") == std::string::npos);
        CHECK(run.out.find("passed") != std::string::npos);
    }
}

TEST_CASE("a ring has any number of nodes") {
    const Scratch scratch;
    scratch.copy(std::string{SME_SOURCE_DIR} + "/models/ring");
    for (const char* nodes : {"1", "2", "1000", "100003"}) {
        CAPTURE(nodes);
        const Command run{"run " + scratch.path("network.yaml") +
                          " --cycles 120 --set nodes=" + nodes};
        CHECK(run.exit_code == 0);
    }
}

TEST_CASE("rings has the tokens of its formulas under all loads, engines and queues") {
    const Scratch scratch;
    scratch.copy(std::string{SME_SOURCE_DIR} + "/models/rings");
    for (const char* load :
         {" --set thousands=0", " --set thousands=1", " --set thousands=1 --set light=4",
          " --set thousands=1 --set rest=16"})
        for (const char* how : {" --engine native --threads 2", " --threads 2 --queue static",
                                " --threads 2 --queue atomic --grain 1",
                                " --threads 2 --queue stealing --orchestration monte-carlo"}) {
            CAPTURE(load);
            CAPTURE(how);
            const Command run{"run " + scratch.path("network.yaml") + " --set nodes=9 --cycles 60" +
                              load + how};
            CHECK(run.exit_code == 0);
            CHECK(run.err == "");
        }
}

TEST_CASE("every program of riscv does in each instruction what the other simulator says") {
    const Scratch scratch;
    scratch.copy(std::string{SME_SOURCE_DIR} + "/models/riscv");
    for (const char* program : {"fibonacci", "sort", "crc", "instructions"}) {
        CAPTURE(program);
        const auto against = [&](std::string_view expected) {
            return fmt::format(
                "run {} --set program=programs/{}.hex --set expected=programs/{}.csv",
                scratch.path("network.yaml"), program, expected);
        };
        const Command run{against(program)};
        CHECK(run.exit_code == 0);
        CHECK(run.out.find("rows as expected") != std::string::npos);
        const Command other{against(program == std::string_view{"sort"} ? "crc" : "sort")};
        CHECK(other.exit_code == 1);
    }
}

TEST_CASE("every mutant of a model is noticed by its checks or its expected output") {
    const std::vector<std::vector<std::string>> mutants = sme::test::rows_of(
        sme::test::text_of(std::string{SME_SOURCE_DIR} + "/models/test/mutants.csv"));
    int caught = 0;
    for (const std::vector<std::string>& mutant : mutants) {
        if (mutant.size() != 3 || mutant[0] == "model")
            continue;
        CAPTURE(mutant[0]);
        CAPTURE(mutant[2]);
        const std::size_t slash = mutant[0].find('/'); // "game/bricks.yaml" is a file of "game"
        const std::string model = mutant[0].substr(0, slash);
        const std::string file = slash == model.npos ? "network.yaml" : mutant[0].substr(slash + 1);
        const Scratch scratch;
        scratch.copy(std::string{SME_SOURCE_DIR} + "/models/" + model);
        std::string text = sme::test::text_of(scratch.path(file));
        const std::size_t at = text.find(mutant[1]);
        REQUIRE(at != std::string::npos);
        text.replace(at, mutant[1].size(), mutant[2]);
        scratch.write(file, text);
        const Command run{"run " + scratch.path("network.yaml") +
                          (model == "ring" ? " --set nodes=20 --cycles 250" : "")};
        CHECK(run.exit_code == 1);
        caught += run.exit_code == 1 ? 1 : 0;
    }
    MESSAGE("caught ", caught, " mutants");
    CHECK(caught >= 15);
}

TEST_CASE("what models are compared with is what their scripts write") {
    for (const char* model : {"running_sum", "fir", "life", "ripple", "traffic", "sort", "merge",
                              "reconvergent", "jpeg", "cpu", "pipeline", "game"}) {
        CAPTURE(model);
        const std::string folder = std::string{SME_SOURCE_DIR} + "/models/" + model;
        const Scratch scratch;
        const Command result{"python3 -B " + folder + "/expected.py " + scratch.path(""),
                             Command::any_program};
        REQUIRE(result.exit_code == 0);
        CHECK(!scratch.files().empty());
        for (const std::string& name : scratch.files()) {
            CAPTURE(name);
            CHECK(sme::test::text_of(scratch.path(name)) ==
                  sme::test::text_of((std::filesystem::path{folder} / name).string()));
        }
    }
}

TEST_CASE("the lesson of traffic shows lines of its network") {
    const std::string folder = std::string{SME_SOURCE_DIR} + "/models/traffic/";
    const std::string network = sme::test::text_of(folder + "network.yaml");
    std::istringstream lesson{sme::test::text_of(folder + "README.md")};
    bool inside = false;
    int shown = 0;
    for (std::string line; std::getline(lesson, line);) {
        if (line.starts_with("```"))
            inside = line.starts_with("```yaml");
        else if (inside) {
            CAPTURE(line);
            CHECK(network.find(line + "\n") != std::string::npos);
            ++shown;
        }
    }
    CHECK(shown > 15);
}

TEST_CASE("the processor runs its second program, and a sorter has any length") {
    const Scratch cpu;
    cpu.copy(std::string{SME_SOURCE_DIR} + "/models/cpu");
    CHECK(Command{"run " + cpu.path("network.yaml") +
                  " --set program=sort.hex --set expected=sort_expected.hex"}
              .exit_code == 0);
    CHECK(Command{"run " + cpu.path("network.yaml") + " --set program=sort.hex"}.exit_code == 1);
    for (const char* n : {"1", "2", "500"}) {
        CAPTURE(n);
        const Scratch sort;
        sort.copy(std::string{SME_SOURCE_DIR} + "/models/sort");
        const Command numbers{"python3 -B " + sort.path("expected.py") + " --n " + n,
                              Command::any_program};
        REQUIRE(numbers.exit_code == 0);
        const Command run{"run " + sort.path("network.yaml") + " --set n=" + n};
        CAPTURE(run.err);
        CHECK(run.exit_code == 0);
    }
}

TEST_CASE("the filter in its transposed form gives the same") {
    const Scratch scratch;
    scratch.copy(std::string{SME_SOURCE_DIR} + "/models/fir");
    const Command run{"run " + scratch.path("transposed.yaml")};
    CAPTURE(run.err);
    CHECK(run.exit_code == 0);
    CHECK(contains(run.out, "output.csv: 3562 rows as expected"));
}

TEST_CASE("the processor in two stages executes the same instructions") {
    const Scratch scratch;
    scratch.copy(std::string{SME_SOURCE_DIR} + "/models/riscv");
    const Command run{"run " + scratch.path("pipelined.yaml") +
                      " --set program=programs/sort.hex --set expected=programs/sort.csv"};
    CAPTURE(run.err);
    CHECK(run.exit_code == 0);
    CHECK(contains(run.out, "output.csv: 1248 rows as expected"));
}

TEST_CASE("ring and fir in C++ agree with their networks") {
    const std::string models = std::string{SME_BINARY_DIR} + "/models/";
    const Command ring{models + "ring/ring 100 1000", Command::any_program};
    CHECK(ring.exit_code == 0);
    CHECK(ring.out.find("1000") != std::string::npos);
    const Command fir{models + "fir/fir " + SME_SOURCE_DIR + "/models/fir", Command::any_program};
    CHECK(fir.exit_code == 0);
    const Scratch scratch;
    scratch.copy(std::string{SME_SOURCE_DIR} + "/models/fir");
    scratch.write("expected.csv", "value\n1\n");
    CHECK(Command{models + "fir/fir " + scratch.path(""), Command::any_program}.exit_code == 1);
}
