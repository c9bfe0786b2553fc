// SPDX-License-Identifier: Apache-2.0
//
// Tests the command from the user's view: exit codes, output streams, and files on disk.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>

#include "command.hpp"
#include "running.hpp"

namespace {

using sme::test::Command;
using sme::test::contains;
using sme::test::Running;
using sme::test::RunningOnTerminal;
using sme::test::Scratch;
using sme::test::text_of;

const char* const counter = R"(network: counter
buses:
  x: u32
processes:
  p:
    out: x
    state: {n: u32 = 0}
    step:
      n: n + 1
      x: n
)";

bool any_part_file(const Scratch& scratch) {
    const std::vector<std::string> files = scratch.files();
    return std::any_of(files.begin(), files.end(),
                       [](const std::string& name) { return name.ends_with(".part"); });
}

/// Sums the bytes of unfinished output files.
std::uintmax_t bytes_under_way(const Scratch& scratch) {
    std::uintmax_t bytes = 0;
    for (const std::string& name : scratch.files())
        if (name.ends_with(".part"))
            bytes += std::filesystem::file_size(scratch.path(name));
    return bytes;
}

struct Counter : Scratch {
    std::string network;
    explicit Counter(const std::string& more = "run: {cycles: 10}\n") {
        write("network.yaml", counter + more);
        network = path("network.yaml");
    }
};

} // namespace

TEST_CASE("a run that holds ends with 0, its results on standard output alone") {
    const Counter folder{"checks:\n  - at 10: x == 9\nrun: {cycles: 10}\n"};
    const Command run{"run " + folder.network};
    CHECK(run.exit_code == 0);
    CHECK(run.out == "counter: 10 cycles of 1 process, 1 bus\n  passed       at 10: x == 9\n");
    CHECK(run.err == "");
    const Command again{"run " + folder.network + " --stats"};
    CHECK(again.out == run.out);
    CHECK(contains(again.err, "stats: "));
}

TEST_CASE("the seed decides what is random, and nothing else does") {
    const Scratch folder;
    folder.write("network.yaml", R"(network: dice
buses:
  x: u64
processes:
  p:
    out: x
    step:
      x: random(u64)
outputs:
  x.csv:
    record: x
run: {cycles: 5}
)");
    const auto recorded = [&](const std::string& options) {
        const Command run{"run " + folder.path("network.yaml") + options};
        CHECK(run.exit_code == 0);
        return Command{"cat " + folder.path("x.csv"), Command::any_program}.out;
    };
    const std::string zero = recorded("");
    CHECK(recorded(" --seed 0") == zero);
    const std::string one = recorded(" --seed 1");
    CHECK(one != zero);
    CHECK(recorded(" --seed 1") == one);
}

TEST_CASE("a failed check ends with 1 and names the cycle") {
    const Counter folder{"checks:\n  - always: x < 5\nrun: {cycles: 10}\n"};
    const Command run{"run " + folder.network};
    CHECK(run.exit_code == 1);
    CHECK(run.out == "counter: 7 cycles of 1 process, 1 bus, ended by a failed check\n"
                     "  FAILED       always: x < 5 (in cycle 6, evaluated 7 times)\n");
    CHECK(run.err == folder.network +
                         ":12:13: fault: the check 'always: x < 5' failed in cycle 6: 'x' is 5 "
                         "[check-failed]\n    - always: x < 5\n"
                         "              ^~~~~\n");
}

TEST_CASE("a failed check over lines points at the first of them, each check for itself") {
    const Counter folder{"checks:\n  - always:\n      x <\n      5\n"
                         "  - never: |\n      x ==\n        5\nrun: {cycles: 10}\n"};
    const Command run{"run " + folder.network};
    CHECK(run.err == folder.network +
                         ":13:7: fault: the check 'always: x < 5' failed in cycle 6: 'x' is 5 "
                         "[check-failed]\n        x <\n        ^~~\n" +
                         folder.network +
                         ":16:7: fault: the check 'never: x == 5' failed in cycle 6: 'x' is 5 "
                         "[check-failed]\n        x ==\n        ^~~~\n");
}

TEST_CASE("a check that was never evaluated is not reached") {
    const Counter folder{"checks:\n  - at 50: x == 0\nrun: {cycles: 10}\n"};
    const Command run{"run " + folder.network};
    CHECK(run.exit_code == 0);
    CHECK(contains(run.out, "  not reached  at 50: x == 0\n"
                            "  1 of 1 check was not reached; with --strict this fails\n"));
}

TEST_CASE("a strict run fails when a check was not reached") {
    const Counter folder{
        "checks:\n  - cover: x == 200\n  - at 100: x == 7\n"
        "  - eventually by 90: x == 250\n  - always: x == 8 then x == 3 within 20\n"
        "  - at 5: x == 4\nrun: {cycles: 10}\n"};
    const std::string run = "run " + folder.network;
    const Command loose{run};
    CHECK_MESSAGE(loose.exit_code == 0, loose.err);
    CHECK(contains(loose.out, "  4 of 5 checks were not reached; with --strict this fails\n"));
    const Command strict{run + " --strict --results " + folder.path("r.json") + " --junit " +
                         folder.path("r.xml")};
    CHECK(strict.exit_code == 1);
    CHECK(contains(strict.err, "the check 'cover: x == 200' was not reached in 10 cycles "
                               "[not-reached]"));
    CHECK(contains(strict.err, "1 of 1 were open when the run ended [not-reached]"));
    CHECK(contains(strict.out, "  4 of 5 checks were not reached\n"));
    CHECK(contains(text_of(folder.path("r.json")), "\"passed\": false"));
    CHECK(contains(text_of(folder.path("r.xml")), "failures=\"0\""));
    CHECK(contains(text_of(folder.path("r.xml")), "skipped=\"4\""));
    CHECK(Command{"validate --orders 1 --strict " + folder.network}.exit_code == 1);
    CHECK(Command{"run --strict --cycles 300 " + folder.network}.exit_code == 1); // a failed check
    folder.write("network.yaml",
                 text_of(folder.network) + "outputs: {o.csv: {record: x, expect: e.csv}}\n");
    folder.write("e.csv", "0\n0\n1\n2\n");
    const Command cut{"run --strict --cycles 2 " + folder.network};
    CHECK(contains(cut.err, "o.csv' has 3 of 4 expected rows [not-reached]"));
}

TEST_CASE("small words are right: options without lines, formats by endings, one row") {
    const Counter folder{"outputs: {o.csv: {record: x, when: x == 50, expect: e.csv}}\n"
                         "run: {cycles: 10}\n"};
    folder.write("e.csv", "50\n");
    const Command run{"run " + folder.network + " --set foo=3"};
    CHECK(contains(run.err, "--set foo=3: error: "));
    CHECK(contains(Command{"run " + folder.network}.err, "0 rows came, but 1 is expected"));
    const Command named{"run " + folder.network + " --trace " + folder.path("x.foo")};
    CHECK(contains(named.err, "x.foo' becomes a VCD file, as its ending names no format "
                              "(FILE.vcd|"));
}

TEST_CASE("bad use ends with 2 and says what to write") {
    const Counter folder;
    for (const char* cycles : {"0", "4611686018427387905", "-1", "ten", "1e3", ""}) {
        CAPTURE(cycles);
        const Command run{"run " + folder.network + " --cycles '" + cycles + "'"};
        CHECK(run.exit_code == 2);
        CHECK(contains(run.err, "1 to 4611686018427387904"));
        CHECK(run.out == "");
    }
    CHECK(contains(Command{"rum x"}.err, "did you mean 'run'?"));
    CHECK(Command{"rum x"}.exit_code == 2);
    CHECK(Command{""}.exit_code == 2);
    CHECK(Command{"run"}.exit_code == 2);
    CHECK(Command{"run a b"}.exit_code == 2);
    CHECK(contains(Command{"run a --cycels 3"}.err, "--cycels"));
    CHECK(contains(Command{"run " + folder.network + " --set nodes"}.err, "NAME=VALUE"));
    CHECK(contains(Command{"run " + folder.network + " --set nodes=3"}.err, "no parameter"));
    CHECK(Command{"run " + folder.path("none.yaml")}.exit_code == 2);
    CHECK(Command{"run " + folder.path("")}.exit_code == 2);
    CHECK(Command{"--help"}.exit_code == 0);
    CHECK(Command{"run --help"}.exit_code == 0);
    CHECK(contains(Command{"man"}.out,
                   "what hands work to threads; static: a list for each thread; "
                   "atomic: one list"));
}

TEST_CASE("without the program that carries out a command, its help and other commands work") {
    const Scratch scratch;
    scratch.write("network.yaml", counter);
    std::filesystem::copy(SME_COMMAND, scratch.path("sme"));
    const auto alone = [&](const std::string& arguments) {
        return Command{scratch.path("sme") + " " + arguments, Command::any_program};
    };
    const std::string network = scratch.path("network.yaml");
    CHECK(alone("check " + network).exit_code == 0);
    CHECK(contains(alone("diff --help").out, "usage: sme diff FILE"));
    const Command missing = alone("validate " + network);
    CHECK(missing.exit_code == 4);
    CHECK(missing.out.empty());
    CHECK(missing.err == "error: cannot start '" + scratch.path("sme-analysis") +
                             "', which carries out 'sme validate': it is not there; install sme "
                             "again [file-unreadable]\n");
}

TEST_CASE("without its library a network with Verilog modules is refused, and others run") {
    const Scratch scratch;
    scratch.write("network.yaml", counter);
    scratch.write("a.v", "module a(input wire clk); endmodule\n");
    scratch.write("verilog.yaml", "network: v\nprocesses: {p: {verilog: {files: a.v, top: a}}}\n");
    std::filesystem::create_directories(scratch.path("sim/cli"));
    std::filesystem::copy(SME_COMMAND, scratch.path("sim/cli/sme"));
    const auto alone = [&](const std::string& arguments) {
        return Command{scratch.path("sim/cli/sme") + " " + arguments, Command::any_program};
    };
    CHECK(alone("run --cycles 3 " + scratch.path("network.yaml")).exit_code == 0);
    const auto is_refused = [&] {
        const Command missing = alone("run --cycles 3 " + scratch.path("verilog.yaml"));
        CHECK(missing.exit_code == 3);
        CHECK(contains(missing.err, "verilog.yaml:2:26: error: cannot load '"));
        CHECK(contains(missing.err, "libsme_verilog.so', which runs Verilog modules: it is not "
                                    "there; install sme again [verilog-missing]\n"));
    };
    is_refused();
    // linked in part: not executable yet
    std::filesystem::create_directories(scratch.path("hdl/verilator"));
    scratch.write("hdl/verilator/libsme_verilog.so", "part");
    is_refused();
}

TEST_CASE("the version is an option and a command") {
    const Command option{"--version"}, command{"version"};
    CHECK(command.exit_code == 0);
    CHECK(option.out.starts_with("sme "));
    CHECK(command.out == option.out);
    CHECK(contains(option.out, "Verilator"));
}

TEST_CASE("a misspelt option gets the nearest one of its command") {
    CHECK(Command{"run a --cycels 3"}.err ==
          "error: 'sme run' has no option '--cycels', did you mean '--cycles'? 'sme run --help' "
          "lists the options [bad-option]\n");
    CHECK(contains(Command{"check a --cycles 3"}.err, "'sme check' has no option '--cycles'; "));
    CHECK(Command{"schema x"}.err ==
          "error: 'sme schema' takes no argument, but 1 are given [bad-option]\n");
    CHECK(Command{"man --help"}.out.starts_with("usage: sme man [options]\n"));
}

TEST_CASE("an option that takes one of some words takes no other") {
    CHECK(Command{"run a --engine nativ"}.err ==
          "error: --engine is one of auto, interpreted, native, but this is 'nativ', did you mean "
          "'native'? [bad-option]\n");
    CHECK(Command{"diff a b --any-x ''"}.err ==
          "error: --any-x is one of first, second, both, but this is '' [bad-option]\n");
}

TEST_CASE("a trace is looked at without the options of a run") {
    for (const char* option : {"--stats", "--set a=1", "--trace-state"})
        CHECK(contains(Command{std::string{"view a.vcd "} + option}.err,
                       "a trace is looked at as it is"));
    CHECK_FALSE(contains(Command{"view a.vcd --overwrite --allow /"}.err, "looked at as it is"));
}

TEST_CASE("on a terminal the first error says where to read more, once, and nowhere else") {
    const Counter folder{"checks:\n  - always: y < 5\n  - never: z\n"};
    const std::string hint = "'sme explain unknown-name' tells more";
    CHECK_FALSE(contains(Command{"check " + folder.network}.err, hint));
    if (std::system("command -v script >/dev/null") != 0) {
        MESSAGE("skipped: no 'script' to make a terminal");
        return;
    }
    const auto shown = [](const std::string& line) {
        return Command{"script -qec '" SME_COMMAND " " + line + "' /dev/null", Command::any_program}
            .out;
    };
    const std::string text = shown("check " + folder.network);
    const std::size_t first = text.find(hint);
    REQUIRE(first != std::string::npos);
    CHECK(text.find("tells more", first + hint.size()) == std::string::npos);
    const Counter warned;
    const std::string warning = shown("check " + warned.network);
    CHECK(contains(warning, "[unused]"));
    CHECK_FALSE(contains(warning, "tells more"));
}

TEST_CASE("a selection that no bus matches ends with 2 and leaves no trace") {
    const Counter folder;
    const Command run{"run " + folder.network + " --trace " + folder.path("x.vcd") +
                      " --trace-select 'nothing*'"};
    CHECK(run.exit_code == 2);
    CHECK(contains(run.err, "no bus matches 'nothing*'"));
    CHECK(folder.files() == std::vector<std::string>{"network.yaml"});
}

TEST_CASE("messages that nobody can read are no reason to abort") {
    const Counter folder{"checks:\n  - always: y < 5\nrun: {cycles: 10}\n"};
    const Command full{"sh -c '" SME_COMMAND " run " + folder.network + " 2>/dev/full'",
                       Command::any_program};
    CHECK(full.exit_code == 4);
}

TEST_CASE("a network without a length asks for one") {
    const Counter folder{""};
    const Command run{"run " + folder.network};
    CHECK(run.exit_code == 2);
    CHECK(contains(run.err, "--cycles"));
}

TEST_CASE("warnings become errors with --strict") {
    const Counter folder;
    CHECK(Command{"check " + folder.network}.exit_code == 0);
    CHECK(contains(Command{"check " + folder.network}.err, "warning: nothing reads bus 'x'"));
    CHECK(Command{"check " + folder.network + " --strict"}.exit_code == 2);
}

TEST_CASE("a file that cannot be written ends with 4 and leaves nothing") {
    const Counter folder{"outputs:\n  rows.csv: {record: x}\nrun: {cycles: 1000}\n"};
    const Command full{"run " + folder.network + " --trace /dev/full"};
    CHECK(full.exit_code == 4);
    CHECK(contains(full.err, "No space left on device [file-unwritable]\n"));
    const Command missing{"run " + folder.network + " --trace " + folder.path("none/x.vcd")};
    CHECK(missing.exit_code == 4);
    CHECK_FALSE(any_part_file(folder));
    const Counter blocked{"outputs:\n  none/rows.csv: {record: x}\nrun: {cycles: 10}\n"};
    CHECK(Command{"run " + blocked.network}.exit_code == 4);
}

TEST_CASE("standard output that is full ends with 4") {
    const Counter folder;
    for (const std::string& line :
         {"run " + folder.network, std::string{"explain"}, std::string{"schema"}}) {
        CAPTURE(line);
        const Command full{"sh -c '" SME_COMMAND " " + line + " >/dev/full'", Command::any_program};
        CHECK(full.exit_code == 4);
    }
}

TEST_CASE("what processes print comes before the results, and a reader who leaves ends the run") {
    const Scratch folder;
    folder.write("network.yaml", sme::test::talking("\"at {cycle}: {x}\" when x % 2 == 1"));
    const std::string network = folder.path("network.yaml");
    const Command run{"run " + network + " --cycles 5"};
    CHECK(run.out == "at 1: 1\nat 3: 3\ntalk: 5 cycles of 1 process, 1 bus\n");
    CHECK(run.exit_code == 0);
    const Command left{"run " + network + " --cycles 1000000000000 | head -n 1"};
    CHECK(left.out == "at 1: 1\n");
    const Command full{"sh -c '" SME_COMMAND " run " + network +
                           " --cycles 1000000000000 >/dev/full'",
                       Command::any_program};
    CHECK(full.exit_code == 4);
}

TEST_CASE("an interrupted run finishes its files and ends with 130 or 143") {
    for (const auto& each : {std::pair{SIGINT, 130}, std::pair{SIGTERM, 143}}) {
        CAPTURE(each.first);
        const Counter folder{"outputs:\n  rows.csv: {record: x, when: x < 10}\n"};
        Running run{"run network.yaml --cycles 4611686018427387904 --trace x.vcd", folder.path()};
        REQUIRE(run.runs_until([&] { return bytes_under_way(folder) > 100'000; }));
        run.signal(each.first);
        CHECK(run.wait() == each.second);
        CHECK(contains(run.out(), "interrupted"));
        CHECK(std::filesystem::exists(folder.path("x.vcd")));
        CHECK(std::filesystem::exists(folder.path("rows.csv")));
        CHECK_FALSE(any_part_file(folder));
        const std::string trace = sme::test::text_of(folder.path("x.vcd"));
        REQUIRE(trace.size() > 1000);
        CHECK(trace.back() == '\n');
    }
}

TEST_CASE("two runs write the same bytes") {
    const Counter folder{"outputs:\n  rows.csv: {record: x}\nrun: {cycles: 1000}\n"};
    CHECK(Command{"run " + folder.network + " --trace " + folder.path("a.vcd")}.exit_code == 0);
    const std::string rows = sme::test::text_of(folder.path("rows.csv"));
    CHECK(Command{"run " + folder.network + " --trace " + folder.path("b.vcd")}.exit_code == 0);
    CHECK(sme::test::text_of(folder.path("a.vcd")) == sme::test::text_of(folder.path("b.vcd")));
    CHECK(sme::test::text_of(folder.path("rows.csv")) == rows);
    CHECK(rows.starts_with("value\n0\n0\n1\n2\n"));
}

TEST_CASE("an output that differs from what is expected ends with 1 and names the row") {
    const Counter folder{"outputs:\n  rows.csv: {record: x, expect: want.csv}\n"
                         "run: {cycles: 3}\n"};
    folder.write("want.csv", "value\n0\n0\n7\n2\n");
    const Command run{"run " + folder.network};
    CHECK(run.exit_code == 1);
    CHECK(contains(run.out, "row 2 (cycle 2): 'value' is 1, but 7 is expected"));
    CHECK(contains(run.err, "network.yaml:12:3: fault: '" + folder.path("rows.csv") +
                                "' is not what '" + folder.path("want.csv") +
                                "' expects: row 2 (cycle 2)"));
    CHECK(contains(run.err, "[record-differs]\n    rows.csv: {"));
    folder.write("want.csv", "value\n0\n0\n1\n2\n3\n");
    CHECK(contains(Command{"run " + folder.network}.out, "4 rows came, but 5 are expected"));
    folder.write("want.csv", "value\n0\n0\n1\n");
    CHECK(contains(Command{"run " + folder.network}.out, "one more than the 3 expected"));
    folder.write("want.csv", "value\n0\n0\n1\n2\n");
    CHECK(Command{"run " + folder.network}.exit_code == 0);
}

TEST_CASE("a run longer than a second shows its progress on a terminal, and only there") {
    const Counter folder{""};
    const std::string line = SME_COMMAND " run " + folder.network + " --cycles 4611686018427387904";
    const Command quiet{"timeout -s INT 2 " + line, Command::any_program};
    CHECK_FALSE(contains(quiet.err, "cycles/s"));
    if (std::system("command -v script >/dev/null") != 0) {
        MESSAGE("skipped: no 'script' to make a terminal");
        return;
    }
    RunningOnTerminal terminal{"run " + folder.network + " --cycles 4611686018427387904"};
    const bool shown = terminal.shows("left");
    CAPTURE(terminal.seen());
    CHECK(shown);
    CHECK(contains(terminal.seen(), "cycles/s"));
}
