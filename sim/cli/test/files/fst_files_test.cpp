// SPDX-License-Identifier: Apache-2.0
//
// Tests FST files of runs that end unexpectedly: a file under its final name is complete, and
// GTKWave's own reader accepts a partial file.
#include <doctest/doctest.h>

#include <csignal>
#include <filesystem>
#include <string>

#include "../outputs.hpp"
#include "../running.hpp"

namespace {

using namespace sme::test;
namespace fs = std::filesystem;

constexpr const char* traced = " --trace run.fst --threads 1";

Command in(const Scratch& folder, const std::string& line) {
    return Command{"cd " + folder.path() + " && " + line, Command::any_program};
}

/// Counts the time steps that GTKWave's reader finds in a file; 0 if it considers it damaged.
std::size_t times_read(const Scratch& folder, const std::string& file) {
    const Command read = in(folder, "fst2vcd -f " + file + " -o back.vcd");
    return read.exit_code == 0 && fs::exists(folder.path("back.vcd"))
               ? times_in(text_of(folder.path("back.vcd")))
               : 0;
}

std::uint64_t cycles_of(const std::string& out) {
    const std::size_t end = out.find(" cycles of");
    REQUIRE(end != std::string::npos);
    return std::stoull(out.substr(out.find_last_not_of("0123456789", end - 1) + 1));
}

} // namespace

TEST_CASE("an FST file that a device should be is refused before the run") {
    const EndlessModel folder{"life"};
    for (const char* device : {"/dev/full", "/dev/null"}) {
        fs::remove(folder.path("run.fst"));
        fs::create_symlink(device, folder.path("run.fst"));
        const Command run = in(folder, SME_COMMAND " " + folder.run() + traced);
        CHECK(run.exit_code == 4);
        CHECK(contains(run.err, "run.fst': an FST file is written from both ends, which only a "
                                "regular file allows [file-unwritable]"));
    }
}

TEST_CASE("a signal ends a run, and its FST file is whole") {
    if (!is_there("fst2vcd"))
        return;
    for (const int number : {SIGINT, SIGTERM}) {
        const EndlessModel folder{"life"};
        Running run{folder.run() + traced, folder.path()};
        REQUIRE(run.runs_until([&] { return size_of(folder.path("output.csv.part")) > 10'000; }));
        run.signal(number);
        CHECK(run.wait() == 128 + number);
        CHECK(times_read(folder, "run.fst") == 2 * cycles_of(run.out()) + 1);
        CHECK(parts_in(folder.path()).empty());
        CHECK_FALSE(fs::exists(folder.path("run.fst.part.hier")));
    }
}

TEST_CASE("a disk without room ends a run, and whole sections of its FST file are kept") {
    if (!is_there("fst2vcd"))
        return;
    for (const char* blocks : {"2", "2000"}) {
        CAPTURE(blocks);
        const bool some_kept = blocks == std::string{"2000"};
        const EndlessModel folder{"riscv"};
        std::string bare = text_of(folder.path("network.yaml")); // without recorded output
        const std::size_t begin = bare.find("outputs:");
        folder.write("network.yaml", bare.erase(begin, bare.find("checks:") - begin));
        const Command run = in(folder, std::string{"ulimit -f "} + blocks + " && " SME_COMMAND " " +
                                           folder.run() + traced);
        CHECK(run.exit_code == 4);
        CHECK_MESSAGE(contains(run.err, "run.fst': File too large"), run.err);
        CHECK_FALSE(fs::exists(folder.path("run.fst")));
        CHECK(contains(run.err, "the earlier lines are in '") == some_kept);
        CHECK(fs::exists(folder.path("run.fst.part")) == some_kept);
        CHECK(fs::exists(folder.path("run.fst.part.hier")) == some_kept);
        CHECK((times_read(folder, "run.fst.part") > 10'000) == some_kept);
    }
}

TEST_CASE("a run that is killed leaves the sections it wrote, and the next takes their place") {
    if (!is_there("fst2vcd"))
        return;
    const EndlessModel folder{"ring"};
    Running run{folder.run() + " --set nodes=1000" + traced, folder.path()};
    REQUIRE(run.runs_until([&] { return size_of(folder.path("run.fst.part")) > 10'000; }));
    run.signal(SIGKILL);
    CHECK(run.wait() == 137);
    CHECK_FALSE(fs::exists(folder.path("run.fst")));
    const std::size_t times = times_read(folder, "run.fst.part");
    CHECK(times > 100);
    // our own reader agrees
    CHECK(in(folder, SME_COMMAND " diff run.fst.part back.vcd").exit_code == 0);
    const Command next = in(folder, SME_COMMAND " " + folder.run("20") + traced);
    CHECK(next.exit_code == 0);
    CHECK(times_read(folder, "run.fst") == 41);
    CHECK_FALSE(fs::exists(folder.path("run.fst.part.hier")));
    CHECK(parts_in(folder.path()) == std::vector<std::string>{});
}

TEST_CASE("an FST file takes the place of one that is there, and of no other file") {
    const EndlessModel folder{"life"};
    const std::string line = SME_COMMAND " " + folder.run("20") + traced;
    CHECK(in(folder, line).exit_code == 0);
    CHECK(in(folder, line).exit_code == 0);
    folder.write("run.fst", "mine");
    const Command refused = in(folder, line);
    CHECK(refused.exit_code == 2);
    CHECK(contains(refused.err, "is not an FST file"));
    CHECK(text_of(folder.path("run.fst")) == "mine");
}

TEST_CASE("an FST file has the signals and values of the VCD file of the same run") {
    struct Run {
        const char* model;
        const char* options;
    };
    for (const Run& run : {Run{"fir", ""}, Run{"cpu", "--trace-state"}, Run{"jpeg", "--cycles 50"},
                           Run{"traffic", "--set amber_time=3 --keep-last 10"},
                           Run{"life", "--trace-select 'alive[?, 3],alive[2, ?]'"},
                           Run{"aes", "--cycles 1"}, Run{"uart", "--threads 2"}}) {
        CAPTURE(run.model);
        const Scratch folder;
        folder.copy(std::string{SME_SOURCE_DIR} + "/models/" + run.model);
        for (const char* file : {"run.vcd", "run.fst"})
            in(folder,
               std::string{SME_COMMAND " run network.yaml "} + run.options + " --trace " + file);
        const Command same = in(folder, SME_COMMAND " diff --strict run.vcd run.fst");
        CHECK_MESSAGE(same.exit_code == 0, (same.out + same.err));
        CHECK(contains(same.out, "identical: "));
        CHECK(size_of(folder.path("run.fst")) > 0);
    }
}

TEST_CASE("an FST file ends with the cycle of a fault, and goes on from a checkpoint") {
    const Scratch folder;
    folder.write("n.yaml", "network: n\nbuses: {x: u8}\nprocesses:\n  p:\n    out: x\n"
                           "    state: {n: u8 = 5}\n    step:\n      n: n - 1\n"
                           "      x: 100 / n\n");
    for (const char* file : {"run.vcd", "run.fst"})
        CHECK(in(folder, std::string{SME_COMMAND " run n.yaml --cycles 20 --trace "} + file)
                  .exit_code == 1);
    const Command same = in(folder, SME_COMMAND " diff --strict run.vcd run.fst");
    CHECK_MESSAGE(same.exit_code == 0, (same.out + same.err));
    const std::string fir = SME_SOURCE_DIR "/models/fir";
    folder.copy(fir);
    CHECK(in(folder, SME_COMMAND " run network.yaml --cycles 200 --checkpoint-every 100 c")
              .exit_code <= 1);
    for (const char* file : {"rest.vcd", "rest.fst"})
        in(folder,
           std::string{SME_COMMAND " run network.yaml --resume c --cycles 300 --trace "} + file);
    const Command rest = in(folder, SME_COMMAND " diff --strict rest.from-*.vcd rest.from-*.fst");
    CHECK_MESSAGE(rest.exit_code == 0, (rest.out + rest.err));
}
