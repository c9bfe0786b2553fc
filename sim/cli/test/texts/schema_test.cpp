// SPDX-License-Identifier: Apache-2.0
//
// Applies an independent schema validator to every network of the repository.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "../command.hpp"
#include "../node_tools.hpp"

using namespace sme;
using test::Command;
using test::Scratch;

TEST_CASE("the schema takes every network that loads, and no wrong key or shape") {
    const std::string python = SME_PYTHON;
    if (Command{python + " -c 'import jsonschema, yaml'", Command::any_program}.exit_code != 0) {
        MESSAGE("skipped: no jsonschema in build/venv (tools/test makes it)");
        return;
    }
    const Scratch scratch;
    scratch.write("schema.json", Command{"schema"}.out);
    const Command judge{python + " sim/cli/test/texts/validate_schema.py " +
                            scratch.path("schema.json") + " " SME_COMMAND " .",
                        Command::any_program};
    CHECK(judge.exit_code == 0);
    CHECK(judge.err == "");
    CHECK(judge.out.find("must be") == std::string::npos);
    INFO(judge.out);
    REQUIRE(judge.out.find(" valid, ") != std::string::npos);
    CHECK(std::stoi(judge.out) > 400);
    CHECK(std::stoi(judge.out.substr(judge.out.find(", ") + 2)) > 40);
}

TEST_CASE("the language server of editors marks a wrong key and nothing in the models") {
    if (const std::string missing = test::missing_node_tools(); !missing.empty()) {
        MESSAGE("skipped: " << missing);
        return;
    }
    const Scratch scratch;
    scratch.write("schema.json", Command{"schema"}.out);
    scratch.write("wrong.yaml", "network: n\nbuses: {x: u8}\nproceses:\n"
                                "  p: {out: x, step: {x: x + 1}}\n");
    const Command judge{std::string{SME_PYTHON} + " sim/cli/test/texts/ask_language_server.py " +
                            test::node_tools + "/node_modules/.bin/yaml-language-server " +
                            scratch.path("schema.json") +
                            " models/*/*.yaml models/tutorial/*/*.yaml lib/std/*.yaml " +
                            scratch.path("wrong.yaml"),
                        Command::any_program};
    CHECK(judge.exit_code == 0);
    INFO(judge.out);
    CHECK(judge.out.starts_with(scratch.path("wrong.yaml") +
                                ":3: Property proceses is not allowed.\n"));
    CHECK(std::count(judge.out.begin(), judge.out.end(), '\n') == 2);
}

TEST_CASE("Neovim, set up as the README says, marks a wrong key, completes, and tells meanings") {
    if (const std::string missing = test::missing_node_tools(); !missing.empty()) {
        MESSAGE("skipped: " << missing);
        return;
    }
    if (Command{"command -v nvim", Command::any_program}.exit_code != 0) {
        MESSAGE("skipped: no Neovim (Debian: apt-get install neovim)");
        return;
    }
    const std::string readme = test::text_of(SME_SOURCE_DIR "/sim/cli/README.md");
    const std::string fence = "```lua\n";
    const std::size_t begin = readme.find(fence) + fence.size();
    const Scratch scratch;
    scratch.write("init.lua", readme.substr(begin, readme.find("```", begin) - begin));
    scratch.write("sme.schema.json", Command{"schema"}.out);
    scratch.write("network.yaml", "network: n\nbuses: {x: u8}\nproceses:\n"
                                  "  p: {out: x, step: {x: x + 1}}\n\n");
    const Command shown = test::run_in(
        scratch, "PATH=" + test::node_tools +
                     "/node_modules/.bin:$PATH timeout 60 nvim --clean --headless -u init.lua -c "
                     "'luafile " SME_SOURCE_DIR "/sim/cli/test/texts/ask_neovim.lua' -c qa! 2>&1");
    CHECK(shown.exit_code == 0);
    INFO(shown.out);
    for (const char* part : {"3: Property proceses is not allowed.", " processes ", " channels ",
                             "hover: the name of the network", "omnifunc v:lua.vim.lsp.omnifunc"}) {
        CAPTURE(part);
        CHECK(shown.out.find(part) != std::string::npos);
    }
}

TEST_CASE("the schema says what each key means") {
    const Command schema{"schema"};
    CHECK(schema.exit_code == 0);
    CHECK(schema.err == "");
    for (const char* part :
         {"\"http://json-schema.org/draft-07/schema#\"", "\"the name of the network\"",
          "\"enum\": [\"halt\", \"zero\", \"hold\", \"repeat\"]", "\"^eventually by[ (]\""}) {
        CAPTURE(part);
        CHECK(schema.out.find(part) != std::string::npos);
    }
}
