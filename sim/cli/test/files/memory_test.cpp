// SPDX-License-Identifier: Apache-2.0
//
// Tests runs with too little memory: they end with 2, or with 4 if the trace did not fit, and
// report it. No run dies from a signal.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "../outputs.hpp"

namespace {

using namespace sme::test;
namespace fs = std::filesystem;

/// A sanitizer reserves terabytes of address space.
bool can_be_limited() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    MESSAGE("skipped: a sanitizer needs more addresses than a limit leaves");
    return false;
#else
    return true;
#endif
}

Command limited(const Scratch& folder, unsigned kilobytes, const std::string& arguments,
                const std::string& program = SME_COMMAND) {
    return Command{"cd " + folder.path() + " && ulimit -v " + std::to_string(kilobytes) + " && " +
                       program + " " + arguments,
                   Command::any_program};
}

const char* const wide = R"(network: wide
parameters:
  n: 10
buses:
  x[n]: u64
processes:
  p[k < n]:
    out: {x: "x[k]"}
    step:
      x: (u64(k) * 77) % 1000
)";

} // namespace

TEST_CASE("a network that cannot be laid out") {
    if (!can_be_limited())
        return;
    const Scratch folder;
    folder.write("network.yaml", wide);
    const std::string run = "run network.yaml --cycles 5 --trace run.vcd --set n=";
    CHECK(limited(folder, 100'000, run + "1000").exit_code == 0);
    fs::remove(folder.path("run.vcd"));
    const Command large = limited(folder, 100'000, run + "50000000");
    CHECK(large.exit_code == 2);
    CHECK(contains(large.err,
                   "error: there is not enough memory for this network [network-too-large]\n"));
    CHECK(folder.files() == std::vector<std::string>{"network.yaml"});
}

TEST_CASE("data that cannot be loaded") {
    if (!can_be_limited())
        return;
    const Scratch folder;
    folder.write("network.yaml", R"(network: fed
buses:
  x: u32
  y: u32
inputs:
  x: rows.csv
processes:
  p:
    in: x
    out: y
    step:
      y: x
checks:
  - cover: y > 0
)");
    {
        std::ofstream rows{folder.path("rows.csv")};
        rows << "value\n";
        for (int k = 0; k < 3'000'000; ++k)
            rows << k << "\n";
    }
    CHECK(limited(folder, 1'000'000, "run network.yaml --cycles 5").exit_code == 0);
    const Command large = limited(folder, 40'000, "run network.yaml --cycles 5");
    CHECK(large.exit_code == 2);
    CHECK(contains(large.err, "there is not enough memory for this network"));
}

TEST_CASE("last cycles that do not fit") {
    if (!can_be_limited())
        return;
    for (const char* threads : {"1", "2"}) {
        CAPTURE(threads);
        const EndlessModel folder{"ring"}; // so large that few cycles fill the memory
        const Command run = limited(folder, 100'000,
                                    folder.run() +
                                        " --set nodes=20000 --trace run.vcd --results results.json "
                                        "--keep-last 1000000000 --threads " +
                                        threads);
        CHECK(run.exit_code == 4);
        CHECK(contains(run.err,
                       "error: there is not enough memory for the last 1000000000 cycles of "
                       "'run.vcd'; give a smaller number [file-unwritable]\n"));
        CHECK(contains(run.out, ", interrupted\n"));
        // the other files are unaffected
        CHECK(contains(text_of(folder.path("results.json")), "\"ending\": \"interrupted\""));
        CHECK(parts_in(folder.path()).empty());
        CHECK_FALSE(fs::exists(folder.path("run.vcd")));
    }
}

TEST_CASE("lines that do not fit, in the middle of a run: what came before is kept") {
    if (!can_be_limited())
        return;
    const Scratch folder;
    folder.write("network.yaml", R"(network: talk
buses:
  x: wire u32
processes:
  source:
    out: x
    state: {n: u32 = 0}
    step:
      n: n + 1
      x: n
  p[k < 300000]:
    in: x
    step:
      print: "a line that is too long for the place where short ones are kept: {x}" when x == 40
)");
    for (const char* threads : {"1", "2"}) {
        CAPTURE(threads);
        const Command run =
            limited(folder, 90'000,
                    std::string{"run network.yaml --cycles 100 --trace run.vcd --results r.json "
                                "--threads "} +
                        threads);
        CHECK(run.exit_code == 2);
        CHECK_MESSAGE(contains(run.err, "error: there is not enough memory to go on in cycle 40 "
                                        "[network-too-large]\nnote: 'run.vcd' is not finished; "
                                        "the earlier lines are in 'run.vcd.part'\n"),
                      run.err);
        CHECK(parts_in(folder.path()) == std::vector<std::string>{"run.vcd.part"});
        CHECK_FALSE(fs::exists(folder.path("run.vcd")));
        CHECK_FALSE(fs::exists(folder.path("r.json")));
        check_vcd(folder.path("run.vcd.part"), true);
        CHECK(times_in(text_of(folder.path("run.vcd.part"))) >= 79);
    }
}

TEST_CASE("at no limit does a command end by a signal, or keep silent") {
    if (!can_be_limited())
        return;
    unsigned least = 7'000; // with less memory, one of the programs does not start
    for (const char* program : {SME_COMMAND, SME_COMMAND "-analysis", SME_COMMAND "-hardware"})
        while (limited(Scratch{}, least, "--version", program).exit_code != 0)
            least += 100;
    for (const std::string line :
         {"run network.yaml --cycles 300 --threads 2 --trace run.vcd",
          "run network.yaml --cycles 300 --threads 2 --validate --coverage covered.info",
          "run network.yaml --cycles 300 --trace run.vcd --keep-last 200 --profile profile.json",
          "run network.yaml --cycles 300 --show '*'",
          "validate network.yaml --cycles 50 --orders 3", "graph network.yaml -o picture.dot",
          "verilog network.yaml --cycles 300 -o written",
          "vhdl network.yaml --cycles 300 -o written", "predict network.yaml --threads 1,2"})
        for (unsigned kilobytes = least; kilobytes < 100'000; kilobytes += 300) {
            CAPTURE(line);
            CAPTURE(kilobytes);
            const EndlessModel folder{"life"};
            const Command run = limited(folder, kilobytes, line);
            CHECK_MESSAGE((run.exit_code == 0 || run.exit_code == 2 || run.exit_code == 4),
                          run.err);
            CHECK((run.exit_code == 0 || contains(run.err, "there is not enough memory for") ||
                   contains(run.err, "there is not enough memory to go on in cycle ") ||
                   contains(run.err, "there cannot be ") ||
                   contains(run.err, "cannot start the thread that writes the trace: ")));
            if (run.exit_code == 0) {
                CHECK(parts_in(folder.path()).empty());
                break; // higher limits succeed as well
            }
        }
}
