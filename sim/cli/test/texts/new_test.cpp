// SPDX-License-Identifier: Apache-2.0
//
// Tests a new project: its files, that all of them run and detect mistakes, and the refused names.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "../command.hpp"

using namespace sme;
using test::Command;
using test::replaced;
using test::run_in;
using test::Scratch;
using test::sme_in;
using test::text_of;

namespace {

bool have(const std::string& program) {
    return Command{"command -v " + program, Command::any_program}.exit_code == 0;
}

/// The commands of the console blocks of a document.
std::vector<std::string> commands_of(const std::string& text) {
    std::vector<std::string> found;
    for (std::size_t at = text.find("\n$ "); at != std::string::npos;
         at = text.find("\n$ ", at + 1))
        found.push_back(text.substr(at + 3, text.find('\n', at + 1) - at - 3));
    return found;
}

} // namespace

TEST_CASE("a new project is there, named, without our licence") {
    const Scratch scratch;
    const std::string wrote =
        "  wrote        blinker/README.md\n  wrote        blinker/network.yaml\n"
        "  wrote        blinker/window.v\n";
    const std::string now = "now: cd blinker && sme run network.yaml\n";
    const Command result = run_in(scratch, "PATH=/nowhere " SME_COMMAND " new blinker");
    CHECK(result.exit_code == 0);
    CHECK(result.err == "");
    CHECK(result.out == wrote + "'sme' is not in PATH; first: alias sme='" SME_COMMAND "'\n" + now);
    const std::string path = std::filesystem::path{SME_COMMAND}.parent_path().string();
    CHECK(run_in(scratch, "rm -r blinker && PATH=" + path + ":$PATH && sme new blinker").out ==
          wrote + now);
    CHECK(text_of(scratch.path("blinker/network.yaml")).find("\nnetwork: blinker\n") !=
          std::string::npos);
    for (const char* file : {"README.md", "network.yaml", "window.v"}) {
        CAPTURE(file);
        const std::string text = text_of(scratch.path(std::string{"blinker/"} + file));
        CHECK(text.size() > 500);
        CHECK(text.find("SPDX") == std::string::npos);
        CHECK(text.find("my_project") == std::string::npos);
    }
}

TEST_CASE("every command of a new project's README runs, and its checks bite") {
    if (!have("verilator") || !have("iverilog")) {
        MESSAGE("skipped: no verilator or no iverilog");
        return;
    }
    const Scratch scratch;
    REQUIRE(sme_in(scratch, "new blinker").exit_code == 0);
    const std::string inside = "cd blinker && sme() { " SME_COMMAND " \"$@\"; } && ";
    const std::vector<std::string> commands =
        commands_of(text_of(scratch.path("blinker/README.md")));
    CHECK(commands.size() == 9);
    for (const std::string& command : commands) {
        CAPTURE(command);
        const Command run = run_in(scratch, inside + command);
        CHECK(run.exit_code == 0);
        CHECK(run.err == "");
    }
    const Command bench =
        run_in(scratch, "cd blinker/verilog && iverilog -g2005 -o bench $(cat files.f) "
                        "blinker_bench.v && vvp -n bench");
    CHECK(bench.out == "PASS: 72 cycles\n");
    const std::string summary = run_in(scratch, inside + "sme run --strict network.yaml").out;
    CAPTURE(summary);
    CHECK(text_of(scratch.path("blinker/README.md")).find("\nFive checks pass.") !=
          std::string::npos);
    CHECK(std::count(summary.begin(), summary.end(), '\n') == 6);
    for (std::size_t at = summary.find('\n') + 1; at < summary.size();
         at = summary.find('\n', at) + 1)
        CHECK(summary.substr(at, 9) == "  passed ");

    const auto runs_with = [&](const char* file, const char* from, const char* to) {
        const std::string path = std::string{"blinker/"} + file;
        const std::string text = text_of(scratch.path(path));
        scratch.write(path, replaced(text, from, to));
        const int code = run_in(scratch, inside + "sme run network.yaml").exit_code;
        scratch.write(path, text);
        return code;
    };
    CHECK(runs_with("window.v", " + {2'b00, c}", "") == 1); // as the README states
    CHECK(runs_with("network.yaml", "so_far: now", "so_far: total") == 1);
    CHECK(runs_with("network.yaml", "next == top", "next == top + 10") == 1);
}

TEST_CASE("a name that is none is refused with one that is") {
    const Scratch scratch;
    const auto advice = [&](const std::string& name) {
        const Command result = sme_in(scratch, "new -- " + name);
        CHECK(result.exit_code == 2);
        CHECK(result.out == "");
        CHECK(result.err.ends_with(" [bad-name]\n"));
        const std::size_t at = result.err.find("write sme new ");
        REQUIRE(at != std::string::npos);
        return result.err.substr(at + 14, result.err.find(" [bad-name]") - at - 14);
    };
    CHECK(advice("my-project") == "my_project");
    CHECK(advice("2bits") == "n2bits");
    CHECK(advice("'a b  c!'") == "a_b_c");
    CHECK(advice("if") == "if_1");
    CHECK(advice("..") == "my_project");
    CHECK(advice("''") == "my_project");
    CHECK(advice("sub/my-part/") == "sub/my_part");
    CHECK(std::filesystem::is_empty(scratch.path("")));
}

TEST_CASE("a new project writes into no folder with files in it") {
    const Scratch scratch;
    std::filesystem::create_directory(scratch.path("used"));
    scratch.write("used/notes.txt", "mine");
    scratch.write("file", "mine");
    std::filesystem::create_directory(scratch.path("empty"));
    std::filesystem::create_symlink("nowhere", scratch.path("link"));

    const Command used = sme_in(scratch, "new used");
    CHECK(used.exit_code == 2);
    CHECK(used.err == "error: 'used' is there already and is not empty; give another name "
                      "[not-overwritten]\n");
    CHECK(std::distance(std::filesystem::directory_iterator{scratch.path("used")}, {}) == 1);
    CHECK(sme_in(scratch, "new file").err ==
          "error: 'file' is there already; give another name [not-overwritten]\n");
    CHECK(text_of(scratch.path("file")) == "mine");
    CHECK(sme_in(scratch, "new link").exit_code == 2);
    CHECK(sme_in(scratch, "new empty").exit_code == 0);
    CHECK(sme_in(scratch, "new empty").exit_code == 2); // the folder is no longer empty

    const Command nowhere = sme_in(scratch, "new no/such/place");
    CHECK(nowhere.exit_code == 4);
    CHECK(nowhere.err.ends_with(" [file-unwritable]\n"));
    CHECK(sme_in(scratch, "new").exit_code == 2);
}

TEST_CASE("without a command, a few lines say what to do next") {
    const Command alone{""};
    CHECK(alone.exit_code == 2);
    CHECK(alone.out == "");
    CHECK(alone.err.starts_with("to begin:                  sme new my_project\n"));
    CHECK(std::count(alone.err.begin(), alone.err.end(), '\n') == 6);
    CHECK(Command{"--help"}.out.starts_with("usage: sme COMMAND"));
}
