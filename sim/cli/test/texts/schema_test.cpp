// SPDX-License-Identifier: Apache-2.0
//
// The schema, judged by a validator of others on every network there is.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "../command.hpp"

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
    const std::string server = "yaml-language-server";
    if (Command{"command -v " + server, Command::any_program}.exit_code != 0) {
        MESSAGE("skipped: no yaml-language-server (npm install -g yaml-language-server)");
        return;
    }
    const Scratch scratch;
    scratch.write("schema.json", Command{"schema"}.out);
    scratch.write("wrong.yaml", "network: n\nbuses: {x: u8}\nproceses:\n"
                                "  p: {out: x, step: {x: x + 1}}\n");
    const Command judge{std::string{SME_PYTHON} + " sim/cli/test/texts/ask_language_server.py " +
                            server + " " + scratch.path("schema.json") +
                            " models/*/*.yaml models/tutorial/*/*.yaml lib/std/*.yaml " +
                            scratch.path("wrong.yaml"),
                        Command::any_program};
    CHECK(judge.exit_code == 0);
    INFO(judge.out);
    CHECK(judge.out.starts_with(scratch.path("wrong.yaml") +
                                ":3: Property proceses is not allowed.\n"));
    CHECK(std::count(judge.out.begin(), judge.out.end(), '\n') == 2);
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
