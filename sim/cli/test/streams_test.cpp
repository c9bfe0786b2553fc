// SPDX-License-Identifier: Apache-2.0
//
// Tests printed output: for a reader that closes the pipe, for strange file names, and for files
// that cannot be written.
#include <doctest/doctest.h>

#include <string>

#include "command.hpp"

namespace {

using namespace sme::test;

const std::string talk = talking("\"at {cycle}\"");

/// Runs a shell line in a folder.
Command in(const Scratch& folder, const std::string& line) {
    return Command{"cd " + folder.path() + " && " + line, Command::any_program};
}

/// Runs the command in a pipe; returns its standard error, with its exit code at the end.
std::string told(const std::string& arguments) {
    return "( " SME_COMMAND " " + arguments + "; echo ended with $? >&2 )";
}

} // namespace

TEST_CASE("a reader who leaves ends a command quietly, and files are whole") {
    const Scratch folder;
    folder.write("network.yaml", talk + "outputs:\n  x.csv: {record: x}\n");
    const Command run =
        in(folder, told("run network.yaml --cycles 1000000000000") + " | head -n 1; ls");
    CHECK(run.out == "at 0\nnetwork.yaml\nx.csv\n");
    CHECK(run.err == "ended with 141\n");
    const Command messages =
        in(folder, "( " SME_COMMAND " run nothing.yaml; echo $? >code ) 2>&1 | true; sleep 0.05; "
                   "cat code");
    CHECK(messages.err == "");
    for (const char* arguments : {"explain", "schema", "graph network.yaml"}) {
        CAPTURE(arguments);
        CHECK(
            in(folder, "( sleep 0.05; exec " SME_COMMAND " " + std::string{arguments} + " ) | true")
                .err == "");
    }
}

TEST_CASE("control characters in the names of files do not reach a terminal") {
    const Scratch folder;
    const std::string name = "a\x1b[31mb", shown = "a\\x1b[31mb";
    folder.write("network.yaml", talk);
    folder.write(name + ".yaml", talk);
    const Command run =
        in(folder, SME_COMMAND " run network.yaml --cycles 2 --trace '" + name +
                       ".vcd' --keep-last 3 --checkpoint-every 1 '" + name + ".ckpt'");
    CHECK(contains(run.out, "  saved        " + shown + ".ckpt: "));
    CHECK(contains(run.out, "  not kept     " + shown + ".vcd: "));
    const Command check =
        in(folder, SME_COMMAND " check '" + name + ".yaml' --set '" + name + "=3'");
    CHECK(check.exit_code == 2);
    folder.write(name + ".bad.yaml", replaced(talk, "x: x + 1", "x: z + 1"));
    const Command wrong = in(folder, SME_COMMAND " check '" + name + ".bad.yaml'");
    CHECK(contains(wrong.err, shown + ".bad.yaml:8:10: error: "));
    const Command missing = in(folder, SME_COMMAND " run '" + name + "'");
    CHECK(contains(missing.err, "'" + shown + "'"));
    const Command option = in(folder, SME_COMMAND " run --'" + name + "'");
    CHECK(contains(option.err, shown));
    const Command view = in(folder, SME_COMMAND " view --no-open '" + name + ".yaml' --cycles 2");
    CHECK(contains(view.out, "  wrote        " + shown + ".gtkw\n"));
    for (const Command* each : {&run, &check, &wrong, &missing, &option, &view})
        CHECK_FALSE(contains(each->out + each->err, "\x1b"));
}

TEST_CASE("a recorded output that cannot be written is not said to be recorded") {
    const Scratch folder;
    folder.write("network.yaml", talk + "outputs:\n  /dev/full: {record: x}\n");
    const Command run =
        in(folder, SME_COMMAND " run network.yaml --cycles 3 --results r.json --junit j.xml");
    CHECK(run.exit_code == 4);
    CHECK(contains(run.err, "cannot write '/dev/full': No space left on device"));
    CHECK_FALSE(contains(run.out, "recorded"));
    CHECK(contains(run.out, "  not written  /dev/full: 4 rows came\n"));
    CHECK(contains(text_of(folder.path("r.json")), "\"result\": \"not written\""));
    CHECK(contains(text_of(folder.path("j.xml")), "type=\"not written\""));
}
