// SPDX-License-Identifier: Apache-2.0
//
// Tests "sme debug" with other programs: signals, the terminal, and clients of editors.
#include <doctest/doctest.h>

#include <csignal>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "../command.hpp"
#include "../node_tools.hpp"
#include "../terminal.hpp"
#include "debugged_networks.hpp"

using sme::test::Command;
using sme::test::contains;
using sme::test::counting;
using sme::test::replaced;
using sme::test::Scratch;
using sme::test::staggered;
using sme::test::text_of;

TEST_CASE("Ctrl-C stops what runs, and not the debugger") {
    const Scratch scratch;
    scratch.write("t.yaml", counting);
    scratch.write("commands", "step\ncontinue\nstep\ninfo\n");
    const Command run = sme::test::run_in(
        scratch, "{ " SME_COMMAND " debug t.yaml --commands commands > out & pid=$!; "
                 "while ! grep -q cycle out; do sleep 0.02; done; kill -INT $pid; wait $pid; }");
    CHECK(run.exit_code == 0);
    const std::string out = text_of(scratch.path("out"));
    CHECK(contains(out, ": interrupted\n"));
    CHECK(contains(out, "\nt, cycle "));
}

TEST_CASE("SIGTERM and SIGHUP end the debugger, whether it waits or runs") {
    struct Case {
        const char* arguments;
        const char* input;
        const char* answer; // before the signal
    };
    const std::string request = R"({"seq":1,"type":"request","command":"initialize"})";
    const std::string message =
        fmt::format("Content-Length: {}\\r\\n\\r\\n{}", request.size(), request);
    for (const Case& given :
         {Case{"", "step\\n", "cycle 0"}, Case{"", "step\\ncontinue\\n", "cycle 0"},
          Case{"--commands in", "step\\n", "cycle 0"},
          Case{"--dap", message.c_str(), "initialized"}})
        for (const auto& [signal, code] : {std::pair{"TERM", 143}, std::pair{"HUP", 129}}) {
            CAPTURE(given.arguments);
            const std::string sent = signal; // clang cannot capture bindings
            CAPTURE(sent);
            const Scratch scratch;
            scratch.write("t.yaml", replaced(counting, "  - always: twice < 9\n",
                                             "  - always: twice < 511\n"));
            const Command run = sme::test::run_in(
                scratch, fmt::format("mkfifo in && exec 3<>in && {{ " SME_COMMAND
                                     " debug t.yaml {} <in >out & }} && printf '{}' >&3 && "
                                     "while ! grep -q '{}' out; do sleep 0.02; done; "
                                     "kill -{} $!; wait $!",
                                     given.arguments, given.input, given.answer, signal));
            CHECK(run.exit_code == code);
        }
}

TEST_CASE("a signal that ends the debugger leaves the terminal as it was") {
    sme::test::TmuxTerminal terminal{80, 24};
    if (!terminal.opened()) {
        MESSAGE("skipped: no tmux");
        return;
    }
    const Scratch scratch;
    scratch.write("t.yaml", counting);
    terminal.type("cd " + scratch.path() + " && stty -a > before");
    terminal.type("sh -c \"echo \\$\\$ > pid; exec " SME_COMMAND
                  " debug t.yaml\"; echo ended with $?");
    terminal.when("(sme)");
    ::kill(std::stoi(text_of(scratch.path("pid"))), SIGTERM);
    CHECK(contains(terminal.when("ended with 143"), "ended with 143"));
    terminal.type("stty -a > after; echo do\"\"ne");
    terminal.when("done");
    CHECK(text_of(scratch.path("before")) == text_of(scratch.path("after")));
}

TEST_CASE("an editor's client steps, stops, looks, changes and goes back") {
    const Scratch scratch;
    scratch.write("t.yaml", counting);
    const std::string python = SME_PYTHON;
    if (Command{python + " -c 'import jsonschema, debugpy'", Command::any_program}.exit_code != 0) {
        MESSAGE("skipped: no debugpy in build/venv (tools/test makes it)");
        return;
    }
    const Command client{python + " sim/cli/test/debug/dap_client.py " SME_COMMAND " " +
                             scratch.path("t.yaml"),
                         Command::any_program};
    CHECK(client.err == "");
    CHECK(client.out == "all as expected\n");
    CHECK(client.exit_code == 0);
}

TEST_CASE("where a line of a component runs, the frame is in the file of the component") {
    const Scratch scratch;
    scratch.write("part.yaml", "component: part\nout: {y: u8}\n# 1\n# 2\n# 3\n# 4\nstep:\n"
                               "  y: y + 1\n");
    scratch.write("n.yaml", "network: n\nimport: [part.yaml]\nbuses: {y: u8}\nprocesses:\n"
                            "  p: {use: part, out: y}\nrun: {cycles: 5}\n");
    const auto write = [&](const std::string& file, const std::vector<std::string>& requests) {
        std::string sent;
        for (const std::string& request : requests) {
            const std::string body = R"({"seq":1,"type":"request","command":)" + request + "}";
            sent += fmt::format("Content-Length: {}\r\n\r\n{}", body.size(), body);
        }
        scratch.write(file, sent);
    };
    write("begin",
          {R"("initialize","arguments":{})", R"("launch","arguments":{"stopOnEntry":false})",
           R"("setBreakpoints","arguments":{"source":{"path":"part.yaml"},)"
           R"("breakpoints":[{"line":8}]})",
           R"("configurationDone")"});
    write("then", {R"("stackTrace")", R"("scopes","arguments":{"frameId":1})", R"("disconnect")"});
    const Command run = sme::test::run_in(
        scratch, "{ cat begin; while ! grep -q '\"stopped\"' out; do sleep 0.02; done; cat then; } "
                 "| " SME_COMMAND " debug n.yaml --dap >out; cat out");
    CHECK(contains(run.out, "\"line\":8"));
    CHECK(contains(run.out, "/part.yaml\"}"));
    CHECK(contains(run.out, "\"name\":\"States\""));
    CHECK(contains(run.out, "\"name\":\"All states\""));
    CHECK(!contains(run.out, "/n.yaml\"}"));
}

TEST_CASE("VS Code's test client starts, stops, looks, changes, goes back and ends") {
    if (const std::string missing = sme::test::missing_node_tools(); !missing.empty()) {
        MESSAGE("skipped: " << missing);
        return;
    }
    const Scratch scratch;
    scratch.write("t.yaml", counting);
    scratch.write("f.yaml", staggered);
    const Command client{"timeout 60 node " + sme::test::node_tools +
                             "/debug_client.mjs " SME_COMMAND " " + scratch.path("t.yaml") + " " +
                             scratch.path("f.yaml"),
                         Command::any_program};
    CHECK(client.err == "");
    CHECK(client.out == "starts\nshows\nchanges\ngoes\nends\ninstances\n");
    CHECK(client.exit_code == 0);
}
