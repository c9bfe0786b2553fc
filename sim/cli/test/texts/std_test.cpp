// SPDX-License-Identifier: Apache-2.0
//
// Every standard component does what its test network says, and not when it is broken.
#include <algorithm>

#include <doctest/doctest.h>

#include "../command.hpp"
#include "../rows.hpp"

namespace {

using sme::test::Command;
using sme::test::Scratch;
using sme::test::text_of;

const std::string folder = std::string{SME_SOURCE_DIR} + "/lib/std";

/// The text of a file of the folder.
std::string text_in(const std::string& name) {
    return text_of((std::filesystem::path{folder} / name).string());
}

/// The names of all components, which are those of their files.
std::vector<std::string> components() {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator{folder})
        if (entry.path().extension() == ".yaml" && entry.path().stem() != "stream")
            names.push_back(entry.path().stem().string());
    std::sort(names.begin(), names.end());
    return names;
}

/// Rows of three cells, without the head.
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
        CHECK(catalogue.find("<!-- picture " + name) != std::string::npos);
        CHECK(std::any_of(mutants.begin(), mutants.end(),
                          [&](const auto& mutant) { return mutant[0] == name; }));
    }
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
    const Command made{"python3 " + folder + "/test/expected.py " + scratch.path(""),
                       Command::any_program};
    REQUIRE(made.exit_code == 0);
    for (const std::string& name : scratch.files()) {
        CAPTURE(name);
        CHECK(text_of(scratch.path(name)) == text_in("test/" + name));
    }
    CHECK(scratch.files().size() > 20);
}

TEST_CASE("timing pictures of std show what a run gives; a wrong one is noticed") {
    const std::string draw = "python3 " + folder + "/pictures.py " + SME_COMMAND + " --check";
    const Command as_they_are{draw, Command::any_program};
    CAPTURE(as_they_are.err);
    CHECK(as_they_are.exit_code == 0);
    const Scratch scratch;
    std::string text = text_in("README.md");
    const std::size_t at = text.find("/~");
    REQUIRE(at != std::string::npos);
    text.replace(at, 2, "__");
    scratch.write("README.md", text);
    const Command wrong{draw + " --readme " + scratch.path("README.md"), Command::any_program};
    CHECK(wrong.exit_code == 1);
}

TEST_CASE(
    "timing diagrams of the language reference show what a run gives; a wrong one is noticed") {
    const std::string draw = "python3 " + folder + "/pictures.py " + SME_COMMAND + " --check";
    const Command as_they_are{draw + " --readme " + SME_SOURCE_DIR + "/LANGUAGE.md",
                              Command::any_program};
    if (as_they_are.exit_code == 3) {
        MESSAGE("skipped: there is no yowasp-wavedrom");
        return;
    }
    CAPTURE(as_they_are.err);
    CHECK(as_they_are.exit_code == 0);
    const Scratch scratch;
    scratch.write("D.md", "```yaml\nnetwork: d\nbuses: {x: u8}\nprocesses:\n  p:\n    out: x\n"
                          "    step:\n      x: x + 1\nrun: {cycles: 4}\n```\n\n"
                          "<!-- diagram diagrams/d.svg 0..3 x -->\n![x counts](diagrams/d.svg)\n");
    const std::string checked = draw + " --readme " + scratch.path("D.md");
    CHECK(sme::test::contains(Command{checked, Command::any_program}.err,
                              "d.svg is not what the run gives"));
    std::filesystem::create_directory(scratch.path("diagrams"));
    const Command drawn{"python3 " + folder + "/pictures.py " + SME_COMMAND + " --readme " +
                            scratch.path("D.md"),
                        Command::any_program};
    CHECK_MESSAGE(drawn.exit_code == 0, drawn.err);
    CHECK(Command{checked, Command::any_program}.exit_code == 0);
    scratch.write("D.md", sme::test::replaced(text_of(scratch.path("D.md")), "x + 1", "x + 2"));
    CHECK(Command{checked, Command::any_program}.exit_code == 1);
}
