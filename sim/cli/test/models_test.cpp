// SPDX-License-Identifier: Apache-2.0
//
// Every model runs, gives what it must, and notices when it is broken.
#include <doctest/doctest.h>

#include "command.hpp"

namespace {

using sme::test::Command;
using sme::test::Scratch;

/// "model,old,new" rows, cells quoted where they hold a comma.
std::vector<std::vector<std::string>> rows_of(const std::string& text) {
    std::vector<std::vector<std::string>> rows{{""}};
    bool quoted = false;
    for (std::size_t k = 0; k < text.size(); ++k) {
        const char c = text[k];
        if (c == '"' && quoted && k + 1 < text.size() && text[k + 1] == '"')
            rows.back().back() += text[++k];
        else if (c == '"')
            quoted = !quoted;
        else if (c == ',' && !quoted)
            rows.back().emplace_back();
        else if (c == '\n' && !quoted)
            rows.push_back({""});
        else
            rows.back().back() += c;
    }
    return rows;
}

} // namespace

TEST_CASE("every model runs, and what it records is what is expected of it") {
    for (const char* model : {"ring", "running_sum", "fir", "life", "ripple"}) {
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

TEST_CASE("every mutant of a model is noticed by its checks or its expected output") {
    const std::vector<std::vector<std::string>> mutants =
        rows_of(sme::test::text_of(std::string{SME_SOURCE_DIR} + "/models/test/mutants.csv"));
    int caught = 0;
    for (const std::vector<std::string>& mutant : mutants) {
        if (mutant.size() != 3 || mutant[0] == "model")
            continue;
        CAPTURE(mutant[0]);
        CAPTURE(mutant[2]);
        const Scratch scratch;
        scratch.copy(std::string{SME_SOURCE_DIR} + "/models/" + mutant[0]);
        std::string text = sme::test::text_of(scratch.path("network.yaml"));
        const std::size_t at = text.find(mutant[1]);
        REQUIRE(at != std::string::npos);
        text.replace(at, mutant[1].size(), mutant[2]);
        scratch.write("network.yaml", text);
        const Command run{"run " + scratch.path("network.yaml") +
                          (mutant[0] == "ring" ? " --set nodes=20 --cycles 250" : "")};
        CHECK(run.exit_code == 1);
        caught += run.exit_code == 1 ? 1 : 0;
    }
    MESSAGE("caught ", caught, " mutants");
    CHECK(caught >= 15);
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
