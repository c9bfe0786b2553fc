// SPDX-License-Identifier: Apache-2.0
//
// Tests every standard component with its test network, and that the test detects mutations.
#include <algorithm>

#include <doctest/doctest.h>

#include "../command.hpp"
#include "../rows.hpp"

namespace {

using sme::test::Command;
using sme::test::Scratch;
using sme::test::text_of;

const std::string folder = std::string{SME_SOURCE_DIR} + "/lib/std";

/// Returns the text of a file in the folder.
std::string text_in(const std::string& name) {
    return text_of((std::filesystem::path{folder} / name).string());
}

/// The names of all components, which are also their file names.
std::vector<std::string> components() {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator{folder})
        if (entry.path().extension() == ".yaml" && entry.path().stem() != "stream")
            names.push_back(entry.path().stem().string());
    std::sort(names.begin(), names.end());
    return names;
}

/// Rows of three cells, without the header.
std::vector<std::vector<std::string>> table(const std::string& name) {
    std::vector<std::vector<std::string>> found;
    for (const auto& row : sme::test::rows_of(text_in("test/" + name)))
        if (row.size() == 3)
            found.push_back(row);
    REQUIRE(found.size() > 1);
    found.erase(found.begin());
    return found;
}

} // namespace

TEST_CASE("every standard component has a test network that runs as it must") {
    const Scratch scratch;
    scratch.copy(folder);
    for (const std::string& name : components()) {
        CAPTURE(name);
        const Command run{"run " + scratch.path("test/" + name) + ".yaml"};
        CAPTURE(run.out);
        CHECK(run.err == "");
        CHECK(run.exit_code == 0);
        CHECK(run.out.find("passed") != std::string::npos);
        CHECK(run.out.find("not reached") == std::string::npos);
    }
}

TEST_CASE(
    "every standard component stands in the catalogue, is named as its file, and has mutants") {
    const std::string catalogue = text_in("README.md");
    const auto mutants = table("mutants.csv");
    for (const std::string& name : components()) {
        CAPTURE(name);
        CHECK(text_in(name + ".yaml").find("component: " + name) != std::string::npos);
        CHECK(catalogue.find("| [`" + name + "`](#") != std::string::npos);
        CHECK(catalogue.find("\n## " + name) != std::string::npos);
        CHECK(catalogue.find("<!-- diagram diagrams/" + name + ".svg test/") != std::string::npos);
        CHECK(std::any_of(mutants.begin(), mutants.end(),
                          [&](const auto& mutant) { return mutant[0] == name; }));
    }
}

TEST_CASE("the tables of the catalogue have the parameters and ports of the components") {
    const Scratch scratch;
    scratch.copy(folder);
    const std::string tables = "python3 " + scratch.path("tables.py") + " --check";
    const Command same{tables, Command::any_program};
    CAPTURE(same.err);
    CHECK(same.exit_code == 0);
    std::string fifo = text_of(scratch.path("fifo.yaml"));
    const std::string port = "  y: Stream(T)";
    fifo.replace(fifo.find(port), port.size(), "  z: Stream(T)");
    scratch.write("fifo.yaml", fifo);
    CHECK(Command{tables, Command::any_program}.exit_code == 1);
}

TEST_CASE("standard components take the parameters they say, and refuse the others") {
    const Scratch scratch;
    scratch.copy(folder);
    for (const auto& run : table("runs.csv")) {
        CAPTURE(run[0]);
        CAPTURE(run[1]);
        const Command command{"run " + scratch.path("test/" + run[0] + ".yaml") + " " + run[1]};
        CAPTURE(command.err);
        CHECK(std::to_string(command.exit_code) == run[2]);
        if (run[2] == "2")
            CHECK(command.err.find("does not hold for these parameters") != std::string::npos);
    }
}

TEST_CASE("every mutant of a standard component is noticed") {
    for (const auto& mutant : table("mutants.csv")) {
        CAPTURE(mutant[0]);
        CAPTURE(mutant[1]);
        CAPTURE(mutant[2]);
        const Scratch scratch;
        scratch.copy(folder);
        std::string text = text_of(scratch.path(mutant[0] + ".yaml"));
        const std::size_t at = text.find(mutant[1]);
        REQUIRE(at != std::string::npos);
        CHECK(text.find(mutant[1], at + 1) == std::string::npos);
        text.replace(at, mutant[1].size(), mutant[2]);
        scratch.write(mutant[0] + ".yaml", text);
        const Command run{"run " + scratch.path("test/" + mutant[0] + ".yaml")};
        CAPTURE(run.err);
        CHECK(run.exit_code == 1);
    }
}

TEST_CASE("the files the test networks of std compare with are those their script writes") {
    const Scratch scratch;
    const Command result{"python3 " + folder + "/test/expected.py " + scratch.path(""),
                         Command::any_program};
    REQUIRE(result.exit_code == 0);
    for (const std::string& name : scratch.files()) {
        CAPTURE(name);
        CHECK(text_of(scratch.path(name)) == text_in("test/" + name));
    }
    CHECK(scratch.files().size() > 20);
}

namespace {

const std::string diagrams = "python3 " + folder + "/diagrams.py " + SME_COMMAND;

/// Redraws the diagrams of a document and compares them.
void check_diagrams(const std::string& document) {
    const Command as_they_are{diagrams + " --check --readme " + document, Command::any_program};
    if (as_they_are.exit_code == 3) {
        MESSAGE("skipped: there is no yowasp-wavedrom");
        return;
    }
    CAPTURE(as_they_are.err);
    CHECK(as_they_are.exit_code == 0);
}

} // namespace

TEST_CASE("timing diagrams of std and of the language reference show what a run gives") {
    check_diagrams(folder + "/README.md");
    check_diagrams(std::string{SME_SOURCE_DIR} + "/LANGUAGE.md");
}

TEST_CASE("a timing diagram that a run does not give is noticed") {
    const Scratch scratch;
    const std::string text = "network: d\nbuses: {x: u8}\nprocesses:\n  p:\n    out: x\n"
                             "    step:\n      x: x + 1\nrun: {cycles: 4}\n";
    scratch.write("D.md", "```yaml\n" + text +
                              "```\n\n<!-- diagram drawn/d.svg 0..3 x -->\n![x](drawn/d.svg)\n"
                              "<!-- diagram drawn/e.svg test/e.yaml 0..3 x -->\n"
                              "![x](drawn/e.svg)\n");
    std::filesystem::create_directory(scratch.path("test"));
    scratch.write("test/e.yaml", text);
    const std::string draw = diagrams + " --readme " + scratch.path("D.md");
    const Command drawn{draw, Command::any_program};
    if (drawn.exit_code == 3) {
        MESSAGE("skipped: there is no yowasp-wavedrom");
        return;
    }
    CHECK_MESSAGE(drawn.exit_code == 0, drawn.err);
    const std::string check = draw + " --check";
    CHECK(Command{check, Command::any_program}.exit_code == 0);
    for (const char* const name : {"D.md", "test/e.yaml"}) {
        const std::string before = text_of(scratch.path(name));
        scratch.write(name, sme::test::replaced(before, "x + 1", "x + 2"));
        CHECK(sme::test::contains(Command{check, Command::any_program}.err,
                                  "svg is not what the run gives"));
        scratch.write(name, before);
    }
    std::filesystem::remove(scratch.path("drawn/e.svg"));
    CHECK(Command{check, Command::any_program}.exit_code == 1);
}
