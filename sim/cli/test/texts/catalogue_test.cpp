// SPDX-License-Identifier: Apache-2.0
//
// Runs every example of the catalogue as a user would: a wrong one prints exactly the diagnostic in
// its entry; a right one is accepted without output.
#include <doctest/doctest.h>

#include <cstdlib>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <sys/stat.h>

#include "../command.hpp"
#include "base/codes.hpp"

using namespace sme;
using test::Command;
using test::Scratch;

namespace {

struct Shown {
    std::string command;
    std::string output;
};

std::vector<Shown> commands_of(const std::string& session) {
    std::vector<Shown> found;
    std::istringstream lines{session};
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with("$ "))
            found.push_back({line.substr(2), {}});
        else if (!found.empty())
            found.back().output += line + "\n";
    return found;
}

std::string shell_word(const std::string& text) {
    std::string result = "'";
    for (const char c : text)
        result += c == '\'' ? std::string{"'\\''"} : std::string{c};
    return result + "'";
}

/// The slugs at the ends of headlines in a text.
std::set<std::string> slugs_in(const std::string& text) {
    std::set<std::string> found;
    std::istringstream lines{text};
    for (std::string line; std::getline(lines, line);)
        if (const std::size_t open = line.rfind(" [");
            line.ends_with("]") && open + 2 < line.size())
            for (const CodeInfo& code : all_codes())
                if (line.substr(open + 2) == std::string{code.slug} + "]")
                    found.insert(std::string{code.slug});
    return found;
}

/// With SME_WRITE_EXPECTED in the environment, writes the printed text into the entry; review the
/// difference with git.
void write_expected(std::string_view slug, const std::string& shown, const std::string& printed) {
    if (!std::getenv("SME_WRITE_EXPECTED") || shown == printed)
        return;
    const std::string path =
        std::string{SME_SOURCE_DIR "/lib/base/catalogue/"} + std::string{slug} + ".md";
    std::string text = test::text_of(path);
    if (const std::size_t at = text.find(shown); at != std::string::npos)
        std::ofstream{path, std::ios::binary} << text.replace(at, shown.size(), printed);
}

/// A folder with the files of an example, in which its commands run.
class Stage {
public:
    explicit Stage(const Example& example) {
        for (const Example::File& file : example.files)
            folder_.write(file.name, file.text);
        // a user's compiler finds the installed library; this one finds the library in the build
        tools_.write("g++",
                     "#!/bin/sh\nexec " SME_COMPILE " -I" SME_SOURCE_DIR
                     "/lib/include \"$@\" -L" SME_BINARY_DIR " -lsme -lmetis -lfmt -pthread\n");
        ::chmod(tools_.path("g++").c_str(), 0755);
    }

    struct Result {
        int exit_code;
        std::string output;
    };
    Result run(const std::string& command) const {
        const Command result{"cd " + folder_.path("") + " && PATH=" + tools_.path("") +
                                 ":$(dirname " SME_COMMAND "):$PATH sh -c " +
                                 shell_word("( " + command + " ) 2>&1"),
                             Command::any_program};
        return {result.exit_code, result.out};
    }

private:
    Scratch folder_, tools_;
};

} // namespace

TEST_CASE("every wrong example gets the diagnostic that its entry shows") {
    for (const std::string_view slug : explained_slugs()) {
        CAPTURE(slug);
        const Explanation entry = explanation(slug);
        const Stage stage{entry.wrong};
        std::string all, session;
        for (const Shown& shown : commands_of(entry.wrong.session)) {
            CAPTURE(shown.command);
            Stage::Result result = stage.run(shown.command);
            if (const auto at = result.output.find("(WIDTHEXPAND)"); at != std::string::npos)
                result.output.replace(at, 13, "(WIDTH)"); // as Verilator before 5.010 prints it
            CHECK(result.output == shown.output);
            CHECK(result.exit_code < 126);
            all += result.output;
            session += "$ " + shown.command + "\n" + result.output;
        }
        write_expected(slug, entry.wrong.session, session);
        CHECK(slugs_in(all) == std::set<std::string>{std::string{slug}});
    }
}

TEST_CASE("every right example is accepted in silence") {
    for (const std::string_view slug : explained_slugs()) {
        CAPTURE(slug);
        const Explanation entry = explanation(slug);
        const Stage stage{entry.right};
        const bool plain = entry.right.session.empty();
        for (const Shown& shown : commands_of(
                 plain ? "$ sme run --strict --cycles 10 network.yaml\n" : entry.right.session)) {
            CAPTURE(shown.command);
            const Stage::Result result = stage.run(shown.command);
            CHECK(result.exit_code == 0);
            if (!shown.output.empty())
                CHECK(result.output == shown.output);
            for (const char* word : {"error: ", "warning: ", "fault: "}) {
                CAPTURE(result.output);
                CHECK(result.output.find(word) == std::string::npos);
            }
        }
    }
}

TEST_CASE("sme explain tells what a code means, with its examples") {
    const Command told{"explain width-mismatch"};
    CHECK(told.exit_code == 0);
    CHECK(told.err == "");
    CHECK(told.out.starts_with("width-mismatch (error): Two integers of different width or sign "
                               "meet; a cast states the intent.\n\n"));
    const Explanation entry = explanation("width-mismatch");
    CHECK(told.out.find(entry.text) != std::string::npos);
    CHECK(told.out.find("\nWrong, network.yaml:\n\n  network: ") != std::string::npos);
    CHECK(told.out.find("\nRight, network.yaml:\n\n  network: ") != std::string::npos);
    CHECK(told.out.find(" [width-mismatch]\n") != std::string::npos);
    CHECK(Command{"explain [width-mismatch]"}.out == told.out); // in brackets, as in messages
}

TEST_CASE("sme explain without a code lists all of them") {
    const Command list{"explain"};
    CHECK(list.exit_code == 0);
    for (const CodeInfo& code : all_codes()) {
        CAPTURE(code.slug);
        const std::size_t at = list.out.find("\n  " + std::string{code.slug} + " ");
        REQUIRE(at != std::string::npos);
        CHECK(list.out.find(code.meaning, at) != std::string::npos);
    }
}

TEST_CASE("sme explain of an unknown code asks what was meant and ends with 2") {
    const Command wrong{"explain with-mismatch"};
    CHECK(wrong.exit_code == 2);
    CHECK(wrong.out == "");
    CHECK(wrong.err == "error: there is no code 'with-mismatch', did you mean 'width-mismatch'? "
                       "'sme explain' lists all [bad-option]\n");
    CHECK(Command{"explain a b"}.exit_code == 2);
}
