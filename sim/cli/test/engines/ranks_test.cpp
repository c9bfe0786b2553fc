// SPDX-License-Identifier: Apache-2.0
//
// A run on several ranks of each MPI of the system, from the user's view: the same files, texts and
// exit codes as on one machine.
#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "../command.hpp"
#include "../model_copies.hpp"

using namespace sme::test;

namespace {

/// Runs a program on several ranks.
Command started(const std::string& launcher, unsigned ranks, const std::string& program) {
    return Command{fmt::format("OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "
                               "timeout 60 {} -n {} {}",
                               launcher, ranks, program),
                   Command::any_program};
}

/// The mpirun commands that work.
std::vector<std::string> find_launchers() {
    std::vector<std::string> found;
    for (const std::string mpi : {"openmpi", "mpich"}) {
        const std::string launcher =
            fmt::format("mpirun.{}{}", mpi, mpi == "openmpi" ? " --oversubscribe" : "");
        if (!std::filesystem::exists(
                fmt::format("{}/sim/mpi/libsme_mpi_{}.so", SME_BINARY_DIR, mpi)))
            MESSAGE("skipped: built without " << mpi);
        else if (started(launcher, 2, "true").exit_code != 0)
            MESSAGE("skipped: '" << launcher << "' starts no programs here");
        else
            found.push_back(launcher);
    }
    return found;
}

const std::vector<std::string>& launchers() {
    static const std::vector<std::string> found = find_launchers();
    return found;
}

Command on_ranks(const std::string& launcher, unsigned ranks, const std::string& line) {
    return started(launcher, ranks, fmt::format("{} {}", SME_COMMAND, line));
}

/// MPICH waits with all CPUs, so that more ranks than CPUs take seconds.
unsigned ranks_of(const std::string& launcher) {
    return contains(launcher, "mpich") ? 2 : 3;
}

} // namespace

TEST_CASE("a run on several ranks writes the same waveform, prints the same and ends alike") {
    for (const std::string& launcher : launchers()) {
        CAPTURE(launcher);
        for (const char* name : {"cpu", "life"}) {
            CAPTURE(name);
            const Scratch folder;
            const std::string line = fmt::format("run {} --cycles 100", model(name));
            const Command alone{line + " --trace " + folder.path("one.vcd")};
            const Command ranks = on_ranks(launcher, ranks_of(launcher),
                                           line + " --trace " + folder.path("ranks.vcd"));
            CAPTURE(ranks.err);
            CHECK(ranks.exit_code == alone.exit_code);
            CHECK(ranks.out == alone.out);
            const bool same = text_of(folder.path("one.vcd")) == text_of(folder.path("ranks.vcd"));
            CHECK(same);
        }
    }
}

TEST_CASE("with ranks, native code runs on all of them, and what is not available is an error") {
    for (const std::string& launcher : launchers()) {
        CAPTURE(launcher);
        const std::string line = "run " + model("life") + " --cycles 150 --engine native";
        const Command alone{line}, ranks = on_ranks(launcher, 2, line);
        CAPTURE(ranks.err);
        CHECK(ranks.exit_code == 0);
        CHECK(ranks.out == alone.out);
        if (launcher != launchers().back()) // mpirun of Open MPI takes a second to end
            continue;
        const Command refused = on_ranks(launcher, 2, line + " --coverage c.info");
        CHECK(refused.exit_code != 0);
        CHECK(contains(refused.err, "--coverage is not available on several ranks"));
        const Command wrong = on_ranks(launcher, 2, "run /nowhere.yaml");
        CHECK(wrong.exit_code != 0);
        CHECK(contains(wrong.err, "/nowhere.yaml"));
    }
}
