// SPDX-License-Identifier: Apache-2.0
//
// The files and programs that remain when a run on several ranks is interrupted, a rank is killed,
// or a disk is full.
#include <csignal>
#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "../model_copies.hpp"
#include "../outputs.hpp"
#include "../ranks.hpp"
#include "../running.hpp"

namespace {

using namespace sme::test;
namespace fs = std::filesystem;

/// Runs an endless model on two ranks, with a trace.
struct OnRanks {
    explicit OnRanks(const std::string& launcher)
        : model{"life"}, run{model.run() + " --trace run.vcd", model.path(),
                             as_root + launcher + " -n 2"} {
        REQUIRE_MESSAGE(
            run.runs_until([&] { return size_of(model.path("run.vcd.part")) > 10'000; }),
            run.err());
    }

    EndlessModel model;
    Running run;
};

} // namespace

TEST_CASE("a signal to mpirun ends all ranks after the same cycle, and the trace is whole") {
    for (const std::string& launcher : launchers()) {
        CAPTURE(launcher);
        OnRanks ranks{launcher};
        const std::vector<int> processes = ranks_in(ranks.model.path());
        ranks.run.signal(SIGINT);
        const int code = ranks.run.wait();
        if (!contains(launcher, "mpich")) // whose mpirun sometimes ends with 0 after a signal
            CHECK(code != 0);
        for (const int process : processes) {
            CHECK(process != 0);
            CHECK(!is_alive(process));
        }
        CHECK(contains(ranks.run.out(), ", interrupted\n"));
        check_whole(outputs[0], ranks.model.path("run.vcd"));
        CHECK(parts_in(ranks.model.path()).empty());
    }
}

TEST_CASE("after a rank was killed, nothing runs on, and no file has its final name") {
    for (const std::string& launcher : launchers())
        for (const std::size_t rank : {0u, 1u}) {
            CAPTURE(launcher);
            CAPTURE(rank);
            OnRanks ranks{launcher};
            const std::vector<int> processes = ranks_in(ranks.model.path());
            REQUIRE(processes[rank] != 0);
            ::kill(processes[rank], SIGKILL);
            CHECK(ranks.run.wait() != 0);
            for (const int process : processes)
                CHECK(!is_alive(process));
            CHECK(!fs::exists(ranks.model.path("run.vcd")));
        }
}

TEST_CASE(
    "the patience counts from the start: a rank that stops before MPI begins ends the others") {
    for (const std::string& launcher : launchers()) {
        CAPTURE(launcher);
        const std::string line =
            fmt::format("{} run {} --cycles 100 --patience 1", SME_COMMAND, model("life"));
        const Command ranks = started(
            launcher, 1, fmt::format("{} : -n 1 sh -c 'kill -STOP $$; exec {}'", line, line));
        CHECK(ranks.exit_code != 0);
        CHECK(ranks.exit_code != 124); // of timeout
        CHECK(contains(ranks.err, "rank 0 has waited for another one for 1 s, so all ranks end"));
    }
}

TEST_CASE("a command without the plug-in for this MPI says what to install") {
    const Scratch folder; // the copy looks for its plug-ins around itself
    fs::copy_file(SME_COMMAND, folder.path("sme"));
    const Command alone{"OMPI_COMM_WORLD_SIZE=2 " + folder.path("sme") + " run " + model("life"),
                        Command::any_program};
    CHECK(alone.exit_code == 2);
    CHECK(contains(alone.err, "mpirun started several ranks, but this sme has no plug-in for it: "
                              "install libopenmpi-dev and start tools/sme"));
}

TEST_CASE("with ranks, a full disk ends the run as on one machine") {
    for (const std::string& launcher : launchers()) {
        CAPTURE(launcher);
        const std::string line = "run " + model("life") + " --cycles 3000 --trace /dev/full";
        const Command alone{line}, ranks = on_ranks(launcher, 2, line);
        CHECK(ranks.exit_code == alone.exit_code);
        CHECK(contains(ranks.err, "cannot write '/dev/full': No space left on device"));
    }
}
