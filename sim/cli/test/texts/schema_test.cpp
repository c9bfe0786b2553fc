// SPDX-License-Identifier: Apache-2.0
//
// The schema, judged by a validator of others on every network there is.
#include <doctest/doctest.h>

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
